package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios/sentence"
	"github.com/lockstorm/lockstorm/sim/simtest"
)

// A test checks each sentence of each finding against runs. The assertions must be true and must cover everything that
// the sentence says, and its numbers must be settings or counts. A comparison is a pair that differs in one setting.

// trials runs scenarios, each once.
type trials struct {
	runner *Runner
	runs   int
	drawn  bool // searches are made too, which take thousands of runs
	known  map[string]tallied
}

type tallied struct {
	violated, happened, tested map[string]int // runs by property; a run tests a promise that could have broken in it
	runs                       int
}

func newTrials() *trials {
	x := &trials{runner: NewRunner(), runs: 20, known: map[string]tallied{}, drawn: true}
	if !simtest.Long { // the long proof also repeats the counts in sentences
		x.runs, x.drawn = 4, false
	}
	return x
}

func (x *trials) of(s *Scenario, a assertion) (tallied, error) {
	runs := x.runs
	if a.runs > 0 {
		runs = a.runs
	}
	key := fmt.Sprint(s.ID, a.scenario, a.under, a.with, a.mutant, runs)
	if t, known := x.known[key]; known {
		return t, nil
	}
	subject := *s
	if a.scenario != "" {
		var known bool
		if subject, known = Find(a.scenario); !known {
			return tallied{}, UnknownScenario(a.scenario)
		}
	}
	settings := a.with
	if a.under != "" {
		settings = append([]string{"search.faults=" + a.under}, settings...)
	}
	if err := subject.Change(settings); len(settings) > 0 && err != nil {
		return tallied{}, err
	}
	if a.mutant != "" {
		i := slices.IndexFunc(subject.Mutants, func(m Mutant) bool { return m.Name == a.mutant })
		if i < 0 {
			return tallied{}, fmt.Errorf("%s has no mutant %q", subject.ID, a.mutant)
		}
		if n := len(subject.Mutants[i].Set); n != 1 {
			return tallied{}, fmt.Errorf("the mutant %s changes %d settings, and a comparison is a pair in which one differs", a.mutant, n)
		}
		changed, err := subject.Mutate(subject.Mutants[i])
		if err != nil {
			return tallied{}, err
		}
		subject = changed
	}
	t := tallied{violated: map[string]int{}, happened: map[string]int{}, tested: map[string]int{}, runs: runs}
	universes := subject.Universes()
	for seed := uint64(1); seed <= uint64(runs); seed++ {
		u := subject
		if a.under != "" {
			u = universes.At(seed)
		}
		u.Sometimes = nil
		for _, p := range checker.Sometimes {
			u.Sometimes = append(u.Sometimes, p.Name)
		}
		broke := false
		res := x.runner.Run(&u, seed)
		for _, f := range res.Findings {
			if f.Verdict != checker.Holds {
				t.violated[f.Property]++
				broke = true
			}
			if res.Evidence.Vacuous(f) == "" {
				t.tested[f.Property]++
			}
		}
		if broke {
			t.violated["nothing"]++
		}
		for _, f := range res.Seen {
			if f.Verdict == checker.Holds {
				t.happened[f.Property]++
			}
		}
	}
	x.known[key] = t
	return t, nil
}

// bears returns why the runs do not bear out an assertion; "" if they do.
func (x *trials) bears(s *Scenario, a assertion) string {
	if a.verb == "" || a.runs > 0 && !x.drawn {
		return ""
	}
	t, err := x.of(s, a)
	if err != nil {
		return err.Error()
	}
	n, want := t.violated[a.name], 0
	switch {
	case a.verb == "happened":
		n, want = t.happened[a.name], t.runs
	case a.verb == "never":
		n = t.happened[a.name]
	case a.runs > 0:
		want = a.count
	case a.verb == "violated" && a.name != "nothing":
		want = t.runs
	}
	if (a.verb == "holds" || a.verb == "violated" && want == 0 && a.name != "nothing") && t.tested[a.name] == 0 {
		return fmt.Sprintf("no run of %d tested %s", t.runs, a.name)
	}
	if n != want {
		return fmt.Sprintf("%s %s in %d of %d runs, want %d", a.name, a.verb, n, t.runs, want)
	}
	return ""
}

// unfounded returns what is wrong with the finding of a scenario's claim, a line each.
func (x *trials) unfounded(s *Scenario) (wrong []string) {
	all := sentence.Assertions(s.Claim.Finding)
	for _, one := range sentence.Split(s.Claim.Finding) {
		for _, w := range x.wrongWith(s, one, all) {
			wrong = append(wrong, fmt.Sprintf("%s: %q: %s", s.ID, one, w))
		}
	}
	return wrong
}

// wrongWith returns what is wrong with one sentence. The finding has all these assertions.
func (x *trials) wrongWith(s *Scenario, text string, all []string) (wrong []string) {
	basis := sentence.Basis{Rests: sentence.Assertions(text), Known: settingsOf(s)}
	for _, rest := range basis.Rests {
		a, err := assertionIn(rest)
		if err != nil {
			wrong = append(wrong, err.Error())
			continue
		}
		if w := x.bears(s, a); w != "" {
			wrong = append(wrong, fmt.Sprintf("{%s}: %s", rest, w))
		}
		basis.Pair, basis.Drawn = basis.Pair || a.mutant != "" || len(a.with) > 0, basis.Drawn || a.runs > 0 || a.verb == ""
		if len(a.with) > 0 && !slices.ContainsFunc(all, a.other) {
			wrong = append(wrong, fmt.Sprintf("{%s}: the finding does not say what is so without that setting", rest))
		}
	}
	return append(wrong, sentence.Wrong(text, basis)...)
}

// settingsOf returns the settings of a scenario, from which its finding may take numbers.
func settingsOf(s *Scenario) string {
	plain := *s
	plain.Claim, plain.About, plain.Source, plain.Title = Claim{}, "", "", ""
	return string(plain.YAML())
}

// other reports whether an assertion is about the same property in the same runs without what is changed.
func (a assertion) other(text string) bool {
	b, err := assertionIn(text)
	return err == nil && b.scenario == a.scenario && b.under == a.under && b.mutant == a.mutant && len(b.with) == 0 && (a.runs == b.runs || a.mutant != "") &&
		(b.name == a.name || b.name == "nothing" || a.name == "nothing" && b.verb == "violated")
}

func TestFindingSentencesRestOnRuns(t *testing.T) {
	x := newTrials()
	for i, s := range Catalogue() {
		if s.Claim.Says == "" || !simtest.Long && i%3 > 0 {
			continue
		}
		for _, w := range x.unfounded(&s) {
			t.Error(w)
		}
	}
}

// Each of these sentences is false of its runs, or says more than they show.
func TestAFalseSentenceOfAFindingIsCaught(t *testing.T) {
	x := newTrials()
	x.drawn = true
	for _, c := range []struct{ about, scenario, finding, want string }{
		{"a true one", "kleppmann/gc-pause", "An update is lost {storage violated}, and with a pause of 15 s no two windows overlap {validity holds}.", ""},
		{"a true pair", "kleppmann/gc-pause", "An update is lost {storage violated}, and no update is lost by clients that look again {with work.recheck=true: storage holds}.", ""},
		{"a wrong number of a setting", "kleppmann/gc-pause", "The pause of 12 s loses an update {storage violated}.", "12 is neither"},
		{"a wrong count", "redlock/any", "A step breaks it in 7 of 40 runs {redlock/any under jump: validity violated in 7 of 40}.", "validity violated in"},
		{"a count that nothing computes", "kleppmann/gc-pause", "An update is lost in 27 of 1,500 runs {storage violated}.", "1500 is neither"},
		{"an assertion that does not hold", "kleppmann/gc-pause", "Redlock's own windows overlap {validity violated}.", "validity violated in 0"},
		{"no assertion", "kleppmann/gc-pause", "Clients are slow.", "rests on nothing"},
		{"less than it says", "kleppmann/gc-pause", "An update is lost {belief violated}.", "rests on none of"},
		{"a universal of one plan", "kleppmann/clock-jump", "Fencing always keeps the data {fenced holds}.", "more than runs of one plan"},
		{"a comparison without a pair", "kleppmann/gc-pause", "Without the step an update is lost {storage violated}.", "no pair"},
		{"half a pair", "kleppmann/gc-pause", "Clients that look again keep it {with work.recheck=true: storage holds}.", "without that setting"},
		{"two settings", "kleppmann/gc-pause", "It holds {with work.recheck=true lock.ttl=5s: storage holds} {storage violated}.", "one setting differs, and here 2 do"},
		{"a mutant of two settings", "antirez/rate-drift", "Without the allowance two clients hold it {no-drift-allowance: validity violated}.", "changes 2 settings"},
	} {
		s, known := Find(c.scenario)
		if !known {
			t.Fatal(c.scenario)
		}
		s.Claim.Finding = c.finding
		wrong := strings.Join(x.unfounded(&s), "\n")
		if c.want == "" && wrong != "" || !strings.Contains(wrong, c.want) {
			t.Errorf("%s: %q gives %q, want %q", c.about, c.finding, wrong, c.want)
		}
	}
}

// Each setting by which a scenario departs from what the page asks for is named as a departure.
func TestADepartureIsNamed(t *testing.T) {
	for _, c := range []struct{ scenario, setting, want string }{
		{"kleppmann/gc-pause", "lock.timeout=9.95s", "9.95s"},
		{"kleppmann/clock-jump", "lock.ttl=9s", "stay parted (c1 | n4 n5, c2 | n1 n2)"},
		{"kleppmann/clock-jump", "expiry=monotonic", "monotonic"},
		{"kleppmann/clock-jump", "work.recheck=false", ""},
		{"kleppmann/clock-jump", "work.stop_at_deadline=false", "look once"},
		{"kleppmann/gc-pause", "lock.ttl=11s", "never look"},
		{"kleppmann/pause-before-reply", "lock.ttl=11s", "ask all nodes in parallel; a client that was paused sees waiting replies"},
		{"kleppmann/asynchronous-redlock", "work.think=1s..1s", "holders work for 8s to 9s of a TTL of 10s"},
		{"kleppmann/crash-restart", "lock.ttl=11s", "write nothing to a disk"},
		{"kleppmann/crash-restart", "lock.ttl=11s", "perfect counter"},
		{"kleppmann/crash-restart", "lock.ttl=11s", "reads carry tokens too"},
	} {
		s, err := Open(c.scenario, c.setting)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(s.Departures(), "; "); !strings.Contains(got, c.want) {
			t.Errorf("%s with %s departs by %q, want %q", c.scenario, c.setting, got, c.want)
		}
	}
	if s, err := Open("baseline/fault-free"); err != nil || s.Departures() != nil {
		t.Errorf("a fault-free run departs by %q, %v", s.Departures(), err)
	}
}
