package checker

import (
	"testing"

	"github.com/lockstorm/lockstorm/clock"
)

func TestExtensionsBelongToTheValidityOfAHold(t *testing.T) {
	two := func(from, to clock.Instant, first, second int) Witness {
		return Witness{First: first, Second: second, From: from, To: to}
	}
	extended := func(hold int, at, valid clock.Instant) Renewal {
		return Renewal{Hold: hold, OK: true, At: at, Valid: valid}
	}
	late := []Hold{{Client: 0, From: 1, Valid: 4}, {Client: 1, From: 5, Valid: 7}}
	judgeStories(t, "validity", []story{
		{name: "a failed extension adds nothing", e: Evidence{Holds: late, Renewals: []Renewal{{At: 3, Valid: 9}}}},
		{name: "one that never returned adds nothing", e: Evidence{Holds: late, Renewals: []Renewal{{At: forever, Valid: forever}}}},
		{name: "extended until the other acquires", e: Evidence{Holds: late, Renewals: []Renewal{extended(0, 3, 5)}}},
		{name: "the other fits into the gap", e: Evidence{Holds: late, Renewals: []Renewal{extended(0, 7, 9)}}},
		{name: "an extension over before it began", e: Evidence{Holds: late, Renewals: []Renewal{extended(0, 6, 6)}}},
		{name: "a client extends beside itself", e: Evidence{Holds: []Hold{{Client: 1, From: 1, Valid: 4}, late[1]},
			Renewals: []Renewal{extended(0, 3, 9)}}},

		{name: "extended for too long", e: Evidence{Holds: late, Renewals: []Renewal{extended(0, 3, 6)}}, want: two(5, 6, 0, 1)},
		{name: "extended too late, into the other's window", e: Evidence{Holds: late, Renewals: []Renewal{extended(0, 6, 9)}},
			want: two(6, 7, 1, 0)},
		{name: "two windows that touch are one", e: Evidence{Holds: late, Renewals: []Renewal{extended(0, 6, 9), extended(0, 3, 6)}},
			want: two(5, 7, 0, 1)},
		{name: "the second of two extensions", e: Evidence{Holds: late, Renewals: []Renewal{extended(0, 2, 4), extended(0, 3, 6)}},
			want: two(5, 6, 0, 1)},
		{name: "both extended", e: Evidence{Holds: late, Renewals: []Renewal{extended(1, 6, 12), extended(0, 11, 15)}},
			want: two(11, 12, 1, 0)},
		{name: "a shorter extension takes nothing back", e: Evidence{Holds: []Hold{{Client: 0, From: 1, Valid: 6}, late[1]},
			Renewals: []Renewal{extended(0, 2, 4)}}, want: two(5, 6, 0, 1)},
	})
}

func TestExtensionNeedsAMajority(t *testing.T) {
	short := func(from, to clock.Instant, second int) Witness {
		return Witness{First: 0, Second: second, From: from, To: to}
	}
	held := []Hold{{Token: "a", From: 2, Valid: 5}}
	key := func(from, to clock.Instant) []Span { return []Span{{Token: "a", From: from, To: to}} }
	extended := []Renewal{{OK: true, At: 4, Valid: 8}}
	gap := []Renewal{{OK: true, At: 7, Valid: 9}}
	judgeStories(t, "quorum", []story{
		{name: "kept through both windows", e: Evidence{Lanes: lanes(1), End: 99, Holds: held, Renewals: extended, Keys: key(2, 8)}},
		{name: "nobody promised anything in the gap", e: Evidence{Lanes: lanes(1), End: 99, Holds: held, Renewals: gap,
			Keys: append(key(2, 5), key(7, 9)...)}},
		{name: "the extension failed", e: Evidence{Lanes: lanes(1), End: 99, Holds: held, Renewals: []Renewal{{At: 4, Valid: 8}}, Keys: key(2, 5)}},
		{name: "lost after the end", e: Evidence{Lanes: lanes(1), End: 6, Holds: held, Renewals: extended, Keys: key(2, 6)}},
		{name: "of another token", e: Evidence{Lanes: lanes(1), End: 99, Holds: append(held, Hold{Token: "b"}),
			Renewals: []Renewal{{Hold: 1, OK: true, At: 4, Valid: 4}}, Keys: key(2, 5)}},

		{name: "the extension did not reach the node", e: Evidence{Lanes: lanes(1), End: 99, Holds: held, Renewals: extended, Keys: key(2, 5)},
			want: short(5, 8, 0)},
		{name: "a lack across both windows is one", e: Evidence{Lanes: lanes(1), End: 99, Holds: held, Renewals: extended, Keys: key(2, 3)},
			want: short(3, 8, 0)},
		{name: "across windows that touch too", e: Evidence{Lanes: lanes(1), End: 99, Holds: held,
			Renewals: []Renewal{{OK: true, At: 5, Valid: 8}}, Keys: key(2, 4)}, want: short(4, 8, 0)},
		{name: "in the second window only", e: Evidence{Lanes: lanes(1), End: 99, Holds: held, Renewals: gap, Keys: key(2, 8)}, want: short(8, 9, 0)},
		{name: "the gap ends it", e: Evidence{Lanes: lanes(1), End: 99, Holds: held, Renewals: gap, Keys: key(2, 3)}, want: short(3, 5, 0)},
	})
}

func TestAnExtensionAcrossAnotherHoldBreaksContinuity(t *testing.T) {
	revived := func(from, to clock.Instant, first, second int) Witness {
		return Witness{First: first, Second: second, From: from, To: to}
	}
	const never = clock.Forever
	two := []Hold{{Client: 0, From: 1, Gone: 20, Valid: 4}, {Client: 1, From: 5, Gone: 7, Valid: never}}
	late := func(client int, from, gone, valid clock.Instant) Hold {
		return Hold{Client: client, From: from, Gone: gone, Valid: valid}
	}
	once := []Renewal{{OK: true, At: 9}}
	judgeStories(t, "continuity", []story{
		{name: "no client extended", e: Evidence{Holds: two}},
		{name: "extended before the other came", e: Evidence{Holds: two, Renewals: []Renewal{{OK: true, At: 4}}}},
		{name: "the other acquired as the extension returned", e: Evidence{Holds: two, Renewals: []Renewal{{OK: true, At: 5}}}},
		{name: "both acquired at once", e: Evidence{Renewals: once,
			Holds: []Hold{{Client: 0, From: 5, Valid: never}, {Client: 1, From: 5, Valid: never}}}},
		{name: "the other had come before", e: Evidence{Holds: two, Renewals: []Renewal{{Hold: 1, OK: true, At: 9}}}},
		{name: "the extension failed", e: Evidence{Holds: two, Renewals: []Renewal{{At: 9}}}},
		{name: "the other is the same client", e: Evidence{Holds: []Hold{{From: 1, Valid: never}, {From: 5, Valid: never}}, Renewals: once}},
		{name: "the other's grant had ended before the first began",
			e: Evidence{Holds: []Hold{{From: 3, Valid: 13}, late(1, 5, 6, 2)}, Renewals: once}},
		{name: "the other's grant ended as it was given", e: Evidence{Holds: []Hold{two[0], late(1, 5, 6, 5)}, Renewals: once}},
		{name: "the grants of two others had ended",
			e: Evidence{Holds: []Hold{two[0], late(1, 3, 4, 2), late(2, 6, 7, 6)}, Renewals: once}},
		{name: "another came after the extension",
			e: Evidence{Holds: []Hold{two[0], late(1, 3, 4, 2), late(2, 15, 16, 25)}, Renewals: once}},

		{name: "the other came and went", e: Evidence{Holds: two, Renewals: once}, want: revived(5, 9, 0, 1)},
		{name: "the other's grant ended while it acted as holder", e: Evidence{Holds: []Hold{two[0], late(1, 5, 7, 6)}, Renewals: once}, want: revived(5, 9, 0, 1)},
		{name: "the other released at once", e: Evidence{Holds: []Hold{two[0], late(1, 5, 5, 5)}, Renewals: once}, want: revived(5, 9, 0, 1)},
		{name: "the grant of one other had ended, that of the next had not",
			e: Evidence{Holds: []Hold{two[0], late(1, 3, 4, 2), late(2, 6, 8, 16)}, Renewals: once}, want: revived(6, 9, 0, 2)},
		{name: "the grant of the next had ended, that of the first had not",
			e: Evidence{Holds: []Hold{two[0], late(2, 2, 3, 12), late(1, 3, 4, 2)}, Renewals: once}, want: revived(2, 9, 0, 1)},
		{name: "the other came before a later extension", e: Evidence{
			Holds:    []Hold{two[0], late(1, 3, 4, 2), late(2, 15, 16, 25)},
			Renewals: []Renewal{{OK: true, At: 9}, {OK: true, At: 21}}}, want: revived(15, 21, 0, 2)},
		{name: "asked for before the other came", e: Evidence{Holds: two, Renewals: []Renewal{{Asked: 2, OK: true, At: 9}}},
			want: revived(5, 9, 0, 1)},
		{name: "the first extension after counts", e: Evidence{Holds: two, Renewals: []Renewal{
			{OK: true, At: 12}, {OK: true, At: 4}, {OK: true, At: 8}, {At: 6}}}, want: revived(5, 8, 0, 1)},
		{name: "the first that came in between counts", e: Evidence{Renewals: once,
			Holds: []Hold{two[0], {Client: 1, From: 5, Valid: never}, {Client: 2, From: 4, Valid: never}}}, want: revived(4, 9, 0, 2)},
		{name: "two holds came back", e: Evidence{
			Holds:    []Hold{{Client: 0, From: 3, Valid: never}, {Client: 1, From: 2, Valid: never}, {Client: 2, From: 5, Valid: never}},
			Renewals: []Renewal{{OK: true, At: 6}, {Hold: 1, OK: true, At: 9}}}, want: revived(3, 9, 1, 0)},
		{name: "a hold that was over came back", e: Evidence{Holds: []Hold{{Client: 0, From: 1, Gone: 3}, two[1]}, Renewals: once},
			want: revived(5, 9, 0, 1)},
		{name: "a hold that was never valid came back", e: Evidence{Holds: []Hold{late(0, 3, 4, 2), two[1]}, Renewals: once},
			want: revived(5, 9, 0, 1)},
	})
}

func TestAProbeThatWaitsTooLongIsADeadlock(t *testing.T) {
	probe := func(asked, won clock.Instant, more ...Strike) Evidence {
		return Evidence{Probe: Probe{Asked: asked, Won: won, Bound: 3}, Strikes: more}
	}
	stuck := func(from, to clock.Instant) Witness {
		return Witness{First: -1, Second: -1, From: from, To: to}
	}
	cut := func(e Evidence) Evidence { e.Cut = "out of steps"; return e }
	judgeStories(t, "deadlock-free", []story{
		{name: "at once", e: probe(5, 5)},
		{name: "in time", e: probe(5, 7)},
		{name: "at the last moment", e: probe(5, 8)},
		{name: "from the very start", e: probe(0, 3)},
		{name: "after a run cut short", e: cut(probe(5, 8))},

		{name: "a moment late", e: probe(5, 9), want: stuck(5, 9)},
		{name: "never", e: probe(5, forever), want: stuck(5, forever)},
		{name: "never, from the very start", e: probe(0, forever), want: stuck(0, forever)},
		{name: "a day late", e: probe(5, 86400), want: stuck(5, 86400)},
		{name: "late after a run cut short", e: cut(probe(5, 9)), want: stuck(5, 9)},
	})
}

func TestCallThatWaitsWithoutReasonIsStarved(t *testing.T) {
	starved := func(from, to clock.Instant, call int) Witness {
		return Witness{First: call, Second: -1, From: from, To: to}
	}
	call := func(f Func, from, to clock.Instant, end Type) History {
		return History{{Time: from, F: f}, {Time: to, F: f, Type: end}}
	}
	run := func(e Evidence) Evidence { e.Clients, e.Lanes, e.Bound, e.End = 2, lanes(3), 4, 20; return e }
	acquire, open := call(Acquire, 2, 12, OK), History{{Time: 10, F: Acquire}}
	judgeStories(t, "fault-tolerant", []story{
		{name: "within the bound", e: run(Evidence{History: call(Acquire, 2, 6, OK)})},
		{name: "failed within the bound", e: run(Evidence{History: call(Acquire, 2, 6, Fail)})},
		{name: "another held", e: run(Evidence{History: acquire, Holds: []Hold{{Client: 1, From: 4, Gone: 8, Try: -1}}})},
		{name: "another was valid", e: run(Evidence{History: acquire, Holds: []Hold{{Client: 1, From: 4, Gone: 5, Valid: 8}}})},
		{name: "another's extension was valid", e: run(Evidence{History: acquire, Holds: []Hold{{Client: 1, From: 4, Gone: 5}},
			Renewals: []Renewal{{OK: true, At: 6, Valid: 8}}})},
		{name: "another had not released", e: run(Evidence{History: acquire, Holds: []Hold{{Client: 1, From: 4, Gone: 5, Try: 1}},
			Tries: []Try{{}, {Left: 8}}})},
		{name: "another was there twice", e: run(Evidence{History: acquire, Holds: []Hold{
			{Client: 1, From: 0, Gone: 3}, {Client: 1, From: 7, Gone: 8}}})},
		{name: "two nodes out of touch in turn", e: run(Evidence{History: acquire, Outages: []Outage{{0, 0, 3, 9}, {0, 1, 6, 12}}})},
		{name: "its client crashed", e: run(Evidence{History: open, Outages: []Outage{{0, 0, 13, forever}, {0, 2, 13, forever}}})},
		{name: "the run ended first", e: Evidence{Clients: 2, Lanes: lanes(3), Bound: 4, End: 14, History: open}},
		{name: "a release within the bound", e: run(Evidence{History: call(Release, 2, 6, Info)})},
		{name: "a read may take longer", e: run(Evidence{History: call(Read, 2, 12, OK)})},

		{name: "for longer than the bound", e: run(Evidence{History: call(Acquire, 2, 7, OK)}), want: starved(2, 7, 0)},
		{name: "failed after the bound", e: run(Evidence{History: call(Acquire, 2, 7, Fail)}), want: starved(2, 7, 0)},
		{name: "never came back", e: run(Evidence{History: open}), want: starved(10, 20, 0)},
		{name: "only the client itself held", e: run(Evidence{History: acquire, Holds: []Hold{{From: 4, Gone: 8}}}), want: starved(2, 12, 0)},
		{name: "after the other had gone", e: run(Evidence{History: acquire, Holds: []Hold{{Client: 1, From: 1, Gone: 6}}}),
			want: starved(6, 12, 0)},
		{name: "before the other came", e: run(Evidence{History: acquire, Holds: []Hold{{Client: 1, From: 7, Gone: 30}}}),
			want: starved(2, 7, 0)},
		{name: "its own hold between those of another", e: run(Evidence{History: acquire, Holds: []Hold{
			{Client: 1, From: 0, Gone: 4}, {Client: 0, From: 6, Gone: 8}, {Client: 1, From: 10, Gone: 30}}}), want: starved(4, 10, 0)},
		{name: "out of touch with but one node", e: run(Evidence{History: acquire, Outages: []Outage{{0, 0, 0, 20}}}), want: starved(2, 12, 0)},
		{name: "another client out of touch", e: run(Evidence{History: acquire, Outages: []Outage{{1, 0, 0, 20}, {1, 1, 0, 20}}}),
			want: starved(2, 12, 0)},
		{name: "after the outage", e: run(Evidence{History: acquire, Outages: []Outage{{0, 0, 0, 7}, {0, 1, 0, 5}}}), want: starved(5, 12, 0)},
		{name: "a release, though another holds", e: run(Evidence{History: call(Release, 2, 12, Info),
			Holds: []Hold{{Client: 1, From: 0, Gone: 30}}}), want: starved(2, 12, 0)},
		{name: "under its second name", e: run(Evidence{History: History{
			{Time: 1, F: Release}, {Time: 2, F: Release, Type: Info}, {Time: 3, F: Acquire, Process: 2}}}), want: starved(3, 20, 2)},
		{name: "the first in time", e: run(Evidence{
			History: History{{Time: 1, F: Acquire}, {Time: 2, F: Acquire, Process: 1}},
			Outages: []Outage{{0, 0, 0, 9}, {0, 1, 0, 9}}}), want: starved(2, 20, 1)},
	})
}

func TestMissingEvidenceLeavesLivenessUnknown(t *testing.T) {
	waits := History{{F: Acquire}}
	for _, s := range []struct {
		property string
		e        Evidence
	}{
		{"deadlock-free", Evidence{}},
		{"deadlock-free", Evidence{Probe: Probe{Won: forever}}},
		{"fault-tolerant", Evidence{Clients: 1, Lanes: lanes(1), End: 9, History: waits}},
		{"fault-tolerant", Evidence{Clients: 1, Bound: 1, End: 9, History: waits}},
		{"fault-tolerant", Evidence{Lanes: lanes(1), Bound: 1, End: 9, History: waits}},
		{"fault-tolerant", Evidence{Clients: 1, Lanes: lanes(1), Bound: 9, End: 9, History: waits, Cut: "out of steps"}},
	} {
		j := Judge{Unchecked: true}
		p, _ := Lookup(s.property)
		if got := j.Ask(&s.e, p); got != (Finding{Property: s.property, Verdict: Unknown, Witness: Witness{Strike: -1}}) {
			t.Errorf("%+v of %+v", got, s.e)
		}
	}
}

func TestSometimesWithExtensionsAndVotes(t *testing.T) {
	try := func(client int, token string, from, to clock.Instant) Try {
		return Try{Client: client, Token: token, Outcome: NoQuorum, From: from, To: to}
	}
	votes := []Span{{Lane: 0, Token: "a", From: 2, To: 6}, {Lane: 1, Token: "b", From: 3, To: 7}}
	both := []Try{try(0, "a", 1, 6), try(1, "b", 2, 7)}
	for _, s := range []struct {
		property, name string
		want           bool
		e              Evidence
	}{
		{"extended", "once", true, Evidence{Renewals: []Renewal{{}, {OK: true}}}},
		{"extended", "only failed", false, Evidence{Renewals: []Renewal{{}}}},
		{"extension-failed", "once", true, Evidence{Renewals: []Renewal{{OK: true}, {}}}},
		{"extension-failed", "only succeeded, or never came back", false, Evidence{Renewals: []Renewal{{OK: true}, {At: forever}}}},
		{"expired-while-held", "in the gap before an extension", true, Evidence{End: 99, Renewals: []Renewal{{OK: true, At: 6, Valid: 9}},
			Holds: []Hold{{From: 1, Gone: 8, Valid: 5}}}},
		{"expired-while-held", "extended without a gap", false, Evidence{End: 99, Renewals: []Renewal{{OK: true, At: 5, Valid: 9}},
			Holds: []Hold{{From: 1, Gone: 9, Valid: 5}}}},
		{"expired-while-held", "the other hold was extended", true, Evidence{End: 99, Renewals: []Renewal{{Hold: 1, OK: true, At: 4, Valid: 9}},
			Holds: []Hold{{From: 1, Gone: 8, Valid: 5}, {From: 3, Gone: 9, Valid: 5}}}},
		{"quorum-lost", "while an extension was valid", true, Evidence{Lanes: lanes(1), End: 99, Renewals: []Renewal{{OK: true, At: 4, Valid: 9}},
			Holds: []Hold{{Token: "a", From: 1, Gone: 5, Valid: 5}}, Keys: []Span{{Token: "a", From: 0, To: 8}}}},
		{"quorum-lost", "in a gap nobody held in", false, Evidence{Lanes: lanes(1), End: 99, Renewals: []Renewal{{OK: true, At: 7, Valid: 9}},
			Holds: []Hold{{Token: "a", From: 1, Gone: 5, Valid: 5}}, Keys: []Span{{Token: "a", From: 0, To: 5}, {Token: "a", From: 7, To: 9}}}},
		{"unavailable", "a key and no holder", true, Evidence{Clients: 1, Lanes: lanes(1), End: 9, Keys: []Span{{From: 8, To: 99}}}},
		{"unavailable", "only after the end", false, Evidence{Clients: 1, Lanes: lanes(1), End: 8, Keys: []Span{{From: 8, To: 99}}}},
		{"split-vote", "one each of three", true, Evidence{Lanes: lanes(3), End: 9, Tries: both, Keys: votes}},
		{"split-vote", "one had a majority all the time", false, Evidence{Lanes: lanes(3), End: 9, Tries: both,
			Keys: append(votes, Span{Lane: 2, Token: "a", From: 2, To: 6})}},
		{"split-vote", "a third had", false, Evidence{Lanes: lanes(5), End: 9, Tries: both, Keys: append(votes,
			Span{Lane: 2, Token: "c", From: 0, To: 9}, Span{Lane: 3, Token: "c", From: 0, To: 9}, Span{Lane: 4, Token: "c", From: 0, To: 9})}},
		{"split-vote", "one of them won in the end", false, Evidence{Lanes: lanes(3), End: 9, Keys: votes, Tries: []Try{
			{Client: 0, Token: "a", Outcome: Won, From: 1, To: 6}, both[1]}}},
		{"split-vote", "one after the other", false, Evidence{Lanes: lanes(3), End: 9, Keys: votes, Tries: []Try{try(0, "a", 1, 3), both[1]}}},
		{"split-vote", "one client twice", false, Evidence{Lanes: lanes(3), End: 9, Keys: votes, Tries: []Try{try(1, "a", 1, 6), both[1]}}},
		{"split-vote", "the run ended first", false, Evidence{Lanes: lanes(3), End: 3, Keys: votes, Tries: both}},
		{"crashed-while-held", "as soon as it held", true, Evidence{Holds: []Hold{{}, {From: 5, Gone: 5, Crashed: true}}}},
		{"shared", "two readers", true, Evidence{Holds: []Hold{{Shared: true, From: 1, Gone: 5}, {Client: 1, Shared: true, From: 4, Gone: 9}}}},
		{"shared", "one after the other", false, Evidence{Holds: []Hold{{Shared: true, From: 1, Gone: 4}, {Client: 1, Shared: true, From: 4, Gone: 9}}}},
		{"shared", "beside a writer", false, Evidence{Holds: []Hold{{Shared: true, From: 1, Gone: 5}, {Client: 1, From: 4, Gone: 9}}}},
		{"wanted-after-fault", "by another", true, Evidence{Strikes: []Strike{{From: 5}}, Holds: []Hold{{From: 1}},
			Tries: []Try{{To: 1}, {Client: 1, From: 6, To: 9}}}},
		{"wanted-after-fault", "by one who was asking", true, Evidence{Strikes: []Strike{{From: 5}}, Holds: []Hold{{From: 1}},
			Tries: []Try{{To: 1}, {Client: 1, From: 4, To: 9}}}},
		{"wanted-after-fault", "by its holder alone", false, Evidence{Strikes: []Strike{{From: 5}}, Holds: []Hold{{From: 1}},
			Tries: []Try{{To: 1}, {From: 6, To: 9}, {Client: 1, From: 2, To: 4}}}},
		{"wanted-after-fault", "before anybody had it", true, Evidence{Strikes: []Strike{{From: 5}}, Tries: []Try{{From: 4, To: 9}}}},
		{"wanted-after-fault", "when a fault touched nothing", false, Evidence{Strikes: []Strike{{From: 5, Idle: true}}, Tries: []Try{{From: 4, To: 9}}}},
		{"written", "applied", true, Evidence{Writes: []Update{{Plain: Change{Made: 1}}}}},
		{"written", "rolled back", false, Evidence{Writes: []Update{{}}}},
		{"written", "nothing", false, Evidence{}},
		{"crashed-while-held", "gave up", false, Evidence{Holds: []Hold{{From: 5, Gone: 6}}}},
	} {
		j := Judge{Unchecked: true}
		p, _ := Lookup(s.property)
		if got := j.Ask(&s.e, p).Verdict == Holds; got != s.want {
			t.Errorf("%s, %s: %v; want %v", s.property, s.name, got, s.want)
		}
	}
}
