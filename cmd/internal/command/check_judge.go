package command

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/checker/codec"
	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/reports/histories"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/reports/suites"
	"github.com/lockstorm/lockstorm/scenarios"
)

// ofJepsen has the model that judges a workload of Jepsen's suites for Hazelcast and etcd, or has their model's place.
var ofJepsen = map[string]string{
	"lock": "plain-mutex", "lock-no-quorum": "plain-mutex",
	"non-reentrant-cp-lock": "mutex", "OwnerAwareMutex": "mutex",
	"reentrant-cp-lock": "reentrant-mutex", "ReentrantMutex": "reentrant-mutex",
	"non-reentrant-fenced-lock": "fenced-mutex", "FencedMutex": "fenced-mutex",
	"reentrant-fenced-lock": "reentrant-fenced-mutex", "ReentrantFencedMutex": "reentrant-fenced-mutex",
	"cp-semaphore": "semaphore", "AcquiredPermitsModel": "semaphore",
	"cp-cas-long": "cas-register --initial 0", "cp-cas-reference": "cas-register --initial 0",
}

func (t *checkCommand) add(name string) error {
	m, ok := blackbox.LookupModel(name)
	if model := ofJepsen[name]; !ok && model != "" {
		return fmt.Errorf("--model: there is no model %q; for that of Jepsen choose --model %s", name, model)
	}
	if !ok {
		var known []string
		for _, m := range blackbox.Models {
			known = append(known, m.Name)
		}
		hint := faults.Suggest(name, known)
		if hint == "" {
			hint = "; want one of " + strings.Join(known, ", ")
		}
		return fmt.Errorf("--model: there is no model %q%s", name, hint)
	}
	switch {
	case t.failed == "holds" && strings.HasPrefix(name, "lease"):
		return fmt.Errorf("--failed-release: under %s, a failed release shows that the hold had ended; leave "+
			"the flag out",
			name)
	case t.failed == "ends" && name == "plain-mutex":
		return fmt.Errorf("--failed-release: plain-mutex doesn't know whose hold a release ends; choose mutex")
	case name == "lease-timed" && t.least == 0:
		return fmt.Errorf("--least: lease-timed needs the minimum length of a lease; give one such as --least 10s; " +
			"or choose lease, if it may end at any moment")
	case t.judges(name):
		return fmt.Errorf("--model: %s is there twice; name it once", name)
	}
	m.Clients, m.Limit, m.Permits, m.Steps, m.Memory = t.clients, t.limit, t.permits, t.steps, t.memory<<20
	m.Least = t.least
	t.models = append(t.models, m)
	return nil
}

// judges reports whether a model is among those to judge under.
func (t *checkCommand) judges(model string) bool {
	return slices.ContainsFunc(t.models, func(m blackbox.Model) bool { return m.Name == model })
}

// clientsBeside returns the number of clients of a history that a run of Lockstorm left: its scenario is in the same
// directory, and result.json has what the seed chose. It returns 0 for any other history.
func clientsBeside(history string) int {
	dir, name := filepath.Split(history)
	result, err := os.ReadFile(filepath.Join(dir, "result.json"))
	if err != nil || name != "history.jsonl" && name != "history.edn" {
		return 0
	}
	file := filepath.Join(dir, "scenario.yaml")
	text, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	s, _ := scenarios.Parse(file, text)
	if run, err := runs.Parse("result.json", result); err != nil || s.SetAll(run.Drawn) != nil {
		return 0 // it is of another version
	}
	return s.Clients
}

// hint notes that a violation may come from the number of clients, where the user didn't set it.
func (t *checkCommand) hint(c *cobra.Command, name string, h checker.History, worst checker.Verdict) error {
	if t.clients > 0 || worst != checker.Violated || !renumbered(h) {
		return nil
	}
	return note(c, "%s: an operation of unknown outcome ended one process, and another came after; if they are the "+
		"same client, which continues under a new number as in Jepsen, say how many clients there are: --clients N", name)
}

// renumbered reports whether a process may be another under a new number: its first operation comes after one of
// unknown outcome, with which the other ended.
func renumbered(h checker.History) bool {
	last := map[int]int{}
	for i, o := range h {
		last[o.Process] = i
	}
	seen, ended := map[int]bool{}, false
	for i, o := range h {
		if !seen[o.Process] && ended {
			return true
		}
		seen[o.Process] = true
		ended = ended || o.Type == checker.Info && last[o.Process] == i
	}
	return false
}

// gcPercent is low because a loaded history is never garbage: a higher value would double the peak of memory.
const gcPercent = 50

// judged holds the exit code for each verdict on a history.
var judged = [...]int{checker.Holds: cli.AsExpected, checker.Unknown: cli.Unknown, checker.Violated: cli.NotAsExpected}

// judge judges a history under all models. An error has a line and column: the history was not understood.
func (t *checkCommand) judge(r *codec.Recording) (results []histories.Judged, err error) {
	for _, m := range t.models {
		result, err := t.hold(r, &m)
		if err != nil {
			return nil, err
		}
		results = append(results, result)
	}
	return results, nil
}

// meanings are what --value may say.
var meanings = map[string]codec.Meaning{"lock": codec.Lock, "owner": codec.Owner, "token": codec.Token,
	"ignore": codec.Ignored}

func (t *checkCommand) reading() codec.Reading {
	how := codec.Reading{
		Ops: t.ops, Value: meanings[t.value], Clients: t.clients, Initial: t.initial, Permits: t.judges("semaphore"),
	}
	switch t.input {
	case "edn":
		how.Syntax = codec.EDN
	case "json", "jsonl":
		how.Syntax = codec.JSON
	}
	return how
}

// hold judges a history under one model, adapted to --failed-release.
func (t *checkCommand) hold(r *codec.Recording, m *blackbox.Model) (histories.Judged, error) {
	if err := m.Suits(r); err != nil {
		return histories.Judged{}, err
	}
	h := r.History
	m.Initial = r.Initial
	if len(r.Owners) > 0 {
		m.Clients = len(r.Owners)
	}
	if t.failed == "ends" {
		h, *m = m.EndFailedReleases(h)
	}
	result := blackbox.Linearizable(h, *m)
	if result.Err == nil {
		return histories.Judged{Result: result, Excerpt: blackbox.Minimize(h, *m, result)}, nil
	}
	var i int
	if n, _ := fmt.Sscanf(result.Err.Error(), "index %d:", &i); n == 1 && i >= 0 && i < len(h) {
		_, says, _ := strings.Cut(result.Err.Error(), ": ")
		return histories.Judged{}, r.Locate(i, says)
	}
	return histories.Judged{}, fmt.Errorf("1:1: %w", result.Err)
}

func entriesOf(name string, r *codec.Recording, results []histories.Judged) []suites.Entry {
	return histories.Entries(name, "lockstorm check "+cli.Quote(name), r, results)
}

func note(c *cobra.Command, format string, args ...any) error {
	_, err := fmt.Fprintf(c.ErrOrStderr(), cli.Name+": "+format+"\n", args...)
	return err
}

func (t *checkCommand) complete(c *cobra.Command, history string) error {
	if n := clientsBeside(history); n > 0 && !c.Flags().Changed("clients") {
		t.clients = n
	}
	for _, n := range [...]struct {
		flag  string
		value int
	}{{"clients", t.clients}, {"limit", t.limit}, {"permits", t.permits}, {"steps", t.steps}, {"memory", t.memory},
		{"max-ops", t.ops}} {
		if n.value < 1 && c.Flags().Changed(n.flag) {
			return fmt.Errorf("--%s: %d is not positive", n.flag, n.value)
		}
	}
	switch {
	case t.junit == "-" && t.format != "text":
		return fmt.Errorf("--junit -: the report is the whole output; leave out --format, or name a file")
	case t.memory > 1<<20:
		return fmt.Errorf("--memory: %d MiB is too much; give up to %d", t.memory, 1<<20)
	case t.least < 0:
		return fmt.Errorf("--least: %v is negative; give the minimum length of a lease, such as 10s", t.least)
	case len(t.names) == 0:
		return fmt.Errorf("--model: the model is missing; lockstorm check --list-models lists them")
	}
	for _, name := range t.names {
		if err := t.add(strings.TrimSpace(name)); err != nil {
			return err
		}
	}
	if t.initial != "" && !t.judges("cas-register") {
		return fmt.Errorf("--initial: only cas-register has an initial value; leave the flag out, or add --model " +
			"cas-register")
	}
	return nil
}

// report prints the verdicts, and writes the other outputs that the flags ask for.
func (t *checkCommand) report(c *cobra.Command, name string, r *codec.Recording,
	results []histories.Judged) (err error) {
	entries := entriesOf(name, r, results)
	junit, d := suites.JUnit("lockstorm check", entries, nil), histories.Document(name, r, results)
	worst := histories.Worst(results)
	if err := cmp.Or(t.junit.Clear("--junit"), t.junit.Write("--junit", junit)); err != nil {
		return err
	}
	if t.junit == "-" {
		err = cli.Print(c.OutOrStdout(), string(junit))
	} else {
		err = cli.Write(c.OutOrStdout(), d, t.format, false)
	}
	if err != nil {
		return err
	}
	if err := t.hint(c, name, r.History, worst); err != nil {
		return err
	}
	store.WriteGitHub(c.OutOrStdout(), c.ErrOrStderr(), t.format == "text" && t.junit != "-", suites.Annotations(entries), d.Markdown())
	return cli.Exit(judged[worst])
}
