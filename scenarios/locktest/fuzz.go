package locktest

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/guest"
)

// Fuzz looks for faults under which a lock breaks a promise: it draws another schedule for each seed, as the scenario's search
// says, or from all classes of faults, and shrinks what it finds to the least scenario. The promises are those that the
// scenario expects to hold.
//
// Some faults break a promise of every lock: under pauses each lock that expires breaks belief, and under held messages a late
// write breaks storage. So a promise counts as broken only if the scenario's own lock, the reference of its kind, keeps it in
// the run of the same seed. With [Promises] or [Expect] nothing is compared: then the promises must hold in each run.
//
// A find fails the test and is written beside it, as testdata/lockstorm/<test>.<find>.seed-<n>.yaml. The next time those files
// come first, each as a subtest; one that no longer breaks anything passes, and may stay as a guard. Remove it by hand.
func Fuzz(t *testing.T, pattern string, lock Constructor, options ...Option) {
	t.Helper()
	newTrial(t, pattern, own(lock), options).fuzz(t)
}

// fuzz tries what was found before, and then searches.
func (tr *trial) fuzz(t *testing.T) {
	t.Helper()
	tr.skip(t)
	tr.replay(t)
	if t.Failed() {
		return // what is known to break comes before what may
	}
	for i := range tr.scenarios {
		s := &tr.scenarios[i]
		t.Run(s.ID, func(t *testing.T) { tr.hunt(t, s) })
	}
}

// Faults sets what may go wrong in a search, by classes of faults such as "delay" or by single kinds.
func Faults(names ...string) Option {
	return Option{func(tr *trial) error {
		if _, err := faults.KindsOf(names); err != nil {
			return fmt.Errorf("Faults: %w", err)
		}
		tr.changes = append(tr.changes, func(s *scenarios.Scenario) error {
			if !s.Search.Drawn() {
				s.Search = s.DefaultSearch()
			}
			s.Search.Faults = names
			return nil
		})
		return nil
	}}
}

// hunt searches one scenario, and fails the test for each way to break a promise.
func (tr *trial) hunt(t *testing.T, s *scenarios.Scenario) {
	if !s.Search.Drawn() {
		s.Search = s.DefaultSearch()
	}
	runs := tr.runs(1000)
	h := campaign.Hunt{
		Job: &campaign.Job{Kind: "fuzz", Scenario: s, Cells: []campaign.Cell{{}}, First: 1, Runs: runs, Size: 50}, Watched: tr.watched(s),
		Shrinks:   1, // one find for each promise
		Reference: tr.reference(),
	}
	if err := h.Job.Check(); err != nil {
		t.Fatalf("locktest: %v", err)
	}
	h.Begin()
	var broke *campaign.Broken
	search := func() {
		defer func() { broke = brokenRun(recover()) }()
		h.Job.Each(runtime.GOMAXPROCS(0), h.AddAll)
	}
	if s.Hosted() {
		search()
	} else if at := guest.Beside(search, 0); at != "" { // a search may take what time it needs
		t.Fatalf("%s: unknown: in one of the runs %s\n\n%s", s.ID, neverGoesOn, ofWorld(at))
	}
	if broke != nil {
		tr.reportBroken(t, s, broke)
	}
	for i, p := range checker.Properties {
		if h.Watched.Has(i) && h.Counts[i].Violated > 0 {
			t.Errorf("%s breaks in %d of %d runs, each with another schedule%s", p.Name, h.Counts[i].Violated, runs, tr.comparison())
		}
	}
	for i := range h.Signatures {
		tr.reportFind(t, s, &h.Signatures[i], i == 0)
	}
}

// brokenRun returns the run that panicked; nil if none did.
func brokenRun(panicked any) *campaign.Broken {
	if panicked == nil {
		return nil
	}
	b, ok := panicked.(campaign.Broken)
	if !ok {
		panic(panicked)
	}
	return &b
}

// reportBroken writes the scenario of a run that panicked, and says where it did.
func (tr *trial) reportBroken(t *testing.T, s *scenarios.Scenario, b *campaign.Broken) {
	t.Helper()
	u := s.Universes().At(b.Seed)
	file := fileNamed(t.Name(), "panic", b.Seed)
	u.ID, u.Sometimes = strings.TrimSuffix(filepath.Base(file), ".yaml"), nil
	if err := write(file, u.YAML()); err != nil {
		t.Errorf("the find can't be kept: %v", err)
	}
	t.Fatalf("%s, seed %d: the run panics: %v\nIt is kept in %s\nRepeat it: %s\n\n%s", s.ID, b.Seed, b.Panic, file,
		command(replayName(t.Name(), file)), ofLock(b.Stack))
}

// reference puts the scenario's own lock into it, to compare with; nil where the test names promises that must hold anyway.
func (tr *trial) reference() campaign.Reference {
	if len(tr.promises)+len(tr.expect) > 0 {
		return nil
	}
	return func(s *scenarios.Scenario) { s.Lock.New, s.Lock.Host = nil, nil }
}

func (tr *trial) comparison() string {
	if tr.reference() == nil {
		return "; whether the scenario's own lock keeps it there was not asked, as the test names promises"
	}
	return "; the scenario's own lock keeps it in each of them"
}

// watched is the set of promises that must hold.
func (tr *trial) watched(s *scenarios.Scenario) (all campaign.Set) {
	for i, p := range checker.Properties {
		if tr.judged(p.Name) && tr.expected(s, p.Name) == checker.Holds {
			all |= 1 << i
		}
	}
	return all
}

// reportFind writes the least scenario of a find, and says where. The first has a report.
func (tr *trial) reportFind(t *testing.T, s *scenarios.Scenario, g *campaign.Signature, first bool) {
	t.Helper()
	least := g.Counterexample("locktest.Fuzz in " + t.Name())
	file := fileName(t.Name(), g)
	least.ID, least.Sometimes = strings.TrimSuffix(filepath.Base(file), ".yaml"), nil
	for i := range least.Expect {
		e := &least.Expect[i]
		e.Verdict = tr.expected(s, e.Property)
	}
	if err := write(file, least.YAML()); err != nil {
		t.Errorf("the find can't be kept: %v", err)
	}
	repeat := command(replayName(t.Name(), file))
	if !first {
		t.Logf("%s, first seen with seed %d, shrunk and kept in %s\nRepeat it: %s", strings.TrimSuffix(least.Title, "."), g.First, file, repeat)
		return
	}
	res := scenarios.Run(least, g.Least.Seed)
	tr.keep(t, res)
	t.Logf("%s, first seen with seed %d, shrunk and kept in %s\n\n%s", strings.TrimSuffix(least.Title, "."), g.First, file, text(res, repeat))
}

func write(file string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, content, 0o644)
}

// folder is where finds are kept, beside the test.
const folder = "testdata/lockstorm"

// fileName names the file of a find: for the test, for what breaks under which faults, and for the seed.
func fileName(test string, g *campaign.Signature) string {
	return fileNamed(test, g.Name(), g.Least.Seed)
}

func fileNamed(test, find string, seed uint64) string {
	test, _, _ = strings.Cut(test, "/")
	return folder + "/" + test + "." + find + ".seed-" + strconv.FormatUint(seed, 10) + ".yaml"
}

// replayName names the subtest that a find has the next time.
func replayName(test, file string) string {
	test, _, _ = strings.Cut(test, "/")
	return test + "/" + filepath.Base(file)
}

// seedIn finds the seed in the name of a file.
var seedIn = regexp.MustCompile(`\.seed-(\d+)\.yaml$`)

// replay makes a subtest of each find that was kept.
func (tr *trial) replay(t *testing.T) {
	t.Helper()
	files, _ := filepath.Glob(folder + "/" + t.Name() + ".*.yaml")
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { tr.replayOne(t, file) })
	}
}

func (tr *trial) replayOne(t *testing.T, file string) {
	found, err := readFiles(file)
	digits := seedIn.FindStringSubmatch(filepath.ToSlash(file))
	switch {
	case err != nil:
		t.Fatal(err)
	case digits == nil:
		t.Fatalf("%s does not say its seed: its name should end in .seed-1.yaml, with the seed in place of 1", file)
	}
	seed, _ := strconv.ParseUint(digits[1], 10, 64)
	s := found[0]
	if err := tr.put(&s); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	r := scenarios.NewRunner()
	defer tr.close(r)
	other := scenarios.NewRunner()
	defer other.Close()
	res := tr.runSeed(t, r, &s, seed)
	for _, f := range res.Findings {
		if f.Verdict == checker.Violated && tr.mustHold(f.Property) && tr.reference().Keeps(other, s, seed, f.Property) {
			r.Repeat(res)
			tr.keep(t, res)
			t.Fatalf("%s is violated, as it was when this was found\n\n%s", f.Property, text(res, command(t.Name())))
		}
	}
}

// mustHold reports whether any of the scenarios that are searched expects a property to hold.
func (tr *trial) mustHold(property string) bool {
	for i := range tr.scenarios {
		if tr.judged(property) && tr.expected(&tr.scenarios[i], property) == checker.Holds {
			return true
		}
	}
	return false
}
