package forecasts_test

import (
	"testing"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/reportstest"
	"github.com/lockstorm/lockstorm/reports/site/forecasts"
	"github.com/lockstorm/lockstorm/scenarios/forecast"
	"github.com/lockstorm/lockstorm/scenarios/forecast/environment"
)

// The report on a forecast with advice, from numbers made up: one lot of settings keeps the goal, one breaks it, one is
// not shown to.
func TestAdviceIsLaidOut(t *testing.T) {
	e, _ := environment.Find("datacentre")
	some := forecast.Estimate{Value: 0.25, Mean: 0.5, Low: 0.02, High: 1.5, Seen: 7}
	none := forecast.Estimate{High: 0.09}
	r := &forecast.Result{
		Lock: "a lock", Environment: e.Name, Tokens: "Fencing tokens come from a perfect counter, which no system has.", Clients: 3, Runs: 12345,
		Calm: forecast.Calm{Runs: 600, Hours: 50, Loss: 0.05, Raised: 5000, Use: "2.016s", Lasts: "10s", Proved: true},
		Advice: &forecast.Advice{Promise: "storage", Yearly: 0.1, Tried: []string{"5s", "10s", "20s"}, Settings: []forecast.Advised{
			{Change: forecast.Change{About: "nothing besides"}, TTL: "20s", Now: some, Costs: forecast.Costs{Waiting: 3.2, Dead: 20, Away: -1}},
			{Change: forecast.Change{About: "the look", Set: []string{"work.recheck=true"}}, TTL: "5s", Keeps: true,
				Now: forecast.Estimate{Value: 0.01, Mean: 0.02, Low: 0.002, High: 0.08, Seen: 3}, Costs: forecast.Costs{Waiting: 2, Dead: 5, Away: 0.25, Syncs: true}},
			{Change: forecast.Change{About: "tokens", Fenced: true}, TTL: "5s", Now: forecast.Estimate{High: 0.12},
				Costs: forecast.Costs{Waiting: 2, Dead: 5, Away: 90000}},
		}},
	}
	for i, name := range forecast.Promises {
		p := forecast.Promise{Name: name, All: some, Calm: none, Pairs: none}
		if i == 1 {
			p.All = none
		}
		for range e.Causes {
			p.Causes = append(p.Causes, none)
		}
		p.Causes[0] = some
		r.Promises = append(r.Promises, p)
	}
	for i := range e.Causes {
		r.Causes = append(r.Causes, forecast.Struck{Name: e.Causes[i].Name, Low: 0.03, High: 3, Runs: 120})
	}
	r.Causes[0].Least = "13.5s"
	d := forecasts.New(e, []*forecast.Result{r}, "9.9.9").Document()
	reportstest.Golden(t, "advice", d.Text(reports.Screen{Width: 100}))
}
