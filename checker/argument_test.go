package checker

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"pgregory.net/rapid"
)

func TestArgumentNamesTheFailedStep(t *testing.T) {
	nodes := func(token string, from, until clock.Instant, ns ...int) (keys []Span) {
		for _, n := range ns {
			keys = append(keys, Span{Lane: n, Token: token, From: from, To: until})
		}
		return keys
	}
	both := func(a, b []Span) []Span { return append(append([]Span{}, a...), b...) }
	gone := func(keys []Span, why Ending) []Span {
		for i := range keys {
			keys[i].Ended = why
		}
		return keys
	}
	late := []Hold{
		{Client: 0, Token: "a", From: 1000 * ms, Gone: 9000 * ms, Valid: 10_000 * ms},
		{Client: 1, Token: "b", From: 3000 * ms, Gone: 9000 * ms, Valid: 10_000 * ms}}
	jump := []Strike{{Fault: "pause c2", Hosts: []string{"c2"}, From: 11 * ms}, {Fault: "jump n3 +11 s", Hosts: []string{"n3"}, From: 20 * ms}, {Fault: "pause c1", Hosts: []string{"c1"}, From: 12 * ms},
		{Fault: "slow n1", Hosts: []string{"n1"}, From: 25 * ms}}
	for _, s := range []struct {
		property, name, want string
		e                    Evidence
	}{
		{"belief", "a node voted twice", `c2 was granted the lock while c1 still had 9.95 s of its validity, by its own clock. ` +
			`Two majorities of 3 nodes share a node. n3 had the key of c1 from 0.005 s to 0.02 s: ` +
			`the clock of n3 jumped over its deadline (fault: "jump n3 +11 s" at 0.02 s). Then, at 0.03 s, c2 set its own. ` +
			`Broken rule: the node keeps a key until its TTL has passed, so that it votes once.`,
			Evidence{Lanes: lanes(3), Strikes: jump, Holds: []Hold{
				{Client: 0, Token: "a", From: 10 * ms, Gone: 9000 * ms, Valid: 10_000 * ms},
				{Client: 1, Token: "b", From: 50 * ms, Gone: 9000 * ms, Valid: 10_000 * ms}},
				Keys: both(both(nodes("a", 5*ms, 10_005*ms, 0), gone(nodes("a", 5*ms, 20*ms, 2), Ending{Stepped, -1, 1, 11 * time.Second})),
					nodes("b", 30*ms, forever, 1, 2))}},
		{"quorum", "one was taken, and one came to its end", `c1 was entitled until 10 s, by its own clock. n1 had its key from 0.005 s to 0.9 s, 9.1 s before that: ` +
			`n1 forgot it (fault: "jump n3 +11 s" at 0.02 s). n2 had its key from 0.005 s to 1 s, 9 s before that: it expired. ` +
			`Broken rule: the node keeps a key until its TTL has passed, so that it votes once.`,
			Evidence{Lanes: lanes(3), End: forever, Strikes: jump, Holds: []Hold{{Token: "a", From: 10 * ms, Gone: 9000 * ms, Valid: 10_000 * ms}},
				Keys: both(gone(nodes("a", 5*ms, 1000*ms, 1), Ending{Expired, -1, -1, 0}),
					both(gone(nodes("a", 5*ms, 900*ms, 0), Ending{Lost, -1, 1, 0}), nodes("a", 5*ms, forever, 2)))}},
		{"quorum", "a name for all attempts", `c1 was entitled until 10 s, by its own clock. n1 had its key from 5 s to 9 s, 1 s before that: it expired. ` +
			`Broken rule: a hold ends for its client before it ends for n1.`,
			Evidence{Lanes: lanes(1), End: forever, Holds: []Hold{{Token: "a", Try: 1, From: 5010 * ms, Gone: 9500 * ms, Valid: 10_000 * ms}},
				Tries: []Try{{Token: "a", Outcome: Won, From: 1, To: 10 * ms, Left: 100 * ms}, {Token: "a", Outcome: Won, From: 4900 * ms, To: 5010 * ms, Left: forever}},
				Keys:  append(nodes("a", 5*ms, 90*ms, 0), gone(nodes("a", 5000*ms, 9000*ms, 0), Ending{Expired, -1, -1, 0})...)}},
		{"belief", "old answers", `c2 was granted the lock while c1 still had 7 s of its validity, by its own clock. When the acquire of c2 returned, ` +
			`1 of 3 nodes still had its key, and 2 are needed. Broken rule: a vote counts only while its key lives.`,
			Evidence{Lanes: lanes(3), Holds: late,
				Keys: append(both(nodes("b", 1*ms, 3000*ms, 1), nodes("a", 600*ms, forever, 0, 2)), gone(nodes("b", 1*ms, 500*ms, 0), Ending{Expired, -1, -1, 0})...)}},
		{"belief", "one node", `c2 was granted the lock while c1 still had 7 s of its validity, by its own clock. n1 held the lock for c1 from 0.5 s to 2 s: it expired. ` +
			`n1 held the lock for c2 from 2.5 s on. Broken rule: a hold ends for its client before it ends for n1.`,
			Evidence{Lanes: lanes(1), Holds: late,
				Keys: append(nodes("b", 2500*ms, forever, 0), gone(nodes("a", 500*ms, 2000*ms, 0), Ending{Expired, -1, -1, 0})...)}},
		{"belief", "a service forgets", `c2 was granted the lock while c1 still had 7 s of its validity, by its own clock. The master held the lock for c1 from 0.5 s to 2 s: ` +
			`another server became master, which did not have it. The master held the lock for c2 from 2.5 s on. ` +
			`Broken rule: the master keeps a key until its TTL has passed.`,
			Evidence{Lanes: []string{"the master"}, Holds: late,
				Keys: both(gone(nodes("a", 500*ms, 2000*ms, 0), Ending{Superseded, -1, -1, 0}), nodes("b", 2500*ms, forever, 0))}},
		{"belief", "an old answer of a service", `c2 was granted the lock while c1 still had 7 s of its validity, by its own clock. When the acquire of c2 returned, ` +
			`the cluster no longer had its key: it expired. Broken rule: a client counts on a key only while it lives.`,
			Evidence{Lanes: []string{"the cluster"}, Holds: late,
				Keys: both(nodes("a", 500*ms, 2000*ms, 0), gone(nodes("b", 2200*ms, 2500*ms, 0), Ending{Expired, -1, -1, 0}))}},
		{"validity", "too few votes", `c2 was granted the lock while c1 still had 9.95 s of its validity, by its own clock. ` +
			`Only 1 of 3 nodes had granted c2 the lock by then. Broken rule: an acquire takes at least 2 votes.`,
			Evidence{Lanes: lanes(3), Holds: []Hold{
				{Client: 0, Token: "a", From: 10 * ms, Gone: 9000 * ms, Valid: 10_000 * ms},
				{Client: 1, Token: "b", From: 50 * ms, Gone: 9000 * ms, Valid: 10_000 * ms}},
				Keys: both(nodes("a", 5*ms, forever, 0, 1), nodes("b", 30*ms, forever, 2))}},
		{"belief", "a holder overstays", `c1 was no longer entitled to the lock: its validity had ended at 10 s, 1 s before, by its own clock. ` +
			`So the nodes could grant it to another client. c1 should have stopped when its validity ended (fault: "pause c1" at 0.013 s).`,
			Evidence{Lanes: lanes(3), Strikes: append(jump[:4:4], Strike{Fault: "pause c1", Hosts: []string{"c1"}, From: 13 * ms, To: forever}, Strike{Fault: "pause c1", Hosts: []string{"c1"}, From: 14 * ms, To: 15 * ms}), Holds: []Hold{
				{Client: 0, Token: "a", From: 10 * ms, Gone: 15_000 * ms, Valid: 10_000 * ms},
				{Client: 1, Token: "b", From: 11_000 * ms, Gone: 12_000 * ms, Valid: 20_000 * ms}}}},
		{"belief", "without the third step", `c2's validity had ended at 11 s, by the time its acquire returned (fault: "pause c2" at 0.011 s). The third step failed: ` +
			`a client subtracts the time of its acquire from the validity, and rejects a lock if nothing is left.`,
			Evidence{Lanes: lanes(3), Strikes: jump, Tries: []Try{{From: 1}, {Client: 1, From: 2}}, Holds: []Hold{
				{Client: 0, Token: "a", From: 10 * ms, Gone: 15_000 * ms, Valid: 16_000 * ms},
				{Client: 1, Try: 1, Token: "b", From: 11_000 * ms, Gone: 12_000 * ms, Valid: 11_000 * ms}}}},
		{"belief", "two masters", `c2 was granted the lock while c1 still had 7 s of its validity, by its own clock. The master never held the lock for c1, whose acquire returned all the same. ` +
			`Broken rule: only the master grants the lock.`,
			Evidence{Lanes: []string{"the master"}, Holds: []Hold{
				{Client: 0, Token: "a", From: 1000 * ms, Gone: 9000 * ms, Valid: 10_000 * ms},
				{Client: 1, Token: "b", From: 3000 * ms, Gone: 9000 * ms, Valid: 10_000 * ms}},
				Keys: nodes("b", 2500*ms, forever, 0)}},
		{"belief", "without a look at a session", `c2's validity had ended at 11 s, by the time its acquire returned. ` +
			`The client should have rejected a lock whose validity had ended when its acquire returned.`,
			Evidence{Lanes: []string{"the cluster"}, Holds: []Hold{
				{Client: 0, Token: "a", From: 10 * ms, Gone: 15_000 * ms, Valid: 16_000 * ms},
				{Client: 1, Token: "b", From: 11_000 * ms, Gone: 12_000 * ms, Valid: 11_000 * ms}}}},
		{"storage", "two under a valid lock", `c2 sent its write at 3 s, and it arrived at 3.5 s, while its validity still ran to 10 s. ` +
			`c1 sent its write at 2 s, and it arrived at 3.2 s, while its validity still ran to 10 s. ` +
			`So both were sent and applied under a valid lock, and it is the lock that did not keep the two updates apart.`,
			Evidence{History: History{{F: Write, Time: 2000 * ms}, {F: Write, Time: 3000 * ms, Process: 1}},
				Holds: []Hold{{From: 1000 * ms, Valid: 10_000 * ms}, {Client: 1, From: 1500 * ms, Valid: 10_000 * ms}},
				Writes: []Update{{Op: 0, At: 3200 * ms, Plain: Change{0, 1}, Fenced: Change{0, 1}},
					{Client: 1, Op: 1, At: 3500 * ms, Plain: Change{0, 2}, Fenced: Change{1, 2}}}}},
		{"storage", "the one who overwrites held it first", `c1 sent its write at 2 s, and it arrived at 3.5 s, while its validity still ran to 10 s. ` +
			`c2 sent its write at 3 s, and it arrived at 3.2 s, while its validity still ran to 10 s. ` +
			`So both were sent and applied under a valid lock, and it is the lock that did not keep the two updates apart. ` +
			`c2 was granted the lock while c1 still had 8.5 s of its validity, by its own clock. ` +
			`n1 held the lock for c1 from 0.9 s to 1.2 s: n1 forgot it. n1 held the lock for c2 from 1.4 s on. ` +
			`Broken rule: n1 keeps a key until its TTL has passed.`,
			Evidence{Lanes: lanes(1), End: forever, History: History{{F: Write, Time: 2000 * ms}, {F: Write, Time: 3000 * ms, Process: 1}},
				Holds: []Hold{{Token: "a", From: 1000 * ms, Gone: 9000 * ms, Valid: 10_000 * ms}, {Client: 1, Token: "b", From: 1500 * ms, Gone: 9000 * ms, Valid: 10_000 * ms}},
				Keys:  append(gone(nodes("a", 900*ms, 1200*ms, 0), Ending{Lost, -1, -1, 0}), nodes("b", 1400*ms, forever, 0)...),
				Writes: []Update{{Client: 1, Op: 1, At: 3200 * ms, Plain: Change{0, 1}, Fenced: Change{0, 1}},
					{Op: 0, At: 3500 * ms, Plain: Change{0, 2}, Fenced: Change{1, 2}}}}},
		{"storage", "the lost one was late", `c2 sent its write at 12 s, and it arrived at 12.5 s, while its validity still ran to 20 s. ` +
			`c1 sent its write at 2 s, while it still had 8 s of its validity, and it arrived at 11 s, 1 s after that had ended. ` +
			`Looking at a clock before sending can't help: the time passed on the way.`,
			Evidence{History: History{{F: Write, Time: 2000 * ms}, {F: Write, Time: 12_000 * ms, Process: 1}},
				Holds: []Hold{{From: 1000 * ms, Valid: 10_000 * ms}, {Client: 1, From: 10_500 * ms, Valid: 20_000 * ms}},
				Writes: []Update{{Op: 0, At: 11_000 * ms, Plain: Change{0, 1}},
					{Client: 1, Op: 1, At: 12_500 * ms, Plain: Change{0, 2}, Fenced: Change{0, 1}}}}},
		{"storage", "an old version", `c1 should have stopped: it sent its write at 14 s, 4 s after its validity had ended at 10 s. ` +
			`Plain storage accepts every write. Storage that compares versions rejected this write, because it was based on an outdated version.`,
			Evidence{Guard: ByVersion, History: History{{F: Write, Time: 14_000 * ms}, {F: Write, Time: 11_500 * ms, Process: 1}},
				Holds:  []Hold{{From: 1000 * ms, Valid: 10_000 * ms}},
				Writes: []Update{{Client: 1, Op: 1, At: 12_000 * ms, Plain: Change{0, 1}, Fenced: Change{0, 1}}, {Op: 0, At: 15_000 * ms, Plain: Change{0, 2}}}}},
		{"storage", "another random token", `c1 sent its write at 14 s, without ever having held the lock. ` +
			`Plain storage accepts every write. Storage that compares random tokens rejected this write, because the last read had brought another token.`,
			Evidence{Guard: ByEquality, History: History{{F: Write, Time: 14_000 * ms}, {F: Write, Time: 11_500 * ms, Process: 1}},
				Writes: []Update{{Client: 1, Op: 1, At: 12_000 * ms, Plain: Change{0, 1}, Fenced: Change{0, 1}}, {Op: 0, At: 15_000 * ms, Plain: Change{0, 2}}}}},
		{"fenced", "asked before", `c1 asked at 2 s whether storage would accept its write, while it still had 8 s of its validity, and it arrived at 15 s, 5 s after that had ended. ` +
			`The time passed between the question and the write. Storage had been asked about this write before, and when it came it did not look again. ` +
			`Broken rule: storage checks and writes in one step.`,
			Evidence{Guard: ByEquality, History: History{{F: Write, Time: 2000 * ms}, {F: Write, Time: 11_500 * ms, Process: 1}},
				Holds: []Hold{{From: 1000 * ms, Valid: 10_000 * ms}},
				Writes: []Update{{Client: 1, Op: 1, Asked: true, At: 12_000 * ms, Fenced: Change{0, 1}},
					{Op: 0, Asked: true, At: 15_000 * ms, Fenced: Change{0, 2}}}}},
		{"storage", "a write is late on the way", `c1 sent its write at 2 s, while it still had 8 s of its validity, and it arrived at 15 s, 5 s after that had ended. ` +
			`Looking at a clock before sending can't help: the time passed on the way (fault: "hold c1>s" at 3 s). ` +
			`Plain storage accepts every write. Storage that checks fencing tokens rejected this write, because its token, 33, was too old.`,
			Evidence{Strikes: []Strike{{Fault: "hold c1>s", Hosts: []string{"c1", "s"}, From: 3000 * ms}}, History: History{{F: Write, Time: 2000 * ms}, {F: Write, Time: 11_000 * ms, Process: 1}},
				Holds: []Hold{{From: 1000 * ms, Valid: 10_000 * ms, Fence: 33}, {Client: 1, From: 10_500 * ms, Valid: 20_000 * ms, Fence: 34}},
				Writes: []Update{{Client: 1, Op: 1, Fence: 34, At: 12_000 * ms, Plain: Change{0, 1}, Fenced: Change{0, 1}},
					{Op: 0, Fence: 33, At: 15_000 * ms, Plain: Change{0, 2}}}}},
		{"fenced", "a token as large", `c1 should have stopped: it sent its write at 14 s, 4 s after its validity had ended at 10 s. ` +
			`Fencing did not help: both writes carried token 34. ` +
			`Broken rule: tokens rise with each grant.`,
			Evidence{History: History{{F: Write, Time: 14_000 * ms}, {F: Write, Time: 14_500 * ms, Process: 1}},
				Holds: []Hold{{From: 1000 * ms, Valid: 10_000 * ms, Fence: 34}},
				Writes: []Update{{Client: 1, Op: 1, Fence: 34, At: 12_000 * ms, Fenced: Change{0, 1}},
					{Op: 0, Fence: 34, At: 15_000 * ms, Fenced: Change{0, 2}}}}},
		{"fenced", "an older token comes before the newer", `c2 sent its write at 15.5 s, and it arrived at 16 s, while its validity still ran to 20 s. c1 should have stopped: it sent its write at 14 s, 4 s after its validity had ended at 10 s. ` +
			`Fencing did not help: storage accepted the write with token 33, because it had not seen the larger token 34 by then. ` +
			`Broken rule: storage sees each token before an older holder writes, so reads carry tokens too.`,
			Evidence{History: History{{F: Write, Time: 14_000 * ms}, {F: Write, Time: 15_500 * ms, Process: 1}},
				Holds: []Hold{{From: 1000 * ms, Valid: 10_000 * ms, Fence: 33}, {Client: 1, From: 11_000 * ms, Valid: 20_000 * ms, Fence: 34}},
				Writes: []Update{{Op: 0, Fence: 33, At: 14_100 * ms, Fenced: Change{0, 1}},
					{Client: 1, Op: 1, Fence: 34, At: 16_000 * ms, Fenced: Change{0, 2}}}}},
		{"tokens", "a counter forgets", `A token as large as 34 had been given out by 4 s, and 1 s later the count was no further. ` +
			`Broken rule: each token is larger than every earlier one, wherever it was counted.`,
			Evidence{Strikes: []Strike{{Fault: "restart n1", Hosts: []string{"n1"}, From: 4500 * ms}},
				Holds: []Hold{{Fence: 34, From: 4000 * ms}, {Client: 1, Fence: 33, Asked: 5000 * ms, From: 6000 * ms}}}},
		{"continuity", "a lost lock is extended", `The validity of c1 had been to last until 10 s; c2 held the lock from 11 s to 12 s. ` +
			`The key of c1 was set again on n2 after that. Broken rule: a client extends only a lock that it has never lost.`,
			Evidence{Lanes: lanes(3), Holds: []Hold{{Token: "a", From: 1000 * ms, Valid: 10_000 * ms}, {Client: 1, Token: "b", From: 11_000 * ms, Gone: 12_000 * ms, Valid: 20_000 * ms}},
				Renewals: []Renewal{{OK: true, At: 13_000 * ms, Valid: 20_000 * ms}},
				Keys:     both(nodes("a", 12_500*ms, forever, 1), nodes("b", 10_500*ms, 12_000*ms, 0, 1))}},
		{"continuity", "the other counted old answers", `The validity of c1 had been to last until 20 s; c2 held the lock from 11 s to 12 s. ` +
			`When the acquire of c2 returned, n1 no longer had its key: it expired. Broken rule: a client counts on a key only while it lives.`,
			Evidence{Lanes: lanes(1), Holds: []Hold{{Token: "a", From: 1000 * ms, Valid: 20_000 * ms}, {Client: 1, Token: "b", From: 11_000 * ms, Gone: 12_000 * ms, Valid: 20_000 * ms}},
				Renewals: []Renewal{{OK: true, At: 13_000 * ms, Valid: 20_000 * ms}}, Keys: gone(nodes("b", 1, 900*ms, 0), Ending{Expired, -1, -1, 0})}},
		{"leak-free", "no time to live", `c1 had won the lock, and was done with it 2 s after the key was set. ` +
			`Broken rule: the command that sets a key sets its TTL too, so that it ends even if no client removes it.`,
			Evidence{End: 9000 * ms, Tries: []Try{{Token: "a", Outcome: Won, Left: 4000 * ms}}, Keys: []Span{{Token: "a", From: 2000 * ms, To: forever, Endless: true}}}},
		{"leak-free", "set after the release", `The key was set 1 s after c1 was done with it: its request came late. ` +
			`Broken rule: a release leaves no key of its owner on any node.`,
			Evidence{End: 9000 * ms, Tries: []Try{{Token: "a", Clean: true, Left: 1000 * ms}}, Keys: []Span{{Token: "a", From: 2000 * ms, To: 5000 * ms}}}},
		{"leak-free", "back after the release", `The key of c1 was on n3 before, until 1.5 s, and again from 2 s on (fault: "restart n3" at 1.9 s). ` +
			`Broken rule: n3 remembers what it has acknowledged, a release too.`,
			Evidence{End: 9000 * ms, Strikes: []Strike{{Fault: "restart n3", Hosts: []string{"n3"}, From: 1900 * ms}, {Fault: "pause c1", Hosts: []string{"c1"}, From: 1950 * ms}},
				Tries: []Try{{Token: "a", Outcome: Won, Clean: true, Left: 1600 * ms}},
				Keys:  both(nodes("a", 500*ms, 1500*ms, 2), nodes("a", 2000*ms, 5000*ms, 2))}},
		{"deadlock-free", "keys stay", `At 20 s 1 of 3 nodes were free; 2 are needed. Keys were on n1 (a key of c1), n3 (a key of c1).`,
			Evidence{Lanes: lanes(3), Tries: []Try{{Token: "a"}}, Keys: nodes("a", 1, forever, 0, 2), Probe: Probe{Asked: 20_000 * ms, Won: forever, Bound: time.Second}}},
		{"deadlock-free", "keys were set at that very instant", `At 20 s 1 of 3 nodes were free; 2 are needed. Keys were on n1 (a key of c1), n2 (a key of c1).`,
			Evidence{Lanes: lanes(3), Tries: []Try{{Token: "a"}}, Keys: both(nodes("a", 20_000*ms, forever, 0, 1), nodes("a", 1, 20_000*ms, 2)),
				Probe: Probe{Asked: 20_000 * ms, Won: forever, Bound: time.Second}}},
		{"fault-tolerant", "nothing was in the way", `At 1 s n1 held the lock for no client.`,
			Evidence{Clients: 2, Lanes: lanes(1), End: 9000 * ms, Bound: 5 * time.Second, History: History{{Time: 1000 * ms, Process: 3, F: Acquire}}}},
	} {
		j := Judge{Unchecked: true}
		p, _ := Lookup(s.property)
		f := j.Ask(&s.e, p)
		if got := s.e.account(s.e.argument(f)).Text; got != s.want || f.Verdict != Violated {
			t.Errorf("%s, %s, %v:\n got %s\nwant %s", s.property, s.name, f.Verdict, got, s.want)
		}
	}
}

// A fault that took two keys is named with the first of them, and called by its time with the second.
func TestAnAccountNamesAFaultOnce(t *testing.T) {
	lost := Ending{Lost, -1, 0, 0}
	e := Evidence{Clients: 1, Lanes: lanes(3), End: 11_000 * ms, Planned: 1, Strikes: []Strike{{Fault: "restart nodes=n2,n3", Hosts: []string{"n2", "n3"}, From: 8000 * ms, To: 8500 * ms}},
		Holds: []Hold{{Try: -1, Token: "a", Asked: 10 * ms, From: 10 * ms, Gone: 9000 * ms, Valid: 10_000 * ms, Slowed: -1}},
		Keys: []Span{{Token: "a", From: 5 * ms, To: 11_000 * ms}, {Lane: 1, Token: "a", From: 5 * ms, To: 8000 * ms, Ended: lost},
			{Lane: 2, Token: "a", From: 5 * ms, To: 8000 * ms, Ended: lost}}}
	var j Judge
	p, _ := Lookup("quorum")
	f := j.Ask(&e, p)
	a := e.Account(f)
	if !strings.Contains(a.Text, `n2 forgot it (fault: "restart nodes=n2,n3" at 8 s)`) || !strings.Contains(a.Text, "n3 forgot it (the fault at 8 s)") ||
		!slices.Equal(a.Strikes, []int{0}) {
		t.Errorf("%+v", a)
	}
	for _, m := range e.Story(f).After(a) {
		if strings.Contains(m.Text, "restart") {
			t.Errorf("the story names the fault again: %s", m.Text)
		}
	}
}

// Each cause is quoted as it was recorded, and each defeats a different step.
func TestArgumentQuotesWhyAKeyWent(t *testing.T) {
	const (
		node    = "Broken rule: the node keeps a key until its TTL has passed, so that it votes once."
		sum     = "Broken rule: the validity ends before the first of the keys that it counts on."
		release = "Broken rule: on release, delete the key only if it is the client's own."
		own     = "Broken rule: a client does not count on a key that it has ended itself."
		acquire = "Broken rule: on acquire, set a key only where there is none."
	)
	for _, c := range []struct {
		why  Ending
		slow time.Duration
		want string // behind how long n3 had the key
	}{
		{Ending{Expired, -1, -1, 0}, 0, ": it expired. " + sum},
		{Ending{Expired, -1, 1, 999 * time.Millisecond}, 0, `: it expired by the clock of n3, which had gained 999 ms (fault: "drift n3 +10%" at 0.002 s). ` + sum},
		{Ending{Expired, -1, 1, time.Second}, 0, `: it expired by the clock of n3, which had gained 1 s (fault: "drift n3 +10%" at 0.002 s). ` + node},
		{Ending{Expired, -1, -1, 2 * time.Second}, 0, `: it expired by the clock of n3, which had gained 2 s. ` + node},
		{Ending{Expired, -1, -1, 0}, time.Second, `: it expired. The clock of c1 had lost 1 s (fault: "drift c1 -10%" at 0.001 s). ` + sum},
		{Ending{Stepped, -1, 1, 11 * time.Second}, 0, `: the clock of n3 jumped over its deadline (fault: "drift n3 +10%" at 0.002 s). ` + node},
		{Ending{Stepped, -1, -1, 11 * time.Second}, 0, `: the clock of n3 jumped over its deadline. ` + node},
		{Ending{Deleted, 1, -1, 0}, 0, ": c2 deleted the key. " + release},
		{Ending{Deleted, -1, -1, 0}, 0, ": a command deleted the key. " + release},
		{Ending{Deleted, 0, -1, 0}, 0, ": c1 deleted the key. " + own},
		{Ending{Failed, 0, -1, 0}, 0, ": c1 made a mistake, and that ended its session. " + own},
		{Ending{Overwritten, 1, -1, 0}, 0, ": c2 set its own key over that one. " + acquire},
		{Ending{Lost, -1, 1, 0}, 0, `: n3 forgot it (fault: "drift n3 +10%" at 0.002 s). ` + node},
		{Ending{Copied, -1, -1, 0}, 0, ": its master had removed it. " + node},
		{Ending{}, 0, ". What ended the key is not on record."},
	} {
		e := Evidence{Lanes: lanes(3), End: forever, Strikes: []Strike{{Fault: "drift c1 -10%", Hosts: []string{"c1"}, From: 1 * ms}, {Fault: "drift n3 +10%", Hosts: []string{"n3"}, From: 2 * ms}},
			Holds: []Hold{{Token: "a", From: 10 * ms, Gone: 9000 * ms, Valid: 10_000 * ms, Slow: c.slow}},
			Keys:  []Span{{Token: "a", From: 5 * ms, To: forever}, {Lane: 2, Token: "a", From: 5 * ms, To: 9000 * ms, Ended: c.why}}}
		j := Judge{Unchecked: true}
		p, _ := Lookup("quorum")
		want := "c1 was entitled until 10 s, by its own clock. n3 had its key from 0.005 s to 9 s, 1 s before that" + c.want
		f := j.Ask(&e, p)
		if got := e.account(e.argument(f)).Text; got != want {
			t.Errorf("%+v:\n got %s\nwant %s", c.why, got, want)
		}
		_, clause, _ := strings.Cut(strings.Split(c.want, ". ")[0], ": ")
		clause, _, _ = strings.Cut(clause, " (") // a story has the fault as a separate event
		told := ""
		for _, m := range e.Story(f).Events {
			told += m.Text + "; "
		}
		if !strings.Contains(told, "n3 no longer has c1's key") || !strings.Contains(told, strings.TrimSuffix(clause, ".")) {
			t.Errorf("%+v: the story says %s", c.why, told)
		}
	}
}

// A client that compares before it deletes breaks no rule of the release. It can delete another's key only if both use
// the same value.
func TestArgumentNamesTheSharedValueOfTwoClients(t *testing.T) {
	for _, c := range []struct{ token, rule string }{
		{"a", "Broken rule: no two clients use the same lock value."},
		{"b", "Broken rule: on release, delete the key only if it is the client's own."},
	} {
		e := Evidence{Tries: []Try{{Client: 0, Token: "a"}, {Client: 1, Token: c.token}}, Holds: []Hold{{Token: "a"}}}
		if got := e.failedSentence(&Span{Token: "a", Ended: Ending{Cause: Deleted, Client: 1}}, 0, 0); got != c.rule {
			t.Errorf("if c2 tried with %q: got %s\nwant %s", c.token, got, c.rule)
		}
	}
}

// TestAnArgumentIsWholeSentences: for any evidence, nothing panics, and each sentence ends.
func TestAnArgumentIsWholeSentences(t *testing.T) {
	j := Judge{Unchecked: true}
	drawn := rapidEvidence(t)
	for i := range 5000 {
		e := drawn(i)
		for _, f := range j.Judge(e) {
			said := e.account(e.argument(f)).Text
			if (f.Verdict == Violated) != (said != "") && len(e.Writes) == 0 || said != "" && !strings.HasSuffix(said, ".") || strings.Contains(said, "  ") {
				t.Fatalf("%+v: %q of %+v", f, said, *e)
			}
		}
	}
}

func rapidEvidence(*testing.T) func(int) *Evidence {
	g := rapid.Custom(genEvidence)
	return func(i int) *Evidence { return g.Example(i) }
}
