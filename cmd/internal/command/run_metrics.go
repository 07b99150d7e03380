package command

import (
	"io"
	"runtime"
	"sync"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// openMetrics is the format that run has beside those of every document.
const openMetrics = "openmetrics"

// metrics makes the runs, and prints the lock's operating metrics, summed over them. It keeps nothing.
func (q *runCommand) metrics(out, errs io.Writer) error {
	p := work.NewProgress(errs, work.ModeFor(errs, q.Progress, q.Work.Quiet), q.Runs)
	m := runs.Metrics{Scenario: q.Scenario.ID, Lock: scenarios.KindNames[q.Scenario.Lock.Kind]}
	var one sync.Mutex // sums are of whole numbers: the order in which runs come is of no account
	t := campaign.Plan{
		Scenario: &q.Scenario, First: q.Seed, Runs: q.Runs, Workers: runtime.GOMAXPROCS(0), Scanning: true, Drawn: q.Drawn(),
		Each: func(r *scenarios.Result) {
			p.Result(r)
			one.Lock()
			defer one.Unlock()
			m.Add(r)
		},
	}.Run()
	p.End()
	if err := cli.Print(out, string(m.OpenMetrics())); err != nil {
		return err
	}
	return cli.ExitFor(t.Worst)
}
