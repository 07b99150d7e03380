package suites

import (
	"fmt"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// A Suite is everything known after scenarios, or their mutants, were run as tests. It is plain data, of which all
// reports of a suite are made, and what lockstorm test --format json prints. How long it took is no part of it, so the
// same scenarios and seeds give the same bytes.
//
// It may be given to SuiteLine while it is still being filled in; a Case without a verdict was not run yet.
type Suite struct {
	SchemaVersion int               `json:"schema_version"`
	Lockstorm     string            `json:"lockstorm"`
	Seed          uint64            `json:"seed"` // the first
	Runs          int               `json:"runs"` // of each scenario; a mutant may take more
	Verdict       scenarios.Verdict `json:"verdict"`
	Scenarios     []Case            `json:"scenarios"`
	Mutants       []MutantResult    `json:"mutants"` // with --mutants, and then there are no scenarios
}

// A Case is what became of one scenario of a suite.
type Case struct {
	Scenario   string              `json:"scenario"`
	File       string              `json:"file,omitempty"` // where it was read, if it is not of the catalogue
	Title      string              `json:"title"`
	Claim      *Claim              `json:"claim"`
	Tokens     string              `json:"tokens_from,omitempty"` // where fencing tokens come from, if there are any
	Runs       int                 `json:"runs"`
	Verdict    scenarios.Verdict   `json:"verdict"` // the worst
	Pass       int                 `json:"pass"`
	Fail       int                 `json:"fail"`
	Unknown    int                 `json:"unknown"`
	Properties []campaigns.Counted `json:"properties"`
	BlackBox   []campaigns.View    `json:"black_box"` // what a linearizability checker sees
	Sometimes  []campaigns.Counted `json:"sometimes"`
	Wrong      []string            `json:"wrong"`            // what was not as expected, in a sentence each
	First      *uint64             `json:"first_unexpected"` // the first seed that had the worst verdict
	Command    string              `json:"command"`          // what repeats that run, or the first one
	Note       string              `json:"note,omitempty"`   // of what the runs show nothing, and why
	Story      string              `json:"-"`                // of that run, if it was not as expected
	planned    bool                // whatever goes wrong; see scenarios.Scenario.Planned
}

// A Claim is what somebody said of the lock, and what the runs show of it.
type Claim struct {
	By      string   `json:"by"`
	Says    string   `json:"says"`
	Finding string   `json:"finding"`
	Assumes []string `json:"assumes"` // beside what the source asks for
}

// A MutantResult is the result of one mutant, and of the reference run with the same seeds.
type MutantResult struct {
	Mutant    string            `json:"mutant"`
	Scenario  string            `json:"scenario"`
	File      string            `json:"file,omitempty"`
	About     string            `json:"about"`
	Precedent string            `json:"precedent"`
	Breaks    []string          `json:"breaks"`
	Within    int               `json:"within"` // runs that it may take, from seed 1
	Runs      int               `json:"runs"`   // of each of the two
	Verdict   scenarios.Verdict `json:"verdict"`
	Survived  int               `json:"reference_survived"` // runs that went as expected
	Killed    int               `json:"mutant_caught"`      // runs in which it broke all that it breaks
	First     *uint64           `json:"first_caught"`
	BlackBox  []campaigns.View  `json:"black_box"` // what a linearizability checker sees of the mutant
	Wrong     []string          `json:"wrong"`
	Command   string            `json:"command"` // what shows the mutant, or the reference where that is what went wrong
	Story     string            `json:"-"`       // of that run, if something went wrong
}

// newCase returns a scenario that is still to be run.
func newCase(s *scenarios.Scenario, file string, runs int) Case {
	c := Case{
		Scenario: s.ID, File: file, Title: s.Title, Tokens: s.TokensFrom(), Runs: runs,
		Properties: []campaigns.Counted{}, BlackBox: []campaigns.View{}, Sometimes: []campaigns.Counted{}, Wrong: []string{},
		planned: s.Planned(), Note: s.Alone(),
	}
	if s.Claim.Says != "" {
		c.Claim = &Claim{By: s.Claim.By, Says: s.Claim.Says, Finding: s.Claim.Found(), Assumes: append([]string{}, s.Departures()...)}
	}
	return c
}

// Ran fills in what its runs found, and the command that repeats the one to look at.
func (c *Case) Ran(s *scenarios.Scenario, t campaign.Tally, command string) {
	m := campaigns.NewTally(s, 0, t)
	c.Runs, c.Verdict, c.Pass, c.Fail, c.Unknown = t.Runs, m.Verdict, m.Pass, m.Fail, m.Unknown
	c.Properties, c.BlackBox, c.Sometimes = m.Properties, m.BlackBox, m.Sometimes
	c.Wrong = append([]string{}, wrong(m)...)
	c.Command = command
	if t.Worst != scenarios.Pass {
		c.First = &t.WorstSeed
	}
}

// newMutantResult returns a mutant that is still to be run.
func newMutantResult(s *scenarios.Scenario, m scenarios.Mutant, file string, runs int) MutantResult {
	return MutantResult{
		Mutant: m.Name, Scenario: s.ID, File: file, About: m.About, Precedent: m.Precedent,
		Breaks: append([]string{}, m.Breaks...), Within: m.Within, Runs: max(runs, m.Within), BlackBox: []campaigns.View{},
		Wrong: []string{},
	}
}

// Ran fills in what the runs of the mutant and of the reference found, and the command that shows the one to look at.
func (d *MutantResult) Ran(s *scenarios.Scenario, k campaign.MutantResult, command string) {
	d.Runs, d.Verdict, d.Command = k.Runs, k.Verdict(), command
	d.Survived, d.Killed = k.Reference.Verdicts[scenarios.Pass], k.Killed
	d.BlackBox = campaigns.Views(k.Views)
	if k.Killed > 0 {
		d.First = &k.First
	}
	d.Wrong = []string{}
	for _, w := range wrong(campaigns.NewTally(s, 0, k.Reference)) {
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
	return fmt.Sprintf("the mutant should break %s, and survives %s", wording.List(d.Breaks), wording.Count(d.Runs, "run", "runs"))
}

// wrong returns what was not as expected in the runs: in a sentence each, without the full stop, and those
// properties together that differ alike.
func wrong(m campaigns.Tally) (all []string) {
	for _, alike := range alike(m.Watched(), m.Runs) {
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

// A likeness is some properties that were expected and counted alike.
type likeness struct {
	names   []string
	counted campaigns.Counted // with no name
}

// alike groups those that did not always have the verdict that was expected.
func alike(all []campaigns.Counted, runs int) (groups []likeness) {
next:
	for _, c := range all {
		name := c.Name
		if c.Name = ""; c.AsExpected() == runs {
			continue
		}
		for i := range groups {
			if groups[i].counted == c {
				groups[i].names = append(groups[i].names, name)
				continue next
			}
		}
		groups = append(groups, likeness{[]string{name}, c})
	}
	return groups
}

// found returns which verdicts properties had instead, and in how many runs.
func found(c campaigns.Counted, names, runs int) string {
	var parts []string
	for _, v := range []checker.Verdict{checker.Violated, checker.Holds, checker.Unknown} {
		if n := c.With(v); n > 0 && v != c.Expect {
			parts = append(parts, wording.Is(v, names)+" in "+outOf(n, runs))
		}
	}
	return wording.List(parts)
}

// never returns in how many runs things did not happen.
func never(c campaigns.Counted, names, runs int) string {
	var parts []string
	if c.Violated > 0 {
		parts = append(parts, "never did in "+outOf(c.Violated, runs))
	}
	if c.Unknown > 0 {
		parts = append(parts, wording.Either(names, "is", "are")+" not known to have happened in "+outOf(c.Unknown, runs))
	}
	return wording.List(parts)
}

func outOf(n, runs int) string {
	return fmt.Sprintf("%d of %s", n, wording.Count(runs, "run", "runs"))
}

// An Entry is what the reports say alike of scenarios and of mutants.
type Entry struct {
	Title       string
	Class, Name string // as JUnit has them: the source and the scenario, or the scenario and the mutant
	File        string
	Verdict     scenarios.Verdict
	Wrong       []string
	Command     string
	Story       string
	Seen        []campaigns.View // what a linearizability checker sees
	runs        int              // all of them
}

// Entries lists the scenarios or the mutants of a suite.
func (s *Suite) Entries() (all []Entry) {
	for _, c := range s.Scenarios {
		title := called(c.Scenario, c.File)
		source, name, _ := strings.Cut(c.Scenario, "/")
		if c.File != "" {
			source, name = "files", c.File
		}
		all = append(all, Entry{title, source, name, c.File, c.Verdict, c.Wrong, c.Command, c.Story, c.BlackBox, c.Runs})
	}
	for _, d := range s.Mutants {
		class := called(d.Scenario, d.File)
		all = append(all, Entry{d.Mutant + " in " + class, class, d.Mutant, d.File, d.Verdict, d.Wrong, d.Command, d.Story,
			d.BlackBox, 2 * d.Runs})
	}
	return all
}

// called names a scenario as the user did: one of a file by the file.
func called(id, file string) string {
	if file != "" {
		return file
	}
	return id
}

// A Score counts the entries of a suite by verdict, and their runs.
type Score struct{ All, pass, Fail, Unknown, runs int }

// Score counts the entries.
func (s *Suite) Score() (n Score) {
	for _, e := range s.Entries() {
		n.All++
		n.runs += e.runs
		switch e.Verdict {
		case scenarios.Pass:
			n.pass++
		case scenarios.Fail:
			n.Fail++
		default:
			n.Unknown++
		}
	}
	return n
}

// Conclude sets the verdict of a suite to the worst of all in it, and returns it.
func (s *Suite) Conclude() scenarios.Verdict {
	n, worst := s.Score(), scenarios.Pass
	switch {
	case n.Fail > 0:
		worst = scenarios.Fail
	case n.Unknown > 0:
		worst = scenarios.Unknown
	}
	s.Verdict = worst
	return worst
}
