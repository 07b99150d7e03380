package checker

import (
	"slices"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim/simtest"
	"pgregory.net/rapid"
)

// instant draws from only seven instants, so that most events coincide with another.
var instant = rapid.Map(rapid.IntRange(0, 6), func(i int) clock.Instant { return clock.Instant(i) })

// ending draws an instant that may be Forever.
var ending = rapid.Map(rapid.IntRange(0, 8), func(i int) clock.Instant {
	if i == 8 {
		return clock.Forever
	}
	return clock.Instant(i)
})

var token = rapid.SampledFrom([]string{"a", "b", "c"})

func genHold(t *rapid.T) Hold {
	return Hold{
		Client: rapid.IntRange(0, 2).Draw(t, "client"), Token: token.Draw(t, "token"), Shared: rapid.IntRange(0, 2).Draw(t, "shared") == 0,
		Try: rapid.IntRange(-1, 5).Draw(t, "try"), Crashed: rapid.IntRange(0, 9).Draw(t, "crashed") == 0,
		Fence: rapid.Uint64Range(0, 3).Draw(t, "fence"), Asked: instant.Draw(t, "asked"),
		From: instant.Draw(t, "from"), Gone: ending.Draw(t, "gone"), Valid: ending.Draw(t, "valid"),
	}
}

func genTry(t *rapid.T) Try {
	return Try{
		Client: rapid.IntRange(0, 2).Draw(t, "client"), Token: token.Draw(t, "token"),
		Outcome: rapid.SampledFrom([]Outcome{NoQuorum, NoQuorum, NoQuorum, Pending, Won, TooLate, NoFence}).Draw(t, "outcome"),
		From:    instant.Draw(t, "from"), To: ending.Draw(t, "to"),
		Left: ending.Draw(t, "left"), Clean: rapid.Bool().Draw(t, "clean"),
	}
}

func genSpan(t *rapid.T) Span {
	return Span{
		Lane: rapid.IntRange(0, 3).Draw(t, "node"), Token: token.Draw(t, "token"),
		From: instant.Draw(t, "from"), To: ending.Draw(t, "to"), Endless: rapid.Bool().Draw(t, "endless"),
	}
}

func genOutage(t *rapid.T) Outage {
	return Outage{
		Client: rapid.IntRange(0, 2).Draw(t, "client"), Lane: rapid.IntRange(0, 3).Draw(t, "node"),
		From: instant.Draw(t, "from"), To: ending.Draw(t, "to"),
	}
}

// genRenewals draws renewals of any of the holds, in no order.
func genRenewals(t *rapid.T, holds int) []Renewal {
	if holds == 0 {
		return nil
	}
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Renewal {
		return Renewal{
			Hold: rapid.IntRange(0, holds-1).Draw(t, "hold"), At: ending.Draw(t, "at"),
			OK: rapid.IntRange(0, 3).Draw(t, "ok") > 0, Valid: ending.Draw(t, "valid"),
		}
	}), 0, 4).Draw(t, "renewals")
}

// genHistory draws a well-formed history of this number of clients.
func genHistory(t *rapid.T, clients int) History {
	times := rapid.SliceOfN(instant, 3, 12).Draw(t, "times")
	slices.Sort(times)
	h := make(History, len(times))
	processes, open := make([]int, max(clients, 1)), make([]*Op, max(clients, 1))
	for i := range h {
		c := rapid.IntRange(0, len(open)-1).Draw(t, "client")
		h[i] = Op{Index: i, Time: times[i], Process: c + processes[c]*len(open)}
		if open[c] == nil {
			h[i].F = rapid.SampledFrom([]Func{Acquire, Acquire, Acquire, Release, Write}).Draw(t, "f")
			h[i].Value.Shared = h[i].F == Acquire && rapid.IntRange(0, 2).Draw(t, "shared") == 0
			open[c] = &h[i]
			continue
		}
		h[i].F, h[i].Type = open[c].F, rapid.SampledFrom([]Type{OK, OK, Fail, Info}).Draw(t, "type")
		processes[c] += truth(h[i].Type == Info)
		open[c] = nil
	}
	return h
}

// genWrites draws writes as two registers would take them: versions count up, and a base has been made before.
func genWrites(t *rapid.T) []Update {
	us := make([]Update, rapid.IntRange(0, 6).Draw(t, "writes"))
	var plain, fenced uint64
	for i := range us {
		us[i] = Update{Client: rapid.IntRange(0, 2).Draw(t, "client"), Op: rapid.IntRange(0, 2).Draw(t, "op"), At: instant.Draw(t, "at")}
		us[i].Plain = genChange(t, &plain)
		us[i].Fenced = genChange(t, &fenced)
	}
	return us
}

func genChange(t *rapid.T, current *uint64) Change {
	c := Change{Base: *current}
	if rapid.IntRange(0, 3).Draw(t, "stale") == 0 {
		c.Base = rapid.Uint64Range(0, *current).Draw(t, "base")
	}
	if rapid.IntRange(0, 3).Draw(t, "refused") > 0 {
		*current++
		c.Made = *current
	}
	return c
}

func genEvidence(t *rapid.T) *Evidence {
	e := &Evidence{
		Lanes:   lanes(rapid.IntRange(0, 4).Draw(t, "nodes")),
		Writes:  genWrites(t),
		Holds:   rapid.SliceOfN(rapid.Custom(genHold), 0, 5).Draw(t, "holds"),
		Tries:   rapid.SliceOfN(rapid.Custom(genTry), 0, 5).Draw(t, "tries"),
		Keys:    rapid.SliceOfN(rapid.Custom(genSpan), 0, rapid.SampledFrom([]int{4, 9}).Draw(t, "keys at most")).Draw(t, "keys"),
		Clients: rapid.IntRange(0, 3).Draw(t, "clients"),
		Outages: rapid.SliceOfN(rapid.Custom(genOutage), 0, rapid.SampledFrom([]int{0, 9}).Draw(t, "outages at most")).Draw(t, "outages"),
		Bound:   time.Duration(rapid.IntRange(0, 3).Draw(t, "bound")),
		Probe: Probe{Asked: instant.Draw(t, "probe asked"), Won: ending.Draw(t, "probe won"),
			Bound: time.Duration(rapid.IntRange(0, 3).Draw(t, "probe bound"))},
		Planned: rapid.IntRange(0, 2).Draw(t, "planned"),
		End:     rapid.Map(rapid.IntRange(0, 9), func(i int) clock.Instant { return clock.Instant(i) }).Draw(t, "end"),
		Cut:     rapid.SampledFrom([]string{"", "out of steps"}).Draw(t, "cut"),
	}
	e.Stated = rapid.IntRange(0, e.Planned).Draw(t, "stated")
	e.History, e.Renewals = genHistory(t, e.Clients), genRenewals(t, len(e.Holds))
	for range rapid.IntRange(0, 3).Draw(t, "strikes") {
		e.Strikes = append(e.Strikes, Strike{Index: rapid.IntRange(0, 2).Draw(t, "index"), Idle: rapid.Bool().Draw(t, "idle"), Slight: rapid.IntRange(0, 3).Draw(t, "slight") == 0, From: instant.Draw(t, "struck")})
		s := &e.Strikes[len(e.Strikes)-1]
		s.To, s.Strobe = max(s.From, ending.Draw(t, "healed")), rapid.IntRange(0, 3).Draw(t, "strobe") == 0
		s.Step = time.Duration(rapid.IntRange(-1, 1).Draw(t, "step"))
	}
	e.Ticks = rapid.IntRange(0, 3).Draw(t, "ticks")
	for i := range e.Writes {
		e.Writes[i].Tick = rapid.IntRange(0, e.Ticks).Draw(t, "tick")
	}
	return e
}

// TestEveryVerdictAgreesWithItsOracle uses one Judge throughout, so nothing of one run may leak into the next.
func TestEveryVerdictAgreesWithItsOracle(t *testing.T) {
	j := Judge{Unchecked: true}
	rapid.Check(t, func(t *rapid.T) {
		e := genEvidence(t)
		compare(t, &j, e)
	})
}

// TestEachPropertyIsBrokenAndKeptOftenEnough also shows that random evidence breaks and keeps every promise often, and
// that every event happens.
func TestEachPropertyIsBrokenAndKeptOftenEnough(t *testing.T) {
	draws := 20_000
	if !simtest.Long {
		draws = 3_000
	}
	j := Judge{Unchecked: true}
	drawn, verdicts := rapid.Custom(genEvidence), map[string]*[3]int{}
	for i := range draws {
		e := drawn.Example(i)
		compare(t, &j, e)
		for _, f := range slices.Concat(j.Judge(e), j.Sometimes(e)) {
			if verdicts[f.Property] == nil {
				verdicts[f.Property] = &[3]int{}
			}
			verdicts[f.Property][f.Verdict]++
		}
	}
	for _, p := range slices.Concat(Properties, Sometimes) {
		n := verdicts[p.Name]
		t.Logf("%-20s holds %5d, unknown %5d, violated %5d", p.Name, n[Holds], n[Unknown], n[Violated])
		if n[Holds] < draws/1000 || n[Violated] < draws/1000 {
			t.Errorf("%s: %v verdicts show too little", p.Name, *n)
		}
	}
}

func compare(t interface{ Fatalf(string, ...any) }, j *Judge, e *Evidence) {
	for i, f := range j.Judge(e) {
		if want := expect(e, Properties[i]); f != want {
			t.Fatalf("%s:\n got %+v\nwant %+v\n for %+v", f.Property, f, want, *e)
		}
	}
	for i, f := range j.Sometimes(e) {
		if want := expect(e, Sometimes[i]); f != want {
			t.Fatalf("%s:\n got %+v\nwant %+v\n for %+v", f.Property, f, want, *e)
		}
	}
}

// everyWay calls f with every way of writing n digits, each below its base. Without LOCKSTORM_LONG=1 it is one in
// eleven of many.
func everyWay(bases []int, f func(digits []int)) {
	digits, all := make([]int, len(bases)), 1
	for _, base := range bases {
		all *= base
	}
	for n := 0; ; n++ {
		if simtest.Long || all < 10_000 || n%11 == 0 {
			f(digits)
		}
		i := 0
		for ; i < len(bases); i++ {
			if digits[i]++; digits[i] < bases[i] {
				break
			}
			digits[i] = 0
		}
		if i == len(bases) {
			return
		}
	}
}

// askAll compares one property with its oracle and counts how often it was violated.
func askAll(t *testing.T, property string) (ask func(*Evidence), done func()) {
	j := Judge{Unchecked: true}
	p, _ := Lookup(property)
	all, violated := 0, 0
	ask = func(e *Evidence) {
		got, want := j.Ask(e, p), expect(e, p)
		if all++; want.Verdict == Violated {
			violated++
		}
		if got != want {
			t.Fatalf("got %+v, want %+v, for %+v", got, want, *e)
		}
	}
	return ask, func() {
		t.Logf("%d of %d violated", violated, all)
		if violated == 0 || violated == all {
			t.Error("that shows nothing")
		}
	}
}

func TestEveryThreeHolds(t *testing.T) {
	for _, property := range []string{"belief", "validity"} {
		ask, done := askAll(t, property)
		e := Evidence{Holds: make([]Hold, 3)}
		everyWay([]int{2, 4, 5, 2, 4, 5, 2, 4, 5}, func(d []int) {
			for i := range e.Holds {
				end := clock.Instant(d[3*i+2])
				e.Holds[i] = Hold{Client: d[3*i], From: clock.Instant(d[3*i+1]), Gone: end, Valid: end}
			}
			ask(&e)
		})
		done()
	}
}

func TestEveryThreeTokens(t *testing.T) {
	ask, done := askAll(t, "tokens")
	e := Evidence{Holds: make([]Hold, 3)}
	everyWay([]int{3, 3, 4, 3, 3, 4, 3, 3, 4}, func(d []int) {
		for i := range e.Holds {
			e.Holds[i] = Hold{Fence: uint64(d[3*i]), Asked: clock.Instant(d[3*i+1]), From: clock.Instant(d[3*i+2])}
		}
		ask(&e)
	})
	done()
}

func TestEveryThreeKeysUnderOneHold(t *testing.T) {
	ask, done := askAll(t, "quorum")
	e := Evidence{Lanes: lanes(3), End: 5, Holds: []Hold{{Token: "a", From: 1, Valid: 4}}, Keys: make([]Span, 3)}
	everyWay([]int{3, 4, 6, 3, 4, 6, 3, 4, 6}, func(d []int) {
		for i := range e.Keys {
			e.Keys[i] = Span{Lane: d[3*i], Token: "a", From: clock.Instant(d[3*i+1]), To: clock.Instant(d[3*i+2])}
		}
		ask(&e)
	})
	done()
}

func TestEveryFiveWrites(t *testing.T) {
	for _, property := range []string{"storage", "fenced"} {
		ask, done := askAll(t, property)
		e := Evidence{Writes: make([]Update, 5)}
		everyWay([]int{2, 3, 4, 5, 6}, func(d []int) { // digit 0 is a rejection, the others a base
			made := uint64(0)
			for i, base := range d {
				c := Change{}
				if base > 0 {
					made++
					c = Change{min(uint64(base-1), made-1), made}
				}
				e.Writes[i] = Update{At: clock.Instant(i), Plain: c, Fenced: c}
			}
			ask(&e)
		})
		done()
	}
}

func TestEveryKeyOfTwoTries(t *testing.T) {
	ask, done := askAll(t, "leak-free")
	e := Evidence{End: 4, Tries: make([]Try, 2), Keys: make([]Span, 1)}
	when := []clock.Instant{0, 1, 2, 3, 4, clock.Forever}
	everyWay([]int{3, 6, 2, 2, 3, 6, 2, 2, 3, 6, 2}, func(d []int) {
		for i := range e.Tries {
			e.Tries[i] = Try{From: when[d[4*i]], Left: when[d[4*i+1]], Clean: d[4*i+2] == 1, Token: "ab"[d[4*i+3] : d[4*i+3]+1]}
		}
		e.Keys[0] = Span{Token: "a", From: when[d[8]], To: when[d[9]], Endless: d[10] == 1}
		ask(&e)
	})
	done()
}

// owned is the state of a mutex that knows its owner: the owner may enter again, and is out after as many releases.
type owned struct{ owner, depth int }

// enter is an acquire of the mutex, or a release.
type enter struct {
	client int
	out    bool
}

var mutex = porcupine.Model{
	Init: func() any { return owned{} },
	Step: func(state, input, _ any) (bool, any) {
		s, in := state.(owned), input.(enter)
		switch {
		case in.out:
			return s.owner == in.client && s.depth > 0, owned{s.owner, s.depth - 1}
		case s.depth == 0 || s.owner == in.client:
			return true, owned{in.client, s.depth + 1}
		}
		return false, s
	},
}

// TestBeliefIsAMutexThatKnowsItsOwner asks porcupine whether the holds, as acquires and releases that take no time, are
// a history of a mutex. All instants differ, because porcupine has its own opinion about those that do not.
func TestBeliefIsAMutexThatKnowsItsOwner(t *testing.T) {
	j := Judge{Unchecked: true}
	p, _ := Lookup("belief")
	verdicts := [3]int{}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "holds")
		times := rapid.Permutation(every(2*n)).Draw(t, "times")
		e := Evidence{Holds: make([]Hold, n)}
		var ops []porcupine.Operation
		for i := range e.Holds {
			from, gone := min(times[2*i], times[2*i+1]), max(times[2*i], times[2*i+1])
			c := rapid.IntRange(0, 1).Draw(t, "client")
			e.Holds[i] = Hold{Client: c, From: clock.Instant(from), Gone: clock.Instant(gone)}
			ops = append(ops, moment(from, enter{c, false}), moment(gone, enter{c, true}))
		}
		got := j.Ask(&e, p).Verdict
		verdicts[got]++
		if legal := porcupine.CheckOperations(mutex, ops); legal != (got == Holds) {
			t.Fatalf("belief says %v, porcupine %v, of %+v", got, legal, e.Holds)
		}
	})
	if verdicts[Holds] == 0 || verdicts[Violated] == 0 {
		t.Errorf("%v shows nothing", verdicts)
	}
}

func every(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// moment is an operation that begins and ends in one instant, apart from all others.
func moment(at int, in enter) porcupine.Operation {
	return porcupine.Operation{ClientId: in.client, Input: in, Call: int64(2 * at), Return: int64(2*at + 1)}
}
