package scenarios_test

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/sim/storage"
)

// The simulator knows when each hold began and when its release was called. Here these points are replayed, pair by
// pair, and must agree with the judgement of the history alone, which says only when clients asked and were answered.
//
// In a run, each hold has one acquire that its client learned of, and at most one release, of unknown outcome perhaps.
// So, as a mutex, the history has an order if and only if no two holds overlap, each from the ok of its acquire to the
// invoke of its release, or to the end if there is none. This is checked for every run, both ways.
//
// Belief differs from it in three ways only. It ends when the client stops, which may be before it calls release. It
// ends with a crash, after which the client calls no release. And it uses true time, where intervals that touch do not
// overlap, while a history has an order. All three make beliefs shorter. So where belief is violated the mutex is;
// without a crash, an early stop and a touch, the converse holds too.

// A tenure is a hold between two indices of the history.
type tenure struct {
	client, asked, from, to int
	fence                   uint64
	released                bool // and every node acknowledged it
	shared                  bool
}

// tenures replays the holds of a run. It also reports whether a history could show more of them than belief does, and
// whether an acquire was left open, with an unknown outcome.
func tenures(t *testing.T, e *checker.Evidence) (all []tenure, shorter, open bool) {
	asked, holds := map[int]int{}, map[int]int{} // by client, the last invoke of an acquire, and the current hold
	for i, o := range e.History {
		c := o.Process % e.Clients
		_, acquiring := asked[c]
		hold, holding := holds[c]
		switch {
		case o.F == checker.Acquire && o.Type == checker.Invoke:
			open = open || acquiring
			asked[c] = i
		case o.F == checker.Acquire && o.Type == checker.OK:
			h := &e.Holds[len(all)]
			if h.Client != c || h.From != o.Time || h.Fence != o.Value.Fence || h.Shared != o.Value.Shared {
				t.Fatalf("op %d is the acquire of %+v", i, h)
			}
			holds[c] = len(all)
			all = append(all, tenure{client: c, asked: asked[c], from: i, to: len(e.History), fence: h.Fence, shared: h.Shared})
			delete(asked, c)
		case o.F == checker.Acquire:
			delete(asked, c)
		case o.F == checker.Release && o.Type == checker.Invoke && holding:
			all[hold].to = i
			shorter = shorter || e.Holds[hold].Gone != o.Time
		case o.F == checker.Release && holding:
			all[hold].released = o.Type == checker.OK
			delete(holds, c)
		}
	}
	for i := range all {
		shorter = shorter || e.Holds[i].Crashed
	}
	return all, shorter, open || len(asked) > 0
}

// touching says whether a hold begins at the very instant at which another ends.
func touching(e *checker.Evidence) bool {
	ends := map[clock.Instant]bool{}
	for _, h := range e.Holds {
		ends[h.Gone] = true
	}
	for _, h := range e.Holds {
		if ends[h.From] {
			return true
		}
	}
	return false
}

func overlapping(all []tenure) bool {
	for i, a := range all {
		for _, b := range all[:i] {
			if a.from < b.to && (!a.shared || !b.shared) {
				return true
			}
		}
	}
	return false
}

// falling says whether, in the order of the holds, a token is no larger than one before it.
func falling(all []tenure) bool {
	top := uint64(0)
	for _, a := range all {
		if a.fence > 0 && a.fence <= top {
			return true
		}
		top = max(top, a.fence)
	}
	return false
}

// stolen says whether a lease that its holder released was granted to another in the meantime. Where a release was not
// acknowledged by all, the lease may have ended before; it was granted at some moment within its acquire.
func stolen(all []tenure) bool {
	for i, a := range all {
		for k, b := range all {
			if i != k && a.released && (b.released && b.from < a.to && a.from < b.to || !b.released && a.from < b.asked && b.from < a.to) {
				return true
			}
		}
	}
	return false
}

func TestHistoryJudgesAgreeWithReplayedHolds(t *testing.T) {
	models := map[string]blackbox.Model{}
	for _, m := range blackbox.Models {
		models[m.Name] = m
	}
	seeds := uint64(40)
	if !long {
		seeds = 2
	}
	r := runner(t)
	runs, violated, sharper, leases, marks := 0, map[string]int{}, 0, 0, 0
	sample := some(2)
	for _, s := range scenarios.Catalogue() { // few have tokens that fall while holds do not overlap
		if s.Expected("tokens") == checker.Violated && s.Expected("belief") != checker.Violated {
			sample = append(sample, s)
		}
	}
	for _, s := range sample {
		for seed := range seeds {
			res := r.Run(&s, seed)
			e := res.Evidence
			all, shorter, open := tenures(t, e)
			says := func(model string, want bool) {
				m := models[model]
				m.Clients = e.Clients
				got := blackbox.Linearizable(e.History, m)
				if got.Err != nil || got.Verdict == checker.Unknown || (got.Verdict == checker.Violated) != want {
					t.Fatalf("%s, seed %d: the history is %+v; replayed, it is violated: %v", s.ID, seed, got, want)
				}
				if want {
					violated[model]++
				}
			}
			runs++
			both := overlapping(all)
			if !open { // after a crash, an acquire without a known outcome may explain what is not legal without it
				if s.Work.Readers > 0 { // the models of one holder know nothing of readers
					says("rwlock", both)
				} else {
					says("mutex", both)
					says("fenced-mutex", both || falling(all))
					says("lease", stolen(all))
					leases++
				}
			}
			belief, tokens := found(res, "belief"), found(res, "tokens")
			if belief == checker.Violated && !both || tokens == checker.Violated && !both && !falling(all) {
				t.Fatalf("%s, seed %d: belief is %v, tokens %v; but the holds overlap: %v", s.ID, seed, belief, tokens, both)
			}
			if !shorter && !touching(e) {
				sharper++
				if both && belief != checker.Violated {
					t.Fatalf("%s, seed %d: two holds overlap, and belief is %v", s.ID, seed, belief)
				}
			}
			says("register", !applied(e, s.Lock.Kind == scenarios.RowLock))
			if f := s.Fencing; f.Check == storage.Order && f.ReadsMark && f.Atomic { // else it is another register
				says("fenced-register", !marked(e))
				marks++
			}
		}
	}
	t.Logf("%d runs: %v violated; %d in which belief must say the same as the mutex, %d without an open acquire", runs, violated, sharper, leases)
	if marks < runs/2 || violated["mutex"] == 0 || violated["fenced-mutex"] <= violated["mutex"] || violated["lease"] == 0 || sharper < runs/2 {
		t.Error("that shows too little")
	}
}

func found(r *scenarios.Result, property string) checker.Verdict {
	for _, f := range r.Findings {
		if f.Property == property {
			return f.Verdict
		}
	}
	return checker.Unknown
}

// applied replays the writes that storage applied: each within its call, in the order of their versions. A write that
// waits for its commit is applied after its call, and no other write comes in between.
func applied(e *checker.Evidence, later bool) bool {
	version := uint64(0)
	done := map[int]checker.Op{} // by index of the invoke
	open := map[int]int{}
	for i, o := range e.History {
		if o.Type == checker.Invoke {
			open[o.Process] = i
		} else {
			done[open[o.Process]] = o
		}
	}
	for _, u := range e.Writes {
		version++
		o, closed := done[u.Op]
		if u.Plain.Made != version || u.At < e.History[u.Op].Time ||
			closed && o.Type == checker.OK && (o.Time < u.At && !later || o.Value.Plain != version) {
			return false
		}
	}
	return true
}

// marked replays the same writes on the register that rejects stale tokens. Reads raise the mark too, at a moment that
// is not recorded. So a rejection needs a larger token that was on its way by then, and an accepted write needs one
// that no write before it had passed.
func marked(e *checker.Evidence) bool {
	version, mark := uint64(0), uint64(0)
	for _, u := range e.Writes {
		onTheWay := uint64(0)
		for _, o := range e.History {
			if o.Type == checker.Invoke && (o.F == checker.Read || o.F == checker.Write) && o.Time <= u.At {
				onTheWay = max(onTheWay, o.Value.Fence)
			}
		}
		if u.Fenced.Made == 0 {
			if u.Fence >= onTheWay {
				return false
			}
			continue
		}
		if version++; u.Fenced.Made != version || u.Fence < mark {
			return false
		}
		mark = u.Fence
	}
	return true
}

// boxed returns a scenario file whose expectations and happenings are those.
func boxed(expect, sometimes string) []byte {
	return []byte("title: a box\nlock: {kind: single}\nnodes: 1\nclients: 2\nexpect:\n" + expect + "sometimes: [" + sometimes + "]\n")
}

func TestUnnamedViewIsNotExpected(t *testing.T) {
	s := find(t, "kleppmann/gc-pause")
	res := scenarios.Run(s, 1)
	if res.Verdict != scenarios.Pass || res.VerdictOn("blackbox.mutex") != checker.Violated || res.VerdictOn("blackbox.register") != checker.Holds {
		t.Fatalf("the run is %v, and the black box sees %+v", res.Verdict, res.BlackBox)
	}
	for _, c := range []struct {
		expect []scenarios.Expectation
		want   scenarios.Verdict
	}{
		{[]scenarios.Expectation{{Property: "blackbox.mutex", Verdict: checker.Violated}}, scenarios.Pass},
		{[]scenarios.Expectation{{Property: "blackbox.mutex"}}, scenarios.Fail},
		{[]scenarios.Expectation{{Property: "blackbox.mutex", Verdict: checker.Violated}, {Property: "blackbox.register"}}, scenarios.Pass},
		{[]scenarios.Expectation{{Property: "blackbox.register", Verdict: checker.Violated}}, scenarios.Fail},
	} {
		changed := s
		changed.Expect = append(append([]scenarios.Expectation{}, s.Expect...), c.expect...)
		if got := scenarios.Run(changed, 1).Verdict; got != c.want {
			t.Errorf("with %v the run is %v, want %v", c.expect, got, c.want)
		}
	}
}

func TestRequiredViewHappensIfViolated(t *testing.T) {
	for view, want := range map[string]scenarios.Verdict{"blackbox.mutex": scenarios.Pass, "blackbox.register": scenarios.Fail} {
		s := find(t, "kleppmann/gc-pause")
		s.Sometimes = []string{"fault-struck", view, "contended"}
		res := scenarios.Run(s, 1)
		if res.Verdict != want || len(res.Seen) != 3 || res.Seen[1].Property != view || res.Seen[2].Property != "contended" {
			t.Errorf("with %s the run is %v and saw %+v", view, res.Verdict, res.Seen)
		}
	}
}

func TestFilesExpectViewsBelowBlackbox(t *testing.T) {
	s, err := scenarios.Parse("x.yaml", boxed("  belief: violated\n  blackbox: {mutex: violated, register: holds}\n", "acquired, blackbox.mutex"))
	if err != nil {
		t.Fatal(err)
	}
	mutex, named := s.ExpectedView("mutex")
	lease, unnamed := s.ExpectedView("lease")
	if mutex != checker.Violated || !named || lease != checker.Unknown || unnamed || s.Expected("belief") != checker.Violated {
		t.Errorf("it expects %+v", s.Expect)
	}
	for _, file := range [][]byte{s.YAML(), s.Commented(), s.Brief()} {
		if again, err := scenarios.Parse("x.yaml", file); err != nil || !reflect.DeepEqual(again, s) {
			t.Errorf("it does not come back: %v\n%s", err, file)
		}
	}
}

func TestErrorsBelowBlackboxHaveTheirPlace(t *testing.T) {
	for _, c := range []struct{ expect, sometimes, want string }{
		{"  blackbox: violated\n", "acquired", "x.yaml:6:13: found \"violated\"; want a mapping, with holds or violated for each name"},
		{"  blackbox: {mutx: violated}\n", "acquired", `x.yaml:6:14: expect.blackbox.mutx: there is no view of a black box "mutx"; did you mean mutex?`},
		{"  blackbox:\n    mutex: broken\n", "acquired", "x.yaml:7:12: found \"broken\"; want holds or violated for expect.blackbox.mutex"},
		{"  blackbox.mutex: violated\n", "acquired", `x.yaml:6:3: there is no "blackbox.mutex"; write blackbox: and below it mutex`},
		{"  belief: holds\n", "acquired, blackbox.lese", `x.yaml:7:23: sometimes.2: there is no view of a black box "lese"`},
		{"  blackbox: {fenced-mutex: violated}\nfencing: {source: none}\n", "acquired",
			"x.yaml:6:14: expect.blackbox.fenced-mutex: no run has this view: with fencing.source none no acquire brings back a fencing token"},
		{"  blackbox: {fenced-register: holds}\nfencing: {atomic: false}\n", "acquired", "x.yaml:6:14: expect.blackbox.fenced-register: no run has this view: fencing.check"},
	} {
		if _, err := scenarios.Parse("x.yaml", boxed(c.expect, c.sometimes)); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: %v\nwant %s", c.expect, err, c.want)
		}
	}
}

// TestLawsBetweenTruthAndBlackBoxInRandomRuns holds the laws of package blackbox (laws_test.go) to universes that the
// searches of all scenarios draw: 100,000 of them, or a few.
func TestLawsBetweenTruthAndBlackBoxInRandomRuns(t *testing.T) {
	runs := 100_000
	if !long {
		runs = 200
	}
	type verdicts func(name string) bool
	laws := []struct {
		name  string
		holds func(broke verdicts, e *checker.Evidence) bool
	}{
		{"belief breaks, so the mutex is violated", func(b verdicts, _ *checker.Evidence) bool { return !b("belief") || b("blackbox.mutex") }},
		{"validity breaks, so the mutex is violated", func(b verdicts, _ *checker.Evidence) bool { return !b("validity") || b("blackbox.mutex") }},
		{"tokens break, so the fenced mutex is violated", func(b verdicts, _ *checker.Evidence) bool { return !b("tokens") || b("blackbox.fenced-mutex") }},
		{"the lease is violated, so the mutex is", func(b verdicts, _ *checker.Evidence) bool { return !b("blackbox.lease") || b("blackbox.mutex") }},
		{"the mutex is violated, so a holder overstayed, gave up, crashed or was touched", func(b verdicts, e *checker.Evidence) bool {
			_, shorter, open := tenures(t, e)
			return !b("blackbox.mutex") || shorter || open || touching(e) || b("belief")
		}},
	}
	r, catalogue, count, unknown := runner(t), scenarios.Catalogue(), map[string]int{}, 0
	universes := make([]*scenarios.Universes, len(catalogue))
	for n := range runs {
		i := n % len(catalogue)
		if universes[i] == nil {
			s := catalogue[i]
			if !s.Search.Drawn() {
				s.Search = s.DefaultSearch()
			}
			universes[i] = s.Universes()
		}
		seed := uint64(1 + n/len(catalogue))
		u := universes[i].At(seed)
		res := r.Run(&u, seed)
		broke := func(name string) bool {
			if name == "blackbox.mutex" && u.Work.Readers > 0 {
				name = "blackbox.rwlock" // the counterpart of a mutex for readers and writers
			}
			return res.VerdictOn(name) == checker.Violated
		}
		for _, l := range laws {
			if !l.holds(broke, res.Evidence) {
				t.Errorf("%s: not so in %s, seed %d; the black box sees %+v", l.name, u.ID, seed, res.BlackBox)
			}
		}
		if _, tokens := res.View("fenced-mutex"); tokens && broke("blackbox.mutex") && !broke("blackbox.fenced-mutex") {
			t.Errorf("%s, seed %d: the mutex is violated, and the fenced mutex is not", u.ID, seed)
		}
		for _, name := range scenarios.Judged() {
			if broke(name) {
				count[name]++
			}
		}
		for i := range res.BlackBox {
			if v := &res.BlackBox[i]; v.Verdict == checker.Unknown {
				unknown++
			}
			if n%100 == 0 && res.BlackBox[i].Verdict == checker.Violated && !res.Excerpt(&res.BlackBox[i]).Confirmed {
				t.Errorf("%s, seed %d: porcupine does not confirm %+v", u.ID, seed, res.BlackBox[i])
			}
		}
	}
	t.Logf("%d runs: violated are %v; %d views are unknown", runs, count, unknown)
	if count["belief"] < runs/100 || count["blackbox.lease"] < runs/200 || count["tokens"] == 0 {
		t.Error("that shows too little")
	}
}

// A statement that was answered is not a transaction that was committed. A holder that crashes between the two does not
// know what became of its write, which the database rolls back; so its history must not say that it was made.
func TestAWriteWhoseTransactionACrashEndedIsOfUnknownOutcome(t *testing.T) {
	for _, mark := range []string{"wrote", "before-release"} {
		s := find(t, "sql/row-lock")
		s.Mutants, s.Sometimes = nil, []string{"fault-struck", "acquired"}
		var err error
		if s.Faults, err = faults.Parse("when c1 " + mark + " crash c1 for 2s"); err != nil {
			t.Fatal(err)
		}
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(20) {
			r := scenarios.Run(s, seed+1)
			if v, _ := r.View("register"); v.Verdict != checker.Holds {
				t.Fatalf("%s, seed %d: the register is %v: %s", mark, seed+1, v.Verdict, v.Reason)
			}
			at := slices.IndexFunc(r.Evidence.History, func(o checker.Op) bool {
				return o.F == checker.Write && o.Type == checker.Info && o.Error == "its client crashed before its transaction was committed"
			})
			if at < 0 {
				t.Fatalf("%s, seed %d: no write is of unknown outcome", mark, seed+1)
			}
			if err := r.Evidence.Check(); err != nil {
				t.Fatalf("%s, seed %d: %v", mark, seed+1, err)
			}
		}
	}
}

// A client stops at its deadline and is paused before it calls release, while another acquires. All promises hold. But
// every node answers the late release, which deletes nothing, and a lease takes it as proof that the hold had lasted. A
// lock that called such a release failed would not be accused.
func TestALeaseAccusesACorrectRunWhereALateReleaseDeletesNothing(t *testing.T) {
	s, err := scenarios.Parse("a.yaml", []byte("title: a\nclients: 2\nlock: {ttl: 1s}\nwork: {cycles: 1, stagger: 100ms, work: 2s..3s}\n"+
		"schedule: |\n  when c1 before-release pause c1 for 300ms\nsometimes: [fault-struck, acquired-by-two]\n"))
	if err != nil {
		t.Fatal(err)
	}
	lease, _ := blackbox.LookupModel("lease")
	lease.Clients = 2
	r := runner(t)
	for seed := uint64(1); seed <= 20; seed++ {
		res := r.Run(&s, seed)
		if res.Verdict != scenarios.Pass {
			t.Errorf("seed %d: %s", seed, res.Verdict)
		}
		if v := res.VerdictOn("blackbox.lease"); v != checker.Violated {
			t.Errorf("seed %d: the lease is %s", seed, v)
		}
		h := slices.Clone(res.Evidence.History)
		i := slices.IndexFunc(h, func(o checker.Op) bool { return o.F == checker.Release && o.Type == checker.OK })
		h[i].Type = checker.Fail
		if v := blackbox.Linearizable(h, lease); v.Verdict == checker.Violated {
			t.Errorf("seed %d: the lease is violated although the late release has failed: %s", seed, v.Reason)
		}
	}
	page, err := os.ReadFile("blackbox.md")
	if err != nil {
		t.Fatal(err)
	}
	if text := strings.Join(strings.Fields(string(page)), " "); !strings.Contains(text, "How this can come about: a client stops at its deadline") {
		t.Error("blackbox.md says that a lease accuses no correct run")
	}
}
