package onerun

import (
	"github.com/lockstorm/lockstorm/checker/codec"
	"github.com/lockstorm/lockstorm/reports/internal/draw"
	"github.com/lockstorm/lockstorm/reports/internal/layout"
	"github.com/lockstorm/lockstorm/reports/internal/metrics"
	"github.com/lockstorm/lockstorm/scenarios"
)

// ScenarioFile is the file of a stored result that holds the scenario, as it was run: with all that was changed in it.
const ScenarioFile = "scenario.yaml"

func metricsOf(r *scenarios.Result) []byte {
	m := metrics.Metrics{Scenario: r.Scenario.ID, Lock: scenarios.KindNames[r.Scenario.Lock.Kind]}
	m.Add(r)
	return m.OpenMetrics()
}

// Files returns the files of a stored result that replay compares.
func Files(r *scenarios.Result, m Making) []layout.File { return files(Document(r, m, true), r, m) }

func files(d *layout.Document, r *scenarios.Result, m Making) []layout.File {
	return []layout.File{
		{Name: ScenarioFile, Content: m.YAML(r)},
		{Name: "result.json", Content: []byte(d.JSON())},
		{Name: "history.jsonl", Content: r.HistoryJSONL()},
		{Name: "history.edn", Content: codec.AppendEDN(nil, r.Evidence.History, r.Evidence.Strikes)},
		{Name: "trace.jsonl", Content: r.TraceJSONL()},
		{Name: "schedule.txt", Content: []byte(r.Scenario.Faults.String())},
		{Name: "report.txt", Content: []byte(d.Text(layout.Screen{}))},
		{Name: "metrics.txt", Content: metricsOf(r)},
	}
}

// PageFile is the report of a run as a page.
const PageFile = "report.html"

// Kept returns all files of a run that is kept: those of Files, and for people the page and the timeline.
func Kept(r *scenarios.Result, m Making) []layout.File {
	d := Document(r, m, true)
	return append(files(d, r, m), layout.File{Name: PageFile, Content: []byte(d.HTML())},
		layout.File{Name: draw.TimelineFile, Content: draw.TimelineSVG(r)})
}

// Pictures returns the files that show a run to people: what lockstorm report makes of a stored result.
func Pictures(r *scenarios.Result, m Making) []layout.File {
	return append([]layout.File{{Name: PageFile, Content: []byte(Document(r, m, true).HTML())}}, draw.Files(r)...)
}
