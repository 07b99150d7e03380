package guide

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/locks"
)

// searched makes a guided search, and returns all its runs.
func searched(t *testing.T, id string, runs, workers int, words ...string) (all []*Run) {
	t.Helper()
	s, ok := scenarios.Find(id)
	if !ok {
		t.Fatalf("there is no %s", id)
	}
	if len(words) > 0 {
		s.Search.Faults = words
	}
	search := Search{Scenario: &s, Seed: 5, Runs: runs, Workers: workers, Watched: campaign.All()}
	search.Done = func(r *Run) bool { all = append(all, r); return true }
	search.Work()
	return all
}

// text is all that is known of a run.
func text(r *Run) string {
	return fmt.Sprint(r.Number, r.Parent, r.Row, string(r.Universe.YAML()), r.features, r.margins, r.moments, r.marks, r.begins)
}

func TestRunsDoNotHangOnTheWorkersNorOnHowManyFollow(t *testing.T) {
	one := searched(t, "redlock/any", 150, 1)
	for _, other := range [][]*Run{searched(t, "redlock/any", 150, 2), searched(t, "redlock/any", 150, 5), searched(t, "redlock/any", 101, 3)} {
		for i, r := range other {
			if text(r) != text(one[i]) {
				t.Fatalf("run %d of %d is\n%s\nand with one worker\n%s", r.Number, len(other), text(r), text(one[i]))
			}
		}
	}
	if one[149].Number != 150 || !slices.ContainsFunc(one, func(r *Run) bool { return r.Parent > uniform }) {
		t.Error("no child has a child, so little is put to the test")
	}
}

func TestItBeginsAsUniformSearchDoes(t *testing.T) {
	s, _ := scenarios.Find("redlock/any")
	for i, r := range searched(t, "redlock/any", uniform, 1) {
		u := s.Universes().At(uint64(5 + i))
		if r.Row.Seed != uint64(5+i) || string(r.Universe.YAML()) != string(u.YAML()) {
			t.Errorf("run %d has seed %d and another universe", r.Number, r.Row.Seed)
		}
	}
}

func TestEachRunRepeatsFromAFile(t *testing.T) {
	broken := 0
	for _, r := range searched(t, "redlock/any", 80, 2) {
		u := r.Universe
		if len(u.Faults) > 0 {
			u.Sometimes = append(slices.Clone(u.Sometimes), "fault-struck") // a file with a schedule owes that
		}
		again, err := scenarios.Parse("again.yaml", u.YAML())
		if err != nil {
			t.Fatalf("run %d does not come back: %v\n%s", r.Number, err, u.YAML())
		}
		a, b := scenarios.Run(r.Universe, r.Row.Seed), scenarios.Run(again, r.Row.Seed)
		if row := campaign.RowOf(b); a.Hash() != b.Hash() || row.Violated != r.Row.Violated {
			t.Errorf("run %d breaks %b, and from its file %b", r.Number, r.Row.Violated, row.Violated)
		}
		if r.Row.Violated != 0 {
			broken++
		}
	}
	if broken == 0 {
		t.Error("none of them breaks anything")
	}
}

// The law of the package: other universes than those that the search could draw would find what it does not ask for.
func TestItRunsNoUniverseThatTheSearchCouldNotDraw(t *testing.T) {
	for _, id := range []string{"redlock/any", "redlock/drifting", "etcd/starved", "failover/late-promotion", "redlock/long"} {
		s, _ := scenarios.Find(id)
		for _, r := range searched(t, id, 60, 2) {
			storm, cast := s.Universes().Storm(&r.Universe)
			drawn := r.Universe.Faults[len(s.Faults):]
			if len(drawn) > s.Search.Most || r.Universe.Faults[:len(s.Faults)].String() != s.Faults.String() || r.Universe.Search.Drawn() {
				t.Errorf("%s, run %d: %d faults are drawn", id, r.Number, len(drawn))
			}
			for i := range drawn {
				if why := strange(&drawn[i], storm, cast); why != "" {
					t.Errorf("%s, run %d: %s: %s", id, r.Number, drawn[i], why)
				}
			}
			for _, c := range s.Search.Vary {
				k, _ := scenarios.Lookup(&s, c.Setting)
				if now := scenarios.Value(k.Get(&r.Universe)); !drawable(&s, c, &r.Universe) {
					t.Errorf("%s, run %d: %s=%s", id, r.Number, c.Setting, now)
				}
			}
		}
	}
}

// A storm leaves nobody out, but a child may have more clients and nodes than the run that its partition is from.
func TestPartitionsLeaveNobodyOut(t *testing.T) {
	s, _ := scenarios.Find("redlock/any")
	grouped := 0
	for _, r := range searched(t, "redlock/any", 200, 2, "partition") {
		_, cast := s.Universes().Storm(&r.Universe)
		for i := range r.Universe.Faults {
			f := &r.Universe.Faults[i]
			if len(f.Groups) == 0 {
				continue
			}
			if grouped++; len(slices.Concat(f.Groups...)) != len(cast.Clients)+len(cast.Nodes) {
				t.Errorf("run %d of parent %d: %s, but there are %v and %v", r.Number, r.Parent, f, cast.Clients, cast.Nodes)
			}
		}
	}
	if grouped < 100 {
		t.Errorf("%d partitions have groups", grouped)
	}
}

// drawable reports whether a choice could draw what a universe has.
func drawable(s *scenarios.Scenario, c scenarios.Choice, u *scenarios.Scenario) bool {
	k, _ := scenarios.Lookup(s, c.Setting)
	if len(c.Of) > 0 {
		return slices.Contains(c.Of, scenarios.Value(k.Get(u)))
	}
	n, _ := k.Number(u)
	return endOf(s, c, c.From) <= n && n <= endOf(s, c, c.To)
}

// endOf returns an end of a range as a number.
func endOf(s *scenarios.Scenario, c scenarios.Choice, end scenarios.Value) int64 {
	trial := *s
	trial.Set(c.Setting + "=" + string(end)) // Check has been there
	k, _ := scenarios.Lookup(s, c.Setting)
	n, _ := k.Number(&trial)
	return n
}

// A uniform search of so many runs would hardly draw an end of 15,000 values.
func TestSettingsAreTriedAtTheEndsOfTheirRanges(t *testing.T) {
	s, _ := scenarios.Find("redlock/drifting")
	low, high := 0, 0
	for _, r := range searched(t, "redlock/drifting", 200, 2) {
		for _, c := range s.Search.Vary {
			k, _ := scenarios.Lookup(&s, c.Setting)
			switch n, _ := k.Number(&r.Universe); n {
			case endOf(&s, c, c.From):
				low++
			case endOf(&s, c, c.To):
				high++
			}
		}
	}
	if t.Log(low, high); low < 4 || high < 4 {
		t.Errorf("clocks are %d times as slow and %d times as fast as they may be", low, high)
	}
}

// strange returns why a storm could not draw a fault.
func strange(f *faults.Fault, storm faults.Storm, cast faults.Cast) string {
	switch {
	case !slices.Contains(storm.Kinds, f.Kind):
		return "another kind"
	case f.At < 0 || time.Duration(f.At) > storm.Span || f.At%1000 != 0:
		return "another moment"
	case f.For < 0 || f.For > storm.Span || f.For%1000 != 0 || f.When.After > storm.Span:
		return "another length"
	case f.For == 0 && !f.Kind.EndsItself && !storm.Stays:
		return "it stays"
	case f.Kind == faults.Restart && f.For != 0 && f.For < storm.Away:
		return "it is not away for long enough"
	case f.When.Name != "" && (!slices.Contains(storm.Marks, f.When.Name) || f.When.Nth > 4):
		return "another mark"
	case f.When.Host != "" && f.When.Host != faults.Any && !slices.Contains(cast.Clients, f.When.Host):
		return "the mark of another host"
	}
	return ""
}

// Where each run is as new as any other, and none came closer, the same changes find less.
func TestWhatRunsShowedMatters(t *testing.T) {
	r := raceOf(t, row{mutant: "no-drift-constant", property: "quorum", scenario: "redlock/drifting", class: "none"})
	forget := func(r *Run) {
		r.features = []feature{{kind: figure, a: int16(r.Number)}}
		for m := range r.margins {
			r.margins[m] = far
		}
	}
	with, without := 0, 0
	for seed := range uint64(6) {
		with += r.guided(1+seed*seedsLie, nil)
		without += r.guided(1+seed*seedsLie, forget)
	}
	t.Log(with, without)
	if 3*with > 2*without {
		t.Errorf("6 searches take %d runs, and %d if they forget", with, without)
	}
}

func TestAPanicNamesTheRun(t *testing.T) {
	s, _ := scenarios.Find("single/any")
	s.Lock.New = func(locks.Config) locks.Lock { panic("a lock of mine") }
	defer func() {
		b, ok := recover().(campaign.Broken)
		if !ok || b.Seed != 3 || !strings.Contains(b.Error(), "single/any, guided run 1 with the schedule") || !strings.Contains(b.Error(), "a lock of mine") {
			t.Errorf("it panics with %v", b)
		}
	}()
	search := Search{Scenario: &s, Seed: 3, Runs: 10, Workers: 2, Watched: campaign.All(), Done: func(*Run) bool { return true }}
	search.Work()
}
