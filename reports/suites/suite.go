package suites

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// A Suite is the outcome of scenarios, or their mutants, that were run as tests. It is plain data, from which all
// reports of a suite are made, and lockstorm test --format json prints it. It has no elapsed time, so the same
// scenarios and seeds yield the same bytes.
//
// Line accepts a suite that is still being filled in; a Case without a verdict was not run yet.
type Suite struct {
	SchemaVersion int               `json:"schema_version"`
	Lockstorm     string            `json:"lockstorm"`
	Seed          uint64            `json:"seed"` // the first
	Runs          int               `json:"runs"` // of each scenario; a mutant may take more
	Verdict       scenarios.Verdict `json:"verdict"`
	Scenarios     []Case            `json:"scenarios"`
	Mutants       []MutantResult    `json:"mutants"` // with --mutants, instead of scenarios
	Skipped       []Skipped         `json:"skipped,omitempty"`
}

// A Skipped is a scenario that was not run, because the lock under test can't do what it is about.
type Skipped struct {
	Scenario string `json:"scenario"`
	File     string `json:"file,omitempty"`
	Why      string `json:"why"`
}

// A Case is the outcome of one scenario of a suite.
type Case struct {
	Scenario   string               `json:"scenario"`
	File       string               `json:"file,omitempty"` // its file, if it is not in the catalogue
	Title      string               `json:"title"`
	Claim      *Claim               `json:"claim"`
	Tokens     string               `json:"tokens_from,omitempty"` // the source of fencing tokens, if there are any
	Runs       int                  `json:"runs"`
	Verdict    scenarios.Verdict    `json:"verdict"` // the worst
	Pass       int                  `json:"pass"`
	Fail       int                  `json:"fail"`
	Unknown    int                  `json:"unknown"`
	Properties []campaign.Frequency `json:"properties"`
	BlackBox   []campaign.View      `json:"black_box"` // the verdicts of a linearizability checker
	Sometimes  []campaign.Frequency `json:"sometimes"`
	Untested   []string             `json:"untested"`         // the promises that no run could break
	Wrong      []string             `json:"wrong"`            // what was not as expected, in a sentence each
	First      *uint64              `json:"first_unexpected"` // the first seed with the worst verdict
	Command    string               `json:"command"`          // repeats that run, or the first one
	Note       string               `json:"note,omitempty"`   // the promises that the runs can't test, and why
	story      string               // of that run, if it was not as expected
	planned    bool                 // see scenarios.Scenario.Planned
}

// A Claim is a statement about the lock, and what the runs show of it.
type Claim struct {
	By      string   `json:"by"`
	Says    string   `json:"says"`
	Finding string   `json:"finding"`
	Assumes []string `json:"assumes"` // beyond the assumptions of the source
}

// A MutantResult is the result of one mutant, and of the reference run with the same seeds.
type MutantResult struct {
	Mutant    string            `json:"mutant"`
	Scenario  string            `json:"scenario"`
	File      string            `json:"file,omitempty"`
	About     string            `json:"about"`
	Precedent string            `json:"precedent"`
	Breaks    []string          `json:"breaks"`
	Within    int               `json:"within"` // the limit of its runs, from seed 1
	Runs      int               `json:"runs"`   // of each of the two
	Verdict   scenarios.Verdict `json:"verdict"`
	Survived  int               `json:"reference_survived"` // runs that went as expected
	Killed    int               `json:"mutant_caught"`      // runs in which everything broke that it breaks
	First     *uint64           `json:"first_caught"`
	BlackBox  []campaign.View   `json:"black_box"` // the verdicts of a linearizability checker on the mutant
	Wrong     []string          `json:"wrong"`
	Command   string            `json:"command"` // shows the mutant, or the reference if that went wrong
	story     string            // of that run, if something went wrong
}

// New returns a suite whose scenarios are run from the first seed.
func New(version string, first uint64, runs int) *Suite {
	return &Suite{
		SchemaVersion: checker.SchemaVersion, Lockstorm: version, Seed: first, Runs: runs,
		Scenarios: []Case{}, Mutants: []MutantResult{},
	}
}

// Add adds a scenario that is not run yet, with its file if it is not in the catalogue.
func (s *Suite) Add(x *scenarios.Scenario, file string) *Case {
	c := Case{
		Scenario: x.ID, File: file, Title: x.Title, Tokens: x.TokensFrom(), Runs: s.Runs,
		Properties: []campaign.Frequency{}, BlackBox: []campaign.View{}, Sometimes: []campaign.Frequency{},
		Untested: []string{}, Wrong: []string{}, planned: x.Planned(), Note: x.Alone(),
	}
	if x.Claim.Says != "" {
		c.Claim = &Claim{By: x.Claim.By, Says: x.Claim.Says, Finding: x.Claim.Found(),
			Assumes: append([]string{}, x.Departures()...)}
	}
	s.Scenarios = append(s.Scenarios, c)
	return &s.Scenarios[len(s.Scenarios)-1]
}

// Skip adds a scenario that is not run, and the reason.
func (s *Suite) Skip(x *scenarios.Scenario, file, why string) {
	s.Skipped = append(s.Skipped, Skipped{x.ID, file, why})
}

// AddMistaken adds a file that can't be run, as a failure with its mistakes and the command that shows them.
func (s *Suite) AddMistaken(file, command string, mistakes error) {
	s.Scenarios = append(s.Scenarios, Case{
		Scenario: file, File: file, Verdict: scenarios.Fail, Command: command,
		Properties: []campaign.Frequency{}, BlackBox: []campaign.View{}, Sometimes: []campaign.Frequency{},
		Untested: []string{}, Wrong: strings.Split(mistakes.Error(), "\n"),
	})
}

// AddMutant adds a mutant of a scenario that is not run yet.
func (s *Suite) AddMutant(x *scenarios.Scenario, m scenarios.Mutant, file string) *MutantResult {
	s.Mutants = append(s.Mutants, MutantResult{
		Mutant: m.Name, Scenario: x.ID, File: file, About: m.About, Precedent: m.Precedent,
		Breaks: append([]string{}, m.Breaks...), Within: m.Within, Runs: max(s.Runs, m.Within),
		BlackBox: []campaign.View{}, Wrong: []string{},
	})
	return &s.Mutants[len(s.Mutants)-1]
}

// Len is the number of scenarios or mutants.
func (s *Suite) Len() int { return len(s.Scenarios) + len(s.Mutants) }

// CutAt leaves out the scenarios or mutants from the i-th on, which were not run.
func (s *Suite) CutAt(i int) {
	s.Scenarios = s.Scenarios[:min(i, len(s.Scenarios))]
	s.Mutants = s.Mutants[:min(i, len(s.Mutants))]
}

// Tell sets the story of an unexpected run of the i-th scenario.
func (s *Suite) Tell(i int, story string) {
	if i < len(s.Scenarios) {
		s.Scenarios[i].story = story
		return
	}
	s.Mutants[i].story = story
}

// Ran fills in the outcome of the runs, and the command that repeats the run to look at.
func (c *Case) Ran(s *scenarios.Scenario, t campaign.Tally, command string) {
	c.Runs, c.Verdict, c.Pass, c.Fail, c.Unknown = t.Runs, t.Verdict, t.Pass, t.Fail, t.Unknown
	c.Properties, c.BlackBox, c.Sometimes = t.Properties, t.BlackBox, t.Sometimes
	c.Wrong = append([]string{}, wrong(&t)...)
	c.Command = command
	if t.Verdict != scenarios.Pass {
		c.First = new(t.WorstSeed())
	}
	var named []string
	for _, p := range t.Properties {
		if p.Untested < t.Runs || t.Runs == 0 {
			continue
		}
		c.Untested = append(c.Untested, p.Name)
		if slices.Contains(s.Expect, scenarios.Expectation{Property: p.Name, Verdict: checker.Holds}) {
			named = append(named, p.Name)
		}
	}
	if len(named) > 0 {
		c.fail(fmt.Sprintf("%s should hold, and no run tested %s; give more runs, or leave %[2]s out of expect",
			wording.List(named), wording.Either(len(named), "it", "them")))
	}
}

// Unhit fails a scenario whose runs never showed the effect of these lines of its search.draw.
func (c *Case) Unhit(lines []string) {
	for _, line := range lines {
		c.fail(fmt.Sprintf("%q of search.draw never hit, or changed nothing, in %s; give more runs, a longer "+
			"search.within, or a larger fault", line, wording.Count(c.Runs, "run", "runs")))
	}
}

// fail makes a case fail although each of its runs may be as expected.
func (c *Case) fail(why string) {
	c.Verdict, c.Wrong = scenarios.Fail, append(c.Wrong, why)
}

// Vain notes which faults of a user's file could harm no lock in the run with this seed.
func (c *Case) Vain(s scenarios.Scenario, seed uint64) {
	if c.File != "" && c.Note == "" && !s.Search.Drawn() {
		c.Note = strings.Join(scenarios.Run(s, seed).Vain(), "; ")
	}
}

// Ran fills in the outcome of the runs of the mutant and of the reference, and the command that shows the run to look
// at.
func (d *MutantResult) Ran(s *scenarios.Scenario, k campaign.MutantResult, command string) {
	d.Runs, d.Verdict, d.Command = k.Runs, k.Verdict(), command
	d.Survived, d.Killed = k.Reference.Pass, k.Killed
	d.BlackBox = append([]campaign.View{}, k.BlackBox...)
	if k.Killed > 0 {
		d.First = &k.First
	}
	d.Wrong = []string{}
	for _, w := range wrong(&k.Reference) {
		d.Wrong = append(d.Wrong, "of the reference, "+w)
	}
	if w := d.survival(k.Mutant); w != "" {
		d.Wrong = append(d.Wrong, w)
	}
}

// survival returns how a mutant escaped, or "".
func (d *MutantResult) survival(v scenarios.Verdict) string {
	switch {
	case v == scenarios.Pass:
		return ""
	case v == scenarios.Unknown:
		return "the mutant is not known to break " + wording.List(d.Breaks) + ": runs were cut short"
	case d.First != nil:
		return fmt.Sprintf("the mutant should be killed within %s, and is first killed with seed %d",
			wording.Count(d.Within, "run", "runs"), *d.First)
	}
	return fmt.Sprintf("the mutant should break %s, and survives %s", wording.List(d.Breaks),
		wording.Count(d.Runs, "run", "runs"))
}

// wrong returns what was not as expected in the runs, in a sentence each, without the full stop. Properties that differ
// alike share a sentence.
func wrong(m *campaign.Tally) (all []string) {
	for _, alike := range alike(watched(m), m.Runs) {
		c := alike.counted
		all = append(all, fmt.Sprintf("%s should %s, and %s", wording.List(alike.names), wording.Be(c.Expect),
			found(c, len(alike.names), m.Runs)))
	}
	for _, alike := range alike(m.Sometimes, m.Runs) {
		all = append(all, fmt.Sprintf("%s should happen, and %s", wording.List(alike.names),
			never(alike.counted, len(alike.names), m.Runs)))
	}
	return all
}

// watched returns what the scenario expects something of: the promises, and the views that it names.
func watched(m *campaign.Tally) []campaign.Frequency {
	all := m.Properties[:len(m.Properties):len(m.Properties)]
	for i := range m.BlackBox {
		if v := &m.BlackBox[i]; v.Expect != nil {
			all = append(all, campaign.Frequency{Name: v.Name(), Expect: *v.Expect, Holds: v.Holds, Count: v.Count})
		}
	}
	return all
}

// A likeness is some properties with the same counts.
type likeness struct {
	names   []string
	counted campaign.Frequency // the first of them
}

// join adds a property to the group of properties like it, or to a new group.
func join(groups []likeness, c campaign.Frequency, like func(o campaign.Frequency) bool) []likeness {
	i := slices.IndexFunc(groups, func(g likeness) bool { return like(g.counted) })
	if i < 0 {
		i = len(groups)
		groups = append(groups, likeness{counted: c})
	}
	groups[i].names = append(groups[i].names, c.Name)
	return groups
}

// alike groups properties that did not always have the expected verdict by their expectations and counts.
func alike(all []campaign.Frequency, runs int) (groups []likeness) {
	for _, c := range all {
		if c.AsExpected() != runs {
			groups = join(groups, c, func(o campaign.Frequency) bool {
				o.Name = c.Name
				return o == c
			})
		}
	}
	return groups
}

// found returns the verdicts that properties had instead, and in how many runs.
func found(c campaign.Frequency, names, runs int) string {
	var parts []string
	for _, v := range []checker.Verdict{checker.Violated, checker.Holds, checker.Unknown} {
		if n := c.With(v); n > 0 && v != c.Expect {
			parts = append(parts, wording.Is(v, names)+" in "+outOf(n, runs))
		}
	}
	return wording.List(parts)
}

// never returns in how many runs required events did not happen.
func never(c campaign.Frequency, names, runs int) string {
	var parts []string
	if c.Violated > 0 {
		parts = append(parts, "never did in "+outOf(c.Violated, runs))
	}
	if c.Unknown > 0 {
		is := wording.Either(names, "is", "are")
		parts = append(parts, is+" not known to have happened in "+outOf(c.Unknown, runs))
	}
	return wording.List(parts)
}

func outOf(n, runs int) string {
	return fmt.Sprintf("%d of %s", n, wording.Count(runs, "run", "runs"))
}

// An Entry is a scenario or a mutant with the facts that reports have of both.
type Entry struct {
	Title       string
	Class, Name string // for JUnit: the source and the scenario, or the scenario and the mutant
	File        string
	Verdict     scenarios.Verdict
	Wrong       []string
	Command     string
	Story       string
	Seen        []campaign.View // the verdicts of a linearizability checker
	Untested    []string        // the promises that no run could break
	runs        int             // including the reference's
}

// Entries lists the scenarios or the mutants of a suite.
func (s *Suite) Entries() (all []Entry) {
	for _, c := range s.Scenarios {
		title := called(c.Scenario, c.File)
		source, name, _ := strings.Cut(c.Scenario, "/")
		if c.File != "" {
			source, name = "files", c.File
		}
		all = append(all, Entry{title, source, name, c.File, c.Verdict, c.Wrong, c.Command, c.story, c.BlackBox,
			c.Untested, c.Runs})
	}
	for _, d := range s.Mutants {
		class := called(d.Scenario, d.File)
		all = append(all, Entry{d.Mutant + " in " + class, class, d.Mutant, d.File, d.Verdict, d.Wrong, d.Command,
			d.story, d.BlackBox, nil, 2 * d.Runs})
	}
	return all
}

// called names a scenario as the user did: by its file, if it has one.
func called(id, file string) string {
	if file != "" {
		return file
	}
	return id
}

// Conclude sets the verdict of a suite to the worst of its entries, and returns it.
func (s *Suite) Conclude() scenarios.Verdict {
	s.Verdict = scenarios.Pass
	for _, e := range s.Entries() {
		s.Verdict = max(s.Verdict, e.Verdict)
	}
	return s.Verdict
}
