package campaigns

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// Hunt reports what a search found. The command repeats it. byDefault says that the scenario has no search.
func Hunt(h *campaign.Hunt, command string, byDefault bool) *reports.Document {
	d := &reports.Document{Data: h}
	t := &reports.Table{Columns: reports.Columns("promise", "violated", "")}
	t.Columns[2].Kind = "prose"
	var names, broken []string
	for i, name := range scenarios.Judged() {
		if !h.Watched.Has(i) {
			continue
		}
		n := h.Counts[i]
		if names = append(names, name); n.Violated > 0 {
			broken = append(broken, name)
		}
		note := wording.DiffersIf(n.Violated > 0 && h.Scenario.Expected(name) == checker.Holds)
		if h.Unshrunk[i] > 0 {
			note = strings.TrimSpace(note + fmt.Sprintf("  (%d not shrunk)", h.Unshrunk[i]))
		}
		t.Add(name, n.Claim(strconv.Itoa), note)
	}
	runs := fmt.Sprintf("%s, %s from seed %d", h.Scenario.ID, wording.Count(h.Runs, "run", "runs"), h.Job.First)
	what := "no promise broke"
	if len(broken) > 0 {
		what = fmt.Sprintf("%s, in %s", broke(broken...), wording.Count(len(h.Signatures), "way", "ways"))
	}
	d.Summary = fmt.Sprintf("%s: %s: %s.", strings.ToUpper(h.Verdict().String()), runs, what)
	d.Headline(runs)
	d.Note(drawn(&h.Scenario.Search, byDefault))
	d.Note(h.Scenario.ProofNote())
	d.Table("", t)
	for i := range h.Signatures {
		signature(&h.Signatures[i], h.Runs).add(d)
	}
	d.Glosses(0, names...)
	d.Verdict(d.Summary)
	d.Command("Repeat it:", command)
	return d
}

// drawn describes the faults and settings that a seed could pick.
func drawn(s *scenarios.Search, byDefault bool) string {
	hits := fmt.Sprintf("aults of %s hit within the first %s.", drawnKinds(s.Faults), s.Within)
	switch {
	case len(s.Draw) > 0 && len(s.Faults) == 0:
		return "Random faults: " + strings.Join(s.Draw, "; ") + "."
	case len(s.Faults) == 0:
		return "There are no random faults."
	case byDefault:
		return "The scenario has no search block, so f" + hits
	}
	return "F" + hits
}

// drawnKinds lists what a search draws from. A signature names kinds, so a class of several is listed with its kinds.
func drawnKinds(words []string) string {
	all := make([]string, len(words))
	for i, word := range words {
		all[i] = word
		if kinds, err := faults.KindsOf(words[i : i+1]); err == nil && len(kinds) > 1 {
			names := make([]string, len(kinds))
			for k := range kinds {
				names[k] = kinds[k].Name
			}
			all[i] = fmt.Sprintf("class %s (%s)", word, strings.Join(names, ", "))
		}
	}
	return wording.List(all)
}

// signature describes a signature: what broke, in how many runs, why, and what is left after shrinking.
func signature(g *campaign.Signature, total int) found {
	end, least := "", &g.Shrinker.Least
	if !g.Shrunk {
		end = "; it may not be the smallest"
	}
	return found{
		head: wording.Capital(broke(g.Property)),
		seen: fmt.Sprintf("in %s runs. Cause: %s. First: seed %d.", wording.Share(g.Runs, total), causes(g), g.First),
		shrunk: fmt.Sprintf("Shrunk from %s to %d in %d runs%s; %s, %s each.", wording.Count(g.From, "fault", "faults"),
			len(least.Faults), g.Shrinker.Runs, end, wording.Count(least.Clients, "client", "clients"),
			wording.Count(least.Work.Cycles, "turn", "turns")),
		decided: runs.Decided(g.Decided, g.Property), schedule: least.Faults.Lines(), command: g.Command,
	}
}

// called returns the name for people of a promise, with its name in code. A view of a black box has only the latter.
func called(name string) string {
	if wording.Plainly(name) == "" {
		return name
	}
	return wording.Promise(name)
}

// broke returns a clause that says that these promises broke, or that these views are violated.
func broke(names ...string) string {
	all := make([]string, len(names))
	for i, name := range names {
		if all[i] = name + " is violated"; wording.Plainly(name) != "" {
			all[i] = wording.Broke(names[i : i+1])
		}
	}
	return wording.List(all)
}

// causes names for people the kinds of faults that a signature needs.
func causes(g *campaign.Signature) string {
	names := g.Kinds.Words()
	for i, word := range names {
		for _, k := range faults.Kinds {
			if k.Name == word {
				names[i] = strings.ToLower(k.Label)
			}
		}
	}
	return cmp.Or(wording.List(names), "no fault")
}

// A found is a schedule that breaks a promise.
type found struct {
	head, seen, shrunk string // the last two may be empty
	decided            string // when it was decided; "" if not known
	schedule           []string
	command            string // that shows it; "" if it was not kept
}

// add describes it: to a text as lines, and to a page in sentences, with the schedule alone in a box.
func (f found) add(d *reports.Document) {
	lines, words := f.head, ""
	if f.seen != "" {
		lines, words = lines+" "+f.seen+"\n  "+f.shrunk, wording.Capital(f.seen)+" "+f.shrunk
	}
	lines += "\n"
	for _, fault := range f.schedule {
		lines += "    " + fault + "\n"
	}
	d.Add(reports.Block{Kind: "lines", In: reports.Terminal | reports.Marked, Words: reports.Words(lines)})
	if f.decided != "" {
		d.Add(reports.Block{Kind: "hung", Words: []reports.Span{{Text: "  "}, {Text: f.decided}}, Close: true})
	}
	d.Add(reports.Block{Kind: "topic", In: reports.Page, Words: reports.Words(f.head)})
	if words != "" {
		d.Add(reports.Block{In: reports.Page, Words: reports.Words(words)})
	}
	if len(f.schedule) > 0 {
		d.Add(reports.Block{Kind: "lines", In: reports.Page, Words: reports.Words(strings.Join(f.schedule, "\n"))})
	}
	if f.command != "" {
		d.Add(reports.Block{Kind: "command", In: reports.Terminal | reports.Marked, Words: reports.Words("  See it:"), Command: f.command, Close: true})
		d.Add(reports.Block{In: reports.Page,
			Words: []reports.Span{{Text: "See it: "}, {Text: f.command, Look: "code"}}})
	}
}
