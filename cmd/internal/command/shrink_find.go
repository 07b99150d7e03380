package command

import (
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
	q.named = named
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
	q.state = strings.TrimSuffix(q.out, filepath.Ext(q.out)) + ".shrink.json"
	return nil
}

// find returns the run to shrink, and how the names of files beside it begin.
func (q *shrinkCommand) find(named string, seeded bool) (base string, err error) {
	switch {
	case scenarios.IsFile(named):
		if q.scenario, err = scenarios.Open(named); err == nil {
			q.scenario = q.scenario.Universes().At(q.seed)
		}
		return strings.TrimSuffix(named, filepath.Ext(named)), err
	case isArchive(named):
		return filepath.Join(named, "found", fmt.Sprintf("seed-%d", q.seed)), q.pick(named)
	}
	r, stored, err := store.Read(named)
	if err == nil && seeded {
		err = fmt.Errorf("--seed: a stored result has its own seed, which is %d", stored.Seed)
	}
	q.scenario, q.seed = r.Scenario, r.Seed
	if err == nil && r.Drawn() {
		q.scenario = q.scenario.Universes().At(q.seed)
	}
	q.scenario.Search = scenarios.Search{}
	return filepath.Join(named, "least"), err
}

func (q *shrinkCommand) choose() error {
	if q.property != "" && !slices.Contains(scenarios.Judged(), q.property) {
		return cli.NoProperty(q.property)
	}
	var broken []string
	res := scenarios.Run(q.scenario, q.seed)
	for _, name := range scenarios.Judged() {
		view := strings.HasPrefix(name, scenarios.BlackBox+".") // nobody promises it: it must be asked for
		if res.VerdictOn(name) == checker.Violated && (!view || name == q.property) {
			broken = append(broken, name)
		}
	}
	switch {
	case len(broken) == 0:
		return fmt.Errorf("nothing is violated in %s, seed %d, so there is nothing to shrink", q.named, q.seed)
	case q.property == "":
		q.property = broken[0]
	}
	if slices.Contains(broken, q.property) {
		return nil
	}
	return fmt.Errorf("%s is not violated in %s, seed %d; violated are %s", q.property, q.named, q.seed, strings.Join(broken, ", "))
}

// watched returns the properties to look for in rows: the one that is asked for, or all.
func (q *shrinkCommand) watched() (campaign.Set, error) {
	if q.property == "" {
		return campaign.All(), nil
	}
	return cli.Properties([]string{q.property})
}

// pick finds among the rows of an archive the run of a seed that broke something.
func (q *shrinkCommand) pick(dir string) error {
	a, err := work.Open(dir)
	if err != nil {
		return err
	}
	watched, err := q.watched()
	if err != nil {
		return err
	}
	cell := -1
	if err := work.Repair(a.Each(func(_ int, rows []campaign.Row) error {
		for i := range rows {
			if cell < 0 && rows[i].Seed == q.seed && rows[i].Broke()&watched != 0 {
				cell = rows[i].Cell
			}
		}
		return nil
	})); err != nil {
		return err
	}
	if cell < 0 {
		return fmt.Errorf("no row of seed %d in %s breaks %s; lockstorm export --csv %s lists them", q.seed, dir, q.sought(),
			cli.Quote(dir))
	}
	s, err := a.Job.In(cell)
	if err != nil {
		return err
	}
	q.scenario = s.Universes().At(q.seed)
	return nil
}

// sought returns what is looked for, in words.
func (q *shrinkCommand) sought() string {
	if q.property == "" {
		return "anything"
	}
	return q.property
}
