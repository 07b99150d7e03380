package reports

import (
	"github.com/lockstorm/lockstorm/checker/codec"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A File is one file of a stored result.
type File struct {
	Name    string
	Content []byte
}

// ScenarioFile is the file of a stored result that holds the scenario, as it was run: with all that was changed in it.
const ScenarioFile = "scenario.yaml"

// metricsOf gives the metrics of one run.
func metricsOf(r *scenarios.Result) []byte {
	m := Metrics{Scenario: r.Scenario.ID, Lock: scenarios.KindNames[r.Scenario.Lock.Kind]}
	m.Add(r)
	return m.OpenMetrics()
}

// Files gives all files of a stored result.
func Files(r *scenarios.Result, m Making) []File {
	return []File{
		{ScenarioFile, r.Scenario.YAML()},
		{"result.json", JSON(Describe(r, m))},
		{"history.jsonl", r.HistoryJSONL()},
		{"history.edn", codec.AppendEDN(nil, r.Evidence.History, r.Evidence.Strikes)},
		{"trace.jsonl", r.TraceJSONL()},
		{"schedule.txt", []byte(r.Scenario.Faults.String())},
		{"report.txt", []byte(Text(r, m))},
		{"metrics.txt", metricsOf(r)},
	}
}
