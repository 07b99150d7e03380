package scenarios

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
)

// A test holds each sentence of each finding against runs: what it rests on must be so, must be about all that the sentence
// says, and its numbers must be settings or counts. A comparison is a pair, in which one setting differs.

// means are phrases of findings, and what a sentence with one must rest on: any one of these assertions.
var means = []struct {
	phrase string
	rests  []string
}{
	{`nothing breaks`, []string{"nothing violated", "violated in 0"}},
	{`two clients (can )?(hold|go on)`, []string{"belief violated", "validity violated"}},
	{`no update is lost|loses none|loses nothing`, []string{"storage holds", "fenced holds", "nothing violated"}},
	{`(loses an|loses the|overwrites an) update|update is lost|updates? are lost`, []string{"storage violated", "fenced violated"}},
	{`refuses? (the )?late (write|work)|late write is refused`, []string{"stale-write-refused happened", "fenced holds", "storage holds"}},
	{`refuses the lock|lock is refused`, []string{"refused-too-late happened"}},
	{`tokens rise`, []string{"tokens holds", "nothing violated"}},
	{`tokens fall|comes twice|smaller token`, []string{"tokens violated"}},
	{`nobody can have the lock|others have to wait`, []string{"unavailable happened"}},
	{`windows .*overlap`, []string{"validity violated", "validity holds"}},
}

var (
	// universal says more than one plan of faults can show.
	universal = regexp.MustCompile(`(?i)\b(whatever|never|always|cannot|can't|could not|no lock|no step|any step|any clock|impossible)\b`)
	compares  = regexp.MustCompile(`(?i)\b(longer|shorter|fewer|safer|instead of|in place of|without (it|the|them|step))\b|\bmore \w+ than\b|\bless \w+ than\b`)
	opens     = regexp.MustCompile(`^Depends on [^0-9]*\.\s*$`) // and the sentences after it say how
	sentences = regexp.MustCompile(`[.?!](\s*\{[^}]*\})*(\s+|$)`)
	numbers   = regexp.MustCompile(`\d[\d,]*(\.\d+)?`)
)

// trials makes runs, each once.
type trials struct {
	runner *Runner
	runs   int
	drawn  bool // searches are made too, which take thousands of runs
	known  map[string]tallied
}

type tallied struct {
	violated, happened map[string]int
	runs               int
}

func newTrials() *trials {
	x := &trials{runner: NewRunner(), runs: 20, known: map[string]tallied{}, drawn: true}
	if testing.Short() {
		x.runs, x.drawn = 2, false
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
	t := tallied{violated: map[string]int{}, happened: map[string]int{}, runs: runs}
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
	case a.runs > 0:
		want = a.count
	case a.verb == "violated" && a.name != "nothing":
		want = t.runs
	}
	if n != want {
		return fmt.Sprintf("%s %s in %d of %d runs, want %d", a.name, a.verb, n, t.runs, want)
	}
	return ""
}

// unfounded returns what is wrong with the finding of a scenario's claim, a line each.
func (x *trials) unfounded(s *Scenario) (wrong []string) {
	text := strings.Join(strings.Fields(s.Claim.Finding), " ")
	all := allAssertions(text)
	for text != "" {
		end := len(text)
		if at := sentences.FindStringIndex(text); at != nil {
			end = at[1]
		}
		sentence := text[:end]
		text = text[end:]
		for _, w := range x.wrongWith(s, sentence, all) {
			wrong = append(wrong, fmt.Sprintf("%s: %q: %s", s.ID, strings.TrimSpace(sentence), w))
		}
	}
	return wrong
}

func allAssertions(text string) (all []string) {
	for _, b := range braced.FindAllString(text, -1) {
		all = append(all, strings.Trim(strings.TrimSpace(b), "{}"))
	}
	return all
}

// wrongWith returns what is wrong with one sentence. The finding has all these assertions.
func (x *trials) wrongWith(s *Scenario, sentence string, all []string) (wrong []string) {
	rests := allAssertions(sentence)
	if rests == nil {
		if opens.MatchString(sentence) {
			return nil
		}
		return []string{"it rests on nothing"}
	}
	pair, drawn := false, false
	for _, text := range rests {
		a, err := assertionIn(text)
		if err != nil {
			wrong = append(wrong, err.Error())
			continue
		}
		if w := x.bears(s, a); w != "" {
			wrong = append(wrong, fmt.Sprintf("{%s}: %s", text, w))
		}
		pair, drawn = pair || a.mutant != "" || len(a.with) > 0, drawn || a.runs > 0 || a.verb == ""
		if len(a.with) > 0 && !slices.ContainsFunc(all, a.other) {
			wrong = append(wrong, fmt.Sprintf("{%s}: the finding does not say what is so without that setting", text))
		}
	}
	said := named.ReplaceAllString(braced.ReplaceAllString(sentence, ""), "")
	if compares.MatchString(said) && !pair {
		wrong = append(wrong, fmt.Sprintf("it compares (%s), and rests on no pair", compares.FindString(said)))
	}
	if universal.MatchString(said) && !drawn {
		wrong = append(wrong, fmt.Sprintf("%q is more than runs of one plan show", universal.FindString(said)))
	}
	left := said
	for _, m := range means {
		phrase := regexp.MustCompile(`(?i)` + m.phrase)
		found := phrase.FindString(left)
		left = phrase.ReplaceAllString(left, "")
		if found != "" && !slices.ContainsFunc(rests, func(r string) bool {
			return slices.ContainsFunc(m.rests, func(want string) bool { return strings.Contains(r, want) })
		}) {
			wrong = append(wrong, fmt.Sprintf("%q rests on none of %s", found, strings.Join(m.rests, ", ")))
		}
	}
	return append(wrong, strayNumbers(s, said, rests)...)
}

// other reports whether an assertion is about the same property in the same runs without what is changed.
func (a assertion) other(text string) bool {
	b, err := assertionIn(text)
	return err == nil && b.scenario == a.scenario && b.under == a.under && b.mutant == "" && len(b.with) == 0 && a.runs == b.runs &&
		(b.name == a.name || b.name == "nothing" || a.name == "nothing" && b.verb == "violated")
}

// named is what numbers stand in that are names, and a setting whose name looks like a universal.
var named = regexp.MustCompile("`[^`]*`|fsync always|\\b[a-z-]+/[a-z0-9-]+|\\b[cn]\\d\\b|\\bn\\d\\b")

// strayNumbers returns the numbers of a sentence that neither its scenario's settings nor what it rests on has.
func strayNumbers(s *Scenario, said string, rests []string) (wrong []string) {
	plain := *s
	plain.Claim, plain.About, plain.Source, plain.Title = Claim{}, "", "", ""
	settings := plain.YAML()
	has := map[string]bool{}
	for _, n := range numbers.FindAllString(string(settings)+" "+strings.Join(rests, " "), -1) {
		has[n] = true
	}
	for _, n := range numbers.FindAllString(said, -1) {
		n = strings.ReplaceAll(strings.TrimRight(n, ","), ",", "")
		if !has[n] && !has[percent(said, n)] {
			wrong = append(wrong, fmt.Sprintf("%s is neither a setting nor counted", n))
		}
	}
	return wrong
}

// percent returns a number of per cent as settings have it, as ppm.
func percent(said, n string) string {
	if !strings.Contains(said, n+" %") {
		return n
	}
	return strings.TrimPrefix(n+"0000", "0")
}

func TestEachSentenceOfAFindingRestsOnRuns(t *testing.T) {
	x := newTrials()
	for _, s := range Catalogue() {
		if s.Claim.Says == "" {
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
		{"kleppmann/clock-jump", "lock.ttl=9s", "partition c1 | n4 n5 lasts for the whole run"},
		{"kleppmann/clock-jump", "expiry=monotonic", "monotonic"},
		{"kleppmann/clock-jump", "work.recheck=false", ""},
		{"kleppmann/clock-jump", "work.stop_at_deadline=false", "look once"},
		{"kleppmann/gc-pause", "lock.ttl=11s", "never look"},
		{"kleppmann/crash-restart", "lock.ttl=11s", "write nothing to a disk"},
		{"kleppmann/crash-restart", "lock.ttl=11s", "oracle"},
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
