package theorem

import (
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign/explore"
	"github.com/lockstorm/lockstorm/sim/simtest"
)

func subjectNamed(t *testing.T, name string) *Subject {
	t.Helper()
	all, err := Subjects(name)
	if err != nil {
		t.Fatal(err)
	}
	return &all[0]
}

// budgetNamed finds a budget by its name.
func budgetNamed(t *testing.T, name string) Budget {
	t.Helper()
	for _, b := range Budgets() {
		if b.String() == name {
			return b
		}
	}
	t.Fatalf("there is no budget %q", name)
	return Budget{}
}

// Every cell can be made, and its command names what is explored.
func TestEveryCellOfTheTableIsAUniverse(t *testing.T) {
	all, err := Subjects("*")
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		s := &all[i]
		for _, b := range s.Budgets() {
			sc, err := s.Scenario(&b)
			if err == nil {
				_, err = explore.New(&sc, 1, nil)
			}
			if err != nil {
				t.Errorf("%s, %s: %v", s.Name, b.String(), err)
			}
		}
	}
}

// Where a client gave up before it wrote, storage would be kept for want of writes.
func TestEachLockOfTheTableGuardsWrites(t *testing.T) {
	all, err := Subjects("*")
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		sc, err := all[i].Scenario(&Budget{})
		if err != nil {
			t.Fatal(err)
		}
		if r := scenarios.Run(sc, 1); len(r.Evidence.Holds) < 2 || len(r.Evidence.Writes) < 2 {
			t.Errorf("%s: %d holds and %d writes; want two", all[i].Name, len(r.Evidence.Holds), len(r.Evidence.Writes))
		}
	}
}

// The order of budgets is one in part, and the table's words follow from it.
func TestBudgetsAreOrderedInPart(t *testing.T) {
	for _, c := range []struct {
		a, b   string
		within bool
	}{
		{"no deviation", "a pause", true},
		{"1 message", "3 messages", true},
		{"2 messages", "1 message and a pause", false},
		{"a pause", "1 message and a pause", true},
		{"1 message and a pause", "a pause", false},
		{"a jump", "a restart delayed by the TTL and a jump", true},
		{"a jump", "a pause", false},
		{"a restart", "a restart delayed by the TTL", false},
	} {
		a, b := budgetNamed(t, c.a), budgetNamed(t, c.b)
		if a.Within(&b) != c.within {
			t.Errorf("%s within %s: want %v", c.a, c.b, c.within)
		}
	}
	all := Budgets()
	for i := range all {
		for k := range all {
			if all[i].Within(&all[k]) && all[k].Within(&all[i]) && i != k {
				t.Errorf("%s and %s are the same", all[i].String(), all[k].String())
			}
		}
	}
}

// cellsOf explores the budgets of a lock that are of some size at most.
func cellsOf(t *testing.T, s *Subject, most int) (cells []Cell) {
	t.Helper()
	for _, b := range s.Budgets() {
		if b.Size() > most {
			continue
		}
		c, err := s.Explore(b, 2, nil, func(int) {})
		if err != nil {
			t.Fatal(err)
		}
		cells = append(cells, c)
	}
	return cells
}

// What breaks within a budget breaks within each that has it: else the table would contradict itself.
func TestLargerBudgetsBreakAtLeastAsMuch(t *testing.T) {
	locks := []string{"redlock, no disk", "single instance"}
	if simtest.Long {
		locks = nil
		all, _ := Subjects("*")
		for _, s := range all {
			locks = append(locks, s.Name)
		}
	}
	for _, name := range locks {
		s := subjectNamed(t, name)
		most := 1
		if simtest.Long {
			most = s.Most
		}
		cells := cellsOf(t, s, most)
		for i := range cells {
			for k := range cells {
				if !cells[i].Budget.Within(&cells[k].Budget) {
					continue
				}
				for p, v := range cells[i].Report.Verdicts {
					if w := cells[k].Report.Verdicts[p]; v.Verdict == checker.Violated && w.Verdict == checker.Holds {
						t.Errorf("%s: %s breaks with %s, and holds with %s", name, v.Property, cells[i].Budget.String(), cells[k].Budget.String())
					}
				}
			}
		}
	}
}

// The rows of Redlock that need no second deviation.
func TestTableAgreesWithTheArgumentAboutRedlock(t *testing.T) {
	rows := promises(cellsOf(t, subjectNamed(t, "redlock, no disk"), 1))
	for property, want := range map[string][]string{
		"belief":   {"a pause", "a suspension"},
		"validity": nil,
		"fenced":   nil,
		"storage":  {"1 message"},
	} {
		i := slices.IndexFunc(rows, func(p Promise) bool { return p.Name == property })
		got := rows[i].Breaks
		if !slices.Equal(got, want) {
			t.Errorf("%s breaks with %s; want %s", property, strings.Join(got, ", "), strings.Join(want, ", "))
		}
	}
}
