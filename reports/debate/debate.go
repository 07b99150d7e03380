package debate

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// A Debate is an argument and its runs.
type Debate struct {
	Argument *Argument
	Trials   []Trial    // of Argument.Trials
	Studies  []*Trialed // that the argument names
	Version  string
	Command  string
	Seed     uint64 // the first
	Runs     int    // of each scenario; a search has more, and a mutant may
	Seeds    int    // of the measurement of each bound
}

// Begin reads an argument, or takes the argument of this package if there is none, and adds the steps that it lacks for
// these scenarios. Then it sets the trials and studies that the argument needs.
func (d *Debate) Begin(argument string, rest []scenarios.Scenario) (err error) {
	d.Argument = theArgument()
	if argument != "" {
		if d.Argument, err = parseArgument(argument); err != nil {
			return err
		}
	}
	if len(rest) > 0 {
		d.Argument.Rest(rest)
	}
	d.Trials, d.Studies = d.Argument.Trials(), nil
	for _, s := range d.Argument.Studied() {
		d.Studies = append(d.Studies, newStudy(s, d.Seed, max(d.Runs, d.Argument.least(s))))
	}
	return nil
}

// A Trial is the runs of a step, or of another place that an assertion names.
type Trial struct {
	Scenario *scenarios.Scenario // as it was run
	Rows     []campaign.Row      // of consecutive seeds
	Mutants  [][]campaign.Row    // of each of its mutants
	Edges    []campaign.Edge     // of each of its bounds
	Drawn    *scenarios.Result   // the run of its figure; nil if there is none
	Least    int                 // how many runs of the reference its assertions need

	place Place
	step  *Step // nil for another place
}

// Trials returns a trial without runs for each step, in order, and for each other place.
func (a *Argument) Trials() (all []Trial) {
	add := func(p Place, s *Step) {
		known, err := a.place(p)
		if err != nil {
			panic("reports: " + err.Error()) // the argument was checked
		}
		all = append(all, Trial{Scenario: known, place: p, step: s})
	}
	seen := map[string]bool{}
	for _, s := range a.Steps() {
		p := Place{Scenario: s.Scenario}
		seen[p.String()] = true
		for _, m := range a.scenario(s.Scenario).Mutants {
			seen[Place{Scenario: s.Scenario, Mutant: m.Name}.String()] = true
		}
		add(p, s)
	}
	look := func(p Place) {
		if p.Scenario != "" && !seen[p.String()] {
			seen[p.String()] = true
			add(p, nil)
		}
	}
	for _, p := range a.passages() {
		for _, c := range p.claims() {
			look(c.Place)
			look(c.Than)
			for i := range all {
				if here := all[i].place.String(); here == c.Place.String() || here == c.Than.String() {
					all[i].Least = max(all[i].Least, c.Runs)
				}
			}
		}
		for _, h := range p.helps {
			look(h.Place)
			look(h.With)
		}
	}
	return all
}

// Studied returns the names of the studies that the argument names, each once.
func (a *Argument) Studied() (names []string) {
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, p := range a.passages() {
		add(p.plot)
		for _, c := range p.claims() {
			add(c.plot)
		}
	}
	return names
}

// least returns how many runs the assertions about a study need.
func (a *Argument) least(study string) (runs int) {
	for _, p := range a.passages() {
		for _, c := range p.claims() {
			if c.plot == study {
				runs = max(runs, c.Runs)
			}
		}
	}
	return runs
}

func (a *Argument) passages() (all []Passage) {
	for i := range a.Chapters {
		c := &a.Chapters[i]
		all = append(all, c.Text...)
		for j := range c.Steps {
			all = append(all, c.Steps[j].Text...)
		}
	}
	return all
}

// Searched reports whether each seed picks another scenario. Then there are no expectations and no picture of a run.
func (t *Trial) Searched() bool { return t.Scenario.Search.Drawn() }

// A finding is the verdict of the runs on an assertion, or on an expectation of a scenario.
type finding struct {
	verdict scenarios.Verdict // Pass if they confirm it, Fail if they don't, Unknown if that can't be known
	says    string            // the measurement, in a few words
	shown   bool              // it says more than the sentence: a share between 0 and all, or a figure
}

func (d *Debate) trial(p Place) *Trial {
	for i := range d.Trials {
		if d.Trials[i].place.String() == p.String() {
			return &d.Trials[i]
		}
	}
	panic("reports: nothing was run of " + p.String()) // the argument was checked
}

func (d *Debate) study(name string) *Trialed {
	i := slices.IndexFunc(d.Studies, func(t *Trialed) bool { return t.Name == name })
	return d.Studies[i]
}

// rows returns the runs of a place.
func (d *Debate) rows(p Place) []campaign.Row {
	if step := d.Argument.find(p.Scenario); step != nil && p.Mutant != "" && p.Under == "" && p.With == nil {
		t := d.trial(Place{Scenario: p.Scenario})
		for i, m := range t.Scenario.Mutants {
			if m.Name == p.Mutant {
				return t.Mutants[i]
			}
		}
	}
	return d.trial(p).Rows
}

// judge checks an assertion against the runs.
func (d *Debate) judge(c *Assertion) finding {
	if c.plot != "" {
		return d.study(c.plot).judge(c)
	}
	switch c.Verb {
	case noRun:
		return finding{}
	case "figure":
		if c.Name == requests {
			return d.trial(c.Place).requests()
		}
		return figure(d.rows(c.Place), c.Name)
	case "shorter":
		return shorter(c.Name, d.rows(c.Place), d.rows(c.Than))
	case "bound":
		return d.trial(c.Place).bound(c.Name)
	case "happened":
		return happens(c, d.rows(c.Place), slices.Index(d.Argument.scenario(c.Scenario).Sometimes, c.Name))
	}
	return broke(c, d.rows(c.Place))
}

// tally counts the verdicts of the runs on a property.
func tally(rows []campaign.Row, property string) (n stats.Count) {
	i := propertyPlace(property)
	for k := range rows {
		if property != "nothing" {
			n.Add(rows[k].Of(i))
			continue
		}
		worst := checker.Holds
		for p := range checker.Properties {
			worst = max(worst, rows[k].Of(p))
		}
		n.Add(worst)
	}
	return n
}

// as returns whether all runs have the wanted verdict on a property.
func as(want checker.Verdict, n stats.Count) scenarios.Verdict {
	if want == checker.Holds {
		return verdictIf(n.Violated == 0, n.Unknown == 0)
	}
	return verdictIf(n.Holds() == 0, n.Violated == n.Runs)
}

// broke finds in how many runs a property broke.
func broke(c *Assertion, rows []campaign.Row) (f finding) {
	n := tally(rows, c.Name)
	f.says = c.Name + " violated in " + counts(n.Violated, n.Runs)
	switch {
	case c.Verb == "holds", c.Name == "nothing":
		f.verdict = as(checker.Holds, n)
	case c.Verb == "violated":
		f.verdict = as(checker.Violated, n)
	case c.Verb == "sometimes":
		f.verdict = verdictIf(n.Violated+n.Unknown > 0, n.Violated > 0)
		if f.shown = n.Violated > 0 && n.Violated < n.Runs; f.shown {
			f.says = outOfAll(n.Violated, n.Runs) + ", " + interval(n.Violated, n.Runs)
		}
	}
	if n.Unknown > 0 {
		f.says += fmt.Sprintf(", not known in %d", n.Unknown)
	}
	return f
}

// happens finds in how many runs an event happened.
func happens(c *Assertion, rows []campaign.Row, place int) finding {
	n := 0
	for _, r := range rows {
		if !r.Missing.Has(place) {
			n++
		}
	}
	return finding{verdictIf(n == len(rows), true), c.Name + " in " + counts(n, len(rows)), false}
}

// verdictIf returns Fail if something can't be so, Pass if it is known to be so, and otherwise Unknown.
func verdictIf(may, is bool) scenarios.Verdict {
	switch {
	case !may:
		return scenarios.Fail
	case !is:
		return scenarios.Unknown
	}
	return scenarios.Pass
}

// counts returns a count and its total: "3 of 20", or "all 20".
func counts(k, n int) string {
	if k == n {
		return "all " + wording.Grouped(n)
	}
	return outOfAll(k, n)
}

func outOfAll(k, n int) string { return wording.Grouped(k) + " of " + wording.Grouped(n) }

// figure describes a figure of the runs: its median.
func figure(rows []campaign.Row, name string) finding {
	values, unit := valuesOf(rows, name)
	if len(values) == 0 {
		return finding{scenarios.Unknown, "no run has it", true}
	}
	return finding{scenarios.Pass, amountOf(values[len(values)/2], unit), true}
}

// requests is the name of a figure that rows lack: the number of requests to nodes for each acquired lock, in the run
// that the picture shows.
const requests = "requests"

func (t *Trial) requests() finding {
	n, holds := 0, len(t.Drawn.Evidence.Holds)
	for _, m := range t.Drawn.Messages() {
		run := m.Sent <= t.Drawn.Evidence.End // later messages belong to the probe
		if run && !m.Reply && slices.Contains(t.Drawn.Evidence.Lanes, t.Drawn.Hosts[m.To]) {
			n++
		}
	}
	if holds == 0 || n%holds != 0 {
		return finding{scenarios.Unknown, "locks took different numbers of requests", true}
	}
	return finding{scenarios.Pass, fmt.Sprint(n / holds), true}
}

// valuesOf returns a figure of all runs that know it, in order.
func valuesOf(rows []campaign.Row, name string) (values []int64, unit checker.Unit) {
	i := figurePlace(name)
	for _, r := range rows {
		if v := r.Figures[i]; v != campaign.Absent {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	return values, allFigures()[i].Unit
}

func amountOf(v int64, u checker.Unit) string {
	switch d := time.Duration(v); {
	case u == checker.Count:
		return wording.Grouped(int(v))
	case d >= time.Second:
		return fmt.Sprintf("%.2f s", d.Seconds())
	default:
		return fmt.Sprintf("%.2f ms", float64(d)/float64(time.Millisecond))
	}
}

// shorter compares the medians of a figure.
func shorter(name string, a, b []campaign.Row) finding {
	x, unit := valuesOf(a, name)
	y, _ := valuesOf(b, name)
	if len(x) == 0 || len(y) == 0 {
		return finding{scenarios.Unknown, "no run has it", true}
	}
	here, there := x[len(x)/2], y[len(y)/2]
	return finding{verdictIf(here < there, true), amountOf(here, unit) + " against " + amountOf(there, unit), true}
}

// bound describes a bound as computed and as measured. It is confirmed if the promise holds at the computed value.
func (t *Trial) bound(property string) finding {
	for _, e := range t.Edges {
		if e.Bound.Property != property {
			continue
		}
		if e.None != "" {
			return finding{scenarios.Unknown, strings.TrimSuffix(e.None, "."), true}
		}
		says := fmt.Sprintf("%s: computed %s; measured to hold at %s and to break at %s", property, spaced(e.Computed),
			spaced(e.Holds), spaced(e.Breaks))
		return finding{verdictIf(t.safe(e), true), says, true}
	}
	return finding{scenarios.Unknown, "no bound was measured", true}
}

// safe reports whether the computed value is on the side where the promise holds.
func (t *Trial) safe(e campaign.Edge) bool {
	computed, holds, breaks := t.number(e, e.Computed), t.number(e, e.Holds), t.number(e, e.Breaks)
	return cmp.Compare(computed, breaks) == cmp.Compare(holds, breaks)
}

// number returns a value of the setting of a bound as a number.
func (t *Trial) number(e campaign.Edge, value string) int64 {
	s := *t.Scenario
	if err := s.Set(e.Bound.Setting + "=" + value); err != nil {
		panic("reports: " + err.Error()) // the bound was measured with such values
	}
	k, _ := scenarios.Lookup(&s, e.Bound.Setting)
	n, _ := k.Number(&s)
	return n
}

// spaced separates the unit of a value from its number, as in running text.
func spaced(value string) string {
	if n, is := strings.CutSuffix(value, "ppm"); is {
		return strings.TrimPrefix(n, "+") + " ppm"
	}
	if n, is := strings.CutSuffix(value, "s"); is && strings.Trim(n, "0123456789.-") == "" {
		return n + " s"
	}
	return value
}

// A row says in how many runs one property or mutant of a step broke, with the expectation and the interval.
type row struct {
	Name     string            `json:"name"`
	Want     string            `json:"expect,omitempty"`
	Count    string            `json:"runs"`
	Interval string            `json:"interval"`
	Verdict  scenarios.Verdict `json:"verdict"`
}

func (t *Trial) row(property string) row {
	n, want := tally(t.Rows, property), t.Scenario.Expected(property)
	r := row{Name: property, Count: outOfAll(n.Violated, n.Runs),
		Interval: t.share(t.Rows, stats.Count{Violated: n.Violated, Runs: n.Runs - n.Unknown})}
	if !t.Searched() {
		r.Want, r.Verdict = want.String(), as(want, n)
	}
	return r
}

// killed describes in how many runs a mutant broke all the promises that it should break.
func (t *Trial) killed(i int) row {
	m := t.Scenario.Mutants[i]
	n := 0
	for _, x := range t.Mutants[i] {
		if !slices.ContainsFunc(m.Breaks, func(p string) bool { return !x.Violated.Has(propertyPlace(p)) }) {
			n++
		}
	}
	rows := len(t.Mutants[i])
	return row{Name: m.Name, Want: wording.List(m.Breaks), Count: outOfAll(n, rows),
		Interval: t.share(t.Mutants[i], stats.Count{Violated: n, Runs: rows}), Verdict: verdictIf(n > 0, true)}
}

// share returns the interval of a share, or if all troubles were planned and all runs have the same verdicts, the words
// that one run shows it.
func (t *Trial) share(rows []campaign.Row, n stats.Count) string {
	differs := func(r campaign.Row) bool { return r.Unknown != 0 || r.Violated != rows[0].Violated }
	if !t.Searched() && t.Scenario.Planned() && !slices.ContainsFunc(rows, differs) {
		return n.Planned(wording.Grouped)
	}
	return interval(n.Violated, n.Runs)
}

// interval returns the interval of Clopper and Pearson at 95%, in words.
func interval(k, n int) string {
	_, says, _ := strings.Cut(stats.Count{Violated: k, Runs: n}.Claim(strconv.Itoa), ": ")
	return strings.TrimSuffix(says, stats.Confident)
}

// missing names the required events that did not happen in every run.
func (t *Trial) missing() (names []string) {
	for i, name := range t.Scenario.Sometimes {
		if slices.ContainsFunc(t.Rows, func(r campaign.Row) bool { return r.Missing.Has(i) }) {
			names = append(names, name)
		}
	}
	return names
}

// expected returns how a step's runs differ from the expectations of its scenario.
func (t *Trial) expected() (wrong []string, worst scenarios.Verdict) {
	if t.step == nil || t.Searched() {
		return nil, scenarios.Pass
	}
	add := func(v scenarios.Verdict, form string, args ...any) {
		if v != scenarios.Pass {
			wrong, worst = append(wrong, fmt.Sprintf(form, args...)), max(worst, v)
		}
	}
	for _, p := range t.Scenario.Promises() {
		r, want := t.row(p.Name), wording.Be(t.Scenario.Expected(p.Name))
		add(r.Verdict, "%s should %s, and is violated in %s runs", r.Name, want, r.Count)
	}
	if names := t.missing(); names != nil {
		add(scenarios.Fail, "%s should happen in each run, but did not", wording.List(names))
	}
	for i := range t.Mutants {
		r := t.killed(i)
		add(r.Verdict, "the mutant %s should break %s, and did in %s runs", r.Name, r.Want, r.Count)
	}
	return wrong, worst
}

// Wrong returns where the runs contradict the argument or a scenario's own expectations, in a sentence each, and the
// worst verdict: Unknown if it is only not known that they agree.
func (d *Debate) Wrong() (wrong []string, worst scenarios.Verdict) {
	for i := range d.Trials {
		t := &d.Trials[i]
		sentences, v := t.expected()
		for _, w := range sentences {
			wrong = append(wrong, t.place.String()+": "+w+".")
		}
		worst = max(worst, v)
	}
	add := func(f finding, asserts string) {
		if f.verdict != scenarios.Pass {
			text := "The text asserts " + asserts + ", and the runs say: " + f.says + "."
			wrong, worst = append(wrong, text), max(worst, f.verdict)
		}
	}
	for _, p := range d.Argument.passages() {
		for _, c := range p.claims() {
			add(d.judge(c), "{"+c.String()+"}")
		}
		for _, h := range p.helps {
			add(d.helped(h), "that "+h.Words+" helps")
		}
	}
	return wrong, worst
}

// helped checks a help against the runs: without it the property breaks, and with it the property holds.
func (d *Debate) helped(h Help) finding {
	without, with := tally(d.rows(h.Place), h.Property), tally(d.rows(h.With), h.Property)
	return finding{verdictIf(without.Violated > 0 && with.Violated == 0, without.Unknown+with.Unknown == 0),
		fmt.Sprintf("%s violated in %s without it, in %s with it", h.Property, counts(without.Violated, without.Runs),
			counts(with.Violated, with.Runs)), false}
}

// summaryOf returns the outcome of a debate in one line.
func summaryOf(d *Debate) string {
	wrong, worst := d.Wrong()
	claims, sentences := 0, 0
	for _, t := range d.Trials {
		if t.Scenario.Claim.Says != "" {
			claims++
		}
	}
	for _, p := range d.Argument.passages() {
		for _, c := range p.claims() {
			if c.Verb != noRun {
				sentences++
			}
		}
		sentences += len(p.helps)
	}
	return fmt.Sprintf("%s: %s, %d assertions of the text, %d contradicted or not known; "+
		"%s of each scenario from seed %d.", strings.ToUpper(worst.String()), wording.Count(claims, "claim", "claims"),
		sentences, len(wrong), d.made(), d.Seed)
}

// made counts the runs of each scenario.
func (d *Debate) made() string {
	return wording.Grouped(d.Runs) + wording.Either(d.Runs, " run", " runs")
}
