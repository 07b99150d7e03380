package command

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// complete finds what to shrink, and what to break.
func (q *shrinkCommand) complete(named string, seeded bool) error {
	q.Named = named
	base, err := q.find(named, seeded)
	if err != nil {
		return err
	}
	if err := q.choose(); err != nil {
		return err
	}
	if q.out == "" {
		q.out = base + "-" + q.property + ".yaml"
	}
	return nil
}

// find finds the run to shrink, and returns how the names of its files begin.
func (q *shrinkCommand) find(named string, seeded bool) (base string, err error) {
	switch {
	case scenarios.IsFile(named):
		if q.Scenario, err = scenarios.Open(named); err == nil {
			q.Scenario = q.Scenario.Universes().At(q.Seed)
		}
		return strings.TrimSuffix(named, filepath.Ext(named)), err
	case isArchive(named) && !seeded:
		return "", fmt.Errorf("%s has the rows of many runs; say which with --seed N. lockstorm export --csv %[1]s lists "+
			"them, and fuzz shrinks one for each way to break a promise", cli.Quote(named))
	case isArchive(named):
		return filepath.Join(named, "found", fmt.Sprintf("seed-%d", q.Seed)), q.pick(named)
	}
	r, stored, err := store.Read(named)
	if err == nil && seeded {
		err = fmt.Errorf("--seed: the stored result has the seed %d; leave this out", stored.Seed)
	}
	q.Scenario, q.Seed = r.Scenario, r.Seed
	if err == nil && r.Drawn() {
		q.Scenario = q.Scenario.Universes().At(q.Seed)
	}
	q.Scenario.Search = scenarios.Search{}
	return filepath.Join(named, "least"), err
}

func (q *shrinkCommand) choose() error {
	if q.property != "" && !slices.Contains(scenarios.Judged(), q.property) {
		return cli.NoProperty(q.property)
	}
	var broken []string
	res := scenarios.Run(q.Scenario, q.Seed)
	for _, name := range scenarios.Judged() {
		view := strings.HasPrefix(name, scenarios.BlackBox+".") // no lock promises it: it must be asked for
		if res.VerdictOn(name) == checker.Violated && (!view || name == q.property) {
			broken = append(broken, name)
		}
	}
	switch {
	case len(broken) == 0:
		return fmt.Errorf("%s, seed %d, breaks no promise, so there is nothing to shrink; give another --seed", q.Named,
			q.Seed)
	case q.property == "":
		q.property = broken[0]
	}
	if slices.Contains(broken, q.property) {
		return nil
	}
	return fmt.Errorf("%s is not violated in %s, seed %d; name one of %s", q.property, q.Named, q.Seed,
		strings.Join(broken, ", "))
}

// pick finds among the rows of an archive the run of a seed that broke something.
func (q *shrinkCommand) pick(dir string) error {
	a, err := work.Open(dir)
	if err != nil {
		return err
	}
	watched := campaign.All()
	if q.property != "" {
		if watched, err = cli.Properties([]string{q.property}); err != nil {
			return err
		}
	}
	cell := -1
	if err := work.Repair(a.Each(func(_ int, rows []campaign.Row) error {
		for i := range rows {
			if cell < 0 && rows[i].Seed == q.Seed && rows[i].Broke()&watched != 0 {
				cell = rows[i].Cell
			}
		}
		return nil
	})); err != nil {
		return err
	}
	if cell < 0 {
		return fmt.Errorf("no row of seed %d in %s breaks %s; lockstorm export --csv %s lists them", q.Seed, dir,
			cmp.Or(q.property, "anything"), cli.Quote(dir))
	}
	s, err := a.Job.In(cell)
	if err != nil {
		return err
	}
	q.Scenario = s.Universes().At(q.Seed)
	return nil
}
