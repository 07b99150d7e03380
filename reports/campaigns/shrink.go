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

// Shrink reports how a run of a scenario was shrunk: each step that helped, how many tries did not, and what is left in
// the file, which the command runs. If it is not done, its runs were used up.
func Shrink(named string, first *scenarios.Scenario, seed uint64, s *campaign.Shrinker, done bool,
	file, command string) *reports.Document {
	end := "no single step helps any more"
	if !done {
		end = "there may be more to take away: shrink that file"
	}
	d := &reports.Document{Title: "Shrunk: " + named}
	d.Summary = fmt.Sprintf("%s: %s, seed %d, shrunk in %s; %s.", file, named, seed, wording.Count(s.Runs, "run", "runs"), end)
	d.Lines(fmt.Sprintf("%s, seed %d, breaks %s\nBegan with %s and %s.\n", named, seed, s.Property,
		wording.Count(len(first.Faults), "fault", "faults"), wording.Count(first.Clients, "client", "clients")))
	if len(s.Helped) > 0 {
		d.Lines("What helped:\n" + helped(s.Helped))
	}
	d.Lines(fmt.Sprintf("%d tries helped, %d did not.\n", len(s.Helped), s.Vain))
	left := s.Least.Faults.Lines()
	if len(left) == 0 {
		left = []string{"no fault at all"}
	}
	left = append(left, fmt.Sprintf("%s each, seed %d", size(len(s.Least.Faults), s.Least.Clients, s.Least.Work.Cycles), s.Seed))
	d.Lines("What is left:\n    " + strings.Join(left, "\n    ") + "\n")
	d.Paragraph(runs.Decided(campaign.Decide(&s.Least, s.Seed), s.Property))
	d.Lines(d.Summary + "\n")
	d.Command("See it:", command)
	return d
}

func helped(steps []campaign.Helped) (lines string) {
	for _, h := range steps {
		lines += fmt.Sprintf("  %s: %s", h.What, size(h.Faults, h.Clients, h.Cycles))
		if h.Vain > 0 {
			lines += fmt.Sprintf("  (after %d in vain)", h.Vain)
		}
		lines += "\n"
	}
	return lines
}

func size(faults, clients, cycles int) string {
	return fmt.Sprintf("%s, %s, %s", wording.Count(faults, "fault", "faults"), wording.Count(clients, "client", "clients"),
		wording.Count(cycles, "cycle", "cycles"))
}
