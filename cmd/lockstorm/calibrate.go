package main

import (
	"fmt"
	"io"
	"math"
	"runtime"
	"sync"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/cmd/lockstorm/internal/exit"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// calibrations are what the published figure is set beside: the same test here, and what each remedy does to it.
var calibrations = []struct {
	what   string
	set    []string
	fenced bool // count in the register that checks fencing tokens
}{
	{"here, as Jepsen had it", nil, false},
	{"here, when the service is asked about the key after the wait, as since etcd 3.5", []string{"lock.session.check=key"}, false},
	{"here, when clients look at their own clocks too, after the wait and before they write",
		[]string{"lock.session.check=both", "work.recheck=true", "work.stop_at_deadline=true"}, false},
	{"here, as Jepsen had it, with storage that checks fencing tokens", nil, true},
}

// published is Jepsen's figure, for etcd 3.4.3.
const published = "about 18 %"

func newCalibrate() *cobra.Command {
	var runs int
	var format string
	c := &cobra.Command{
		Use:   "calibrate",
		Short: "Set the updates lost under etcd's lock beside the share that Jepsen published",
		Long: "Make runs of session/jepsen-etcd, and count the updates that storage applied and those of them that were lost. The\n" +
			"interval is for the share over all runs of that kind, at 95 %, and goes by how much runs differ: the updates of one\n" +
			"run are lost together.",
		Example: "  lockstorm calibrate --runs 1000 --format markdown",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			row, known := map[string]string{"text": "%s\t%s\t%s\t%s\n", "markdown": "| %s | %s | %s | %s |\n"}[format]
			switch {
			case !known:
				return fmt.Errorf("--format: %q is not known; want text or markdown", format)
			case runs < 2 || runs > 1_000_000:
				return fmt.Errorf("--runs: %d is no number of runs; give 2 to 1000000", runs)
			}
			return calibrate(c.OutOrStdout(), runs, row, format == "markdown")
		},
	}
	c.Flags().IntVar(&runs, "runs", 200, "make `N` runs for each row")
	c.Flags().StringVar(&format, "format", "text", "print text or markdown")
	return c
}

// calibrate prints the table.
func calibrate(out io.Writer, runs int, row string, ruled bool) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, row, "updates lost under etcd's lock", "updates", "lost", "share")
	if ruled {
		fmt.Fprintf(w, row, "---", "---:", "---:", "---")
	}
	fmt.Fprintf(w, row, "Jepsen, etcd 3.4.3 (2020)", "", "", published)
	for _, k := range calibrations {
		s, _ := scenarios.Find("session/jepsen-etcd")
		for _, a := range k.set {
			if err := s.Set(a); err != nil {
				return exit.Own(err)
			}
		}
		l := losses(&s, runs, k.fenced)
		fmt.Fprintf(w, row, k.what, fmt.Sprint(l.updates), fmt.Sprint(l.lost), l.share())
	}
	if err := w.Flush(); err != nil {
		return exit.Own(fmt.Errorf("can't print: %w", err))
	}
	return nil
}

// A loss is how many updates runs made, and how many were lost; and the sums that say how much runs differ.
type loss struct{ runs, updates, lost, squares, products, lostSquares int }

// losses makes the runs. The sums are of whole numbers, so the order in which runs come is of no account.
func losses(s *scenarios.Scenario, runs int, fenced bool) (all loss) {
	var one sync.Mutex
	figure := map[bool]string{false: "updates-lost-plain", true: "updates-lost-fenced"}[fenced]
	campaign.Plan{Scenario: s, First: 1, Runs: runs, Workers: runtime.GOMAXPROCS(0), Each: func(r *scenarios.Result) {
		updates, lost := 0, 0
		for _, u := range r.Evidence.Writes {
			if !fenced || u.Fenced.Made != 0 { // a write that was refused was not acknowledged
				updates++
			}
		}
		for _, f := range new(checker.Judge).Figures(r.Evidence) {
			if f.Name == figure {
				lost = int(f.Value)
			}
		}
		one.Lock()
		defer one.Unlock()
		all = loss{all.runs + 1, all.updates + updates, all.lost + lost, all.squares + updates*updates,
			all.products + updates*lost, all.lostSquares + lost*lost}
	}}.Run()
	return all
}

// share returns the share that was lost, with its interval: that of a ratio of sums over runs.
func (l *loss) share() string {
	p := float64(l.lost) / float64(l.updates)
	spread := float64(l.lostSquares) - 2*p*float64(l.products) + p*p*float64(l.squares)
	half := 1.96 * math.Sqrt(max(spread, 0)*float64(l.runs)/float64(l.runs-1)) / float64(l.updates)
	if l.lost == 0 {
		return "none"
	}
	return fmt.Sprintf("%.1f %%, between %.1f and %.1f", 100*p, 100*max(p-half, 0), 100*min(p+half, 1))
}
