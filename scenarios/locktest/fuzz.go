package locktest

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/internal/stuck"
)

// Fuzz looks for faults under which a lock breaks a promise that it must keep. Each seed draws another universe, with
// another schedule and other settings: as the scenario's search says, or from all classes of faults.
//
// A lock must keep what its kind keeps. The catalogue's lock of that kind is the reference. A promise counts in a
// universe only if the reference never broke it under such faults, in the many universes that promises.txt was measured
// in. Under pauses, for example, each lock that expires breaks belief, so no lock must keep it there. A promise that
// the scenario expects to break does not count either.
//
// A lock that can be extended, or keeps what it holds alive by itself, is searched in X/renewed too where the pattern
// names X/any: there work takes longer than the TTL.
//
// For every eight universes there is one more, which pauses or suspends clients in the first moments of an attempt or
// an extension. Only there does it show what a lock forgets between a request and its answer.
//
// A universe that breaks a promise is shrunk to the smallest that breaks it often. That is run again with 200 other
// seeds, and with 2,000 for the reference. It is reported only if the lock breaks the promise there markedly more often
// than the reference, by Fisher's exact test. The level is such that at most one in 1,000 searches of right locks
// reports anything.
//
// What a user-defined kind must keep was never measured. Without these options, belief, fenced and tokens are judged
// there, under faults under which single keeps them, or redlock where the lock asks several nodes. One run is enough.
//
// With [Everything], [Promises] or [Expect] the named promises must hold in each run, whatever the reference does
// there. The same counts are made, and the failure explains them.
//
// A violation found fails the test and is written next to it, as testdata/lockstorm/<test>.<find>.seed-<n>.find. The
// next run of the test tries those files first, each as a subtest and in the same way. A file that no longer breaks
// anything passes, and can stay as a guard; remove it by hand. The command in the failure repeats the violation alone,
// on any machine, without its file.
func Fuzz(t *testing.T, pattern string, lock Constructor, options ...Option) {
	t.Helper()
	tr := newTrial(t, pattern, own(lock), options)
	tr.addRenewed()
	tr.fuzz(t)
	tr.tryTTLs(t, lock, options)
}

// addRenewed adds to each search X/any, where work ends within the TTL, the search X/renewed, where it outlasts the
// TTL. It is for locks that can be extended.
func (tr *trial) addRenewed() {
	tr.extended = len(tr.scenarios)
	for _, s := range slices.Clone(tr.scenarios) {
		renewed, ok := scenarios.Find(strings.TrimSuffix(s.ID, "/any") + "/renewed")
		there := slices.ContainsFunc(tr.scenarios, func(o scenarios.Scenario) bool { return o.ID == renewed.ID })
		if ok && !there && tr.prepare(&renewed) == nil {
			tr.scenarios = append(tr.scenarios, renewed)
		}
	}
}

// fuzz tries earlier findings, and then searches. If the environment has a finding, it tries only that.
func (tr *trial) fuzz(t *testing.T) {
	t.Helper()
	tr.test = t.Name()
	if text := os.Getenv(findVariable); text != "" {
		tr.repeat(t, text)
		return
	}
	tr.skip(t)
	tr.replay(t)
	if t.Failed() {
		return // what is known to break comes before what may
	}
	for i := range tr.scenarios {
		s := &tr.scenarios[i]
		if tr.extended > 0 && i >= tr.extended && !tr.skill.extends() {
			break
		}
		t.Run(s.ID, func(t *testing.T) { tr.hunt(t, s) })
	}
	tr.mustHaveTried(t)
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

// hunt searches one scenario, and fails the test for each way to break what the lock must keep.
func (tr *trial) hunt(t *testing.T, s *scenarios.Scenario) {
	t.Helper()
	r := scenarios.NewRunner()
	defer tr.close(r)
	if why := tr.lacks(t, r, s); why != "" {
		tr.pass(t, why)
	}
	tr.tried++
	if !s.Search.Drawn() {
		s.Search = s.DefaultSearch()
	}
	h := tr.newSearch(s)
	h.begin()
	var finds, cleared []found
	broke := tr.guarded(t, h, func() {
		h.run(tr.runs(1000))
		finds, cleared = h.judge()
	})
	tr.reportBroken(t, h, broke)
	if why := tr.unseen(t, r, s, finds); why != "" {
		t.Fatalf("%s: unknown: %s", s.ID, why)
	}
	tr.logOwed(t, h)
	if slices.Max(h.owed) > 0 && slices.Equal(h.owed, h.unknown) {
		calm := calmed(*s)
		tr.runSeed(t, r, &calm, 1) // it says why, unless a fault is the reason
		t.Fatalf("%s: unknown: in no universe is it known whether a promise holds", s.ID)
	}
	logScripts(t, r, s)
	for _, f := range cleared {
		t.Logf("no find, though seed %d of the search breaks something:\n%s", f.first, h.told(&f))
	}
	for i := range finds {
		tr.report(t, h, &finds[i], i == 0)
	}
	tr.reportLate(t, h)
}

// newSearch returns the search of a scenario with the lock. If the user's own kind of lock promises nothing by name, the
// search watches what any lock must keep.
func (tr *trial) newSearch(s *scenarios.Scenario) *search {
	h := &search{scenario: s, ledger: ledgers[s.Lock.Kind.String()], reference: withReference}
	for i, p := range s.Promises() {
		if !tr.judged(p.Name) || tr.expected(s, p.Name) != checker.Holds {
			continue
		}
		h.watched |= 1 << i
		if tr.everything || len(tr.promises) > 0 || tr.exact(p.Name) {
			h.named |= 1 << i
		}
	}
	h.always = h.named
	if s.Lock.Kind.Added() && h.named == 0 {
		h.ledger = ledgers[nearest(s).String()]
		for i, p := range checker.Properties {
			if h.watched.Has(i) && slices.Contains([]string{"belief", "fenced", "tokens"}, p.Name) {
				h.named |= 1 << i
			}
		}
		h.watched = h.named
	}
	return h
}

// guarded calls do, which runs scenarios, and returns the run that panicked, if any. A lock that hangs ends the test.
func (tr *trial) guarded(t rapid.TB, h *search, do func()) (broke *campaign.Broken) {
	t.Helper()
	guarded := func() {
		defer func() { broke = brokenRun(recover()) }()
		do()
	}
	if h.scenario.Hosted() {
		guarded()
	} else if at := stuck.Beside(guarded, 0); at != "" { // a search may take what time it needs
		t.Fatalf("%s: unknown: in one of the runs %s\n\n%s", h.scenario.ID, neverGoesOn, ofWorld(at))
	}
	return broke
}

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

// reportBroken writes the universe of a run that panicked, and says where it did; nil is none.
func (tr *trial) reportBroken(t *testing.T, h *search, b *campaign.Broken) {
	t.Helper()
	if b == nil {
		return
	}
	u := h.in(b.Seed)
	_, lines := tr.write(t, h, u, b.Seed, "panic", []string{fmt.Sprintf("The run panics: %v", b.Panic)})
	t.Fatalf("%s, seed %d: the run panics: %v\n%s\n\n%s", h.scenario.ID, b.Seed, b.Panic, lines, ofLock(b.Stack))
}

// logScripts logs which scripts of the lock are interpreted, as far as one run without faults shows.
func logScripts(t *testing.T, r *scenarios.Runner, s *scenarios.Scenario) {
	t.Helper()
	if s.Hosted() {
		return
	}
	calm := calmed(*s)
	scripts, alone := r.Run(&calm, 1).Interpreted()
	for _, script := range scripts {
		t.Logf("a script is interpreted, which makes a search some twice as long; one that differs from those of well-known "+
			"libraries in blanks, quotes and comments alone is not:\n%s", script)
	}
	for _, script := range alone {
		t.Logf("this script uses what could change Lua for other scripts, such as _G, loadstring or coroutines, so each call costs "+
			"a new Lua machine, which makes a search some 50 times as long:\n%s", script)
	}
}

func (tr *trial) logOwed(t *testing.T, h *search) {
	t.Helper()
	var b strings.Builder
	fmt.Fprintf(&b, "%d universes; judged:", h.runs)
	for i, p := range checker.Properties {
		if h.watched.Has(i) {
			fmt.Fprintf(&b, " %s in %d", p.Name, h.owed[i])
			if h.unknown[i] > 0 {
				fmt.Fprintf(&b, " (%d unknown)", h.unknown[i])
			}
		}
	}
	t.Log(b.String())
}

// report fails the test for a violation found, and writes it. The first has a report of its run.
func (tr *trial) report(t *testing.T, h *search, f *found, first bool) {
	t.Helper()
	var names, breaks []string
	hit := f.broken(h.named)
	for i, p := range checker.Properties {
		if hit.Has(i) {
			names = append(names, p.Name)
			breaks = append(breaks, fmt.Sprintf("%s breaks in %d of %d universes in which it must hold, of %d in all",
				p.Name, h.broke[i], h.owed[i], h.runs))
		}
	}
	origin := fmt.Sprintf("seed %d of the search drew it with %d faults; it was shrunk in %d runs", f.first, f.from,
		f.shrunk)
	remarks := append([]string{strings.Join(names, ", ") + " " + breaksUnder(f) + ": " + origin + "."},
		strings.Split(strings.TrimSpace(h.told(f)), "\n")...)
	name := strings.Join(append([]string{names[0]}, campaign.KindsOf(f.universe.Faults).Words()...), "-")
	repeat, lines := tr.write(t, h, &f.universe, f.seed, name, remarks)
	said := strings.Join(breaks, "\n") + "\n" + remarks[0] + "\n" + h.told(f) + lines
	if !first {
		t.Error(said)
		return
	}
	res := scenarios.Run(f.universe, f.seed)
	tr.keep(t, res)
	t.Errorf("%s\n\n%s", said, reportOf(res, repeat))
}

func namesOf(all campaign.Set) (names []string) {
	for i, p := range checker.Properties {
		if all.Has(i) {
			names = append(names, p.Name)
		}
	}
	return names
}

func breaksUnder(f *found) string {
	if words := campaign.KindsOf(f.universe.Faults).Words(); len(words) > 0 {
		return "under " + strings.Join(words, " and ")
	}
	return "without any fault"
}

// write keeps a universe with the test. It returns the command that repeats it, and a text with both.
func (tr *trial) write(
	t rapid.TB, h *search, u *scenarios.Scenario, seed uint64, name string, remarks []string,
) (repeat, said string) {
	t.Helper()
	lines, err := written(u, cmp.Or(tr.base, h.scenario), seed)
	file := fileNamed(tr.test, name, seed) + suffix
	if err == nil {
		err = keepFind(file, remarks, lines)
	}
	where := "It is kept in " + file
	if err != nil {
		t.Errorf("the find can't be kept: %v", err)
		where = "No file has it"
	}
	repeat = repeatCommand(tr.test, lines)
	return repeat, where + ":\n    " + strings.Join(lines, "\n    ") + "\nRepeat it anywhere: " +
		repeat
}

func (tr *trial) replay(t *testing.T) {
	t.Helper()
	for _, file := range keptFinds(tr.test) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			u, seed, err := tr.readUniverse(file)
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			tr.retry(t, &u, seed)
		})
	}
}

// repeat tries the find of the environment: the find itself, or a file's name.
func (tr *trial) repeat(t *testing.T, text string) {
	t.Helper()
	u, seed, err := tr.readUniverse(text)
	if err != nil {
		t.Fatalf("%s: %v", findVariable, err)
	}
	tr.retry(t, &u, seed)
}

// retry fails the test if a lock still breaks a promise in a finding's universe. It judges as a search does.
func (tr *trial) retry(t *testing.T, u *scenarios.Scenario, seed uint64) {
	t.Helper()
	from := u
	for i := range tr.scenarios {
		if tr.scenarios[i].ID == u.ID {
			from = &tr.scenarios[i]
		}
	}
	h := tr.newSearch(from)
	h.universe = u
	r := scenarios.NewRunner()
	defer tr.close(r)
	res := tr.runSeed(t, r, u, seed)
	if isLate(res) {
		t.Fatalf("it still breaks as when it was found: %s\n\n%s", lateGrant(res), reportOf(res, command(t.Name())))
	}
	f := found{universe: *u, seed: seed}
	tr.reportBroken(t, h, tr.guarded(t, h, func() { f.promises = h.compare(u, seed, count(h.requires(u))) }))
	names := namesOf(f.broken(h.named))
	if len(names) == 0 {
		if len(f.promises) > 0 {
			t.Logf("no find:\n%s", h.told(&f))
		}
		return
	}
	r.Repeat(res)
	tr.keep(t, res)
	repeat := command(t.Name())
	if lines, err := written(u, from, seed); err == nil {
		repeat = repeatCommand(tr.test, lines)
	}
	t.Fatalf("%s: it still breaks as when it was found\n%s\n%s", strings.Join(names, ", "), h.told(&f),
		reportOf(res, repeat))
}
