package checker

import (
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/clock"
)

// The job of tick 4 is done by c1 and then by c2. What let c2 in is said only if it is known which hold each acted in.
func TestTwoJobsOfOneTickAreExplainedByTheHoldsTheyWereDoneIn(t *testing.T) {
	const (
		ended = "c1 stopped acting as holder at 3 s, and c2 acquired the lock "
		rule  = " later: the lock was free. Broken rule: keep the lock of a tick until no client can come for that tick any more."
	)
	for _, s := range []struct {
		name  string
		holds []Hold
		want  string
	}{
		{"both acted", []Hold{{Client: 0, From: 1000 * ms, Gone: 3000 * ms}, {Client: 1, From: 2999 * ms, Gone: 9000 * ms}},
			"c2 acquired the lock at 2.999 s, while c1 still acted as its holder."},
		{"one after the other", []Hold{{Client: 0, From: 1000 * ms, Gone: 3000 * ms}, {Client: 1, From: 3000 * ms, Gone: 9000 * ms}},
			ended + "0 µs" + rule},
		{"later", []Hold{{Client: 0, From: 1000 * ms, Gone: 3000 * ms}, {Client: 1, From: 3500 * ms, Gone: 9000 * ms}},
			ended + "500 ms" + rule},
		{"the first did not hold it", []Hold{{Client: 1, From: 3500 * ms, Gone: 9000 * ms}}, ""},
		{"the second did not hold it", []Hold{{Client: 0, From: 1000 * ms, Gone: 3000 * ms}}, ""},
		{"the first held it only later", []Hold{{Client: 0, From: 2001 * ms, Gone: 3000 * ms}, {Client: 1, From: 3500 * ms, Gone: 9000 * ms}}, ""},
		{"the second held it only later", []Hold{{Client: 0, From: 1000 * ms, Gone: 3000 * ms}, {Client: 1, From: 4001 * ms, Gone: 9000 * ms}}, ""},
	} {
		e := Evidence{Clients: 2, Ticks: 4, Holds: s.holds, History: History{{Time: 2000 * ms}, {Time: 4000 * ms}}, Writes: []Update{
			{Client: 0, Op: 0, Tick: 4, At: 2500 * ms, Plain: Change{Made: 1}},
			{Client: 1, Op: 1, Tick: 4, At: 4500 * ms, Plain: Change{Base: 1, Made: 2}}}}
		w := Witness{First: 0, Second: 1, From: 4500 * ms, To: 4500 * ms}
		if got := strings.Join(e.twiceArgument(w), " "); got != s.want {
			t.Errorf("%s:\n got %s\nwant %s", s.name, got, s.want)
		}
		if got, want := once.sentence(&e, w), "c2 did the job of tick 4 at 4.5 s, which c1 had done at 2.5 s"; got != want {
			t.Errorf("%s; want %s", got, want)
		}
		if got, want := once.summary(&e, w), "c2 does a job that c1 has done"; got != want {
			t.Errorf("%s; want %s", got, want)
		}
	}
}

// A tick is missed if no client did its job, the last one like the first.
func TestATickIsMissedIfItsJobWasNotDone(t *testing.T) {
	job := func(at clock.Instant, tick int, made uint64) Update {
		return Update{Tick: tick, At: at, Plain: Change{Base: max(made, 1) - 1, Made: made}}
	}
	for _, s := range []struct {
		name   string
		ticks  int
		writes []Update
		want   bool
	}{
		{"no tick", 0, nil, false},
		{"each is done", 2, []Update{job(1, 1, 1), job(2, 2, 2)}, false},
		{"the last is not", 2, []Update{job(1, 1, 1)}, true},
		{"the first is not", 2, []Update{job(1, 2, 1)}, true},
		{"storage refused one", 2, []Update{job(1, 1, 1), job(2, 2, 0)}, true},
	} {
		j := Judge{e: &Evidence{Ticks: s.ticks, Writes: s.writes}}
		if got := j.tickMissed(); got != s.want {
			t.Errorf("%s: missed %t", s.name, got)
		}
	}
}
