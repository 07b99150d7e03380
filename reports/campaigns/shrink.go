package campaigns

import (
	"fmt"
	"strings"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// A Shrink describes how a run was shrunk.
type Shrink struct {
	named, property string
	seed            uint64
	faults, clients int      // before
	lines           []string // what helped
	vain, all       int      // tries that did not help since then, and in all

	least   string
	decided string
	runs    int
	done    bool
	file    string
	command string
}

// NewShrink returns the description of a shrinking that begins.
func NewShrink(named string, seed uint64, s *campaign.Shrinker) *Shrink {
	return &Shrink{named: named, property: s.Property, seed: seed, faults: len(s.Least.Faults), clients: s.Least.Clients}
}

// Tried describes a scenario that was tried.
func (t *Shrink) Tried(what string, s *scenarios.Scenario, breaks bool) {
	if !breaks {
		t.vain, t.all = t.vain+1, t.all+1
		return
	}
	vain := ""
	if t.vain > 0 {
		vain = fmt.Sprintf("  (after %d in vain)", t.vain)
	}
	t.lines = append(t.lines, fmt.Sprintf("  %s: %s%s", what, size(len(s.Faults), s.Clients, s.Work.Cycles), vain))
	t.vain = 0
}

func size(faults, clients, cycles int) string {
	return fmt.Sprintf("%s, %s, %s", wording.Count(faults, "fault", "faults"), wording.Count(clients, "client", "clients"),
		wording.Count(cycles, "cycle", "cycles"))
}

// End records what is left.
func (t *Shrink) End(s *campaign.Shrinker, done bool, file, command string) {
	t.decided = runs.Decided(campaign.Decide(&s.Least, s.Seed), s.Property)
	t.least, t.runs, t.done, t.file, t.command = "", s.Runs, done, file, command
	for _, f := range s.Least.Faults {
		t.least += "    " + f.String() + "\n"
	}
	if len(s.Least.Faults) == 0 {
		t.least = "    no fault at all\n"
	}
	t.least += "    " + size(len(s.Least.Faults), s.Least.Clients, s.Least.Work.Cycles) + " each, seed " + fmt.Sprint(s.Seed) + "\n"
}

// Summary returns one line about the outcome.
func (t *Shrink) Summary() string {
	end := "no single step helps any more"
	if !t.done {
		end = "there may be more to take away: shrink that file"
	}
	return fmt.Sprintf("%s: %s, seed %d, shrunk in %s; %s.\n", t.file, t.named, t.seed, wording.Count(t.runs, "run", "runs"), end)
}

// Document describes all of it: each step that helped, how many tries did not, and what is left.
func (t *Shrink) Document() *reports.Document {
	d := &reports.Document{Title: "Shrunk: " + t.named, Summary: strings.TrimSuffix(t.Summary(), "\n")}
	d.Lines(fmt.Sprintf("%s, seed %d, breaks %s\nBegan with %s and %s.\n", t.named, t.seed, t.property,
		wording.Count(t.faults, "fault", "faults"), wording.Count(t.clients, "client", "clients")))
	if len(t.lines) > 0 {
		d.Lines("What helped:\n" + strings.Join(t.lines, "\n") + "\n")
	}
	d.Lines(fmt.Sprintf("%d tries helped, %d did not.\n", len(t.lines), t.all))
	d.Lines("What is left:\n" + t.least)
	if t.decided != "" {
		d.Paragraph(t.decided)
	}
	d.Lines(t.Summary())
	d.Command("See it:", t.command)
	return d
}
