package reports

import "github.com/lockstorm/lockstorm/scenarios"

// A File is one file of a stored result.
type File struct {
	Name    string
	Content []byte
}

// ScenarioFile is the file of a stored result that holds the scenario, as it was run: with all that was changed in it.
const ScenarioFile = "scenario.yaml"

// Files gives all files of a stored result.
func Files(r *scenarios.Result, m Making) []File {
	return []File{
		{ScenarioFile, r.Scenario.YAML()},
		{"result.json", JSON(Describe(r, m))},
		{"history.jsonl", r.HistoryJSONL()},
		{"history.edn", r.Evidence.History.AppendEDN(nil, r.Evidence.Strikes)},
		{"trace.jsonl", r.TraceJSONL()},
		{"schedule.txt", []byte(r.Scenario.Faults.String())},
		{"report.txt", []byte(Text(r, m))},
	}
}
