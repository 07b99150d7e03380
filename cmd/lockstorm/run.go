package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// A request is what the flags of run ask for.
type request struct {
	scenario scenarios.Scenario
	named    string // the ID or the file, as the user gave it
	seed     uint64
	runs     int
	set      []string
	store    string
	noStore  bool
	format   string
	colour   string
	quiet    bool
	helpSet  bool
}

// seedMax bounds seeds: larger ones do not survive a trip through JSON readers that count in floating point.
const seedMax = 1<<53 - 1

// checkSeeds refuses seeds beyond the last one. It blames the first seed if that is too large, else their number.
func checkSeeds(first uint64, runs int) error {
	switch {
	case first > seedMax:
		return fmt.Errorf("--seed: seeds go up to %d", uint64(seedMax))
	case uint64(runs) > seedMax-first+1:
		return fmt.Errorf("--runs: seeds go up to %d, so from %d on there are no more than %d", uint64(seedMax), first, seedMax-first+1)
	}
	return nil
}

func newRun() *cobra.Command {
	var q request
	c := &cobra.Command{
		Use:   "run SCENARIO|FILE",
		Short: "Run a scenario and judge it",
		Long: "Run a scenario with one seed, or with many, and say of each promise whether it held. The exit code is 0 if all\n" +
			"went as the scenario expects, 1 if not, 2 if that could not be known.\n\n" +
			"What a run leaves is kept in the store, under <scenario>/<seed>; of many runs, only those that went otherwise.",
		Example: "  lockstorm run kleppmann/gc-pause --seed 7\n" +
			"  lockstorm run kleppmann/gc-pause --help-set\n" +
			"  lockstorm run antirez/delayed-restart --set fault.3.for=5s\n" +
			"  lockstorm run kleppmann/clock-jump --runs 1000 --format json",
		Args: exactlyOne("SCENARIO", "lockstorm list names them"),
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkTelling(q.format, q.colour, q.quiet); err != nil {
				return err
			}
			format := q.format
			q.format = "text" // which every command that runs something knows
			if err := q.complete(args[0]); err != nil {
				return err
			}
			q.format = format
			return q.run(c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.Uint64Var(&q.seed, "seed", 1, "the `N` that all chance of the run is drawn from")
	f.IntVar(&q.runs, "runs", 1, "run `N` consecutive seeds, on all cores")
	f.StringArrayVar(&q.set, "set", nil, "change the scenario: `KEY=VALUE`; may be given more than once")
	f.BoolVar(&q.helpSet, "help-set", false, "list what --set can change, and what it is now")
	f.StringVar(&q.store, "store", "store", "keep results in `DIR`")
	f.BoolVar(&q.noStore, "no-store", false, "keep nothing")
	f.StringVar(&q.format, "format", "text", "print `text|markdown|json`")
	colouring(f, &q.colour)
	f.BoolVarP(&q.quiet, "quiet", "q", false, "print one line")
	return c
}

// exactlyOne is cobra.ExactArgs(1) with an error that helps.
func exactlyOne(what, hint string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != 1 {
			return fmt.Errorf("%s takes one %s, not %d; %s", c.CommandPath(), what, len(args), hint)
		}
		return nil
	}
}

// complete checks what was asked for, and readies the scenario.
func (q *request) complete(id string) (err error) {
	q.named = id
	if q.scenario, err = read(id); err != nil {
		return err
	}
	for _, assignment := range scenarios.KindFirst(q.set, strings.Clone) {
		if err := q.scenario.Set(assignment); err != nil {
			return fmt.Errorf("%w; see lockstorm run %s --help-set", err, id)
		}
	}
	if err := q.scenario.Check(); err != nil {
		return fmt.Errorf("%s", strings.ReplaceAll(err.Error(), "\n", "; and "))
	}
	return q.checkFlags()
}

// checkFlags checks what was asked for besides the scenario.
func (q *request) checkFlags() error {
	switch {
	case q.runs < 1:
		return fmt.Errorf("--runs: %d is not positive", q.runs)
	case q.store == "" && !q.noStore:
		return fmt.Errorf("--store: it names no directory; to keep nothing, say --no-store")
	}
	return cmp.Or(checkSeeds(q.seed, q.runs), checkFormat(q.format))
}

// checkTelling checks how a run is to be told.
func checkTelling(format, colour string, quiet bool) error {
	switch {
	case format != "text" && format != "markdown" && format != "json":
		return fmt.Errorf("--format: %q is neither text nor markdown nor json", format)
	case quiet && format == "markdown":
		return fmt.Errorf("--quiet goes with --format text or json, not with markdown")
	}
	return checkColour(colour)
}

func checkFormat(format string) error {
	if format != "text" && format != "json" {
		return fmt.Errorf("--format: %q is neither text nor json", format)
	}
	return nil
}

// run does what was asked for.
func (q *request) run(out, errs io.Writer) error {
	switch {
	case q.helpSet:
		_, err := io.WriteString(out, screenFor(out, q.colour).Settings(&q.scenario))
		return err
	case q.runs > 1:
		return q.runMany(out, errs)
	}
	return q.runOne(out, errs)
}

// runOne makes one run, keeps it and tells it.
func (q *request) runOne(out, errs io.Writer) error {
	r := scenarios.Run(q.scenario, q.seed)
	m := q.making(q.seed)
	if !q.noStore || !q.quiet || q.format == "json" { // else nobody would see the bounds
		m = q.measured(q.seed)
	}
	home, err := q.keep(r, m)
	if err != nil {
		return err
	}
	linkLatest(errs, q.store, home, os.Symlink)
	return tell(out, r, m, q.format, q.colour, q.quiet)
}

// tell prints a result, and ends with the exit code of its verdict.
func tell(out io.Writer, r *scenarios.Result, m reports.Making, format, colour string, quiet bool) (err error) {
	switch {
	case format == "json":
		_, err = out.Write(reports.JSON(reports.Describe(r, m)))
	case quiet:
		_, err = fmt.Fprintln(out, reports.Summary(r))
	case format == "markdown":
		_, err = io.WriteString(out, reports.Markdown(r, m))
	default:
		m.Command = typed(m.Command)
		_, err = io.WriteString(out, screenFor(out, colour).Text(r, m))
	}
	if err != nil {
		return breach{fmt.Errorf("can't print: %w", err)}
	}
	return outcome(exits[r.Verdict])
}

// keptMost is how many of the unexpected runs of a campaign are kept. All of them can be made again.
const keptMost = 100

// runMany makes consecutive runs, keeps those that went otherwise than expected, and prints counts.
func (q *request) runMany(out, errs io.Writer) error {
	if !q.noStore {
		if err := probe(q.store); err != nil {
			return storeError(q.store, err)
		}
	}
	p := newProgress(errs, modeFor(errs, "auto", q.quiet), q.runs)
	signals := catch(p)
	defer signals.release()
	t := campaign.Plan{
		Scenario: &q.scenario, First: q.seed, Runs: q.runs, Workers: runtime.GOMAXPROCS(0), Each: p.result, Stop: signals.came,
	}.Run()
	p.end()
	kept := t.Unexpected[:min(len(t.Unexpected), keptMost)]
	var home string
	for _, seed := range kept {
		var err error
		if home, err = q.keep(scenarios.Run(q.scenario, seed), q.measured(seed)); err != nil {
			return err
		}
	}
	linkLatest(errs, q.store, home, os.Symlink)
	if t.Runs == 0 {
		return q.interrupted(errs, 0)
	}
	if err := q.tellMany(out, t, len(kept)); err != nil {
		return breach{fmt.Errorf("can't print: %w", err)}
	}
	if t.Runs < q.runs {
		return q.interrupted(errs, t.Runs)
	}
	return outcome(exits[t.Worst])
}

// interrupted says how to make the runs that a signal has left.
func (q *request) interrupted(errs io.Writer, done int) error {
	rest := *q
	rest.seed, rest.runs = q.seed+uint64(done), q.runs-done
	words := []string{rest.making(rest.seed).Command, "--runs", strconv.Itoa(rest.runs)}
	if q.noStore {
		words = append(words, "--no-store")
	} else if q.store != "store" {
		words = append(words, "--store", shellWord(q.store))
	}
	fmt.Fprintf(errs, "lockstorm: stopped after %d of %d runs; what is printed is of these. For the rest:\n  %s\n"+
		"To have long work that can be resumed: %s rows or %s fuzz, with --store\n", done, q.runs, typed(strings.Join(words, " ")), program, program)
	return outcome(exitInterrupted)
}

func (q *request) tellMany(out io.Writer, t campaign.Tally, kept int) (err error) {
	m := reports.Campaign(&q.scenario, q.seed, t)
	m.Settings, m.Lockstorm = append(m.Settings, q.set...), version
	if !q.noStore {
		m.Kept = kept
	}
	if len(t.Unexpected) > 0 {
		m.Command = q.making(t.Unexpected[0]).Command
	}
	switch {
	case q.format == "json":
		_, err = out.Write(reports.JSON(m))
	case q.quiet:
		_, err = fmt.Fprintln(out, reports.CampaignSummary(m))
	case q.format == "markdown":
		_, err = io.WriteString(out, reports.CampaignMarkdown(m))
	default:
		m.Command = typed(m.Command)
		_, err = io.WriteString(out, screenFor(out, q.colour).Campaign(m))
	}
	return err
}

// keep puts a result into the store and returns its directory, which is empty when nothing is to be kept.
func (q *request) keep(r *scenarios.Result, m reports.Making) (home string, err error) {
	if q.noStore {
		return "", nil
	}
	return store(q.store, r, m)
}

// making says how the run of a seed comes about.
func (q *request) making(seed uint64) reports.Making {
	words := []string{"lockstorm", "run", shellWord(q.named), "--seed", strconv.FormatUint(seed, 10)}
	for _, s := range q.set {
		words = append(words, "--set", shellWord(s))
	}
	return reports.Making{Version: version, Source: q.named, Settings: q.set, Command: strings.Join(words, " ")}
}

// measured is making, with the bounds of the scenario measured.
func (q *request) measured(seed uint64) reports.Making {
	m := q.making(seed)
	m.Edges = campaign.Edges(&q.scenario, seed)
	return m
}

// typed gives a command as the user would type it. What is stored names the program alone.
func typed(command string) string { return program + strings.TrimPrefix(command, "lockstorm") }

// shellWord quotes a word for a shell, where it needs that. What can't be seen, or turns the direction of what follows, is
// written as its number, as bash and zsh have it: whoever copies the command sees what is in it.
func shellWord(w string) string {
	if strings.ContainsFunc(w, unseen) || !utf8.ValidString(w) {
		return "$'" + numbered(w) + "'"
	}
	if w != "" && !strings.ContainsAny(w, " \t\n'\"\\$`|&;<>()*?[]#~!{}") {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}

// unseen tells whether a letter does more, or less, than to be seen.
func unseen(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) }

// numbered writes each byte of what is not plain by its number.
func numbered(w string) string {
	var b strings.Builder
	for len(w) > 0 {
		r, n := utf8.DecodeRuneInString(w)
		if unseen(r) || r == utf8.RuneError && n == 1 || r == '\'' || r == '\\' {
			for i := range n {
				fmt.Fprintf(&b, `\x%02x`, w[i])
			}
		} else {
			b.WriteRune(r)
		}
		w = w[n:]
	}
	return b.String()
}
