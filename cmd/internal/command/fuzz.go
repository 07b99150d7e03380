package command

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/reports/layout"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// A fuzzCommand holds the flags of fuzz.
type fuzzCommand struct {
	work.Work
	named      string
	scenario   scenarios.Scenario
	seed       uint64
	runs       int
	lasting    time.Duration
	stopAfter  int
	faults     []string
	set        []string
	properties []string
	format     string
	mutants    bool
	guide      bool

	given     func(flag string) bool
	again     func(runs int) string // repeats the search as far as it came
	byDefault bool                  // the scenario says nothing of a search
	watched   campaign.Set
}

const (
	huntBlock   = 100         // rows that --for makes between two looks at the clock
	keptBlock   = 1000        // the same with --store, where a block is a file
	lastingMost = 100_000_000 // runs that --for may come to
)

func newFuzz() *cobra.Command {
	var q fuzzCommand
	c := &cobra.Command{
		Use:   "fuzz SCENARIO|FILE",
		Short: "Search for what breaks a scenario, and shrink it",
		RunE: func(c *cobra.Command, args []string) error {
			q.given = c.Flags().Changed
			q.again = func(runs int) string {
				return cli.Again(c, args, "runs="+strconv.Itoa(runs), "guide", "seed", "faults", "property", "set")
			}
			if q.mutants {
				return q.killAll(c, args)
			}
			if err := cli.One("SCENARIO", "lockstorm list names them")(c, args); err != nil {
				return err
			}
			if err := q.complete(args[0]); err != nil {
				return err
			}
			return q.run(c, args)
		},
	}
	q.flags(c)
	return c
}

func (q *fuzzCommand) flags(c *cobra.Command) {
	f := c.Flags()
	f.IntVar(&q.runs, "runs", 10_000, "search `N` consecutive seeds")
	f.DurationVar(&q.lasting, "for", 0, "search for the time `D`, such as 1m, in place of --runs")
	f.Uint64Var(&q.seed, "seed", 1, "the first seed is `N`")
	f.IntVar(&q.stopAfter, "stop-after", 0, "end when `K` signatures are known; 0 for no limit")
	f.StringSliceVar(&q.faults, "faults", nil, "draw these faults in place of the scenario's own: a `LIST` of classes or kinds, such as\ndelay,loss,pause; or none")
	f.StringArrayVar(&q.set, "set", nil, "change the scenario: `KEY=VALUE`; may be given more than once")
	f.StringSliceVar(&q.properties, "property", nil, "report the property `NAME` only; may be given more than once")
	f.BoolVar(&q.mutants, "mutants", false, "search for each flaw that the catalogue knows: it must break what the reference keeps")
	f.BoolVar(&q.guide, "guide", false, "make most runs from earlier ones, which showed something new or nearly broke a property")
	cli.FormatFlag(f, &q.format, "text", "markdown", "json")
	q.AddFlags(c)
	f.Lookup("store").Usage = "keep the rows in `DIR`, so that the search can be resumed, shared and exported, and the least\nscenarios in its found; without it these go to store/SCENARIO/found"
	f.Lookup("format").Usage = "print `text|json`; with --mutants text|markdown|json"
	f.Lookup("quiet").Usage = "print one line, and no progress"
}

func (q *fuzzCommand) complete(name string) (err error) {
	if err := cmp.Or(q.check(), q.checkGuide()); err != nil {
		return err
	}
	r := cli.Request{Set: q.set, Seed: q.seed, Runs: 1}
	if err := cmp.Or(r.Complete(name), cli.CheckFormat(q.format, "text", "json")); err != nil {
		return err
	}
	q.named, q.scenario = name, r.Scenario
	if err := q.allow(); err != nil {
		return err
	}
	q.watched, err = watching(q.properties)
	return err
}

func (q *fuzzCommand) check() error {
	switch {
	case q.runs < 1:
		return fmt.Errorf("--runs: %d is not positive", q.runs)
	case q.given("for") && q.given("runs"):
		return fmt.Errorf("--for and --runs both say when to end; give one of them")
	case q.given("for") && q.lasting <= 0:
		return fmt.Errorf("--for: %s is not positive; give a time such as 1m", q.lasting)
	case q.stopAfter < 0:
		return fmt.Errorf("--stop-after: %d is negative; give 0 for no limit", q.stopAfter)
	case q.given("store") && q.Store == "":
		return fmt.Errorf("--store: it names no directory")
	case q.Quiet && q.format == "json":
		return fmt.Errorf("--quiet goes with --format text, not with json")
	}
	return cli.CheckSeeds(q.seed, q.runs)
}

// allow sets which faults may strike.
func (q *fuzzCommand) allow() error {
	own := &q.scenario.Search
	if q.byDefault = !own.Drawn(); q.byDefault {
		*own = q.scenario.DefaultSearch()
	}
	switch {
	case len(q.faults) == 1 && q.faults[0] == "none":
		own.Faults = nil
	case q.given("faults"):
		if len(q.faults) == 0 {
			return fmt.Errorf("--faults: it names none; to allow none, say --faults none")
		}
		if _, err := faults.KindsOf(q.faults); err != nil {
			return fmt.Errorf("--faults: %w", err)
		}
		own.Faults = q.faults
		if own.Most == 0 || own.Within == 0 {
			d := q.scenario.DefaultSearch()
			own.Most, own.Within = d.Most, d.Within
		}
	}
	if why := q.scenario.NothingStrikes(); why != "" {
		return fmt.Errorf("--faults: none of %s can strike: %s", strings.Join(own.Faults, ", "), why)
	}
	return q.scenario.Check()
}

// watching returns the set of the properties named; of all, if none is.
func watching(names []string) (set campaign.Set, err error) {
	if len(names) == 0 {
		return campaign.All(), nil
	}
	for _, name := range names {
		i := slices.IndexFunc(checker.Properties, func(p checker.Property) bool { return p.Name == name })
		if i < 0 {
			return 0, noProperty(name)
		}
		set |= 1 << i
	}
	return set, nil
}

// run searches, and prints what was found.
func (q *fuzzCommand) run(c *cobra.Command, args []string) error {
	if err := store.Probe(q.home()); err != nil {
		return q.storeError(err)
	}
	hunt := q.hunt
	if q.guide {
		hunt = q.guided
	}
	h, err := hunt(c, args)
	if err != nil {
		return err
	}
	report, err := q.keep(h)
	if err != nil {
		return err
	}
	if err := cli.Print(c.OutOrStdout(), q.text(report)); err != nil {
		return err
	}
	if q.guide && q.Stopped {
		fmt.Fprintf(q.Errs, "lockstorm: stopped after %d of %d runs; the same command makes them again\n", h.Runs, h.Job.Runs)
		return cli.Exit(cli.Interrupted)
	}
	return q.Exit(cli.ExitFor(report.Verdict()))
}

// hunt makes the runs, or those of a shard.
func (q *fuzzCommand) hunt(c *cobra.Command, args []string) (*campaign.Hunt, error) {
	job := work.Job(campaign.FuzzJob, &q.scenario, []campaign.Cell{nil}, q.seed, q.runs)
	if q.lasting > 0 {
		q.last(job)
	}
	if err := job.Check(); err != nil {
		return nil, err
	}
	h := &campaign.Hunt{Job: job, Watched: q.watched, Most: q.stopAfter}
	h.Begin()
	return h, q.Do(c, args, job, func(_ int, rows []campaign.Row) (bool, error) { return h.AddAll(rows), nil })
}

// last sets up the job for --for. It has more seeds than anybody will wait for, and its first blocks are made until the time
// is over. So what is kept is the beginning of one job, and more of it can be made later.
func (q *fuzzCommand) last(job *campaign.Job) {
	q.Until = time.Now().Add(q.lasting)
	job.Runs, job.Size = int(min(lastingMost, cli.SeedMax-q.seed+1)), huntBlock
	if q.Store != "" {
		job.Size = keptBlock
	}
}

// home is where the least scenarios go: into the archive of rows, or where runs are stored.
func (q *fuzzCommand) home() string { return cmp.Or(q.Store, "store") }

func (q *fuzzCommand) storeError(err error) error {
	return fmt.Errorf("the store %s can't be written: %w; choose another with --store DIR", q.home(), err)
}

// found is the directory of the least scenarios.
func (q *fuzzCommand) found() string {
	if q.Store != "" {
		return filepath.Join(q.Store, "found")
	}
	return filepath.Join(q.home(), store.Place(q.scenario.ID), "found")
}

// keep writes the least scenarios, and describes what was found.
func (q *fuzzCommand) keep(h *campaign.Hunt) (report campaigns.Hunt, err error) {
	describe := campaigns.NewHunt
	if q.guide {
		describe = campaigns.NewGuided
	}
	report = describe(&q.scenario, q.again(h.Runs), h)
	report.Default = q.byDefault
	for i := range h.Signatures {
		g := &h.Signatures[i]
		file := filepath.Join(q.found(), g.Name()+".yaml")
		s := g.Counterexample(q.again(h.Runs))
		if err := store.Write(file, s.Brief()); err != nil {
			return report, q.storeError(err)
		}
		r := cli.Request{Named: filepath.ToSlash(file)}
		report.Kept(i, r.Named, r.Command(g.Least.Seed))
	}
	return report, nil
}

func (q *fuzzCommand) text(report campaigns.Hunt) string {
	switch {
	case q.format == "json":
		return string(layout.JSON(report))
	case q.Quiet:
		return campaigns.HuntSummary(report) + "\n"
	}
	return campaigns.HuntText(report, cli.Typed)
}
