package campaign

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A Bound is the value of a setting at which a property begins to hold, or to break: one that a scenario states, as computed
// and as measured. It is its JSON in the result of a run.
type Bound struct {
	Property string          `json:"property"`
	Setting  string          `json:"setting"`
	From     scenarios.Value `json:"from"` // the beginning and the end of the search
	To       scenarios.Value `json:"to"`
	Formula  string          `json:"formula"`             // one of scenarios.FormulaNames; empty if the scenario states no bound
	Law      string          `json:"law"`                 // the formula in words, with T for the TTL and A for the drift allowance
	Computed string          `json:"reckoned"`            // what the formula computes
	Holds    string          `json:"holds_at,omitempty"`  // the last value found at which the property holds, with every seed
	Breaks   string          `json:"breaks_at,omitempty"` // the last value found at which it breaks; the edge lies between the two
	None     string          `json:"none,omitempty"`      // why there is no such edge, as a plain sentence; empty where there is one
	Runs     int             `json:"runs"`                // how many runs it took

	flat *flat // None is of it; else nil
}

// An Edge is a bound of a line of a study, measured with many seeds.
type Edge struct {
	Line string `json:"line"` // empty outside a study
	Bound
	Stated bool    `json:"stated"`      // by the scenario; else the bound has no formula
	Seed   *uint64 `json:"breaks_seed"` // the first with which the property breaks at Breaks; nil without an edge
}

// A flat says that a property has one verdict at both ends, and at some values between.
type flat struct {
	holds   bool
	between int
}

// NoneOf returns None for several properties, which it calls by a name. Those for which it returns the same, when they have one
// name, can share a sentence.
func (b *Bound) NoneOf(properties int, who string) string {
	if b.flat == nil {
		return b.None
	}
	verb := holdsOrBreaks(b.flat.holds)
	if properties > 1 {
		verb = strings.TrimSuffix(verb, "s")
	}
	text := fmt.Sprintf("No bound lies between %s and %s: %s %s at both ends", b.From, b.To, who, verb)
	switch b.flat.between {
	case 0:
		return text + "."
	case 1:
		return text + ", and at one value between."
	}
	return fmt.Sprintf("%s, and at %d values between.", text, b.flat.between)
}

// Edges measures each bound of a scenario, with one seed. The scenario must have passed Check.
func Edges(s *scenarios.Scenario, seed uint64) []Edge { return EdgesOf(s, seed, 1) }

// EdgesOf measures each bound of a scenario with several seeds: at the edge, the property holds with all of them. The
// scenario must have passed Check.
func EdgesOf(s *scenarios.Scenario, first uint64, seeds int) []Edge {
	b := BoundSearch{Scenario: s, First: first, Seeds: seeds}
	return b.Edges()
}

// A BoundSearch looks for the edges of several properties as a setting varies. It searches a span, or the bounds that
// the scenario states.
type BoundSearch struct {
	Scenario   *scenarios.Scenario // must have passed Check
	Span       Span                // the zero Span means the bounds that the scenario states
	Properties []string            // empty for all
	First      uint64              // the first seed
	Seeds      int                 // how many

	// Stop, if set, is called before each run. If it returns true the search ends.
	Stop func() bool
}

// spanSteps is how many values of a span are tried before it is halved. So a property that breaks only in the middle,
// or more than once, is not reported to have a single edge. A bound that a scenario states has only one.
const spanSteps = 8

// Check rejects a search that can't be done.
func (b *BoundSearch) Check() error {
	if err := checkNames(b.Properties, judged[:len(checker.Properties)]); err != nil {
		return err
	}
	if b.Span == (Span{}) {
		return nil
	}
	for _, end := range []scenarios.Value{b.Span.From, b.Span.To} {
		if _, err := altered(b.Scenario, b.Span.Key, string(end)); err != nil {
			return fmt.Errorf("at %s=%s: %w", b.Span.Key, end, err)
		}
	}
	return nil
}

// Edges returns an edge for each property, or for each stated bound; after a stop, the edges that were found before.
// The search must have passed Check.
func (b *BoundSearch) Edges() (all []Edge) {
	w := &seedWorker{runner: scenarios.NewRunner()}
	defer w.runner.Close()
	var p *prober
	for _, t := range b.trials() {
		if p == nil || b.Span == (Span{}) { // else what is known of a value is known of all properties
			p = newProber(w, b, t.bound.Setting)
		}
		t.prober = p
		e := t.edge()
		if p.stopped {
			return all
		}
		if law := t.bound.Formula; t.stated {
			e.Stated, e.Formula, e.Law = true, scenarios.FormulaNames[law], law.Law()
			e.Computed = law.Compute(p.setting, b.Scenario)
		}
		all = append(all, e)
	}
	return all
}

// Many returns how many edges the search looks for.
func (b *BoundSearch) Many() int { return len(b.trials()) }

func (b *BoundSearch) trials() (all []trial) {
	asked := func(property string) bool { return len(b.Properties) == 0 || slices.Contains(b.Properties, property) }
	if b.Span == (Span{}) {
		for _, o := range b.Scenario.Bounds {
			if asked(o.Property) {
				all = append(all, trial{bound: o, stated: true})
			}
		}
		return all
	}
	key, _ := scenarios.Lookup(b.Scenario, b.Span.Key) // Check has found it
	for _, property := range b.Scenario.Promises() {
		if !asked(property.Name) {
			continue
		}
		sought := scenarios.Bound{
			Setting: b.Span.Key, From: b.Span.From, To: b.Span.To, Property: property.Name, Formula: scenarios.NoBound,
		}
		i := slices.IndexFunc(b.Scenario.Bounds, func(o scenarios.Bound) bool {
			return o.Setting == key.Key && o.Property == property.Name
		})
		if i >= 0 {
			sought.Formula = b.Scenario.Bounds[i].Formula
		}
		all = append(all, trial{bound: sought, stated: i >= 0, steps: spanSteps})
	}
	return all
}

// A prober runs a scenario with a setting at one value or another, and remembers the outcomes.
type prober struct {
	*BoundSearch
	worker  *seedWorker
	setting scenarios.Setting
	runs    int
	known   map[string]*probe // by value
	stopped bool
}

// A probe is the outcome of the runs at one value.
type probe struct {
	violated, unknown Set      // with any seed
	seed              []uint64 // for each property, the first with which it was violated
	err               error    // why there were no runs
}

func newProber(w *seedWorker, b *BoundSearch, key string) *prober {
	setting, _ := scenarios.Lookup(b.Scenario, key) // Check has found it
	return &prober{BoundSearch: b, worker: w, setting: setting, known: map[string]*probe{}}
}

func (p *prober) at(value string) *probe {
	if done, is := p.known[value]; is {
		return done
	}
	at := &probe{seed: make([]uint64, len(checker.Properties))}
	p.known[value] = at
	s, err := altered(p.Scenario, p.setting.Key, value)
	if at.err = err; err != nil || p.stopped {
		return at
	}
	p.worker.universes, p.worker.first = s.Universes(), p.First
	e := Engine[Row]{
		Pieces: Range(0, p.Seeds), InOrder: true,
		NewWorker: func() Worker[Row] { return Worker[Row]{Make: p.worker.run, At: p.worker.at} },
		Stop: func() bool {
			p.stopped = p.Stop != nil && p.Stop()
			return p.stopped
		},
		Done: func(_ int, row Row) (bool, error) {
			p.runs++
			at.add(&row)
			return true, nil
		},
	}
	e.run()
	return at
}

func (at *probe) add(row *Row) {
	at.unknown |= row.Unknown
	for i := range at.seed {
		if row.Violated.Has(i) && !at.violated.Has(i) {
			at.violated |= bit(true, i)
			at.seed[i] = row.Seed
		}
	}
}

// A seedWorker makes the runs of one scenario, seed by seed.
type seedWorker struct {
	runner    *scenarios.Runner
	universes *scenarios.Universes
	first     uint64
	universe  scenarios.Scenario // that it is at
	seed      uint64
}

func (w *seedWorker) run(i int) Row {
	w.seed = w.first + uint64(i)
	w.universe = w.universes.At(w.seed)
	return RowOf(w.runner.Run(&w.universe, w.seed))
}

func (w *seedWorker) at() (scenario string, seed uint64) { return w.universe.ID, w.seed }

// altered returns a scenario with a setting at a value. No search changes it.
func altered(s *scenarios.Scenario, key, value string) (scenarios.Scenario, error) {
	c := *s
	c.Bounds, c.Mutants = nil, nil
	if err := c.Set(key + "=" + value); err != nil {
		return c, err
	}
	c.Hold(key)
	return c, c.Check()
}

// A trial measures one bound.
type trial struct {
	*prober
	bound  scenarios.Bound
	stated bool
	steps  int    // in which it goes from end to end at first; 0 looks at the ends alone
	none   string // why there is no edge
	flat   *flat  // likewise
}

// edge halves the interval until the rest is too small to matter. It finds the one edge of a property that changes its
// verdict once. Where each of several locks in a run has its edge, because Formula.Deviation makes them differ a
// little, the search ends at one of these. All values between are whole units, so that they read well and can be set
// wherever both ends can.
func (t *trial) edge() Edge {
	o, before := t.bound, t.runs
	e := Edge{Bound: Bound{Property: o.Property, Setting: o.Setting, From: o.From, To: o.To}}
	good, bad := t.narrowed()
	for unit := t.setting.Unit(t.Scenario); t.none == "" && !t.stopped && max(good-bad, bad-good) >= 2*unit; {
		middle := bad + (good-bad)/2/unit*unit
		if t.holds(t.shown(middle)) {
			good = middle
		} else {
			bad = middle
		}
	}
	if e.Runs, e.None, e.flat = t.runs-before, t.none, t.flat; e.None == "" {
		e.Holds, e.Breaks = t.shown(good), t.shown(bad)
		e.Seed = &t.at(e.Breaks).seed[t.property()]
	}
	return e
}

func (t *trial) shown(n int64) string { return t.setting.Shown(t.Scenario, n) }

// narrowed tries values from end to end, and returns the neighbours between which the verdict changes. It notes if the
// verdict never changes, or changes more than once.
func (t *trial) narrowed() (good, bad int64) {
	values := t.values()
	was := t.holds(t.shown(values[0]))
	last := t.holds(t.shown(values[len(values)-1])) // both ends first: perhaps one can't be measured
	story, changes := []string{t.verdictAt(was, values[0])}, 0
	for i := 1; i < len(values) && t.none == ""; i++ {
		is := last
		if i < len(values)-1 {
			is = t.holds(t.shown(values[i]))
		}
		if is == was {
			continue
		}
		good, bad = values[i-1], values[i]
		if is {
			good, bad = bad, good
		}
		was, changes = is, changes+1
		story = append(story, t.verdictAt(is, values[i]))
	}
	switch {
	case t.none != "":
	case changes == 0:
		t.flat = &flat{was, len(values) - 2}
		t.none = (&Bound{From: t.bound.From, To: t.bound.To, flat: t.flat}).NoneOf(1, t.bound.Property)
	case changes > 1:
		t.none = fmt.Sprintf("There is more than one bound between %s and %s for %s: it %s. Look between two of these values.",
			t.bound.From, t.bound.To, t.bound.Property, strings.Join(story, ", "))
	}
	return good, bad
}

// values returns both ends, and the values between them that are tried before the halving.
func (t *trial) values() []int64 {
	from, to := t.end(t.bound.From), t.end(t.bound.To)
	all := []int64{from}
	for i := 1; i < t.steps; i++ {
		n := evenly(from, to, t.setting.Unit(t.Scenario), i, t.steps)
		all = append(all, min(max(n, min(from, to)), max(from, to)))
	}
	return slices.Compact(append(all, to))
}

func (t *trial) verdictAt(holds bool, n int64) string {
	return holdsOrBreaks(holds) + " at " + t.shown(n)
}

func holdsOrBreaks(holds bool) string {
	if holds {
		return "holds"
	}
	return "breaks"
}

// end returns the number of one end of the search.
func (t *trial) end(value scenarios.Value) int64 {
	n, err := numberOf(t.Scenario, t.setting, string(value))
	if err != nil {
		panic("campaign: " + err.Error()) // Check has set it
	}
	return n
}

// property returns the index of the bound's property in checker.Properties.
func (t *trial) property() int {
	i := slices.IndexFunc(checker.Properties, func(p checker.Property) bool { return p.Name == t.bound.Property })
	if i < 0 {
		panic("campaign: no property is named " + t.bound.Property) // Check has rejected it
	}
	return i
}

// holds runs the scenario with the setting at a value. If the runs prove nothing, it records why.
func (t *trial) holds(value string) bool {
	at, i := t.at(value), t.property()
	switch {
	case at.err != nil: // both ends can be set, but not every value between them, such as a rate of nothing
		t.none = fmt.Sprintf("The bound can't be measured: the search came upon %s (%v).", value, at.err)
	case at.unknown.Has(i) && !at.violated.Has(i):
		t.none = fmt.Sprintf("The bound can't be measured: with %s the run was cut short, and nothing is known of %s.",
			value, t.bound.Property)
	case !at.violated.Has(i):
		return true
	}
	return false
}

func verdict(r *scenarios.Result, property string) checker.Verdict {
	if !slices.Contains(judged, property) {
		panic("campaign: no property is named " + property) // Check has rejected it
	}
	return r.VerdictOn(property)
}
