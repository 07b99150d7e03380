package suites

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
)

// speakers are those whose claims come first: it is their debate.
var speakers = []string{"Kleppmann", "antirez"}

// A side is one who made claims, and the scenarios that test them.
type side struct {
	by    string
	cases []Case
}

// sides groups the claims of a suite by who made them.
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

// claims describes each claim, the scenario that tests it, what was measured, and what that shows.
func claims(s reports.Screen, suite Suite) string {
	var b strings.Builder
	for _, side := range suite.sides() {
		b.WriteString(s.Hang("", reports.BoldInk, wording.Plain(side.by), s.ProseWidth()) + "\n")
		for _, c := range side.cases {
			b.WriteString(s.Hang("  ", "", wording.PlainLong(c.Claim.Says), s.ProseWidth()))
			b.WriteString(s.Hang("      ", "", wording.Plain(called(c.Scenario, c.File))+": "+wording.PlainLong(c.measured())+
				".", s.ProseWidth()))
			b.WriteString(s.Hang("      ", "", wording.PlainLong(c.Claim.found()), s.ProseWidth()))
			if len(c.Wrong) > 0 {
				b.WriteString(s.Command("      See it: ", c.Command))
			}
			b.WriteString("\n")
		}
	}
	return b.String()
}

// found returns the finding, and then what the runs assume.
func (c *Claim) found() string { return c.Finding + wording.Assumed(c.Assumes) }

// measured describes which promises broke, and in how many runs; and whether that is what the scenario expects.
func (c *Case) measured() string {
	var parts []string
	planned := c.shown()
	for _, n := range c.broken() {
		if planned != "" {
			parts = append(parts, wording.List(n.names)+wording.Either(len(n.names), " breaks", " break")+", "+planned)
			continue
		}
		parts = append(parts, fmt.Sprintf("%s %s in %s", wording.List(n.names), wording.Either(len(n.names), "breaks", "break"),
			outOf(n.counted.Violated, c.Runs)))
	}
	text := strings.Join(parts, ", ")
	if parts == nil {
		text = fmt.Sprintf("nothing breaks in %s", wording.Count(c.Runs, "run", "runs"))
		if planned != "" {
			text = "nothing breaks, " + planned
		}
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

// shown returns that one run shows what was measured, where all that goes wrong was planned and all seeds agree; else "".
func (c *Case) shown() (says string) {
	for _, p := range c.Properties {
		if says = p.Planned(strconv.Itoa); says == "" || !c.planned {
			return ""
		}
	}
	return says
}

// fenced reports whether fencing tokens matter to what was measured: something was lost, or could have been.
func (c *Case) fenced() bool {
	return slices.ContainsFunc(c.Properties, func(p campaigns.Counted) bool {
		return p.Violated > 0 && slices.Contains([]string{"storage", "fenced", "tokens"}, p.Name)
	})
}

// notable names what happened in every run, but for what any run owes.
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
		if p.Violated == 0 {
			continue
		}
		i := slices.IndexFunc(groups, func(g likeness) bool { return g.counted.Violated == p.Violated })
		if i < 0 {
			i = len(groups)
			groups = append(groups, likeness{counted: campaigns.Counted{Count: p.Count}})
		}
		groups[i].names = append(groups[i].names, p.Name)
	}
	return groups
}
