package checker

import (
	"slices"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim/simtest"
	"pgregory.net/rapid"
)

// A reading is what an oracle says of a figure.
type reading struct {
	value int64
	known bool
}

func known[T ~int | ~int64](n T) reading { return reading{int64(n), true} }

// takers are the oracles of the figures: instant by instant, pair by pair, as doc.go defines them.
var takers = map[string]func(*Evidence) reading{
	"unavailable": func(e *Evidence) reading {
		n := 0
		for t := clock.Instant(0); t < e.End; t++ {
			n += truth(unavailableAt(e, t))
		}
		return reading{int64(n), len(e.Lanes) > 0 && e.Clients > 0}
	},
	"unavailable-longest": func(e *Evidence) reading {
		from, to := longestWithout(e)
		return reading{int64(to - from), len(e.Lanes) > 0 && e.Clients > 0}
	},
	"unavailable-longest-from": func(e *Evidence) reading {
		from, to := longestWithout(e)
		return reading{int64(from), from < to}
	},
	"held": func(e *Evidence) reading {
		n := 0
		for t := clock.Instant(0); t < e.End; t++ {
			n += truth(someHold(e, func(i int) bool { return valid(e, i, t) }))
		}
		return known(n)
	},
	"wait-median": func(e *Evidence) reading {
		ws := waitsOf(e)
		for _, w := range ws { // from the shortest on
			longer := 0
			for _, v := range ws {
				longer += truth(v > w)
			}
			if 2*longer <= len(ws) {
				return known(w)
			}
		}
		return reading{}
	},
	"wait-max": func(e *Evidence) reading {
		if ws := waitsOf(e); len(ws) > 0 {
			return known(slices.Max(ws))
		}
		return reading{}
	},
	"first-winner": func(e *Evidence) reading {
		asked := slices.IndexFunc(e.History, func(o Op) bool { return o.F == Acquire && o.Type == Invoke })
		won := slices.IndexFunc(e.History, func(o Op) bool { return o.F == Acquire && o.Type == OK })
		if won < 0 || e.Clients == 0 {
			return reading{}
		}
		return known(e.History[won].Time - e.History[asked].Time)
	},
	"attempts": func(e *Evidence) reading { return known(len(e.Tries)) },
	"attempts-lost": func(e *Evidence) reading {
		return triesThat(e, func(t Try) bool { return t.Outcome == NoQuorum || t.Outcome == TooLate || t.Outcome == NoFence })
	},
	"split-votes": func(e *Evidence) reading {
		return triesThat(e, func(t Try) bool {
			for at := t.From; at < t.To && at <= last; at++ {
				if someHold(e, func(i int) bool { return holding(e, i, at) }) {
					return false
				}
			}
			return t.Outcome == NoQuorum
		})
	},
	"overtaken": func(e *Evidence) reading {
		n := 0
		for i, a := range e.History {
			for k, b := range e.History {
				if won(e, i) && won(e, k) && a.Time < b.Time {
					n += truth(e.History[callOf(e, i)].Time > e.History[callOf(e, k)].Time)
				}
			}
		}
		return reading{int64(n), e.Clients > 0}
	},
	"overlaps": func(e *Evidence) reading {
		n := 0
		for i, b := range e.Holds {
			other := func(k int) bool {
				a := e.Holds[k]
				begun := a.From < b.From || a.From == b.From && k < i
				return exclude(a, b) && begun && a.Gone > max(b.From, a.From) && b.Gone > b.From
			}
			n += truth(someHold(e, other))
		}
		return known(n)
	},
	"overstayed": func(e *Evidence) reading {
		n := 0
		for i, h := range e.Holds {
			end := h.Valid
			for _, r := range e.Renewals {
				if r.Hold == i && r.OK && r.At <= h.Gone {
					end = max(end, r.Valid)
				}
			}
			n += truth(h.Gone > end)
		}
		return known(n)
	},
	"granted-late": func(e *Evidence) reading {
		late := slices.DeleteFunc(slices.Clone(e.Holds), func(h Hold) bool {
			return h.Valid > h.From || h.Valid == h.From && h.Gone <= h.From
		})
		return known(len(late))
	},
	"updates-lost-plain":  func(e *Evidence) reading { return missing(e, plainOf) },
	"updates-lost-fenced": func(e *Evidence) reading { return missing(e, fencedOf) },
	"writes-refused": func(e *Evidence) reading {
		return known(len(slices.DeleteFunc(slices.Clone(e.Writes), func(u Update) bool { return u.Fenced.Made > 0 })))
	},
	"renewals":          func(e *Evidence) reading { return known(len(e.Renewals)) },
	"end":               func(e *Evidence) reading { return known(e.End) },
	"struck-while-held": func(e *Evidence) reading { return steps(e, func(s Strike, end bool) bool { return !end }) },
	"forward-while-held": func(e *Evidence) reading {
		return steps(e, func(s Strike, end bool) bool {
			return !s.Strobe && (s.Step > 0 && !end || s.Step < 0 && end && s.To < e.End)
		})
	},
	"back-while-held": func(e *Evidence) reading {
		return steps(e, func(s Strike, end bool) bool {
			return !s.Strobe && (s.Step < 0 && !end || s.Step > 0 && end && s.To < e.End)
		})
	},
	"strobe-while-held": func(e *Evidence) reading { return steps(e, func(s Strike, end bool) bool { return s.Strobe && !end }) },
	"renewals-failed": func(e *Evidence) reading {
		return known(len(slices.DeleteFunc(slices.Clone(e.Renewals), func(r Renewal) bool { return r.OK || r.At == forever })))
	},
}

// steps counts starts and ends of matching faults, at instants at which some client holds.
func steps(e *Evidence, counts func(s Strike, end bool) bool) reading {
	n := 0
	for _, s := range e.Strikes {
		for _, end := range []bool{false, true} {
			at := s.From
			if end {
				at = s.To
			}
			n += truth(!s.Idle && !s.Slight && counts(s, end) && someHold(e, func(i int) bool { return holding(e, i, at) }))
		}
	}
	return known(n)
}

func longestWithout(e *Evidence) (from, to clock.Instant) {
	without := func(t clock.Instant) bool { return t < e.End && unavailableAt(e, t) }
	for t := clock.Instant(0); t < e.End; t++ {
		if end := ends(t, without); end-t > to-from {
			from, to = t, end
		}
	}
	return from, to
}

func someHold(e *Evidence, is func(int) bool) bool {
	for i := range e.Holds {
		if is(i) {
			return true
		}
	}
	return false
}

func triesThat(e *Evidence, are func(Try) bool) reading {
	n := 0
	for _, t := range e.Tries {
		n += truth(are(t))
	}
	return known(n)
}

// won reports whether the op of an index invokes an acquire that succeeded.
func won(e *Evidence, invoke int) bool {
	o := e.History[invoke]
	return e.Clients > 0 && o.F == Acquire && o.Type == Invoke && callOf(e, invoke) >= 0 && e.History[callOf(e, invoke)].Type == OK
}

// waitsOf returns the waits of all acquires that succeeded, the shortest first.
func waitsOf(e *Evidence) (ws []int64) {
	for i, o := range e.History {
		if won(e, i) {
			ws = append(ws, int64(e.History[callOf(e, i)].Time-o.Time))
		}
	}
	slices.Sort(ws)
	return ws
}

// missing counts the updates that the last version of a register does not contain.
func missing(e *Evidence, in func(Update) Change) reading {
	versions, applied := []map[int]bool{{}}, 0
	for i, u := range e.Writes {
		if c := in(u); c.Made > 0 {
			value := map[int]bool{i: true}
			for k := range versions[c.Base] {
				value[k] = true
			}
			versions, applied = append(versions, value), applied+1
		}
	}
	return known(applied - len(versions[len(versions)-1]))
}

func compareFigures(t interface{ Fatalf(string, ...any) }, j *Judge, e *Evidence) []Figure {
	figures := j.Figures(e)
	for _, f := range figures {
		want := takers[f.Name](e)
		if !want.known {
			want.value = 0
		}
		if f.Value != want.value || f.Known != want.known {
			t.Fatalf("%s:\n got %d, %v\nwant %d, %v\n for %+v", f.Name, f.Value, f.Known, want.value, want.known, *e)
		}
	}
	return figures
}

func init() { takers["first-violation"] = firstOf } // not above: the oracles of promises look figures up

func TestEveryFigureAgreesWithItsOracle(t *testing.T) {
	j := Judge{Unchecked: true}
	rapid.Check(t, func(t *rapid.T) { compareFigures(t, &j, genEvidence(t)) })
}

func TestEachFigureIsKnownAndNotZeroOftenEnough(t *testing.T) {
	draws := 10_000
	if !simtest.Long {
		draws = 3_000
	}
	j := Judge{Unchecked: true}
	drawn, some := rapid.Custom(genEvidence), map[string]int{}
	for i := range draws {
		e := drawn.Example(i)
		for _, f := range compareFigures(t, &j, e) {
			some[f.Name] += truth(f.Value != 0)
		}
		j.open(e)
		stretches := j.unavailable()
		j.close()
		for at := clock.Instant(0); at <= last; at++ {
			in := slices.ContainsFunc(stretches, func(w window) bool { return w.from <= at && at < w.until })
			if in != (at < e.End && unavailableAt(e, at)) {
				t.Fatalf("%v at %d, of %+v", stretches, at, *e)
			}
		}
	}
	for _, f := range j.Figures(&Evidence{}) {
		if t.Logf("%-25s %d", f.Name, some[f.Name]); some[f.Name] < draws/1000 {
			t.Errorf("%s: %d values other than 0 show too little", f.Name, some[f.Name])
		}
	}
}

// All clients are out of touch at times, and keys lie about. If one client can still acquire, the lock is not
// unavailable: it is so only while no client can.
func TestEveryTwoOutagesOfTwoClients(t *testing.T) {
	j := Judge{Unchecked: true}
	e := Evidence{Clients: 2, Lanes: lanes(2), End: 4, Outages: make([]Outage, 2), Keys: make([]Span, 1), Holds: make([]Hold, 1)}
	everyWay([]int{2, 2, 3, 5, 2, 2, 3, 5, 2, 3, 5, 3, 3}, func(d []int) {
		for i := range e.Outages {
			e.Outages[i] = Outage{d[4*i], d[4*i+1], clock.Instant(d[4*i+2]), clock.Instant(d[4*i+3])}
		}
		e.Keys[0] = Span{Lane: d[8], From: clock.Instant(d[9]), To: clock.Instant(d[10])}
		e.Holds[0] = Hold{From: 1, Gone: clock.Instant(d[11]), Valid: clock.Instant(d[12])}
		got := j.Figures(&e)[0]
		if want := takers["unavailable"](&e); got.Value != want.value {
			t.Fatalf("got %d, want %d, for %+v", got.Value, want.value, e)
		}
	})
}

// A promise of storage is kept if and only if its figure is 0.
func TestNoUpdateIsLostWhereThePromiseHolds(t *testing.T) {
	j := Judge{Unchecked: true}
	rapid.Check(t, func(t *rapid.T) {
		e := Evidence{Writes: genWrites(t)}
		for property, figure := range map[string]string{"storage": "updates-lost-plain", "fenced": "updates-lost-fenced"} {
			p, _ := Lookup(property)
			if kept := j.Ask(&e, p).Verdict == Holds; kept != (figureOf(t, &j, &e, figure).Value == 0) {
				t.Fatalf("%s kept: %v, of %+v", property, kept, e.Writes)
			}
		}
	})
}

// firstOf asks the oracle of each promise.
func firstOf(e *Evidence) (r reading) {
	for _, p := range Properties {
		if f := expect(e, p); f.Verdict == Violated && (!r.known || int64(f.Witness.From) < r.value) {
			r = known(f.Witness.From)
		}
	}
	return r
}

func figureOf(t interface{ Fatalf(string, ...any) }, j *Judge, e *Evidence, name string) Figure {
	figures := j.Figures(e)
	i := slices.IndexFunc(figures, func(f Figure) bool { return f.Name == name })
	if i < 0 {
		t.Fatalf("no figure %q", name)
	}
	return figures[i]
}

// TestEachFigureOfALiteralRunIsRight has a story or two for each figure, short enough to count by hand.
func TestEachFigureOfALiteralRunIsRight(t *testing.T) {
	acquired := func(at, until clock.Instant, client int) []Op {
		return []Op{{Time: at, Process: client, F: Acquire}, {Time: until, Process: client, F: Acquire, Type: OK}}
	}
	of := func(lists ...[]Op) History {
		h := slices.Concat(lists...)
		slices.SortStableFunc(h, func(a, b Op) int { return int(a.Time - b.Time) })
		return h
	}
	key := func(node int, from, to clock.Instant) Span { return Span{Lane: node, Token: "a", From: from, To: to} }
	for _, s := range []struct {
		figure, name, want string
		e                  Evidence
	}{
		{"unavailable", "keys on a majority and no holder", "3", Evidence{Clients: 1, Lanes: lanes(3), End: 9,
			Keys: []Span{key(0, 1, 5), key(1, 2, 9), key(0, 7, 8)}, Holds: []Hold{{From: 7, Gone: 9}}}},
		{"unavailable", "one client reaches what another does not", "1", Evidence{Clients: 2, Lanes: lanes(1), End: 9,
			Outages: []Outage{{0, 0, 1, 5}, {1, 0, 4, 9}}}},
		{"unavailable", "valid, though its client is gone", "0", Evidence{Clients: 1, Lanes: lanes(1), End: 9,
			Keys: []Span{key(0, 1, 5)}, Holds: []Hold{{From: 1, Gone: 2, Valid: 5}}}},
		{"unavailable", "nobody to ask", "-", Evidence{Lanes: lanes(3), End: 9}},
		{"unavailable-longest", "the second", "3", Evidence{Clients: 1, Lanes: lanes(1), End: 9, Keys: []Span{key(0, 1, 3), key(0, 5, 8)}}},
		{"unavailable-longest-from", "the second", "5", Evidence{Clients: 1, Lanes: lanes(1), End: 9, Keys: []Span{key(0, 1, 3), key(0, 5, 8)}}},
		{"unavailable-longest-from", "never", "-", Evidence{Clients: 1, Lanes: lanes(1), End: 9}},
		{"held", "two at once and an extension", "6", Evidence{End: 9, Renewals: []Renewal{{OK: true, At: 7, Valid: 12}},
			Holds: []Hold{{From: 1, Valid: 4}, {From: 2, Valid: 5}}}},
		{"wait-median", "of three", "2", Evidence{Clients: 3, History: of(acquired(0, 2, 0), acquired(0, 9, 1), acquired(4, 5, 2))}},
		{"wait-median", "of four, the lesser in the middle", "2", Evidence{Clients: 1, History: of(
			acquired(0, 1, 0), acquired(1, 3, 0), acquired(3, 6, 0), acquired(6, 10, 0))}},
		{"wait-median", "nobody acquired", "-", Evidence{Clients: 1, History: History{{F: Acquire}}}},
		{"wait-max", "of three", "9", Evidence{Clients: 3, History: of(acquired(0, 2, 0), acquired(0, 9, 1), acquired(4, 5, 2))}},
		{"first-winner", "not the first who asked", "3", Evidence{Clients: 2, History: of(acquired(1, 9, 0), acquired(2, 4, 1))}},
		{"attempts", "three", "3", Evidence{Tries: make([]Try, 3)}},
		{"attempts-lost", "one won, one not over", "2", Evidence{Tries: []Try{
			{Outcome: Won}, {Outcome: Pending}, {Outcome: NoQuorum}, {Outcome: TooLate}}}},
		{"split-votes", "one of them met a holder", "1", Evidence{Holds: []Hold{{From: 5, Gone: 8}}, Tries: []Try{
			{Outcome: NoQuorum, From: 1, To: 5}, {Outcome: NoQuorum, From: 2, To: 6}, {Outcome: TooLate, From: 1, To: 2}}}},
		{"overtaken", "the first who asked came last", "2", Evidence{Clients: 3, History: of(
			acquired(0, 9, 0), acquired(1, 4, 1), acquired(2, 5, 2))}},
		{"overtaken", "ties are in nobody's way", "0", Evidence{Clients: 3, History: of(
			acquired(0, 5, 0), acquired(0, 4, 1), acquired(2, 5, 2))}},
		{"overlaps", "the third meets the first, not the second", "1", Evidence{Holds: []Hold{
			{Client: 0, From: 1, Gone: 9}, {Client: 0, From: 3, Gone: 4}, {Client: 1, From: 5, Gone: 6}, {Client: 1, From: 9, Gone: 12}}}},
		{"overstayed", "one of three, for one was extended", "1", Evidence{Holds: []Hold{
			{From: 1, Gone: 9, Valid: 8}, {From: 1, Gone: 9, Valid: 8}, {From: 1, Gone: 8, Valid: 8}}, Renewals: []Renewal{{Hold: 0, At: 5, OK: true, Valid: 12}}}},
		{"granted-late", "one whose validity had passed, not one that was released at once", "2", Evidence{Holds: []Hold{
			{From: 3, Gone: 9, Valid: 2}, {From: 3, Gone: 3, Valid: 3}, {From: 3, Gone: 9, Valid: 3}, {From: 3, Gone: 9, Valid: 4}}}},
		{"updates-lost-plain", "two under one late write", "2", Evidence{Writes: []Update{
			plain(0, 1, 0, 1), plain(0, 2, 1, 2), plain(1, 3, 0, 3), plain(1, 4, 3, 4)}}},
		{"updates-lost-fenced", "refused is not lost", "0", Evidence{Writes: []Update{fencedUpdate(1, 0, 1), fencedUpdate(2, 0, 0)}}},
		{"writes-refused", "one", "1", Evidence{Writes: []Update{fencedUpdate(1, 0, 1), fencedUpdate(2, 0, 0)}}},
		{"renewals", "three", "3", Evidence{Holds: make([]Hold, 1), Renewals: []Renewal{{OK: true}, {}, {At: forever}}}},
		{"renewals-failed", "one never came back", "1", Evidence{Holds: make([]Hold, 1), Renewals: []Renewal{{OK: true}, {}, {At: forever}}}},
		{"struck-while-held", "in the belief, in the validity, and after both", "2", Evidence{End: 9, Holds: []Hold{{From: 1, Gone: 3, Valid: 5}},
			Strikes: []Strike{{From: 1}, {From: 2, Idle: true}, {From: 2, Slight: true}, {From: 4}, {From: 5}}}},
		{"forward-while-held", "one forward, and the end of one back", "2", Evidence{End: 9, Holds: []Hold{{From: 1, Gone: 5}},
			Strikes: []Strike{{From: 1, To: 7, Step: 1}, {From: 0, To: 4, Step: -1}, {From: 2, To: 3, Step: 1, Strobe: true}}}},
		{"back-while-held", "one back, and the end of one forward", "2", Evidence{End: 9, Holds: []Hold{{From: 1, Gone: 5}},
			Strikes: []Strike{{From: 0, To: 4, Step: 1}, {From: 1, To: forever, Step: -1}, {From: 1, To: forever}}}},
		{"strobe-while-held", "one of two", "1", Evidence{End: 9, Holds: []Hold{{From: 1, Gone: 5}},
			Strikes: []Strike{{From: 0, To: 4, Step: 1, Strobe: true}, {From: 1, To: forever, Step: 1, Strobe: true}}}},
		{"first-violation", "the earlier of two promises", "3", Evidence{End: 9, Holds: []Hold{{From: 1, Gone: 6, Valid: 8}, {Client: 1, From: 3, Gone: 9, Valid: 9}}}},
		{"first-violation", "none", "-", Evidence{End: 9}},
		{"end", "of the run", "9", Evidence{End: 9}},
	} {
		j := Judge{Unchecked: true}
		f := figureOf(t, &j, &s.e, s.figure)
		if f.Known && f.Unit != Count { // to read them at a glance, a tick of these stories is a second
			f.Value *= int64(time.Second)
			s.want += " s"
		}
		if got := f.String(); got != s.want {
			t.Errorf("%s, %s: %s; want %s", s.figure, s.name, got, s.want)
		}
	}
}

func TestFiguresComeInOneOrderWithTheirOracles(t *testing.T) {
	j := Judge{Unchecked: true}
	seen := map[string]bool{}
	for _, f := range j.Figures(&Evidence{}) {
		if seen[f.Name] || f.Doc == "" || takers[f.Name] == nil || units[f.Unit] == "" {
			t.Errorf("%+v is not in order", f)
		}
		seen[f.Name] = true
	}
	if len(seen) != len(takers) {
		t.Errorf("%d figures and %d oracles", len(seen), len(takers))
	}
}
