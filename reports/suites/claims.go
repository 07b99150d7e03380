package suites

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// speakers made the claims that come first, because it is their debate.
var speakers = []string{"Kleppmann", "antirez"}

// A side is the author of claims, with the scenarios that test them.
type side struct {
	by    string
	cases []Case
}

// sides groups the claims of a suite by author.
func (s *Suite) sides() (all []side) {
	for _, by := range speakers {
		all = append(all, side{by: by})
	}
	for _, c := range s.Scenarios {
		if c.Claim == nil {
			continue
		}
		i := slices.IndexFunc(all, func(o side) bool { return o.by == c.Claim.By })
		if i < 0 {
			i = len(all)
			all = append(all, side{by: c.Claim.By})
		}
		all[i].cases = append(all[i].cases, c)
	}
	return slices.DeleteFunc(all, func(o side) bool { return len(o.cases) == 0 })
}

// claims describes each claim, the scenario that tests it, the measurement and the finding.
func claims(s reports.Screen, suite Suite) string {
	var b strings.Builder
	for _, side := range suite.sides() {
		b.WriteString(s.Hang("", reports.BoldInk, wording.Plain(side.by), s.ProseWidth()) + "\n")
		for _, c := range side.cases {
			measured := wording.Plain(called(c.Scenario, c.File)) + ": " + wording.PlainLong(c.measured()) + "."
			b.WriteString(s.Hang("  ", "", wording.PlainLong(c.Claim.Says), s.ProseWidth()))
			b.WriteString(s.Hang("      ", "", measured, s.ProseWidth()))
			b.WriteString(s.Hang("      ", "", wording.PlainLong(c.Claim.found()), s.ProseWidth()))
			if len(c.Wrong) > 0 {
				b.WriteString(s.Command("      See it: ", c.Command))
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

// found returns the finding, and then the assumptions of the runs.
func (c *Claim) found() string { return c.Finding + wording.Assumed(c.Assumes) }

// measured describes the promises that broke, and in how many runs, and the differences from the expectations.
func (c *Case) measured() string {
	var parts []string
	planned := c.shown()
	in := func(runs string) string {
		if planned != "" {
			return ", " + planned
		}
		return " in " + runs
	}
	for _, n := range c.broken() {
		breaks := wording.List(n.names) + wording.Either(len(n.names), " breaks", " break")
		parts = append(parts, breaks+in(outOf(n.counted.Violated, c.Runs)))
	}
	text := strings.Join(parts, ", ")
	if parts == nil {
		text = "nothing breaks" + in(wording.Count(c.Runs, "run", "runs"))
	}
	if notable := c.notable(); notable != nil {
		text += "; " + wording.List(notable) + wording.Either(len(notable), " happens", " happen") + " in each"
	}
	if c.Tokens != "" && c.fenced() {
		text += "; tokens from " + c.Tokens
	}
	if len(c.Wrong) > 0 {
		text += "; NOT AS EXPECTED: " + strings.Join(c.Wrong, "; ")
	}
	return text
}

// shown returns the words that one run shows the result, if all troubles were planned and all seeds agree; otherwise
// "".
func (c *Case) shown() (says string) {
	for _, p := range c.Properties {
		if says = p.Planned(strconv.Itoa); says == "" || !c.planned {
			return ""
		}
	}
	return says
}

// fenced reports whether fencing tokens matter to the result: an update was lost, or could have been.
func (c *Case) fenced() bool {
	return slices.ContainsFunc(c.Properties, func(p campaign.Frequency) bool {
		return p.Violated > 0 && slices.Contains([]string{"storage", "fenced", "tokens"}, p.Name)
	})
}

// notable names the events of every run, except those that every scenario requires.
func (c *Case) notable() (names []string) {
	for _, h := range c.Sometimes {
		if h.Holds == c.Runs && !slices.Contains([]string{"fault-struck", "contended", "acquired-by-two"}, h.Name) {
			names = append(names, h.Name)
		}
	}
	return names
}

// broken groups the properties that broke in equally many runs.
func (c *Case) broken() (groups []likeness) {
	for _, p := range c.Properties {
		if p.Violated > 0 {
			groups = join(groups, p, func(o campaign.Frequency) bool { return o.Violated == p.Violated })
		}
	}
	return groups
}
