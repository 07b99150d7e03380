package debate

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports/internal/layout"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// A Debate is an argument and the runs that its steps stand on. Document makes one of it.
type Debate struct {
	Argument *Argument
	Trials   []Trial // one for each of its steps, in their order
	Version  string
	Command  string
	Seed     uint64 // the first
	Runs     int    // of each scenario; a search has more, and a mutant may
	Seeds    int    // with which each bound was measured
}

// A Trial is what the runs of one step came to.
type Trial struct {
	Scenario *scenarios.Scenario // as it was run
	Rows     []campaign.Row      // of consecutive seeds
	Mutants  [][]campaign.Row    // of each of its mutants
	Edges    []campaign.Edge     // of each of its bounds
	Drawn    *scenarios.Result   // the run that its figure shows; nil for a search
	changed  bool                // it is not the scenario's own run
}

// NewTrial returns the trial of a step, of which nothing was run yet.
func NewTrial(s *Step) Trial {
	known, err := s.scenario()
	if err != nil {
		panic("reports: " + err.Error()) // the argument was checked
	}
	return Trial{Scenario: known, changed: len(s.With) > 0}
}

// scenario returns the scenario of a step, as it is run. One that is changed claims nothing.
func (s *Step) scenario() (*scenarios.Scenario, error) {
	known, ok := scenarios.Find(s.Scenario)
	if !ok {
		return nil, fmt.Errorf("the argument names the scenario %q, which is not in the catalogue", s.Scenario)
	}
	if s.Under != nil {
		known.Search.Faults = s.Under
	} else {
		known.Search = scenarios.Search{}
	}
	for _, change := range s.With {
		if err := known.Set(change); err != nil {
			return nil, fmt.Errorf("the argument's step %s: %w", s.Key, err)
		}
	}
	if len(s.With) > 0 {
		known.Claim, known.Mutants, known.Bounds = scenarios.Claim{}, nil, nil
	}
	if err := known.Check(); err != nil {
		return nil, fmt.Errorf("the argument's step %s: %w", s.Key, err)
	}
	return &known, nil
}

// Searched reports whether each seed draws a universe of its own. Then the scenario expects nothing, and no run is drawn.
func (t *Trial) Searched() bool { return t.Scenario.Search.Drawn() }

// free reports whether nothing is expected of the runs but what the text asserts.
func (t *Trial) free() bool { return t.changed || t.Searched() }

// A finding is what the runs say of an assertion, or of what a scenario expects.
type finding struct {
	verdict scenarios.Verdict // Pass if they bear it out, Fail if they do not, Unknown if that can't be known
	says    string            // what was measured, in a few words
}

func (d *Debate) trial(key string) *Trial {
	for i, s := range d.Argument.Steps() {
		if s.Key == key {
			return &d.Trials[i]
		}
	}
	panic("reports: no step is called " + key) // the argument was checked
}

// judge holds an assertion against the runs.
func (d *Debate) judge(c *Assertion) finding {
	t := d.trial(c.Key)
	rows := t.of(c.Mutant)
	switch c.Verb {
	case "figure":
		return t.figure(c.Name)
	case "shorter":
		return shorter(c.Name, t, d.trial(c.Than))
	case "bound":
		return t.bound(c.Name)
	case "happened":
		return happens(c, rows, slices.Index(t.Scenario.Sometimes, c.Name))
	}
	return broke(c, rows)
}

func (t *Trial) of(mutant string) []campaign.Row {
	for i, m := range t.Scenario.Mutants {
		if m.Name == mutant {
			return t.Mutants[i]
		}
	}
	return t.Rows
}

// tally counts what the runs say of a property.
func tally(rows []campaign.Row, property string) (n stats.Count) {
	i := propertyPlace(property)
	for k := range rows {
		n.Add(rows[k].Of(i))
	}
	return n
}

// as returns whether a property went as it should in all runs.
func as(want checker.Verdict, n stats.Count) scenarios.Verdict {
	if want == checker.Holds {
		return verdictIf(n.Violated == 0, n.Unknown == 0)
	}
	return verdictIf(n.Holds() == 0, n.Violated == n.Runs)
}

// broke finds in how many runs a property broke, or held.
func broke(c *Assertion, rows []campaign.Row) (f finding) {
	n := tally(rows, c.Name)
	f.says = c.Name + " violated in " + counts(n.Violated, n.Runs)
	switch c.Verb {
	case "holds":
		f.verdict = as(checker.Holds, n)
		if f.verdict == scenarios.Pass {
			f.says = c.Name + " held in " + counts(n.Runs, n.Runs)
		}
	case "violated":
		f.verdict = as(checker.Violated, n)
	case "sometimes":
		f.verdict = verdictIf(n.Violated+n.Unknown > 0, n.Violated > 0)
	}
	if n.Unknown > 0 {
		f.says += fmt.Sprintf(", not known in %d", n.Unknown)
	}
	return f
}

// happens finds in how many runs something happened.
func happens(c *Assertion, rows []campaign.Row, place int) finding {
	n := 0
	for _, r := range rows {
		if !r.Missing.Has(place) {
			n++
		}
	}
	return finding{verdictIf(n == len(rows), true), c.Name + " in " + counts(n, len(rows))}
}

// verdictIf is Fail if it can't be so, Pass if it is known to be, and else Unknown.
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
		return "all " + layout.Grouped(n)
	}
	return outOfAll(k, n)
}

func outOfAll(k, n int) string { return layout.Grouped(k) + " of " + layout.Grouped(n) }

// figure describes a figure of the runs: its median, the least and the most.
func (t *Trial) figure(name string) finding {
	values, unit := t.values(name)
	if len(values) == 0 {
		return finding{scenarios.Unknown, "no run has it"}
	}
	low, middle, high := values[0], values[len(values)/2], values[len(values)-1]
	if low == high {
		return finding{scenarios.Pass, amountOf(middle, unit) + " in each run"}
	}
	return finding{scenarios.Pass, fmt.Sprintf("%s in the median run, %s to %s in all", amountOf(middle, unit), amountOf(low, unit), amountOf(high, unit))}
}

// values returns a figure of all runs that know it, in order.
func (t *Trial) values(name string) (values []int64, unit checker.Unit) {
	i := figurePlace(name)
	for _, r := range t.Rows {
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
		return layout.Grouped(int(v))
	case d >= time.Second:
		return fmt.Sprintf("%.2f s", d.Seconds())
	default:
		return fmt.Sprintf("%.2f ms", float64(d)/float64(time.Millisecond))
	}
}

// shorter compares the medians of a figure.
func shorter(name string, a, b *Trial) finding {
	x, unit := a.values(name)
	y, _ := b.values(name)
	if len(x) == 0 || len(y) == 0 {
		return finding{scenarios.Unknown, "no run has it"}
	}
	here, there := x[len(x)/2], y[len(y)/2]
	return finding{verdictIf(here < there, true), fmt.Sprintf("medians %s and %s", amountOf(here, unit), amountOf(there, unit))}
}

// bound describes a bound as computed and as measured. It is borne out if the promise holds at the computed value.
func (t *Trial) bound(property string) finding {
	for _, e := range t.Edges {
		if e.Bound.Property != property {
			continue
		}
		if e.None != "" {
			return finding{scenarios.Unknown, strings.TrimSuffix(e.None, ".")}
		}
		return finding{verdictIf(t.safe(e), true), fmt.Sprintf("%s: computed %s; measured to hold at %s and to break at %s",
			property, spaced(e.Computed), spaced(e.Holds), spaced(e.Breaks))}
	}
	return finding{scenarios.Unknown, "no bound was measured"}
}

// safe reports whether the computed value lies where the promise holds.
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

// spaced sets the unit of a rate apart from its number, as in running text.
func spaced(value string) string {
	if n, is := strings.CutSuffix(value, "ppm"); is {
		return strings.TrimPrefix(n, "+") + " ppm"
	}
	if n, is := strings.CutSuffix(value, "s"); is && strings.Trim(n, "0123456789.-") == "" {
		return n + " s"
	}
	return value
}

// A row says of one property, or mutant, of a step in how many runs it broke, what was expected, and the interval.
type row struct {
	Name     string            `json:"name"`
	Want     string            `json:"expect,omitempty"`
	Count    string            `json:"runs"`
	Interval string            `json:"interval"`
	Verdict  scenarios.Verdict `json:"verdict"`
}

// rows returns the properties of the reference that broke, or that should have, and those that the prose is about.
func (t *Trial) rows(about []string) (listed []row, rest []string) {
	for _, p := range checker.Properties {
		r := t.row(p.Name)
		if n := tally(t.Rows, p.Name); n.Violated+n.Unknown == 0 && r.Verdict == scenarios.Pass && !slices.Contains(about, p.Name) {
			rest = append(rest, p.Name)
			continue
		}
		listed = append(listed, r)
	}
	return listed, rest
}

func (t *Trial) row(property string) row {
	n, want := tally(t.Rows, property), t.Scenario.Expected(property)
	r := row{Name: property, Count: outOfAll(n.Violated, n.Runs), Interval: t.share(t.Rows, stats.Count{Violated: n.Violated, Runs: n.Runs - n.Unknown})}
	if !t.free() {
		r.Want, r.Verdict = want.String(), as(want, n)
	}
	return r
}

// killed describes in how many runs a mutant broke all that it breaks, at once.
func (t *Trial) killed(i int) row {
	m := t.Scenario.Mutants[i]
	n := 0
	for _, x := range t.Mutants[i] {
		if !slices.ContainsFunc(m.Breaks, func(p string) bool { return !x.Violated.Has(propertyPlace(p)) }) {
			n++
		}
	}
	rows := len(t.Mutants[i])
	return row{Name: m.Name, Want: layout.List(m.Breaks), Count: outOfAll(n, rows),
		Interval: t.share(t.Mutants[i], stats.Count{Violated: n, Runs: rows}), Verdict: verdictIf(n > 0, true)}
}

// share returns what runs say of the share of all runs: an interval, or where all that goes wrong was planned and no run differs from
// another in any verdict, that one run shows it.
func (t *Trial) share(rows []campaign.Row, n stats.Count) string {
	differs := func(r campaign.Row) bool { return r.Unknown != 0 || r.Violated != rows[0].Violated }
	if !t.Searched() && t.Scenario.Planned() && !slices.ContainsFunc(rows, differs) {
		return n.Planned(layout.Grouped)
	}
	return interval(n.Violated, n.Runs)
}

// interval is that of Clopper and Pearson at 95 %, in words.
func interval(k, n int) string {
	_, says, _ := strings.Cut(stats.Count{Violated: k, Runs: n}.Claim(strconv.Itoa), ": ")
	return strings.TrimSuffix(says, stats.Confident)
}

// missing names what should have happened in every run and did not.
func (t *Trial) missing() (names []string) {
	for i, name := range t.Scenario.Sometimes {
		if slices.ContainsFunc(t.Rows, func(r campaign.Row) bool { return r.Missing.Has(i) }) {
			names = append(names, name)
		}
	}
	return names
}

// expected returns in what a step's runs differ from what its scenario expects.
func (t *Trial) expected() (wrong []string, worst scenarios.Verdict) {
	if t.free() {
		return nil, scenarios.Pass
	}
	for _, p := range checker.Properties {
		if r := t.row(p.Name); r.Verdict != scenarios.Pass {
			wrong, worst = append(wrong, fmt.Sprintf("%s should %s, and is violated in %s runs", r.Name, layout.Be(t.Scenario.Expected(p.Name)), r.Count)), max(worst, r.Verdict)
		}
	}
	if names := t.missing(); names != nil {
		wrong, worst = append(wrong, layout.List(names)+" should happen in each run, and did not"), scenarios.Fail
	}
	for i := range t.Mutants {
		if r := t.killed(i); r.Verdict != scenarios.Pass {
			wrong, worst = append(wrong, fmt.Sprintf("the mutant %s should break %s, and did in %s runs", r.Name, r.Want, r.Count)), scenarios.Fail
		}
	}
	return wrong, worst
}

// Wrong returns where the runs contradict the argument, or a scenario's own expectations, in a sentence each, and how bad
// that is: Unknown where it is only not known that they agree.
func (d *Debate) Wrong() (wrong []string, worst scenarios.Verdict) {
	for i, s := range d.Argument.Steps() {
		sentences, v := d.Trials[i].expected()
		for _, w := range sentences {
			wrong = append(wrong, s.Key+": "+w+".")
		}
		worst = max(worst, v)
	}
	for _, p := range d.Argument.passages() {
		for _, span := range p.Spans {
			if span.Claim == nil {
				continue
			}
			if f := d.judge(span.Claim); f.verdict != scenarios.Pass {
				wrong, worst = append(wrong, fmt.Sprintf("The text asserts {%s}, and the runs say: %s.", span.Claim, f.says)), max(worst, f.verdict)
			}
		}
	}
	return wrong, worst
}

// Summary returns one line that says what came of a debate.
func Summary(d *Debate) string {
	wrong, worst := d.Wrong()
	claims, sentences := 0, 0
	for _, t := range d.Trials {
		if t.Scenario.Claim.Says != "" {
			claims++
		}
	}
	for _, p := range d.Argument.passages() {
		for _, s := range p.Spans {
			if s.Claim != nil {
				sentences++
			}
		}
	}
	return fmt.Sprintf("%s: %s, %d assertions of the text, %d contradicted or not known; %s of each scenario from seed %d.",
		strings.ToUpper(worst.String()), layout.Count(claims, "claim", "claims"), sentences, len(wrong), d.made(), d.Seed)
}

// made describes how many runs each scenario has.
func (d *Debate) made() string {
	return layout.Grouped(d.Runs) + layout.Either(d.Runs, " run", " runs")
}
