package checker

import (
	"testing"

	"github.com/lockstorm/lockstorm/clock"
)

const forever = clock.Forever

// A story is a piece of evidence that can be read at a glance, and what it shows.
type story struct {
	name string
	e    Evidence
	want Witness // zero when the property holds
}

// judgeStories judges each story for one property, alone and among all others.
func judgeStories(t *testing.T, property string, stories []story) {
	t.Helper()
	j := Judge{Unchecked: true}
	p, ok := Lookup(property)
	if !ok {
		t.Fatalf("no property %q", property)
	}
	legal := 0
	for _, s := range stories {
		want := Finding{Property: property, Verdict: Violated, Witness: s.want}
		if s.want == (Witness{}) {
			legal++
			want.Verdict, want.Witness.Strike = Holds, -1
		}
		if s.want != (Witness{}) && len(s.e.Strikes) == 0 {
			want.Witness.Strike = -1
		}
		if got := j.Ask(&s.e, p); got != want {
			t.Errorf("%s:\n got %+v\nwant %+v", s.name, got, want)
		}
	}
	if legal < 5 || len(stories)-legal < 5 {
		t.Errorf("%s: %d legal and %d illegal stories; want five of each", property, legal, len(stories)-legal)
	}
}

func TestTwoBeliefsThatOverlapBreakBelief(t *testing.T) {
	two := func(from, to clock.Instant, first, second int) Witness {
		return Witness{First: first, Second: second, From: from, To: to}
	}
	judgeStories(t, "belief", []story{
		{name: "nobody ever held", e: Evidence{}},
		{name: "one after the other", e: Evidence{Holds: []Hold{
			{Client: 0, From: 1, Gone: 4}, {Client: 1, From: 6, Gone: 9}}}},
		{name: "holds that touch do not overlap", e: Evidence{Holds: []Hold{
			{Client: 0, From: 1, Gone: 5}, {Client: 1, From: 5, Gone: 9}}}},
		{name: "an empty hold overlaps nothing", e: Evidence{Holds: []Hold{
			{Client: 0, From: 1, Gone: 9}, {Client: 1, From: 5, Gone: 5}}}},
		{name: "one client does not conflict with itself", e: Evidence{Holds: []Hold{
			{Client: 0, From: 1, Gone: 9}, {Client: 0, From: 5, Gone: 7}}}},
		{name: "validity may overlap where belief does not", e: Evidence{Holds: []Hold{
			{Client: 0, From: 1, Gone: 5, Valid: 9}, {Client: 1, From: 5, Gone: 9, Valid: 9}}}},
		{name: "the last holder never stopped", e: Evidence{Holds: []Hold{
			{Client: 0, From: 1, Gone: 5}, {Client: 1, From: 5, Gone: forever}}}},

		{name: "the paused client goes on", e: Evidence{Holds: []Hold{
			{Client: 0, From: 1, Gone: 8}, {Client: 1, From: 5, Gone: 9}}}, want: two(5, 8, 0, 1)},
		{name: "one within the other", e: Evidence{Holds: []Hold{
			{Client: 0, From: 1, Gone: 9}, {Client: 1, From: 4, Gone: 6}}}, want: two(4, 6, 0, 1)},
		{name: "both at the same instant", e: Evidence{Holds: []Hold{
			{Client: 1, From: 1, Gone: 3}, {Client: 0, From: 1, Gone: 2}}}, want: two(1, 2, 0, 1)},
		{name: "the first overlap counts", e: Evidence{Holds: []Hold{
			{Client: 0, From: 1, Gone: 9}, {Client: 1, From: 4, Gone: 6}, {Client: 2, From: 5, Gone: 7}}}, want: two(4, 6, 0, 1)},
		{name: "a short hold in between hides nothing", e: Evidence{Holds: []Hold{
			{Client: 0, From: 1, Gone: 9}, {Client: 0, From: 2, Gone: 3}, {Client: 1, From: 4, Gone: 6}}}, want: two(4, 6, 0, 2)},
		{name: "both for ever", e: Evidence{Holds: []Hold{
			{Client: 0, From: 1, Gone: forever}, {Client: 1, From: 4, Gone: forever}}}, want: two(4, forever, 0, 1)},
		{name: "the list need not be in order", e: Evidence{Holds: []Hold{
			{Client: 1, From: 5, Gone: 9}, {Client: 0, From: 1, Gone: 8}}}, want: two(5, 8, 1, 0)},
		{name: "the pause struck last before", e: Evidence{
			Holds:   []Hold{{Client: 0, From: 1, Gone: 8}, {Client: 1, From: 5, Gone: 9}},
			Strikes: []Strike{{From: 0}, {From: 5}, {From: 6}},
		}, want: Witness{First: 0, Second: 1, From: 5, To: 8, Strike: 1}},
	})
}

func TestTwoValiditiesThatOverlapBreakValidity(t *testing.T) {
	two := func(from, to clock.Instant, first, second int) Witness {
		return Witness{First: first, Second: second, From: from, To: to}
	}
	judgeStories(t, "validity", []story{
		{name: "the window ends before the other acquires", e: Evidence{Holds: []Hold{
			{Client: 0, From: 1, Gone: 9, Valid: 4}, {Client: 1, From: 5, Valid: 8}}}},
		{name: "windows that touch do not overlap", e: Evidence{Holds: []Hold{
			{Client: 0, From: 1, Valid: 5}, {Client: 1, From: 5, Valid: 9}}}},
		{name: "a window over before it began overlaps nothing", e: Evidence{Holds: []Hold{
			{Client: 0, From: 1, Valid: 9}, {Client: 1, From: 5, Valid: 2}}}},
		{name: "a window of no length overlaps nothing", e: Evidence{Holds: []Hold{
			{Client: 0, From: 5, Valid: 5}, {Client: 1, From: 5, Valid: 9}}}},
		{name: "one client does not conflict with itself", e: Evidence{Holds: []Hold{
			{Client: 0, From: 1, Valid: 9}, {Client: 0, From: 5, Valid: 12}}}},

		{name: "a node's clock jumped", e: Evidence{Holds: []Hold{
			{Client: 0, From: 1, Valid: 9}, {Client: 1, From: 5, Valid: 12}}}, want: two(5, 9, 0, 1)},
		{name: "neither client need go on", e: Evidence{Holds: []Hold{
			{Client: 0, From: 1, Gone: 2, Valid: 9}, {Client: 1, From: 5, Gone: 6, Valid: 7}}}, want: two(5, 7, 0, 1)},
		{name: "by one instant", e: Evidence{Holds: []Hold{
			{Client: 0, From: 1, Valid: 6}, {Client: 1, From: 5, Valid: 9}}}, want: two(5, 6, 0, 1)},
		{name: "the first of three clients with the third", e: Evidence{Holds: []Hold{
			{Client: 0, From: 1, Valid: 9}, {Client: 1, From: 3, Valid: 3}, {Client: 2, From: 5, Valid: 7}}}, want: two(5, 7, 0, 2)},
		{name: "a clock that stands still", e: Evidence{Holds: []Hold{
			{Client: 0, From: 1, Valid: forever}, {Client: 1, From: 5, Valid: 9}}}, want: two(5, 9, 0, 1)},
	})
}

func TestAValidityWithoutAMajorityBreaksQuorum(t *testing.T) {
	short := func(from, to clock.Instant, second int) Witness {
		return Witness{First: 0, Second: second, From: from, To: to}
	}
	held := []Hold{{Token: "a", From: 2, Valid: 8}}
	judgeStories(t, "quorum", []story{
		{name: "two of three for the whole window", e: Evidence{Lanes: lanes(3), End: 99, Holds: held, Keys: []Span{
			{Lane: 0, Token: "a", From: 0, To: 9}, {Lane: 1, Token: "a", From: 1, To: 8}}}},
		{name: "one node takes over as another lets go", e: Evidence{Lanes: lanes(3), End: 99, Holds: held, Keys: []Span{
			{Lane: 0, Token: "a", From: 0, To: 9}, {Lane: 1, Token: "a", From: 1, To: 5}, {Lane: 2, Token: "a", From: 5, To: 9}}}},
		{name: "an empty window needs nobody", e: Evidence{Lanes: lanes(3), End: 99, Holds: []Hold{{Token: "a", From: 8, Valid: 8}}}},
		{name: "after the end nobody looked", e: Evidence{Lanes: lanes(3), End: 5, Holds: held, Keys: []Span{
			{Lane: 0, Token: "a", From: 0, To: 5}, {Lane: 1, Token: "a", From: 1, To: 5}}}},
		{name: "a lock without nodes has no quorum", e: Evidence{Lanes: lanes(0), End: 99, Holds: held}},
		{name: "another token's keys do no harm", e: Evidence{Lanes: lanes(1), End: 99, Holds: held, Keys: []Span{
			{Lane: 0, Token: "a", From: 1, To: 8}, {Lane: 0, Token: "b", From: 8, To: 9}}}},
		{name: "one node's key set anew at once", e: Evidence{Lanes: lanes(1), End: 99, Holds: held, Keys: []Span{
			{Lane: 0, Token: "a", From: 6, To: 9}, {Lane: 0, Token: "a", From: 1, To: 6}}}},

		{name: "a node lost its data", e: Evidence{Lanes: lanes(3), End: 99, Holds: held, Keys: []Span{
			{Lane: 0, Token: "a", From: 0, To: 9}, {Lane: 1, Token: "a", From: 1, To: 4}}}, want: short(4, 8, 1)},
		{name: "and got it back", e: Evidence{Lanes: lanes(3), End: 99, Holds: held, Keys: []Span{
			{Lane: 0, Token: "a", From: 0, To: 9}, {Lane: 1, Token: "a", From: 1, To: 4}, {Lane: 1, Token: "a", From: 5, To: 9}}},
			want: short(4, 5, 1)},
		{name: "one instant short at the end", e: Evidence{Lanes: lanes(3), End: 99, Holds: held, Keys: []Span{
			{Lane: 0, Token: "a", From: 0, To: 9}, {Lane: 1, Token: "a", From: 1, To: 7}}}, want: short(7, 8, 1)},
		{name: "one instant late at the start", e: Evidence{Lanes: lanes(3), End: 99, Holds: held, Keys: []Span{
			{Lane: 0, Token: "a", From: 0, To: 9}, {Lane: 1, Token: "a", From: 3, To: 9}}}, want: short(2, 3, -1)},
		{name: "one node counts once", e: Evidence{Lanes: lanes(3), End: 99, Holds: held, Keys: []Span{
			{Lane: 0, Token: "a", From: 0, To: 9}, {Lane: 0, Token: "a", From: 1, To: 9}}}, want: short(2, 8, -1)},
		{name: "two of four are no majority", e: Evidence{Lanes: lanes(4), End: 99, Holds: held, Keys: []Span{
			{Lane: 0, Token: "a", From: 0, To: 9}, {Lane: 1, Token: "a", From: 0, To: 9}}}, want: short(2, 8, -1)},
		{name: "another's key does not count", e: Evidence{Lanes: lanes(1), End: 99, Holds: held, Keys: []Span{
			{Lane: 0, Token: "b", From: 0, To: 9}}}, want: short(2, 8, -1)},
		{name: "nobody has it", e: Evidence{Lanes: lanes(1), End: 5, Holds: held}, want: short(2, 5, -1)},
	})
}

func plain(client int, at clock.Instant, base, made uint64) Update {
	return Update{Client: client, At: at, Plain: Change{base, made}}
}

func TestAWriteBasedOnAnOldReadBreaksStorage(t *testing.T) {
	lost := func(from, to clock.Instant, first, second int) Witness {
		return Witness{First: first, Second: second, From: from, To: to}
	}
	judgeStories(t, "storage", []story{
		{name: "nobody wrote", e: Evidence{}},
		{name: "one write", e: Evidence{Writes: []Update{plain(0, 1, 0, 1)}}},
		{name: "each on top of the last", e: Evidence{Writes: []Update{
			plain(0, 1, 0, 1), plain(1, 2, 1, 2), plain(0, 3, 2, 3)}}},
		{name: "a refused write loses nothing", e: Evidence{Writes: []Update{
			plain(0, 1, 0, 1), plain(1, 2, 0, 0), plain(0, 3, 1, 2)}}},
		{name: "the fenced register is another matter", e: Evidence{Writes: []Update{
			{At: 1, Plain: Change{0, 1}, Fenced: Change{0, 1}}, {At: 2, Plain: Change{1, 2}, Fenced: Change{0, 2}}}}},

		{name: "two based on the same read", e: Evidence{Writes: []Update{
			plain(1, 4, 0, 1), plain(0, 6, 0, 2)}}, want: lost(4, 6, 0, 1)},
		{name: "the late write undoes two", e: Evidence{Writes: []Update{
			plain(1, 4, 0, 1), plain(1, 5, 1, 2), plain(0, 6, 0, 3)}}, want: lost(4, 6, 0, 2)},
		{name: "the late write undoes the last only", e: Evidence{Writes: []Update{
			plain(1, 4, 0, 1), plain(1, 5, 1, 2), plain(0, 6, 1, 3)}}, want: lost(5, 6, 1, 2)},
		{name: "the first loss counts", e: Evidence{Writes: []Update{
			plain(0, 1, 0, 1), plain(1, 2, 0, 2), plain(2, 3, 0, 3)}}, want: lost(1, 2, 0, 1)},
		{name: "a client overwrites itself", e: Evidence{Writes: []Update{
			plain(0, 1, 0, 1), plain(0, 2, 0, 2)}}, want: lost(1, 2, 0, 1)},
		{name: "at the same instant", e: Evidence{Writes: []Update{
			plain(0, 1, 0, 1), plain(1, 1, 0, 2)}}, want: lost(1, 1, 0, 1)},
	})
}

func fencedUpdate(at clock.Instant, base, made uint64) Update {
	return Update{At: at, Plain: Change{0, 1}, Fenced: Change{base, made}}
}

func TestAcceptedStaleWriteBreaksFenced(t *testing.T) {
	lost := func(from, to clock.Instant, first, second int) Witness {
		return Witness{First: first, Second: second, From: from, To: to}
	}
	judgeStories(t, "fenced", []story{
		{name: "nobody wrote", e: Evidence{}},
		{name: "the stale write is refused", e: Evidence{Writes: []Update{fencedUpdate(4, 0, 1), fencedUpdate(6, 0, 0)}}},
		{name: "each on top of the last", e: Evidence{Writes: []Update{fencedUpdate(4, 0, 1), fencedUpdate(6, 1, 2)}}},
		{name: "a refused write cannot be lost", e: Evidence{Writes: []Update{
			fencedUpdate(4, 0, 1), fencedUpdate(5, 1, 0), fencedUpdate(6, 1, 2)}}},
		{name: "all refused", e: Evidence{Writes: []Update{fencedUpdate(4, 0, 0), fencedUpdate(6, 0, 0)}}},

		{name: "the stale write is applied", e: Evidence{Writes: []Update{
			fencedUpdate(4, 0, 1), fencedUpdate(6, 0, 2)}}, want: lost(4, 6, 0, 1)},
		{name: "a refused one between", e: Evidence{Writes: []Update{
			fencedUpdate(4, 0, 1), fencedUpdate(5, 0, 0), fencedUpdate(6, 0, 2)}}, want: lost(4, 6, 0, 2)},
		{name: "two lost at once", e: Evidence{Writes: []Update{
			fencedUpdate(4, 0, 1), fencedUpdate(5, 1, 2), fencedUpdate(6, 0, 3)}}, want: lost(4, 6, 0, 2)},
		{name: "the one before is lost", e: Evidence{Writes: []Update{
			fencedUpdate(4, 0, 1), fencedUpdate(5, 1, 2), fencedUpdate(6, 1, 3)}}, want: lost(5, 6, 1, 2)},
		{name: "after a refusal", e: Evidence{Writes: []Update{
			fencedUpdate(3, 0, 0), fencedUpdate(4, 0, 1), fencedUpdate(6, 0, 2)}}, want: lost(4, 6, 1, 2)},
	})
}

func TestATokenThatDoesNotRiseBreaksTokens(t *testing.T) {
	behind := func(from, to clock.Instant, first, second int) Witness {
		return Witness{First: first, Second: second, From: from, To: to}
	}
	judgeStories(t, "tokens", []story{
		{name: "no hold drew a token", e: Evidence{Holds: []Hold{{Asked: 1, From: 2}, {Asked: 3, From: 4}}}},
		{name: "tokens rise", e: Evidence{Holds: []Hold{{Fence: 33, Asked: 1, From: 2}, {Fence: 34, Asked: 3, From: 4}}}},
		{name: "they may skip", e: Evidence{Holds: []Hold{{Fence: 33, Asked: 1, From: 2}, {Fence: 90, Asked: 3, From: 4}}}},
		{name: "asked before the other had acquired", e: Evidence{Holds: []Hold{
			{Fence: 34, Asked: 2, From: 3}, {Fence: 33, Asked: 1, From: 4}}}},
		{name: "a hold without a token between", e: Evidence{Holds: []Hold{
			{Fence: 33, Asked: 1, From: 2}, {Asked: 3, From: 4}, {Fence: 34, Asked: 5, From: 6}}}},
		{name: "a hold does not compete with itself", e: Evidence{Holds: []Hold{{Fence: 33, Asked: 1, From: 1}}}},

		{name: "the counter lost its data", e: Evidence{Holds: []Hold{
			{Fence: 33, Asked: 1, From: 2}, {Fence: 1, Asked: 3, From: 4}}}, want: behind(3, 4, 0, 1)},
		{name: "the same token twice", e: Evidence{Holds: []Hold{
			{Fence: 33, Asked: 1, From: 2}, {Fence: 33, Asked: 3, From: 4}}}, want: behind(3, 4, 0, 1)},
		{name: "asked at the instant of the acquire", e: Evidence{Holds: []Hold{
			{Fence: 34, Asked: 1, From: 3}, {Fence: 33, Asked: 3, From: 4}}}, want: behind(3, 4, 0, 1)},
		{name: "behind one long ago", e: Evidence{Holds: []Hold{
			{Fence: 40, Asked: 1, From: 2}, {Fence: 41, Asked: 3, From: 4}, {Fence: 40, Asked: 5, From: 6}}}, want: behind(5, 6, 0, 2)},
		{name: "the first who asked counts", e: Evidence{Holds: []Hold{
			{Fence: 40, Asked: 1, From: 2}, {Fence: 8, Asked: 5, From: 6}, {Fence: 9, Asked: 3, From: 7}}}, want: behind(3, 7, 0, 2)},
		{name: "one client's own tokens count too", e: Evidence{Holds: []Hold{
			{Client: 1, Fence: 9, Asked: 1, From: 2}, {Client: 1, Fence: 8, Asked: 3, From: 4}}}, want: behind(3, 4, 0, 1)},
	})
}

func TestAKeyThatOutlivesItsOwnerIsALeak(t *testing.T) {
	leak := func(from, to clock.Instant, first, second int) Witness {
		return Witness{First: first, Second: second, From: from, To: to}
	}
	one := func(left clock.Instant, clean bool) []Try {
		return []Try{{Token: "a", From: 1, To: 3, Left: left, Clean: clean}}
	}
	key := func(from, to clock.Instant, endless bool) []Span {
		return []Span{{Token: "a", From: from, To: to, Endless: endless}}
	}
	again := []Try{{Token: "a", From: 1, To: 3, Left: 5, Clean: true}, {Token: "a", From: 8, To: 9, Left: 12, Clean: true}}
	judgeStories(t, "leak-free", []story{
		{name: "released", e: Evidence{End: 99, Tries: one(9, true), Keys: key(2, 8, false)}},
		{name: "gone at the instant the release returned", e: Evidence{End: 99, Tries: one(9, true), Keys: key(2, 9, false)}},
		{name: "the release did not arrive and the TTL did its work", e: Evidence{End: 99, Tries: one(9, false), Keys: key(2, 30, false)}},
		{name: "released though it had no TTL", e: Evidence{End: 99, Tries: one(9, true), Keys: key(2, 8, true)}},
		{name: "the client crashed and the TTL did its work", e: Evidence{End: 99, Tries: one(5, false), Keys: key(2, 30, false)}},
		{name: "the next try took the key over", e: Evidence{End: 99, Tries: again, Keys: key(2, 11, true)}},
		{name: "without TTL, but lost before the end", e: Evidence{End: 99, Tries: one(forever, false), Keys: key(2, 50, true)}},

		{name: "crashed between SETNX and EXPIRE", e: Evidence{End: 99, Tries: one(4, false), Keys: key(2, forever, true)},
			want: leak(4, forever, 0, 0)},
		{name: "nobody left to remove it at the end", e: Evidence{End: 99, Tries: one(forever, false), Keys: key(2, forever, true)},
			want: leak(99, forever, 0, 0)},
		{name: "nobody knows whose it is", e: Evidence{End: 99, Keys: key(2, forever, true)}, want: leak(99, forever, 0, -1)},
		{name: "a late SET after the release", e: Evidence{End: 99, Tries: one(9, true), Keys: key(12, 30, false)},
			want: leak(12, 30, 0, 0)},
		{name: "the release was acknowledged and did nothing", e: Evidence{End: 99, Tries: one(9, true), Keys: key(2, 30, false)},
			want: leak(9, 30, 0, 0)},
		{name: "no TTL and a release that did not arrive", e: Evidence{End: 99, Tries: one(9, false), Keys: key(2, 30, true)},
			want: leak(9, 30, 0, 0)},
		{name: "outlives even the next try", e: Evidence{End: 99, Tries: again, Keys: key(2, 13, false)}, want: leak(12, 13, 0, 1)},
		{name: "gone before the next try began, too late all the same", e: Evidence{End: 99, Tries: again, Keys: key(2, 8, false)},
			want: leak(5, 8, 0, 0)},
		{name: "the first leak counts", e: Evidence{End: 99, Tries: one(9, true), Keys: []Span{
			{Lane: 1, Token: "a", From: 12, To: 30}, {Lane: 2, Token: "a", From: 2, To: 20}}}, want: leak(9, 20, 1, 0)},
	})
}

func TestCutRunLeavesTheRestUnknown(t *testing.T) {
	j := Judge{Unchecked: true}
	e := Evidence{Cut: "out of steps", Holds: []Hold{{Client: 0, From: 1, Gone: 8}, {Client: 1, From: 5, Gone: 9}}}
	for _, f := range j.Judge(&e) {
		want := Unknown
		if f.Property == "belief" {
			want = Violated
		}
		if f.Verdict != want {
			t.Errorf("%s is %v; want %v", f.Property, f.Verdict, want)
		}
	}
	for _, f := range j.Sometimes(&e) {
		want := Unknown
		if f.Property == "acquired" || f.Property == "acquired-by-two" {
			want = Holds
		}
		if f.Verdict != want {
			t.Errorf("%s is %v; want %v", f.Property, f.Verdict, want)
		}
	}
}

func TestACutRunMayHaveComeBackToItsKey(t *testing.T) {
	j := Judge{Unchecked: true}
	p, _ := Lookup("leak-free")
	e := Evidence{End: 9, Tries: []Try{{Token: "a", From: 1, To: forever, Left: forever}},
		Keys: []Span{{Token: "a", From: 2, To: forever, Endless: true}}}
	if f := j.Ask(&e, p); f.Verdict != Violated {
		t.Errorf("uncut: %v", f)
	}
	e.Cut = "out of steps"
	if f := j.Ask(&e, p); f.Verdict != Unknown {
		t.Errorf("cut: %v", f)
	}
}

// TestEachThingThatMayHappenIsSeen has for each question a story in which it happened and, mostly at a boundary,
// several in which it did not.
func TestEachThingThatMayHappenIsSeen(t *testing.T) {
	sent := History{{Time: 3}, {Time: 6}}
	asks := History{{Type: Invoke, F: Acquire, Time: 2}, {Type: OK, F: Acquire, Time: 8}}
	for _, s := range []struct {
		property, name string
		want           bool
		e              Evidence
	}{
		{"contended", "tried while another held", true, Evidence{
			Holds: []Hold{{Client: 0, From: 2, Gone: 8}}, Tries: []Try{{Client: 1, From: 4, To: 6}}}},
		{"contended", "tried from before until after", true, Evidence{
			Holds: []Hold{{Client: 1, From: 4, Gone: 5}}, Tries: []Try{{Client: 0, From: 1, To: 9}}}},
		{"contended", "began when the other stopped", false, Evidence{
			Holds: []Hold{{Client: 0, From: 2, Gone: 4}}, Tries: []Try{{Client: 1, From: 4, To: 6}}}},
		{"contended", "ended when the other acquired", false, Evidence{
			Holds: []Hold{{Client: 0, From: 6, Gone: 8}}, Tries: []Try{{Client: 1, From: 4, To: 6}}}},
		{"contended", "a client alone", false, Evidence{
			Holds: []Hold{{Client: 1, From: 2, Gone: 8}}, Tries: []Try{{Client: 1, From: 4, To: 6}}}},
		{"contended", "only the one who holds less long is another", true, Evidence{
			Holds: []Hold{{Client: 0, From: 0, Gone: 8}, {Client: 1, From: 1, Gone: 9}}, Tries: []Try{{Client: 1, From: 6, To: 7}}}},
		{"contended", "the middle one of three is another", true, Evidence{
			Holds: []Hold{{Client: 0, From: 0, Gone: 9}, {Client: 1, From: 1, Gone: 8}, {Client: 2, From: 2, Gone: 5}},
			Tries: []Try{{Client: 0, From: 6, To: 7}}}},
		{"acquired-by-two", "two clients", true, Evidence{Holds: []Hold{{Client: 1}, {Client: 1}, {Client: 0}}}},
		{"acquired-by-two", "one client twice", false, Evidence{Holds: []Hold{{Client: 1}, {Client: 1}}}},
		{"acquired-by-two", "nobody", false, Evidence{}},
		{"acquired", "one client", true, Evidence{Holds: []Hold{{Client: 1}}}},
		{"acquired", "nobody", false, Evidence{Tries: []Try{{From: 1, To: 9, Outcome: NoQuorum}}}},
		{"fault-struck", "both of two", true, Evidence{Planned: 2, Strikes: []Strike{{Index: 1}, {Index: 0}, {Index: 1}}}},
		{"fault-struck", "both, but one touched nothing", false, Evidence{Planned: 2, Strikes: []Strike{{Index: 1}, {Idle: true}}}},
		{"fault-struck", "both, but one came to nothing", false, Evidence{Planned: 2, Strikes: []Strike{{Index: 1}, {Slight: true}}}},
		{"fault-struck", "idle once, and once not", true, Evidence{Planned: 1, Strikes: []Strike{{Idle: true}, {}}}},
		{"fault-struck", "one of two, twice", false, Evidence{Planned: 2, Strikes: []Strike{{Index: 1}, {Index: 1}}}},
		{"fault-struck", "the one that is stated, of two", true, Evidence{Planned: 2, Stated: 1, Strikes: []Strike{{Index: 0}, {Index: 1, Idle: true}}}},
		{"fault-struck", "the one that was drawn, of two", false, Evidence{Planned: 2, Stated: 1, Strikes: []Strike{{Index: 1}}}},
		{"fault-struck", "none planned", false, Evidence{}},
		{"fault-struck", "not one of the plan", false, Evidence{Planned: 1, Strikes: []Strike{{Index: 1}}}},
		{"expired-while-held", "went on one instant", true, Evidence{End: 99, Holds: []Hold{{From: 1, Gone: 6, Valid: 5}}}},
		{"expired-while-held", "stopped in time", false, Evidence{End: 99, Holds: []Hold{{From: 1, Gone: 5, Valid: 5}}}},
		{"expired-while-held", "the run ended first", false, Evidence{End: 5, Holds: []Hold{{From: 1, Gone: forever, Valid: 5}}}},
		{"expired-while-held", "never believed", false, Evidence{End: 99, Holds: []Hold{{From: 4, Gone: 4, Valid: 2}}}},
		{"quorum-lost", "lost after validity, while held", true, Evidence{Lanes: lanes(1), End: 99,
			Holds: []Hold{{Token: "a", From: 1, Gone: 8, Valid: 5}}, Keys: []Span{{Token: "a", From: 0, To: 7}}}},
		{"quorum-lost", "kept while held", false, Evidence{Lanes: lanes(1), End: 99,
			Holds: []Hold{{Token: "a", From: 1, Gone: 8, Valid: 5}}, Keys: []Span{{Token: "a", From: 0, To: 8}}}},
		{"quorum-lost", "the run ended first", false, Evidence{Lanes: lanes(1), End: 7,
			Holds: []Hold{{Token: "a", From: 1, Gone: forever, Valid: 5}}, Keys: []Span{{Token: "a", From: 0, To: 7}}}},
		{"refused-too-late", "step three at work", true, Evidence{Tries: []Try{{Outcome: Won}, {Outcome: TooLate}}}},
		{"refused-too-late", "only lost votes", false, Evidence{Tries: []Try{{Outcome: Won}, {Outcome: NoQuorum}}}},
		{"stale-write-refused", "by the fence", true, Evidence{Writes: []Update{{Plain: Change{0, 1}}}}},
		{"stale-write-refused", "applied to both", false, Evidence{Writes: []Update{
			{Plain: Change{0, 1}, Fenced: Change{0, 1}}}}},
		{"stale-write-refused", "refused by both", false, Evidence{Writes: []Update{{}}}},
		{"holder-refused", "though nobody else holds", true, Evidence{Holds: []Hold{{From: 1, Gone: 9}, {Client: 1, From: 9, Gone: 12}},
			Writes: []Update{{At: 5, Plain: Change{0, 1}}}}},
		{"holder-refused", "while another holds", false, Evidence{Holds: []Hold{{From: 1, Gone: 9}, {Client: 1, From: 4, Gone: 7}},
			Writes: []Update{{At: 5, Plain: Change{0, 1}}}}},
		{"holder-refused", "held no longer", false, Evidence{Holds: []Hold{{From: 1, Gone: 5}}, Writes: []Update{{At: 5, Plain: Change{0, 1}}}}},
		{"kept-out", "by one hold", true, Evidence{Clients: 2, History: asks, Probe: Probe{Bound: 4}, Holds: []Hold{{Client: 1, From: 1, Gone: 9}}}},
		{"kept-out", "for no longer than the bound", false, Evidence{Clients: 2, History: asks, Probe: Probe{Bound: 6},
			Holds: []Hold{{Client: 1, From: 1, Gone: 9}}}},
		{"kept-out", "by two holds", false, Evidence{Clients: 2, History: asks, Probe: Probe{Bound: 4},
			Holds: []Hold{{Client: 1, From: 1, Gone: 5}, {Client: 1, From: 5, Gone: 9}}}},
		{"kept-out", "by its own", false, Evidence{Clients: 2, History: asks, Probe: Probe{Bound: 4}, Holds: []Hold{{From: 1, Gone: 9}}}},
		{"late-write", "landed as the hold ended", true, Evidence{History: sent,
			Holds: []Hold{{From: 1, Gone: 8}}, Writes: []Update{plain(0, 8, 0, 1)}}},
		{"late-write", "landed under the client's next hold", true, Evidence{History: sent,
			Holds: []Hold{{From: 1, Gone: 4}, {From: 5, Gone: 9}}, Writes: []Update{plain(0, 6, 0, 1)}}},
		{"late-write", "in time", false, Evidence{History: sent,
			Holds: []Hold{{From: 1, Gone: 8}}, Writes: []Update{plain(0, 7, 0, 1)}}},
		{"late-write", "sent under the next hold", false, Evidence{History: sent,
			Holds: []Hold{{From: 1, Gone: 4}, {From: 5, Gone: 9}}, Writes: []Update{{Op: 1, At: 7, Plain: Change{0, 1}}}}},
		{"late-write", "late but refused", false, Evidence{History: sent,
			Holds: []Hold{{From: 1, Gone: 4}}, Writes: []Update{plain(0, 6, 0, 0)}}},
		{"late-write", "never held at all", false, Evidence{History: sent,
			Holds: []Hold{{Client: 1, From: 1, Gone: 4}}, Writes: []Update{plain(0, 6, 0, 1)}}},
		{"late-write", "no history to tell when it was sent", false, Evidence{
			Holds: []Hold{{From: 1, Gone: 4}, {From: 5, Gone: 9}}, Writes: []Update{plain(0, 6, 0, 1)}}},
	} {
		j := Judge{Unchecked: true}
		p, _ := Lookup(s.property)
		if got := j.Ask(&s.e, p).Verdict == Holds; got != s.want {
			t.Errorf("%s, %s: %v; want %v", s.property, s.name, got, s.want)
		}
	}
}

func TestTwoJobsOfOneTickBreakOnce(t *testing.T) {
	job := func(at clock.Instant, client, tick int, made uint64) Update {
		return Update{Client: client, Tick: tick, At: at, Plain: Change{Base: max(made, 1) - 1, Made: made}}
	}
	twice := func(first, second int, at clock.Instant) Witness {
		return Witness{First: first, Second: second, From: at, To: at}
	}
	judgeStories(t, "once", []story{
		{name: "nothing was done", e: Evidence{Ticks: 1}},
		{name: "one job", e: Evidence{Ticks: 1, Writes: []Update{job(1, 0, 1, 1)}}},
		{name: "a job for each tick", e: Evidence{Ticks: 2, Writes: []Update{job(1, 0, 1, 1), job(5, 0, 2, 2)}}},
		{name: "storage refused the second", e: Evidence{Ticks: 1, Writes: []Update{job(1, 0, 1, 1), job(2, 1, 1, 0)}}},
		{name: "storage refused the first", e: Evidence{Ticks: 1, Writes: []Update{job(1, 0, 1, 0), job(2, 1, 1, 1)}}},
		{name: "updates of no tick", e: Evidence{Ticks: 1, Writes: []Update{job(1, 0, 0, 1), job(2, 1, 0, 2)}}},
		{name: "both clients", e: Evidence{Ticks: 1, Writes: []Update{job(1, 0, 1, 1), job(2, 1, 1, 2)}}, want: twice(0, 1, 2)},
		{name: "one client, twice", e: Evidence{Ticks: 1, Writes: []Update{job(1, 0, 1, 1), job(2, 0, 1, 2)}}, want: twice(0, 1, 2)},
		{name: "in the same moment", e: Evidence{Ticks: 1, Writes: []Update{job(2, 0, 1, 1), job(2, 1, 1, 2)}}, want: twice(0, 1, 2)},
		{name: "another tick between", e: Evidence{Ticks: 2, Writes: []Update{job(1, 0, 1, 1), job(2, 0, 2, 2), job(3, 1, 1, 3)}},
			want: twice(0, 2, 3)},
		{name: "the second tick", e: Evidence{Ticks: 2, Writes: []Update{job(1, 0, 1, 1), job(2, 0, 2, 2), job(3, 1, 2, 3)}},
			want: twice(1, 2, 3)},
	})
}
