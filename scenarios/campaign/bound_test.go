package campaign_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// Each bound's value in one line, for the whole catalogue with seed 1. A time that is long enough holds above the edge;
// a rate that is too large breaks above it. The two safe directions of drift have no edge.
func TestTheBoundsOfTheCatalogueAsMeasured(t *testing.T) {
	need.Long(t)
	for _, c := range []struct {
		id   string
		want []string
	}{
		{"antirez/delayed-restart-short", []string{
			"quorum by fault.3.for: computed 9.898s, holds at 9.892994s, breaks at 9.892993s",
			"validity by fault.3.for: computed 9.898s, holds at 9.877332s, breaks at 9.877331s"}},
		{"antirez/rate-drift", []string{"quorum by clocks.n3: computed +10305.112ppm, holds at +10405ppm, breaks at +10406ppm"}},
		{"antirez/ntp-slew", []string{"quorum by fault.3.rate: computed +10305.112ppm, holds at +10362ppm, breaks at +10363ppm"}},
		{"leases/fast-server", []string{"quorum by clocks.n3: computed +10305.112ppm, holds at +10405ppm, breaks at +10406ppm"}},
		{"leases/slow-client", []string{"quorum by clocks.c1: computed -10200ppm, holds at -10298ppm, breaks at -10299ppm"}},
		{"etcd/slow-client", []string{"quorum by clocks.c1: computed -10000ppm, holds at -10261ppm, breaks at -10262ppm"}},
		{"leases/slow-server", []string{"No bound lies between 0ppm and -50000ppm: quorum holds at both ends."}},
		{"leases/fast-client", []string{"No bound lies between 0ppm and 50000ppm: quorum holds at both ends."}},
	} {
		var got []string
		for _, e := range campaign.Edges(found(t, c.id), 1) {
			got = append(got, describeEdge(e))
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:\n%s\nwant\n%s", c.id, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

func describeEdge(e campaign.Edge) string {
	if e.None != "" {
		return e.None
	}
	return fmt.Sprintf("%s by %s: computed %s, holds at %s, breaks at %s", e.Bound.Property, e.Bound.Setting, e.Computed, e.Holds, e.Breaks)
}

func TestEveryRequestedBoundOfTheCatalogueExists(t *testing.T) {
	for _, id := range []string{"antirez/delayed-restart-short", "antirez/ntp-slew", "antirez/rate-drift",
		"leases/fast-server", "leases/slow-client", "leases/slow-server", "leases/fast-client", "etcd/slow-client"} {
		if s := found(t, id); len(s.Bounds) == 0 {
			t.Errorf("%s has no bound", id)
		}
	}
}

// hasty is a change that spares most of the attempts of a second client, which cost the time: it comes only when the
// first one's lock is about to end.
const hasty = "work.stagger=9s"

// A computed bound is a safe one: at it the promise holds, whatever the seed.
func TestAtTheComputedBoundThePromiseHolds(t *testing.T) {
	for _, s := range scenarios.Catalogue() {
		for _, b := range s.Bounds {
			if b.Formula == scenarios.NoBound {
				continue
			}
			at := found(t, s.ID, hasty)
			k, _ := scenarios.Lookup(at, b.Setting)
			if err := at.Set(b.Setting + "=" + b.Formula.Compute(k, at)); err != nil {
				t.Fatal(err)
			}
			for seed := range uint64(20) {
				if v := find(scenarios.Run(*at, seed), b.Property); v != checker.Holds {
					t.Errorf("%s, seed %d: at the computed %s %s is %s", s.ID, seed, k.Get(at), b.Property, v)
				}
			}
		}
	}
}

func find(r *scenarios.Result, property string) checker.Verdict {
	for _, f := range r.Findings {
		if f.Property == property {
			return f.Verdict
		}
	}
	panic("no " + property)
}

// A restart may be shorter than the computed delay by the acquire time, to the microsecond.
func TestDelayMayBeShorterByTheAcquireTime(t *testing.T) {
	s := found(t, "antirez/delayed-restart-short", hasty)
	s.Bounds = s.Bounds[:1] // quorum, which takes no second client
	for seed := range uint64(5) {
		e := campaign.Edges(s, seed)[0]
		r := scenarios.Run(*s, seed)
		took := r.Evidence.Holds[0].From.Sub(r.Evidence.Tries[0].From)
		short := duration(t, e.Computed) - duration(t, e.Holds)
		if off := took - short; took < 5*time.Millisecond || max(off, -off) > 10*time.Microsecond {
			t.Errorf("seed %d: acquiring took %s, and the delay may be shorter by %s", seed, took, short)
		}
	}
}

func duration(t *testing.T, text string) time.Duration {
	t.Helper()
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// A clock may exceed the computed rate by the way of the request, and the rest of the key's last millisecond.
func TestAClockMayGoBeyondTheBoundByTheWayAndAMillisecond(t *testing.T) {
	for _, c := range []struct {
		id   string
		over time.Duration // what the rate counts in
	}{{"antirez/rate-drift", 9898 * time.Millisecond}, {"antirez/ntp-slew", 9898 * time.Millisecond}, {"leases/slow-client", 10 * time.Second}} {
		s := found(t, c.id, hasty)
		most := s.Network.Latency.Max + time.Millisecond
		for seed := range uint64(5) {
			e := campaign.Edges(s, seed)[0]
			beyond := rate(t, e.Holds) - rate(t, e.Computed)
			spare := time.Duration(max(beyond, -beyond)) * c.over / 1_000_000_000
			if beyond < 0 != (rate(t, e.Computed) < 0) || spare < s.Network.Latency.Min || spare > most+20*time.Microsecond {
				t.Errorf("%s, seed %d: %s and %s differ by %s, and should by at most %s", c.id, seed, e.Computed, e.Holds, spare, most)
			}
		}
	}
}

func rate(t *testing.T, text string) clock.Rate {
	t.Helper()
	r, err := clock.ParseRate(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestEdgesAreTheSameEachTime(t *testing.T) {
	s := found(t, "antirez/ntp-slew", hasty)
	want := campaign.Edges(s, 9)
	for range 3 {
		if got := campaign.Edges(s, 9); !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, and before %+v", got, want)
		}
	}
}

// Where there is no edge, a plain sentence says why.
func TestMissingEdgeIsExplained(t *testing.T) {
	bound := func(setting, from, to, property string) scenarios.Bound {
		return scenarios.Bound{Setting: setting, From: scenarios.Value(from), To: scenarios.Value(to), Property: property, Formula: scenarios.NoBound}
	}
	for _, c := range []struct {
		set   []string
		bound scenarios.Bound
		says  string
		runs  int
	}{
		{nil, bound("fault.3.for", "5s", "6s", "quorum"), "No bound lies between 5s and 6s: quorum breaks at both ends.", 2},
		{nil, bound("fault.3.for", "10s", "11s", "quorum"), "No bound lies between 10s and 11s: quorum holds at both ends.", 2},
		{nil, bound("fault.3.for", "5s", "11s", "tokens"), "No bound lies between 5s and 11s: tokens holds at both ends.", 2},
		{[]string{"horizon=1s"}, bound("fault.3.for", "5s", "11s", "quorum"),
			"The bound can't be measured: with 11s the run was cut short, and nothing is known of quorum.", 2},
	} {
		s := found(t, "antirez/delayed-restart-short", c.set...)
		s.Bounds = []scenarios.Bound{c.bound}
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		e := campaign.Edges(s, 1)[0]
		if e.None != c.says || e.Holds != "" || e.Breaks != "" || e.Runs != c.runs {
			t.Errorf("%s: %+v", c.says, e)
		}
	}
}

// Between two values that can be set there may be one that can't.
func TestBoundSearchReportsUnsettableValues(t *testing.T) {
	s := found(t, "kleppmann/clock-jump")
	s.Bounds = []scenarios.Bound{{Setting: "fault.3.by", From: "-12s", To: "12s", Property: "quorum", Formula: scenarios.NoBound}}
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	if e := campaign.Edges(s, 1)[0]; !strings.Contains(e.None, "can't be measured: the search came upon 0s (") {
		t.Errorf("%+v", e)
	}
}

func TestATTLIsSearchedInWholeMilliseconds(t *testing.T) {
	s := found(t, "leases/fast-server")
	s.Bounds = []scenarios.Bound{{Setting: "lock.ttl", From: "100ms", To: "10s", Property: "quorum", Formula: scenarios.NoBound}}
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	e := campaign.Edges(s, 1)[0]
	if e.None != "" || duration(t, e.Breaks)-duration(t, e.Holds) != time.Millisecond {
		t.Errorf("%+v", e)
	}
}

// The halving finds what trying one value after another finds, at whatever grain.
func TestHalvingFindsWhatALinearScanFinds(t *testing.T) {
	need.Long(t)
	rapid.Check(t, func(t *rapid.T) {
		s, _ := scenarios.Find("antirez/delayed-restart-short")
		ttl := rapid.IntRange(100, 400).Draw(t, "ttl in ms")
		from := rapid.IntRange(ttl/4, ttl/2).Draw(t, "from in ms")
		for _, set := range []string{fmt.Sprintf("lock.ttl=%dms", ttl), "work.work=1s..1s", fmt.Sprintf("work.stagger=%dms", ttl/10)} {
			if err := s.Set(set); err != nil {
				t.Fatal(err)
			}
		}
		ends := []scenarios.Value{scenarios.Value(fmt.Sprintf("%dms", from)), scenarios.Value(fmt.Sprintf("%dms", 2*ttl))}
		if rapid.Bool().Draw(t, "backwards") {
			ends[0], ends[1] = ends[1], ends[0]
		}
		s.Bounds = []scenarios.Bound{{Setting: "fault.3.for", From: ends[0], To: ends[1], Property: "quorum"}}
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		seed := rapid.Uint64Range(0, 1000).Draw(t, "seed")
		e := campaign.Edges(&s, seed)[0]
		holds, err := time.ParseDuration(e.Holds)
		if err != nil {
			t.Fatalf("%+v", e)
		}
		first := scan(&s, seed, from, 2*ttl)
		if between := time.Duration(first) * time.Millisecond; holds > between || holds <= between-time.Millisecond {
			t.Fatalf("halving gives %s, and of whole milliseconds the first that holds is %s", e.Holds, between)
		}
	})
}

// scan returns the first delay in whole milliseconds at which quorum holds.
func scan(s *scenarios.Scenario, seed uint64, from, to int) int {
	r := scenarios.NewRunner()
	defer r.Close()
	for ms := from; ms <= to; ms++ {
		if err := s.Set(fmt.Sprintf("fault.3.for=%dms", ms)); err != nil {
			panic(err)
		}
		if find(r.Run(s, seed), "quorum") == checker.Holds {
			return ms
		}
	}
	return to + 1
}
