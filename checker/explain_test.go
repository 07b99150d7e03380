package checker

import (
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

const ms = 1_000_000 // nanoseconds

func TestAFindingIsExplainedInASentence(t *testing.T) {
	pause := []Strike{{Fault: "pause c1", Hosts: []string{"c1"}, From: 12 * ms, To: 15000 * ms}}
	two := []Hold{
		{Client: 0, Fence: 33, From: 10 * ms, Gone: 15012 * ms, Valid: 9890 * ms},
		{Client: 1, Fence: 34, From: 10204 * ms, Gone: forever, Valid: 19000 * ms},
	}
	held := []Hold{{Token: "a", From: 1000 * ms, Valid: 9000 * ms}}
	for _, s := range []struct {
		property, want string
		e              Evidence
	}{
		{"belief", "", Evidence{}},
		{"belief", `From 10.204 s to 15.012 s both c1 (token 33) and c2 (token 34) acted as holder; ` +
			`the fault behind it is "pause c1" at 0.012 s.`, Evidence{Holds: two, Strikes: append(pause, Strike{Fault: "slow n2", Hosts: []string{"n2"}, From: 10000 * ms})}},
		{"belief", `From 0.000000001 s to 0.000000002 s both c1 and c2 acted as holder; no fault had hit before.`,
			Evidence{Holds: []Hold{{Client: 0, From: 0, Gone: 2}, {Client: 1, From: 1, Gone: 2}}}},
		{"belief", `From 0.000001 s on both c2 and c1 acted as holder; no fault had hit before.`,
			Evidence{Holds: []Hold{{Client: 0, From: 1000, Gone: forever}, {Client: 1, From: 0, Gone: forever}}}},
		{"belief", "The run was cut short before this could be known: out of steps.", Evidence{Cut: "out of steps"}},
		{"validity", `From 2 s to 3.5 s the validity windows of c1 and c3 overlapped; no fault had hit before.`,
			Evidence{Holds: []Hold{{Client: 0, From: 0, Valid: 4000 * ms}, {Client: 2, From: 2000 * ms, Valid: 3500 * ms}}}},
		{"quorum", `From 3 s to 9 s fewer than 2 of 3 nodes (1 at first) held the key of c1, whose validity ran from 1 s to 9 s; ` +
			`the last key to go was that on n3, at 3 s; no fault had hit before.`,
			Evidence{Lanes: lanes(3), End: forever, Holds: held, Keys: []Span{
				{Lane: 0, Token: "a", From: 0, To: forever}, {Lane: 2, Token: "a", From: 0, To: 3000 * ms}}}},
		{"quorum", `From 1 s to 9 s fewer than 3 of 5 nodes (0 at first) held the key of c1, whose validity ran from 1 s to 9 s; ` +
			`no fault had hit before.`, Evidence{Lanes: lanes(5), End: forever, Holds: held}},
		{"storage", `c2's update (version 1, token 34), applied at 10.9 s, was overwritten at 15 s by c1 (token 33), ` +
			`which had read version 0.`,
			Evidence{Strikes: pause, Writes: []Update{
				{Client: 1, Fence: 34, At: 10900 * ms, Plain: Change{0, 1}},
				{Client: 0, Fence: 33, At: 15000 * ms, Plain: Change{0, 2}}}}},
		{"storage", `c2's update (version 1), applied at 1 s, was overwritten, with all up to version 3, at 4 s by c1, ` +
			`which had read version 0; no fault had hit before.`,
			Evidence{Writes: []Update{plain(1, 1000*ms, 0, 1), plain(1, 2000*ms, 1, 2), plain(1, 3000*ms, 2, 3), plain(0, 4000*ms, 0, 4)}}},
		{"fenced", `In fenced storage, c1's update (version 1), applied at 1 s, was overwritten at 2 s by c1, ` +
			`which had read version 0; no fault had hit before.`,
			Evidence{Writes: []Update{fencedUpdate(1000*ms, 0, 1), fencedUpdate(2000*ms, 0, 2)}}},
		{"tokens", `c2 asked for its fencing token at 3 s, after c1 (token 33) had acquired at 2 s, and got 1, ` +
			`which is not larger; no fault had hit before.`,
			Evidence{Holds: []Hold{{Fence: 33, Asked: 1000 * ms, From: 2000 * ms},
				{Client: 1, Fence: 1, Asked: 3000 * ms, From: 4000 * ms}}}},
		{"leak-free", `A key of c1 on n2, set at 2 s, lived on to 30 s, although its owner was done with it by 9 s, and no release of it ` +
			`was left without an answer; no fault had hit before.`,
			Evidence{Tries: []Try{{Token: "a", Left: 9000 * ms, Clean: true}},
				Keys: []Span{{Lane: 1, Token: "a", From: 2000 * ms, To: 30000 * ms}}}},
		{"leak-free", `A key of c1 on n1, set at 2 s, had no TTL and was never removed, ` +
			`although its owner was done with it at 3 s; no fault had hit before.`,
			Evidence{Tries: []Try{{Token: "a", Left: 3000 * ms}},
				Keys: []Span{{Token: "a", From: 2000 * ms, To: forever, Endless: true}}}},
		{"leak-free", `A key of c1 on n1, set at 2 s, had no TTL and was never removed, ` +
			`although its owner did nothing more until the run ended at 60 s; no fault had hit before.`,
			Evidence{End: 60000 * ms, Tries: []Try{{Token: "a", Left: forever}},
				Keys: []Span{{Token: "a", From: 2000 * ms, To: forever, Endless: true}}}},
		{"leak-free", `A key on n1, set at 2 s by an unknown owner, had no TTL and was never removed; no fault had hit before.`,
			Evidence{End: 60000 * ms, Keys: []Span{{Token: "a", From: 2000 * ms, To: forever, Endless: true}}}},
		{"quorum", `From 6 s to 11 s n1 did not hold the lock for c1, whose validity ran from 1 s to 11 s; no fault had hit before.`,
			Evidence{Lanes: lanes(1), End: forever, Holds: held, Keys: []Span{{Token: "a", From: 0, To: 6000 * ms}},
				Renewals: []Renewal{{At: 2000 * ms}, {OK: true, At: 8000 * ms, Valid: 11000 * ms}}}},
		{"continuity", `c1 (token 33) acquired at 0.01 s and extended its hold at 15 s, although c2 (token 34) had acquired at 10.204 s.`,
			Evidence{Holds: two, Strikes: pause, Renewals: []Renewal{{OK: true, At: 15000 * ms}}}},
		{"deadlock-free", `A fresh client asked for the lock at 20 s, when every fault had healed, and had it at 32.5 s; ` +
			`it should take no longer than 12 s.`,
			Evidence{Strikes: pause, Probe: Probe{Asked: 20000 * ms, Won: 32500 * ms, Bound: 12 * time.Second}}},
		{"deadlock-free", `A fresh client asked for the lock at 20 s, when every fault had healed, and never had it; ` +
			`it should take no longer than 12 s; no fault had hit before.`,
			Evidence{Probe: Probe{Asked: 20000 * ms, Won: forever, Bound: 12 * time.Second}, Cut: "out of steps"}},
		{"deadlock-free", "This was not judged: no fresh client asked for the lock after the run.", Evidence{Cut: "out of steps"}},
		{"fault-tolerant", `From 1 s to 9 s c2 waited for the lock, although it reached a majority of nodes and no other client held it; ` +
			`it should take no longer than 5 s; no fault had hit before.`,
			Evidence{Clients: 2, Lanes: lanes(3), End: 9000 * ms, Bound: 5 * time.Second, History: History{{Time: 1000 * ms, Process: 3, F: Acquire}}}},
		{"fault-tolerant", `From 1 s to 9 s c2 waited for the lock, although the cluster was in its reach and no other client held it; ` +
			`it should take no longer than 5 s; no fault had hit before.`,
			Evidence{Clients: 2, Lanes: []string{"the cluster"}, End: 9000 * ms, Bound: 5 * time.Second, History: History{{Time: 1000 * ms, Process: 3, F: Acquire}}}},
		{"fault-tolerant", `From 1 s to 9 s c2 waited for the lock, although the database was in its reach and no other client held it; ` +
			`it should take no longer than 5 s; no fault had hit before.`,
			Evidence{Clients: 2, Lanes: []string{"the database"}, End: 9000 * ms, Bound: 5 * time.Second, History: History{{Time: 1000 * ms, Process: 3, F: Acquire}}}},
		{"fault-tolerant", `From 1 s to 9 s c1 waited for its release to return, although n1 was in its reach; ` +
			`it should take no longer than 5 s; no fault had hit before.`,
			Evidence{Clients: 2, Lanes: lanes(1), End: 9000 * ms, Bound: 5 * time.Second, History: History{{Time: 1000 * ms, F: Release}}}},
		{"fault-tolerant", "This was not judged: it takes a bound on waiting, and the numbers of clients and nodes.",
			Evidence{Clients: 2, Lanes: lanes(1), Cut: "out of steps"}},
		{"fault-tolerant", "The run was cut short before this could be known: out of steps.",
			Evidence{Clients: 2, Lanes: lanes(1), Bound: 1, Cut: "out of steps"}},
		{"contended", "It never happened that clients competed (contended).", Evidence{}},
	} {
		j := Judge{Unchecked: true}
		p, _ := Lookup(s.property)
		if got := s.e.Explain(j.Ask(&s.e, p)); got != s.want {
			t.Errorf("%s:\n got %s\nwant %s", s.property, got, s.want)
		}
	}
}

func TestSecondsAreRoundedWithoutFloats(t *testing.T) {
	for at, want := range map[clock.Instant]string{
		0: "0 s", 1: "0 s", 499: "0 s", 500: "0.000001 s", 1500: "0.000002 s", 10_204_318_592: "10.204319 s", 60_000 * ms: "60 s",
		100 * ms: "0.1 s", 999_999_600: "1 s", forever - 1: "9223372036.854776 s", forever: "for ever",
	} {
		if got := seconds(at); got != want {
			t.Errorf("%d reads %s; want %s", at, got, want)
		}
	}
}

func TestEveryVerdictAndOutcomeHasAWord(t *testing.T) {
	for got, want := range map[interface{ String() string }]string{
		Violated: "violated", Unknown: "unknown", Holds: "holds", Verdict(9): "verdict 9",
		Invoke: "invoke", OK: "ok", Fail: "fail", Info: "info", Type(4): "type 4",
		Acquire: "acquire", Release: "release", Read: "read", Write: "write", Renew: "renew", CompareAndSet: "cas", Func(6): "func 6",
		Pending: "pending", Won: "won", NoQuorum: "no quorum", TooLate: "too late", NoFence: "no fence", Outcome(5): "outcome 5",
		Count: "count", Nanos: "nanoseconds", Moment: "instant", Unit(3): "unit 3",
	} {
		if got.String() != want {
			t.Errorf("%v; want %s", got, want)
		}
	}
}

// The short account keeps the end of the argument: the rule that failed, and the effect.
func TestAShortAccountEndsWithTheStep(t *testing.T) {
	e := Evidence{Lanes: lanes(3), Holds: []Hold{
		{Client: 0, Token: "a", From: 10 * ms, Gone: 15_000 * ms, Valid: 9_000 * ms},
		{Client: 1, Token: "b", From: 11_000 * ms, Gone: 12_000 * ms, Valid: 20_000 * ms}}}
	j := Judge{Unchecked: true}
	p, _ := Lookup("belief")
	f := j.Ask(&e, p)
	argument := e.argument(f)
	if len(argument) < 2 {
		t.Fatalf("the argument %q is too short to be shortened", argument)
	}
	short := e.ShortAccount(f).Text
	for i, sentence := range argument {
		if want := i >= len(argument)-2; strings.Contains(short, sentence) != want {
			t.Errorf("%q contains %q: %v, want %v", short, sentence, !want, want)
		}
	}
}

// An interval is written to the nanosecond only where its two ends would read alike.
func TestIntervalsAreAsFineAsNeeded(t *testing.T) {
	for _, c := range []struct {
		from, to clock.Instant
		want     string
	}{
		{1000*ms + 1, 2000*ms + 1, "From 1 s to 2 s"},
		{1000*ms + 1, 1000*ms + 1, "From 1 s to 1 s"},
		{1000*ms + 1, 1000*ms + 2, "From 1.000000001 s to 1.000000002 s"},
		{1000*ms + 1, forever, "From 1 s on"},
	} {
		if got := interval(Witness{From: c.from, To: c.to}); got != c.want {
			t.Errorf("%v to %v is %q, want %q", c.from, c.to, got, c.want)
		}
	}
}
