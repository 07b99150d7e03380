package command

import (
	"fmt"
	"sync"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
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
const published = "about 18 %, as published"

// A calibrateCommand holds the flags of calibrate.
type calibrateCommand struct {
	countingCommand
	progress *work.Progress
}

func newCalibrate() *cobra.Command {
	var q calibrateCommand
	c := &cobra.Command{
		Use:   "calibrate",
		Short: "Compare lost updates under etcd's lock with Jepsen's figure",
		Args:  cli.None,
		RunE: func(c *cobra.Command, _ []string) error {
			if err := q.check(); err != nil {
				return err
			}
			q.progress = q.newProgress(c, q.runs*len(calibrations))
			t, err := q.calibrate()
			q.progress.End()
			if err != nil {
				return err
			}
			return cli.Write(c.OutOrStdout(), t.Document(), q.format, false)
		},
	}
	q.addFlags(c, 200, "row")
	return c
}

// calibrate makes the runs, and a row for each remedy.
func (q *calibrateCommand) calibrate() (t cli.Table, err error) {
	t.Title, t.Heads = "Updates lost under etcd's lock", []string{"updates under etcd's lock", "lost", "share", "interval at 95 %"}
	t.Rows = append(t.Rows, []string{"Jepsen, etcd 3.4.3 (2020)", "", published, ""})
	for _, k := range calibrations {
		s, _ := scenarios.Find("session/jepsen-etcd")
		for _, a := range k.set {
			if err := s.Set(a); err != nil {
				return t, cli.Own(err)
			}
		}
		lost := q.losses(&s, k.fenced)
		t.Rows = append(t.Rows, []string{k.what, fmt.Sprintf("%d of %d", lost.Hits, lost.Trials),
			stats.Percent(float64(lost.Hits) / float64(max(lost.Trials, 1))), lost.Interval(stats.Confidence).Text(lost.Hits)})
	}
	return t, nil
}

// losses makes the runs, and counts the updates that were lost among all.
func (q *calibrateCommand) losses(s *scenarios.Scenario, fenced bool) (lost stats.Sums) {
	var one sync.Mutex
	figure := map[bool]string{false: "updates-lost-plain", true: "updates-lost-fenced"}[fenced]
	campaign.Plan{Scenario: s, First: q.seed, Runs: q.runs, Workers: q.workers, Each: func(r *scenarios.Result) {
		q.progress.Result(r)
		updates, hits := 0, 0
		for _, u := range r.Evidence.Writes {
			if !fenced || u.Fenced.Made != 0 { // a write that was refused was not acknowledged
				updates++
			}
		}
		for _, f := range new(checker.Judge).Figures(r.Evidence) {
			if f.Name == figure {
				hits = int(f.Value)
			}
		}
		one.Lock()
		defer one.Unlock()
		lost.Add(hits, updates)
	}}.Run()
	return lost
}
