package locktest

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/internal/stuck"
	"github.com/lockstorm/lockstorm/scenarios/locks"
)

// A Constructor makes one client's lock, whenever a client starts. Several goroutines may call it in parallel.
type Constructor = func(locks.Config) locks.Lock

// Run runs a lock under scenarios with some seeds, as subtests named by scenario and seed. The pattern is the ID of a
// scenario of the catalogue, a pattern such as "kleppmann/*", or the name of a file or a pattern of files.
func Run(t *testing.T, pattern string, lock Constructor, options ...Option) {
	t.Helper()
	tr := newTrial(t, pattern, own(lock), options)
	tr.noTTLs(t)
	tr.run(t)
}

func (tr *trial) run(t *testing.T) {
	tr.skip(t)
	for _, s := range tr.scenarios {
		t.Run(s.ID, func(t *testing.T) { tr.runSeeds(t, s) })
	}
	tr.mustHaveTried(t)
}

func (tr *trial) pass(t *testing.T, why string) {
	t.Helper()
	tr.passed = append(tr.passed, unfit{t.Name(), why})
	t.Skip(why)
}

// mustHaveTried fails a test whose every scenario was skipped: it would be green whatever the lock is.
func (tr *trial) mustHaveTried(t *testing.T) {
	t.Helper()
	if tr.tried == 0 && len(tr.passed) > 0 && asked() == 0 && !t.Failed() {
		t.Errorf("locktest: nothing was tried, for each scenario was skipped, such as %s: %s; name one that the lock can be in",
			tr.passed[0].id, tr.passed[0].why)
	}
}

// skip makes a subtest of each scenario that the lock can't be in, for its reason.
func (tr *trial) skip(t *testing.T) {
	for _, u := range tr.unfit {
		t.Run(u.id, func(t *testing.T) { tr.pass(t, u.why) })
	}
}

func (tr *trial) runSeeds(t *testing.T, s scenarios.Scenario) {
	r := scenarios.NewRunner()
	defer tr.close(r)
	if why := tr.lacks(t, r, &s); why != "" {
		tr.pass(t, why)
	}
	tr.loosen(r, &s)
	c := course{stories: map[string]uint64{}}
	for seed := range uint64(tr.runs(20)) {
		tr.subtest(t, r, &s, seed+1, &c)
	}
	if extra := asked(); extra > uint64(tr.runs(20)) {
		tr.subtest(t, r, &s, extra, &c)
	} else if c.bug > 0 {
		tr.subtest(t, r, &s, c.bug, &c)
	}
	if c.proofs == 0 {
		tr.pass(t, "no seed proves anything: see each")
	}
	tr.tried++
}

// wholeReports is how many failures a test reports whole: a lock that breaks in most scenarios would print thousands of lines.
const wholeReports = 3

// A course is what the seeds of one scenario have shown so far.
type course struct {
	stories map[string]uint64 // what went wrong, and with which seed first: each is reported once
	proofs  int               // seeds that were judged
	looked  bool              // whether more seeds break a promise
	bug     uint64            // the first that does; 0 for none
}

func (tr *trial) subtest(t *testing.T, r *scenarios.Runner, s *scenarios.Scenario, seed uint64, c *course) {
	t.Run("seed="+strconv.FormatUint(seed, 10), func(t *testing.T) { tr.judge(t, r, s, seed, c) })
	if tr.stuck == r {
		t.FailNow()
	}
}

func (tr *trial) close(r *scenarios.Runner) {
	if tr.stuck != r {
		r.Close()
	}
}

// judge makes one run, and fails the test if it is wrong. It skips one that proves nothing, if a client had the lock.
func (tr *trial) judge(t *testing.T, r *scenarios.Runner, s *scenarios.Scenario, seed uint64, c *course) {
	t.Helper()
	res := tr.runSeed(t, r, s, seed)
	if seed == 1 && !s.Hosted() {
		res = tr.runAgain(t, r, res)
	}
	wrong, lacks := tr.wrong(res), missing(res)
	if isLate(res) {
		wrong = append(wrong, lateGrant(res))
	} else {
		wrong = append(wrong, tooLate(res, lacks)...)
	}
	if len(wrong) == 0 && len(lacks) > 0 && len(res.Evidence.Holds) > 0 {
		tr.proveNothing(t, r, s, lacks, c)
		return
	}
	c.proofs++
	if len(lacks) > 0 {
		wrong = append(wrong, neverHappened(lacks))
	}
	if len(wrong) == 0 {
		tr.logBetter(t, res)
		return
	}
	wrong = append(wrong, tr.planted(res)...)
	r.Repeat(res)
	tr.keep(t, res)
	story := strings.Join(wrong, "\n")
	if before, told := c.stories[story]; told {
		t.Errorf("as with seed %d", before)
		return
	}
	whole := len(c.stories) == 0 && tr.told < wholeReports
	if t.Error(failed(t.Name(), res, wrong, whole)); whole {
		tr.told++
	}
	c.stories[story] = seed
}

// runAgain repeats a run, and ends the test if it differs: then no seed repeats anything.
func (tr *trial) runAgain(t *testing.T, r *scenarios.Runner, res *scenarios.Result) *scenarios.Result {
	t.Helper()
	s, seed, hash := res.Scenario, res.Seed, res.Hash()
	if res = tr.runSeed(t, r, s, seed); res.Hash() != hash {
		t.Fatalf("%s, seed %d: made twice, the run is not the same: the lock, or a server of yours, uses a clock, chance, a goroutine "+
			"or the order of a map, and a run must be a pure function of scenario and seed", s.ID, seed)
	}
	return res
}

// proveNothing skips a seed with which what the scenario is about did not happen. Whether that is because the lock has
// the very bug that the scenario warns of, more seeds may show.
func (tr *trial) proveNothing(t *testing.T, r *scenarios.Runner, s *scenarios.Scenario, lacks []string, c *course) {
	t.Helper()
	if !c.looked {
		c.looked = true
		c.bug, _ = tr.findBug(t, r, s)
	}
	if c.bug > 0 {
		t.Skipf("%s; but see seed %d, with which a promise breaks", neverHappened(lacks), c.bug)
	}
	t.Skip(neverHappened(lacks))
}

// runSeed makes one run. A panic in the lock's code fails the test, and so does a lock that hangs.
func (tr *trial) runSeed(t rapid.TB, r *scenarios.Runner, s *scenarios.Scenario, seed uint64) (res *scenarios.Result) {
	t.Helper()
	var broke any
	tr.watched(t, r, s, seed, func() {
		defer func() { broke = recover() }()
		res = r.Run(s, seed)
	})
	switch {
	case broke != nil:
		t.Fatalf("%s, seed %d: the run panics: %v\n\n%s", s.ID, seed, broke, ofLock(r.PanicStack()))
	case res == nil:
		t.Fatalf("%s, seed %d: unknown: the lock ended the goroutine in which it ran", s.ID, seed)
	case res.Failure != "":
		t.Errorf("%s, seed %d: unknown: %s", s.ID, seed, res.Failure)
	}
	return res
}

// watched calls run, and ends the test if the lock hangs.
func (tr *trial) watched(t rapid.TB, r *scenarios.Runner, s *scenarios.Scenario, seed uint64, run func()) {
	t.Helper()
	if s.Hosted() {
		run() // a guest is watched in its bubble
	} else if at := stuck.Beside(run, stuck.Patience); at != "" {
		tr.stuck = r
		t.Fatalf("%s, seed %d: unknown: %s\n\n%s", s.ID, seed, neverGoesOn, ofWorld(at))
	}
}

// neverGoesOn is what is wrong with a lock that waits for anything but its Client.
const neverGoesOn = "the lock never continues; it must wait only through its Client, not through Go's channels, mutexes or sleeps"

// ofWorld returns of a stack what the lock did, up to where the workload called it.
func ofWorld(stack string) string {
	frames, _, _ := strings.Cut(stack, "\ngithub.com/lockstorm/lockstorm/scenarios.")
	return frames
}

// ofLock returns what of a panic's stack is of the lock: from the panic to where the workload called.
func ofLock(stack []byte) string {
	_, frames, _ := strings.Cut(string(stack), "\npanic(")
	_, frames, _ = strings.Cut(frames, ".go:")
	_, frames, found := strings.Cut(frames, "\n")
	if !found {
		return string(stack)
	}
	return strings.TrimPrefix(ofWorld("\n"+frames), "\n")
}

func (tr *trial) wrong(res *scenarios.Result) (all []string) {
	for _, f := range res.Findings {
		want := tr.expected(res.Scenario, f.Property)
		switch {
		case f.Verdict == want, !tr.judged(f.Property), tr.loose[res.Scenario.ID][f.Property] && !tr.exact(f.Property):
		case f.Verdict == checker.Holds && !tr.exact(f.Property): // it is better than the reference
		default:
			all = append(all, f.Property+" should "+verb[want]+", and "+outcome[f.Verdict])
		}
	}
	if tr.breaks(res, "quorum") && unseenIn(res) {
		all = append(all, unseenKey(res))
	}
	return append(all, serversHint(res)...)
}

var (
	verb    = [...]string{checker.Holds: "hold", checker.Unknown: "be unknown", checker.Violated: "be violated"}
	outcome = [...]string{checker.Holds: "holds", checker.Unknown: "is unknown", checker.Violated: "is violated"}
)

// logBetter names the promises that the reference breaks here and the lock keeps.
func (tr *trial) logBetter(t *testing.T, res *scenarios.Result) {
	for _, f := range res.Findings {
		if f.Verdict == checker.Holds && res.Scenario.Expected(f.Property) == checker.Violated {
			t.Logf("%s holds here, though the scenario's own lock breaks it", f.Property)
		}
	}
}

// serversHint describes what is probably wrong where a lock uses one server and is judged by a majority.
func serversHint(res *scenarios.Result) []string {
	broken := slices.ContainsFunc(res.Findings, func(f checker.Finding) bool {
		return f.Property == "quorum" && f.Verdict == checker.Violated
	})
	if !broken || len(res.Evidence.Lanes) < 2 || keysOnOneNode(res.Evidence) < 0 {
		return nil
	}
	return []string{"the lock had its keys on one node alone, and is judged by a majority of " +
		strconv.Itoa(len(res.Evidence.Lanes)) +
		`: if it is made for one server, give locktest.On("single")`}
}

// keysOnOneNode returns the only node that ever had a key; -1 if there are more, or none.
func keysOnOneNode(e *checker.Evidence) int {
	node := -1
	for _, k := range e.Keys {
		if node >= 0 && k.Lane != node {
			return -1
		}
		node = k.Lane
	}
	return node
}
