package checker

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// orderly is a run of n holds by three clients in turn, on five nodes, in which all goes well. Every property has to
// look at all of it.
func orderly(n int) *Evidence {
	e := &Evidence{Clients: 3, Lanes: lanes(5), Planned: 1, Bound: time.Second, Probe: Probe{Bound: 1}}
	for i := range n {
		at := clock.Instant(i) * 1000
		version := uint64(i)
		token := fmt.Sprintf("%020x", uint64(i)*0x9e3779b97f4a7c15)
		e.Tries = append(e.Tries, Try{Client: i % 3, Token: token, Votes: 5, Outcome: Won,
			From: at, To: at + 400, Left: at + 900, Clean: true})
		e.Holds = append(e.Holds, Hold{Client: i % 3, Try: i, Token: token, Fence: version + 1,
			Asked: at + 300, From: at + 400, Gone: at + 700, Valid: at + 600})
		for n := range 5 {
			e.Keys = append(e.Keys, Span{Lane: n, Token: token, From: at + 100 + clock.Instant(n), To: at + 800})
		}
		e.Writes = append(e.Writes, Update{Client: i % 3, Op: 6*i + 2, Fence: version + 1, At: at + 500,
			Plain: Change{version, version + 1}, Fenced: Change{version, version + 1}})
		for _, o := range []Op{{Time: at, F: Acquire}, {Time: at + 400, F: Acquire, Type: OK}, {Time: at + 450, F: Write},
			{Time: at + 550, F: Write, Type: OK}, {Time: at + 700, F: Release}, {Time: at + 900, F: Release, Type: OK}} {
			o.Index, o.Process = len(e.History), i%3
			e.History = append(e.History, o)
		}
	}
	e.End = clock.Instant(n) * 1000
	slices.Reverse(e.Keys)
	return e
}

// extendedRun is an orderly run in which every hold is extended, every client is out of touch with two nodes at times,
// tries fail, and every acquire takes too long.
func extendedRun(n int) *Evidence {
	e := orderly(n)
	e.Bound = 50
	for i := range e.Holds {
		h, t := &e.Holds[i], e.Tries[i]
		e.Renewals = append(e.Renewals, Renewal{Hold: i, Asked: h.From + 50, At: h.From + 100, OK: true, Valid: h.From + 250})
		e.Outages = append(e.Outages, Outage{i % 3, i % 5, h.From, h.From + 2500}, Outage{i % 3, (i + 1) % 5, h.From, h.From + 2500})
		t.Outcome, t.Client = NoQuorum, (i+1)%3
		e.Tries = append(e.Tries, t)
	}
	return e
}

func TestAnOrderlyRunHolds(t *testing.T) {
	j := Judge{Unchecked: true}
	e := orderly(100)
	for _, f := range j.Judge(e) {
		if f.Verdict != Holds {
			t.Errorf("%s: %s", f.Property, e.Explain(f))
		}
	}
}

func TestAWarmJudgeDoesNotAllocate(t *testing.T) {
	j := Judge{Unchecked: true}
	e := orderly(100)
	bad := orderly(100)
	bad.Holds[50].Gone, bad.Holds[50].Valid, bad.Holds[51].Fence = forever, forever, 1
	bad.Writes[50].Plain.Base, bad.Keys[7].To = 3, forever
	troubled := extendedRun(100)
	judge := func() {
		for _, e := range []*Evidence{e, bad, troubled} {
			j.Judge(e)
			j.Sometimes(e)
			j.Both(e, Sometimes)
			j.Figures(e)
		}
	}
	if n := testing.AllocsPerRun(100, judge); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestBothIsJudgeAndSometimes(t *testing.T) {
	j, k := Judge{Unchecked: true}, Judge{Unchecked: true}
	e := orderly(10)
	e.Keys[3].To = forever
	promises, happened := j.Both(e, Sometimes)
	if !slices.Equal(promises, k.Judge(e)) || !slices.Equal(happened, k.Sometimes(e)) {
		t.Error("Both differs from Judge and Sometimes")
	}
}

// A worker judges a million runs, each with its own tokens.
func TestAJudgeForgetsTheTokensOfFormerRuns(t *testing.T) {
	j := Judge{Unchecked: true}
	for i := range 100 {
		e := orderly(3)
		for k := range e.Keys {
			e.Keys[k].Token = fmt.Sprint(i, k)
		}
		j.Judge(e)
	}
	if n := len(j.tokens); n > 18 {
		t.Errorf("%d tokens; want at most the 18 of one run", n)
	}
}

func TestFindingsStayUntilTheNextCall(t *testing.T) {
	j := Judge{Unchecked: true}
	e := orderly(3)
	promises := j.Judge(e)
	before := slices.Clone(promises)
	j.Sometimes(e)
	j.Ask(&Evidence{Cut: "early"}, Properties[0])
	if !slices.Equal(before, promises) {
		t.Error("Sometimes or Ask overwrote what Judge gave")
	}
}

func TestEveryPropertyHasItsNameAndItsOracle(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range slices.Concat(Properties, Sometimes) {
		if found, ok := Lookup(p.Name); !ok || found.Plain != p.Plain || p.Plain == "" || seen[p.Name] ||
			!p.Sometimes && !(strings.HasSuffix(p.Asks, "?") && strings.HasSuffix(p.Broken, ".") && strings.HasSuffix(p.Fixed, ".")) {
			t.Errorf("%q is not in order", p.Name)
		}
		if oracles[p.Name] == nil {
			t.Errorf("%s has no oracle", p.Name)
		}
		seen[p.Name] = true
	}
	if _, ok := Lookup("Belief"); ok {
		t.Error("names are matched loosely")
	}
}

func BenchmarkJudge(b *testing.B) {
	for _, n := range []int{3, 30, 1000} {
		e := orderly(n)
		run := func(name string, judge func(*Judge)) {
			b.Run(fmt.Sprintf("%s/holds=%d", name, n), func(b *testing.B) {
				j := Judge{Unchecked: true}
				b.ReportAllocs()
				for b.Loop() {
					judge(&j)
				}
				b.ReportMetric(float64(b.Elapsed()/time.Nanosecond)/float64(b.N)/float64(n), "ns/hold")
			})
		}
		run("properties", func(j *Judge) { j.Judge(e) })
		run("sometimes", func(j *Judge) { j.Sometimes(e) })
		run("both", func(j *Judge) { j.Both(e, Sometimes) })
		run("figures", func(j *Judge) { j.Figures(e) })
		more := extendedRun(n)
		run("extended-properties", func(j *Judge) { j.Judge(more) })
		run("extended-figures", func(j *Judge) { j.Figures(more) })
	}
}
