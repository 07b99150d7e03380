package command

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/checker/codec"
	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/reports/ci"
	"github.com/lockstorm/lockstorm/reports/histories"
	"github.com/lockstorm/lockstorm/reports/layout"
	"github.com/lockstorm/lockstorm/reports/suites"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A checkCommand holds the flags of check.
type checkCommand struct {
	names   []string
	models  []blackbox.Model
	format  string
	input   string
	value   string
	junit   string
	failed  string
	clients int
	limit   int
	permits int
	least   time.Duration
	draw    string
	initial string
	steps   int
	memory  int
	ops     int
	list    bool
}

func newCheck() *cobra.Command {
	var t checkCommand
	c := &cobra.Command{
		Use:   "check FILE",
		Short: "Judge a history that was recorded elsewhere",
		Args: func(c *cobra.Command, args []string) error {
			if t.list && len(args) == 0 {
				return nil
			}
			return cli.One("FILE", "- is the standard input")(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if t.list {
				return cli.Print(c.OutOrStdout(), histories.Models(blackbox.Models))
			}
			if err := t.complete(c); err != nil {
				return err
			}
			return t.check(c, args[0])
		},
	}
	t.flags(c)
	return c
}

func (t *checkCommand) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringSliceVar(&t.names, "model", []string{"mutex"}, "judge under the model `NAME`; may be given more than once, or as a list with commas")
	f.BoolVar(&t.list, "list-models", false, "list the models")
	cli.FormatFlag(f, &t.format, "text", "json", "markdown")
	f.StringVar(&t.junit, "junit", "", "write a JUnit report, a case for each model, to `FILE`; - prints it, and nothing else")
	cli.ChoiceFlag(f, &t.input, "input", "", "read the file as `jsonl|json|edn`; default: by the first bytes of the file")
	cli.ChoiceFlag(f, &t.value, "value", "", "what a value that is a string names: `lock|owner|token|ignore`; default: the lock's name, refused if it can hardly be one")
	f.IntVar(&t.clients, "clients", 0, "processes that differ by a multiple of `N` are one client; without it, each is a client")
	cli.ChoiceFlag(f, &t.failed, "failed-release", "", "a failed release `holds|ends` the hold; default: holds, but ends under the lease models")
	f.IntVar(&t.limit, "limit", 2, "a client may hold a reentrant lock `N` times at once")
	f.IntVar(&t.permits, "permits", 2, "a semaphore has `N` permits")
	f.DurationVar(&t.least, "least", 0, "the leases of lease-timed last for at least this `DURATION`, such as 10s, from each grant and renewal")
	f.StringVar(&t.initial, "initial", "", "the register of cas-register has this `VALUE` at first, written as in the file; without it, none")
	f.StringVar(&t.draw, "draw", "", "write porcupine's picture of the first model that is violated to `FILE.html`")
	f.IntVar(&t.steps, "steps", 1_000_000, "a search may take `N` steps of the model; after that the verdict is unknown")
	f.IntVar(&t.memory, "memory", 256, "a search may take about `N` MiB; after that the verdict is unknown")
	f.IntVar(&t.ops, "max-ops", 1<<24, "refuse a history of more than `N` operations, of which each takes about 125 bytes")
}

func (t *checkCommand) complete(c *cobra.Command) error {
	for _, n := range [...]struct {
		flag  string
		value int
	}{{"clients", t.clients}, {"limit", t.limit}, {"permits", t.permits}, {"steps", t.steps}, {"memory", t.memory}, {"max-ops", t.ops}} {
		if n.value < 1 && c.Flags().Changed(n.flag) {
			return fmt.Errorf("--%s: %d is not positive", n.flag, n.value)
		}
	}
	switch {
	case t.junit == "-" && t.format != "text":
		return fmt.Errorf("--junit -: the report takes all of the output; leave out --format, or name a file")
	case t.memory > 1<<20:
		return fmt.Errorf("--memory: %d MiB is too much; give up to %d", t.memory, 1<<20)
	case t.least < 0:
		return fmt.Errorf("--least: %v is negative; want how long a lease lasts at the least, such as 10s", t.least)
	case t.draw != "" && filepath.Ext(t.draw) != ".html":
		return fmt.Errorf("--draw: %s does not end in .html; want the name of a page to write, such as window.html", t.draw)
	case len(t.names) == 0:
		return fmt.Errorf("--model: it names no model; see lockstorm check --list-models")
	}
	for _, name := range t.names {
		if err := t.add(strings.TrimSpace(name)); err != nil {
			return err
		}
	}
	if t.initial != "" && !slices.ContainsFunc(t.models, func(m blackbox.Model) bool { return m.Name == "cas-register" }) {
		return fmt.Errorf("--initial: only cas-register has a value at first; leave the flag out, or add --model cas-register")
	}
	return nil
}

func (t *checkCommand) add(name string) error {
	var known []string
	for _, m := range blackbox.Models {
		known = append(known, m.Name)
	}
	m, ok := blackbox.LookupModel(name)
	if !ok {
		hint := scenarios.Suggest(name, known)
		if hint == "" {
			hint = "; want one of " + strings.Join(known, ", ")
		}
		return fmt.Errorf("--model: there is no model %q%s", name, hint)
	}
	switch {
	case t.failed == "holds" && strings.HasPrefix(name, "lease"):
		return fmt.Errorf("--failed-release: to the model %s a failed release shows that the hold had ended; leave the flag out", name)
	case t.failed == "ends" && name == "plain-mutex":
		return fmt.Errorf("--failed-release: the model plain-mutex does not know whose hold a release ends; take mutex")
	case name == "lease-timed" && t.least == 0:
		return fmt.Errorf("--least: lease-timed must know how long a lease lasts at the least, such as --least 10s; take lease if it may end at any moment")
	}
	for _, before := range t.models {
		if before.Name == name {
			return fmt.Errorf("--model: %s is named twice", name)
		}
	}
	m.Clients, m.Limit, m.Permits, m.Steps, m.Memory = t.clients, t.limit, t.permits, t.steps, t.memory<<20
	m.Least = t.least
	t.models = append(t.models, m)
	return nil
}

// check reads the file, judges it, and prints the verdicts.
func (t *checkCommand) check(c *cobra.Command, file string) error {
	name := file
	if file == "-" {
		name = "stdin"
	}
	if os.Getenv("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	}
	r, err := t.read(c, file)
	if errors.Is(err, errOpen) {
		return err
	}
	var results []histories.Judged
	if err == nil {
		results, err = t.judge(r)
	}
	if err != nil {
		return fmt.Errorf("%s:%w", name, err)
	}
	text := []byte(histories.Document(name, r, results).Text(layout.Screen{}))
	switch {
	case t.junit == "-":
		text = ci.JUnit("lockstorm check", t.entries(name, r, results), nil)
	case t.format == "json":
		text = layout.JSON(histories.Describe(r, results))
	case t.format == "markdown":
		text = []byte(histories.Document(name, r, results).Markdown())
	}
	if t.junit != "" && t.junit != "-" {
		if err := os.WriteFile(t.junit, ci.JUnit("lockstorm check", t.entries(name, r, results), nil), 0o644); err != nil {
			return fmt.Errorf("--junit: the report can't be written: %w", err)
		}
	}
	if t.draw != "" { // first: a verdict that is printed must not end with the exit code of a bad argument
		if err := t.picture(c, r, results); err != nil {
			return err
		}
	}
	if err := cli.Print(c.OutOrStdout(), string(text)); err != nil {
		return err
	}
	t.writeGitHub(c, name, r, results)
	return cli.Exit(judged[histories.Worst(results)])
}

// entries are the verdicts as a pipeline reads them, one for each model.
func (t *checkCommand) entries(name string, r *codec.Recording, results []histories.Judged) (all []suites.Entry) {
	for i, m := range histories.Describe(r, results).Models {
		e := suites.Entry{Title: m.Model + " of " + name, Class: name, Name: m.Model, File: name, Verdict: scenarios.Unknown,
			Command: "lockstorm check " + cli.Quote(name) + " --model " + m.Model}
		if m.Reason != "" {
			e.Wrong = []string{strings.TrimSuffix(m.Reason, ".")}
		}
		switch results[i].Verdict {
		case checker.Holds:
			e.Verdict = scenarios.Pass
		case checker.Violated:
			e.Verdict = scenarios.Fail
		}
		all = append(all, e)
	}
	return all
}

// writeGitHub prints annotations and adds to the summary of the job, where the environment is that of GitHub's runner.
func (t *checkCommand) writeGitHub(c *cobra.Command, name string, r *codec.Recording, results []histories.Judged) {
	if os.Getenv("GITHUB_ACTIONS") != "true" {
		return
	}
	out := c.OutOrStdout()
	if t.format != "text" || t.junit == "-" {
		out = c.ErrOrStderr() // the runner reads both, and the output is a document
	}
	fmt.Fprint(out, ci.Annotations(t.entries(name, r, results)))
	addSummary(c.ErrOrStderr(), histories.Document(name, r, results).Markdown())
}

// picture draws the first model that is violated. The verdict stands without it, so a failure to draw is only noted.
func (t *checkCommand) picture(c *cobra.Command, r *codec.Recording, results []histories.Judged) error {
	for i := range results {
		if results[i].Verdict != checker.Violated {
			continue
		}
		var page bytes.Buffer
		if err := results[i].Excerpt.Draw(&page, t.models[i], r); err != nil {
			return note(c, "--draw: %s was not written: %v", t.draw, err)
		}
		if err := os.WriteFile(t.draw, page.Bytes(), 0o644); err != nil {
			return fmt.Errorf("--draw: the picture can't be written: %w", err)
		}
		return nil
	}
	return note(c, "--draw: %s was not written, for no model is violated; leave the flag out, or name another --model", t.draw)
}

func note(c *cobra.Command, format string, args ...any) error {
	_, err := fmt.Fprintf(c.ErrOrStderr(), cli.Name+": "+format+"\n", args...)
	return err
}

// gcPercent is for a history that grows and is all kept: with more, half of the memory is what it has grown out of.
const gcPercent = 50

// judged holds the exit code for each verdict on a history.
var judged = [...]int{checker.Holds: cli.AsExpected, checker.Unknown: cli.Unknown, checker.Violated: cli.NotAsExpected}

// errOpen is the error of a file that can't be opened.
var errOpen = errors.New("the history can't be read")

// read reads a history. Where the indices of a file fall, it reads it once more and puts the ops in order, which takes the
// memory of the whole file.
func (t *checkCommand) read(c *cobra.Command, file string) (*codec.Recording, error) {
	how := t.reading()
	if file == "-" {
		r, err := readPacked(c.InOrStdin(), how)
		if errors.Is(err, codec.ErrUnsorted) {
			err = fmt.Errorf("%w; a file is put in order, the standard input is not", err)
		}
		return r, err
	}
	for {
		f, err := os.Open(file)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", errOpen, err)
		}
		r, err := readPacked(f, how)
		f.Close()
		if how.Sort || !errors.Is(err, codec.ErrUnsorted) {
			return r, err
		}
		how.Sort = true
	}
}

func readPacked(in io.Reader, how codec.Reading) (*codec.Recording, error) {
	in, err := unpack(in)
	if err != nil {
		return nil, fmt.Errorf("1:1: %w", err)
	}
	return how.Read(in)
}

// judge judges a history under all models. An error has a line and column: the history was not understood.
func (t *checkCommand) judge(r *codec.Recording) (results []histories.Judged, err error) {
	for i := range t.models {
		result, err := t.hold(r, &t.models[i])
		if err != nil {
			return nil, err
		}
		results = append(results, result)
	}
	return results, nil
}

// meanings are what --value may say.
var meanings = map[string]codec.Meaning{"lock": codec.Lock, "owner": codec.Owner, "token": codec.Token, "ignore": codec.Ignored}

func (t *checkCommand) reading() codec.Reading {
	how := codec.Reading{Ops: t.ops, Value: meanings[t.value], Clients: t.clients, Initial: t.initial}
	switch t.input {
	case "edn":
		how.Syntax = codec.EDN
	case "json", "jsonl":
		how.Syntax = codec.JSON
	}
	for _, m := range t.models {
		how.Permits = how.Permits || m.Name == "semaphore"
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

// windowMost is how far back a zstd file may refer, in bytes: what its decoder keeps in memory.
const windowMost = 128 << 20

// unpack returns what a file holds, decompressed if its first bytes say that it is compressed.
func unpack(in io.Reader) (io.Reader, error) {
	b := bufio.NewReaderSize(in, 1<<16)
	magic, err := b.Peek(4)
	switch {
	case err != nil && err != io.EOF:
		return nil, fmt.Errorf("can't be read: %w", err)
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, fmt.Errorf("found gzip that can't be read: %w", err)
		}
		return z, nil
	case bytes.Equal(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(b, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(windowMost))
		if err != nil {
			return nil, fmt.Errorf("found zstd that can't be read: %w", err)
		}
		return z, nil
	}
	return b, nil
}
