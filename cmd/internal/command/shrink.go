package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/reports/layout"
	"github.com/lockstorm/lockstorm/reports/onerun"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// A shrinkCommand holds the flags of shrink.
type shrinkCommand struct {
	work.Work // of which rows have the progress, and the end by a signal

	seed     uint64
	property string
	runs     int
	out      string

	named    string
	scenario scenarios.Scenario
	state    string // the file that says how far it came
}

func newShrink() *cobra.Command {
	var q shrinkCommand
	c := &cobra.Command{
		Use:   "shrink DIR|FILE",
		Short: "Find the least scenario that still breaks a property",
		Args:  cli.One("DIR or FILE", "such as store/latest"),
		RunE: func(c *cobra.Command, args []string) error {
			seeded := c.Flags().Changed("seed")
			if err := q.check(); err != nil {
				return err
			}
			if isArchive(args[0]) && !seeded {
				q.Errs = c.ErrOrStderr()
				return q.shrinkRows(c.OutOrStdout(), args[0])
			}
			if err := q.complete(args[0], seeded); err != nil {
				return err
			}
			return q.run(c.OutOrStdout())
		},
	}
	f := c.Flags()
	f.Uint64Var(&q.seed, "seed", 1, "with a FILE: run it with the seed `N`; with rows: shrink the run of that seed")
	f.StringVar(&q.property, "property", "", "shrink what breaks the property `NAME`, not the first that breaks")
	f.IntVar(&q.runs, "runs", 2000, "make `N` runs at most")
	f.StringVar(&q.out, "out", "", "write the least scenario to `FILE`, in place of one beside what is shrunk")
	q.AddProgress(c)
	f.Lookup("progress").Usage = "with rows: show progress on stderr: `auto|json|none`"
	f.Lookup("quiet").Usage = "print one line, and no progress"
	return c
}

func (q *shrinkCommand) check() error {
	switch {
	case q.runs < 1:
		return fmt.Errorf("--runs: %d is not positive", q.runs)
	case q.seed > cli.SeedMax:
		return fmt.Errorf("--seed: seeds go up to %d", uint64(cli.SeedMax))
	case q.out != "" && !scenarios.IsFile(q.out):
		return fmt.Errorf("--out: %s is not a scenario file; its name must end in .yaml", q.out)
	}
	return nil
}

// complete finds what to shrink, and what to break.
func (q *shrinkCommand) complete(named string, seeded bool) error {
	q.named = named
	base, err := q.find(named, seeded)
	if err != nil {
		return err
	}
	q.scenario.Search = scenarios.Search{} // whose seeds would draw another run
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
		q.scenario, err = scenarios.Open(named)
		return strings.TrimSuffix(named, filepath.Ext(named)), err
	case isArchive(named):
		return filepath.Join(named, "found", fmt.Sprintf("seed-%d", q.seed)), q.pick(named)
	}
	r, stored, err := store.Read(named)
	if err == nil && seeded {
		err = fmt.Errorf("--seed: a stored result has its own seed, which is %d", stored.Seed)
	}
	q.scenario, q.seed = r.Scenario, r.Seed
	return filepath.Join(named, "least"), err
}

func (q *shrinkCommand) choose() error {
	if p, known := checker.Lookup(q.property); q.property != "" && (!known || p.Sometimes) {
		return noProperty(q.property)
	}
	var broken []string
	for _, f := range scenarios.Run(q.scenario, q.seed).Findings {
		if f.Verdict == checker.Violated {
			broken = append(broken, f.Property)
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

func noProperty(name string) error {
	var known []string
	for _, p := range checker.Properties {
		known = append(known, p.Name)
	}
	return fmt.Errorf("--property: there is no property %q%s; there are %s", name, scenarios.Suggest(name, known), strings.Join(known, ", "))
}

// A shrinkState is how far the shrinking of a run came, as its file holds it.
type shrinkState struct {
	SchemaVersion int            `json:"schema_version"`
	Lockstorm     string         `json:"lockstorm"`
	Scenario      string         `json:"scenario_sha256"` // of what is shrunk
	From          uint64         `json:"from_seed"`       // and its seed
	Property      string         `json:"property"`
	Seed          uint64         `json:"seed"` // of the least
	Runs          int            `json:"runs"`
	Done          bool           `json:"done"`
	At            campaign.Place `json:"at"`
}

func (q *shrinkCommand) run(out io.Writer) error {
	s, before, err := q.begin()
	if err != nil {
		return err
	}
	report := campaigns.NewShrink(q.named, q.seed, &s, before)
	done := before.Done
	if !done {
		s.Most = s.Runs + q.runs
		s.Tried = report.Tried
		done = s.Run()
	}
	if err := q.end(&s, done); err != nil {
		return err
	}
	r := cli.Request{Named: filepath.ToSlash(q.out)}
	report.End(&s, done, r.Named, cli.Typed(r.Command(s.Seed)))
	text := report.Text()
	if q.Quiet {
		text = report.Summary()
	}
	return cli.Print(out, text)
}

// begin starts to shrink, or goes on where the last call ended.
func (q *shrinkCommand) begin() (s campaign.Shrinking, last campaigns.Past, err error) {
	s = campaign.Shrinking{Least: q.scenario, Seed: q.seed, Property: q.property, Plain: q.plain()}
	text, err := os.ReadFile(q.state)
	if errors.Is(err, fs.ErrNotExist) {
		return s, last, nil
	}
	var h shrinkState
	if err == nil {
		err = json.Unmarshal(text, &h)
	}
	if err != nil {
		return s, last, fmt.Errorf("%s does not say how far shrinking came: %w; remove it to begin anew", q.state, err)
	}
	if h.SchemaVersion != layout.SchemaVersion || h.Lockstorm != cli.Build() || h.Scenario != q.hash() || h.From != q.seed || h.Property != q.property {
		return s, last, fmt.Errorf("%s is of another run or another version; remove it to begin anew, or write elsewhere with --out", q.state)
	}
	least, err := scenarios.Open(q.out)
	if err != nil {
		return s, last, fmt.Errorf("can't go on: %w; remove %s to begin anew", err, q.state)
	}
	least.ID, least.Expect, least.Sometimes = q.scenario.ID, q.scenario.Expect, q.scenario.Sometimes
	least.Title, least.About = q.scenario.Title, q.scenario.About
	s.Least, s.Seed, s.Runs, s.At = least, h.Seed, h.Runs, h.At
	return s, campaigns.Past{Runs: h.Runs, Done: h.Done}, nil
}

func (q *shrinkCommand) hash() string { return onerun.HashScenario(q.scenario.YAML()) }

// plain is the scenario of the catalogue that was changed, if it was one: settings go back to what they are there.
func (q *shrinkCommand) plain() *scenarios.Scenario {
	if s, ok := scenarios.Find(q.scenario.ID); ok {
		return &s
	}
	return nil
}

// end writes the least scenario, and how far it came.
func (q *shrinkCommand) end(s *campaign.Shrinking, done bool) error {
	least := s.Counterexample()
	if err := store.Write(q.out, least.Brief()); err != nil {
		return fmt.Errorf("the least scenario can't be written: %w; choose another place with --out FILE", err)
	}
	h := shrinkState{
		SchemaVersion: layout.SchemaVersion, Lockstorm: cli.Build(), Scenario: q.hash(), From: q.seed, Property: q.property,
		Seed: s.Seed, Runs: s.Runs, Done: done, At: s.At,
	}
	if err := store.Write(q.state, layout.JSON(h)); err != nil {
		return fmt.Errorf("how far it came can't be written: %w; choose another place with --out FILE", err)
	}
	return nil
}
