package debate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/sentence"
)

// check returns an error for names of things that don't exist, and for sentences that say more than their basis.
func (a *Argument) check() error {
	seen := map[string]bool{}
	for _, s := range a.Steps() {
		if a.scenario(s.Scenario) == nil {
			return fmt.Errorf("the argument names the scenario %q, which is not in the catalogue", s.Scenario)
		}
		if seen[s.Scenario] {
			return fmt.Errorf("the argument has two steps %q", s.Scenario)
		}
		seen[s.Scenario] = true
	}
	var wrong []error
	for i := range a.Chapters {
		c := &a.Chapters[i]
		for _, p := range c.Text {
			wrong = append(wrong, a.checkPassage(p, p.claims(), ""))
		}
		for _, s := range c.Steps {
			var all []*Assertion
			for _, p := range s.Text {
				all = append(all, p.claims()...)
			}
			for _, p := range s.Text {
				wrong = append(wrong, a.checkPassage(p, all, s.Scenario))
			}
		}
	}
	return errors.Join(wrong...)
}

// claims returns the assertions of a passage.
func (p *Passage) claims() (all []*Assertion) {
	for _, s := range p.Spans {
		if s.Claim != nil {
			all = append(all, s.Claim)
		}
	}
	return all
}

// checkPassage checks one passage in the step of a scenario. Its assertions can be a pair with the others.
func (a *Argument) checkPassage(p Passage, others []*Assertion, scenario string) error {
	if p.plot != "" && studyOf(p.plot) == nil {
		return fmt.Errorf("there is no study %q to plot", p.plot)
	}
	if p.drawn != "" && a.find(p.drawn) == nil {
		return fmt.Errorf("%q is not a step whose figure could be drawn", p.drawn)
	}
	for _, h := range p.helps {
		for _, place := range []Place{h.Place, h.With} {
			if err := a.checkClaim(&Assertion{Place: place, Verb: "violated", Name: h.Property}, nil); err != nil {
				return err
			}
		}
	}
	for _, s := range p.Spans {
		switch {
		case s.Source != "" && !slices.ContainsFunc(sources, func(o Source) bool { return o.Key == s.Source }):
			return fmt.Errorf("the argument cites [%s], which is not among the sources", s.Source)
		case s.Chapter != "" && !slices.ContainsFunc(a.Chapters, func(c Chapter) bool { return c.ID == s.Chapter }):
			return fmt.Errorf("the argument refers to §%s, and there is no such chapter", s.Chapter)
		case s.Claim != nil:
			if err := a.checkClaim(s.Claim, others); err != nil {
				return err
			}
		}
	}
	var all []error
	for _, text := range sentence.Split(p.text) {
		if wrong := a.wrongWith(text, scenario); wrong != nil {
			all = append(all, fmt.Errorf("%q: %s", text, strings.Join(wrong, "; ")))
		}
	}
	return errors.Join(all...)
}

// wrongWith returns why a sentence says more than its basis.
func (a *Argument) wrongWith(text, scenario string) []string {
	b := sentence.Basis{Silent: true}
	known := []string{scenario}
	for _, rest := range sentence.Assertions(text) {
		c, err := assertionIn(rest, &Step{Scenario: scenario})
		if err != nil {
			return []string{err.Error()}
		}
		b.Rests = append(b.Rests, rest)
		b.Pair = b.Pair || c.Mutant != "" || c.With != nil ||
			slices.Contains([]string{"shorter", "below", "like"}, c.Verb)
		b.Drawn = b.Drawn || c.Under != "" || c.plot != ""
		known = append(known, c.Scenario)
		if c.plot != "" {
			b.Known += studyOf(c.plot).settings()
		}
	}
	for _, id := range known {
		if s := a.scenario(id); s != nil {
			plain := *s
			plain.Claim, plain.About, plain.Source, plain.Title = scenarios.Claim{}, "", "", ""
			b.Known += string(plain.YAML())
		}
	}
	return sentence.Wrong(text, b)
}

func (a *Argument) checkClaim(c *Assertion, others []*Assertion) error {
	if c.Verb == noRun {
		return nil
	}
	if c.plot != "" {
		return c.checkPlot()
	}
	known := a.scenario(c.Scenario)
	if known == nil {
		return fmt.Errorf("{%s} stands on %q, which is not a scenario of the catalogue", c, c.Scenario)
	}
	if c.Runs > 0 && c.Mutant != "" {
		return fmt.Errorf("{%s}: a known flaw has as many runs as its scenario says; leave out the runs", c)
	}
	if _, err := a.place(c.Place); err != nil {
		return fmt.Errorf("{%s}: %w", c, err)
	}
	if !c.names(known) {
		return fmt.Errorf("{%s}: there is no %q to be %s in %s", c, c.Name, c.Verb, c.Scenario)
	}
	if c.Verb == "shorter" {
		if n := a.apart(c.Place, c.Than); n != 1 {
			return fmt.Errorf("{%s}: in a pair one setting differs, and here %d do", c, n)
		}
		return nil
	}
	changed := len(a.changes(c.Place)) > 0
	paired := func(o *Assertion) bool { return c.about(o) && a.apart(c.Place, o.Place) == 1 }
	if changed && others != nil && !slices.ContainsFunc(others, paired) {
		return fmt.Errorf("{%s}: its paragraph does not say what is so with one setting less: no pair", c)
	}
	return nil
}

// about reports whether two assertions are about the same property.
func (c *Assertion) about(o *Assertion) bool {
	return c.Name == o.Name || o.Name == "nothing" || c.Name == "nothing" && o.Verb == "violated"
}

// changes returns the changes of a place to its scenario, as KEY=VALUE.
func (a *Argument) changes(p Place) (all []string) {
	all = slices.Clone(p.With)
	if s := a.scenario(p.Scenario); s != nil {
		for _, m := range s.Mutants {
			if m.Name == p.Mutant {
				for _, set := range m.Set {
					all = append(all, set.String())
				}
			}
		}
	}
	return all
}

// apart returns in how many settings two places differ; -1 if their scenarios differ. The ends of a range are one
// setting.
func (a *Argument) apart(p, o Place) int {
	if p.Scenario != o.Scenario || p.Under != o.Under {
		return -1
	}
	differ := map[string]bool{}
	here, there := a.changes(p), a.changes(o)
	note := func(all, others []string) {
		for _, set := range all {
			if !slices.Contains(others, set) {
				key, _, _ := strings.Cut(set, "=")
				differ[strings.TrimSuffix(strings.TrimSuffix(key, ".min"), ".max")] = true
			}
		}
	}
	note(here, there)
	note(there, here)
	return len(differ)
}

func (c *Assertion) checkPlot() error {
	s := studyOf(c.plot)
	if s == nil {
		return fmt.Errorf("{%s}: there is no study %q", c, c.plot)
	}
	line, other := s.lineOf(c.Name), s.lineOf(c.other)
	switch {
	case line < 0, (c.Verb == "below" || c.Verb == "like") && other < 0:
		return fmt.Errorf("{%s}: the study %s has no such line", c, c.plot)
	case slices.Contains([]string{"at", "none", "all"}, c.Verb) && s.pointOf(c.other) < 0:
		return fmt.Errorf("{%s}: the study %s has no value %q", c, c.plot, c.other)
	case (c.Verb == "below" || c.Verb == "like") && !s.pair(line, other):
		return fmt.Errorf("{%s}: the lines differ in more than one setting: no pair", c)
	}
	return nil
}

func (c *Assertion) names(s *scenarios.Scenario) bool {
	switch c.Verb {
	case "happened":
		return slices.Contains(s.Sometimes, c.Name)
	case "figure":
		return c.Name == requests && c.Under == "" || figurePlace(c.Name) >= 0
	case "shorter":
		return figurePlace(c.Name) >= 0
	case "bound":
		return slices.ContainsFunc(s.Bounds, func(b scenarios.Bound) bool { return b.Property == c.Name })
	}
	return c.Name == "nothing" || propertyPlace(c.Name) >= 0
}

// String returns the assertion as in the text, with the optional parts.
func (c *Assertion) String() string {
	if c.Runs > 0 {
		return c.words() + fmt.Sprintf(" in %d runs", c.Runs)
	}
	return c.words()
}

// words returns the assertion without its number of runs.
func (c *Assertion) words() string {
	if c.plot != "" {
		return strings.TrimSpace("plot " + c.plot + ": " + c.Name + " " + c.Verb + " " + c.other)
	}
	if c.Verb == noRun {
		return noRun + ": " + c.Name
	}
	text := map[string]string{
		"violated": c.Name + " violated", "holds": c.Name + " holds", "sometimes": c.Name + " sometimes violated",
		"happened": c.Name + " happened",
		"figure":   "figure " + c.Name, "bound": "bound " + c.Name,
		"shorter": c.Name + " shorter than " + c.Than.String(),
	}[c.Verb]
	return strings.TrimSpace(c.Place.String()) + ": " + text
}

// place returns the scenario of a place as it is run. A changed scenario has no claim.
func (a *Argument) place(p Place) (*scenarios.Scenario, error) {
	base := a.scenario(p.Scenario)
	if base == nil {
		return nil, fmt.Errorf("there is no scenario %q in the catalogue", p.Scenario)
	}
	known := *base
	known.Search = scenarios.Search{}
	if p.Under != "" {
		known.Search = base.Search
		known.Search.Faults = strings.Split(p.Under, ",")
	}
	if p.Mutant != "" {
		i := slices.IndexFunc(base.Mutants, func(m scenarios.Mutant) bool { return m.Name == p.Mutant })
		if i < 0 {
			return nil, fmt.Errorf("%s has no mutant %q", p.Scenario, p.Mutant)
		}
		changed, err := known.Mutate(base.Mutants[i])
		if err != nil {
			return nil, err
		}
		known = changed
	}
	if p.String() != p.Scenario {
		known.Claim, known.Mutants, known.Bounds = scenarios.Claim{}, nil, nil
	}
	if err := known.SetAll(p.With); err != nil {
		return nil, err
	}
	return &known, known.Check()
}
