package guide

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

var (
	update  = flag.Bool("update", false, "rewrite the table, or the rows that -mutants names")
	mutants = flag.String("mutants", "", "a regular expression: only these rows of the table")
	from    = flag.Uint64("from", 1, "the seed of the first search; the table has those from 1 on")
	keep    = flag.String("keep", "", "uniform or guided: with -update, keep that column")
)

// The table in the README is of 20 searches of each sort for each mutant. Their seeds lie a million apart.
const (
	searches  = 20
	most      = 5000
	seedsLie  = 1_000_000
	page      = "README.md"
	cheapRuns = 12 // median of rows that are made again each time
)

// A row of the table.
type row struct {
	mutant, property, scenario, class string
	uniform, guided                   int
}

// rowForm is how a row is written.
var rowForm = regexp.MustCompile("^\\| `([^`]+)` \\| (\\S+) \\| (\\S+) \\| (\\S+) \\| (\\d+) \\| (\\d+) \\| ")

func (r row) String() string {
	return fmt.Sprintf("| `%s` | %s | %s | %s | %d | %d | %d.%02d |", r.mutant, r.property, r.scenario, r.class, r.uniform, r.guided,
		r.guided/max(r.uniform, 1), r.guided*100/max(r.uniform, 1)%100)
}

// rows reads the table.
func rows(t *testing.T, text string) (all []row) {
	t.Helper()
	for _, line := range strings.Split(text, "\n") {
		if m := rowForm.FindStringSubmatch(line); m != nil {
			uniform, _ := strconv.Atoi(m[5])
			guided, _ := strconv.Atoi(m[6])
			all = append(all, row{m[1], m[2], m[3], m[4], uniform, guided})
		}
	}
	return all
}

// A race is two searches for one flaw, on the same ground.
type race struct {
	mutated   scenarios.Scenario
	reference campaign.Reference // puts the rule back that the mutant breaks
	property  int
}

func raceOf(t *testing.T, r row) race {
	t.Helper()
	var all []scenarios.Mutant
	for _, s := range scenarios.Catalogue() {
		all = append(all, s.Mutants...)
	}
	i := slices.IndexFunc(all, func(m scenarios.Mutant) bool { return m.Name == r.mutant })
	s, ok := scenarios.Find(r.scenario)
	if i < 0 || !ok {
		t.Fatalf("there is no mutant %s, or no scenario %s", r.mutant, r.scenario)
	}
	grounds := campaign.Grounds(&s)
	k := slices.IndexFunc(grounds, func(g campaign.Ground) bool { return g.Class == strings.TrimPrefix(r.class, "none") })
	if k < 0 {
		t.Fatalf("%s has no class %s", r.scenario, r.class)
	}
	ground := grounds[k].Scenario
	mutated, err := ground.Mutate(all[i])
	if err != nil {
		t.Fatal(err)
	}
	reference := func(u *scenarios.Scenario) {
		for _, a := range all[i].Set {
			was, _ := scenarios.Lookup(&ground, a.Key)
			if err := u.Set(a.Key + "=" + was.Get(&ground)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return race{mutated, reference, slices.IndexFunc(checker.Properties, func(p checker.Property) bool { return p.Name == r.property })}
}

// kills reports whether a run broke the property, and the reference keeps it in the same universe with the same seed.
func (r *race) kills(runner *scenarios.Runner, u *scenarios.Scenario, row *campaign.Row) bool {
	return row.Violated.Has(r.property) && r.reference.Keeps(runner, *u, row.Seed, checker.Properties[r.property].Name)
}

// guided returns how many runs a guided search takes.
func (r *race) guided(seed uint64, forget func(*Run)) (took int) {
	runner := scenarios.NewRunner()
	defer runner.Close()
	took = most
	s := Search{Scenario: &r.mutated, Seed: seed, Runs: most, Workers: 2, Watched: 1 << r.property, forget: forget}
	s.Done = func(run *Run) bool {
		if r.kills(runner, &run.Universe, &run.Row) {
			took = run.Number
			return false
		}
		return true
	}
	s.Work()
	return took
}

// uniform returns how many runs a uniform search takes.
func (r *race) uniform(seed uint64) int {
	runner, other := scenarios.NewRunner(), scenarios.NewRunner()
	defer runner.Close()
	defer other.Close()
	universes := r.mutated.Universes()
	for n := range uint64(most) {
		u := universes.At(seed + n)
		row := campaign.RowOf(runner.Run(&u, seed+n))
		if r.kills(other, &u, &row) {
			return int(n) + 1
		}
	}
	return most
}

// median returns the median of all searches, rounded down.
func median(search func(seed uint64) int) int {
	var all []int
	for i := range searches {
		all = append(all, search(*from+uint64(i)*seedsLie))
	}
	slices.Sort(all)
	return (all[searches/2-1] + all[searches/2]) / 2
}

// The table is what it says. Rows that take long are made again with LOCKSTORM_LONG, and the longest only with -update.
func TestTheTableIsWhatSearchesTake(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	limit := cheapRuns
	if long {
		limit = 10 * cheapRuns
	}
	wanted := regexp.MustCompile(*mutants)
	for _, was := range rows(t, string(text)) {
		if !wanted.MatchString(was.mutant) || !*update && (was.uniform > limit || !strings.HasPrefix(was.scenario, "redlock/")) {
			continue
		}
		now, r := was, raceOf(t, was)
		if *keep != "uniform" {
			now.uniform = median(r.uniform)
		}
		if *keep != "guided" {
			now.guided = median(func(seed uint64) int { return r.guided(seed, nil) })
		}
		t.Log(now)
		switch {
		case now == was:
		case *update:
			text = []byte(strings.Replace(string(text), was.String(), now.String(), 1))
		default:
			t.Errorf("it is\n%s\nand the table has\n%s\nif that is meant: LOCKSTORM_LONG=1 go test ./scenarios/campaign/guide -run Table -update", now, was)
		}
	}
	if *update {
		if err := os.WriteFile(page, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
