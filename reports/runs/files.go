package runs

import (
	"github.com/lockstorm/lockstorm/checker/codec"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/draw"
	"github.com/lockstorm/lockstorm/scenarios"
)

// ScenarioFile is the file of a stored result with the scenario as it was run, with all changes.
const ScenarioFile = "scenario.yaml"

// ResultFile is the file of a stored result with its verdicts and figures.
const ResultFile = "result.json"

// Files returns the files of a stored result that replay compares.
func Files(r *scenarios.Result, m Making) []reports.File { return files(Document(r, m, true), r, m) }

func files(d *reports.Document, r *scenarios.Result, m Making) []reports.File {
	return []reports.File{
		{Name: ScenarioFile, Content: m.YAML(r)},
		{Name: ResultFile, Content: []byte(d.JSON())},
		{Name: "history.jsonl", Content: r.HistoryJSONL()},
		{Name: "history.edn", Content: codec.AppendEDN(nil, r.Evidence.History, r.Evidence.Strikes)},
		{Name: "trace.jsonl", Content: r.TraceJSONL()},
		{Name: "schedule.txt", Content: []byte(r.Scenario.Faults.String())},
		{Name: "report.txt", Content: []byte(d.Text(reports.Screen{}))},
	}
}

// PageFile is the file of the page of a run.
const PageFile = "report.html"

// Kept returns all files of a stored run: the result of Files, the page and the timeline.
func Kept(r *scenarios.Result, m Making) []reports.File {
	d := Document(r, m, true)
	return append(files(d, r, m), reports.File{Name: PageFile, Content: []byte(d.HTML())},
		reports.File{Name: draw.TimelineFile, Content: draw.TimelineSVG(r)})
}

// Timeline draws a run as SVG: a lane for each client, node and fault, in true time.
func Timeline(r *scenarios.Result) []byte { return draw.TimelineSVG(r) }

// Sequence draws as SVG the messages that led to the main violation of a run, slanted by true time.
func Sequence(r *scenarios.Result) []byte { return draw.SequenceSVG(r) }

// Pictures returns the files that lockstorm report makes of a stored result, for people.
func Pictures(r *scenarios.Result, m Making) []reports.File {
	return append([]reports.File{{Name: PageFile, Content: []byte(Document(r, m, true).HTML())}}, draw.Files(r)...)
}
