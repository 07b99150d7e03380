package site

import (
	"strings"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/scenarios"
)

// Pages that come from the same tables as help and schema.
const (
	faultsFile   = "reference/faults.html"
	settingsFile = "reference/scenario-files.html"
	schemaFile   = "reference/scenario.schema.json"
)

func (b *builder) references() {
	b.reference(faultsFile, b.faults())
	b.reference(settingsFile, b.settings())
}

func (b *builder) reference(address string, d *reports.Document) {
	d.Foot = "Made by Lockstorm " + b.Version + "."
	b.sources(&page{address, d})
	b.add(address, d)
}

// faults returns the page on faults and on the language of schedules.
func (b *builder) faults() *reports.Document {
	d := &reports.Document{Title: "Faults"}
	d.Paragraph("For readers who write schedules: what can go wrong, and how to say it. lockstorm help schedule prints the same.")
	kinds := &reports.Table{Columns: reports.Columns("fault", "what goes wrong")}
	for _, k := range faults.Kinds {
		kinds.Rows = append(kinds.Rows, []reports.Cell{reports.Rich(reports.Span{Text: k.Form, Look: "code"}), {Text: k.About}})
	}
	d.Add(reports.Block{Kind: "heading", Words: reports.Words("Kinds of faults"), ID: "kinds"})
	d.Add(reports.Block{Kind: "rows", Table: kinds, Label: "Kinds of faults", Command: "lockstorm help schedule"})
	d.Add(reports.Block{Kind: "heading", Words: reports.Words("The language of schedules"), ID: "language"})
	d.Lines(strings.TrimSpace(faults.Language()))
	d.Add(reports.Block{Kind: "heading", Words: reports.Words("Marks"), ID: "marks"})
	d.Paragraph("A client passes a mark when")
	d.Lines(strings.TrimRight(scenarios.MarkLines(), "\n"))
	return d
}

// settings returns the page of scenario files: each setting with its default, and a whole file with its comments.
func (b *builder) settings() *reports.Document {
	d := &reports.Document{Title: "Settings"}
	base := scenarios.Base()
	b.file(schemaFile, scenarios.Schema())
	d.Rich(reports.Span{Text: "For readers who write or change a scenario: each setting with its default. A scenario is a file in YAML. " +
		"An editor that reads the "},
		reports.Span{Text: "JSON Schema", Link: "scenario.schema.json"}, reports.Span{Text: " ("},
		reports.Span{Text: "lockstorm new --schema", Look: "code"}, reports.Span{Text: ") completes and checks it. "},
		reports.Span{Text: "Write a scenario", Link: relative(settingsFile, addressOf("scenarios/files.md"))},
		reports.Span{Text: " explains how to write one."})
	t := &reports.Table{Columns: reports.Columns("setting", "form", "default", "what it is")}
	for _, k := range scenarios.Settings(&base) {
		key := reports.Rich(reports.Span{Text: k.Key, Look: "code"})
		t.Rows = append(t.Rows, []reports.Cell{key, {Text: k.Form}, {Text: k.Get(&base)}, {Text: k.Doc}})
	}
	d.Add(reports.Block{Kind: "heading", Words: reports.Words("Every setting"), ID: "settings"})
	d.Paragraph("A file may have each, and --set changes it.")
	d.Add(reports.Block{Kind: "rows", Table: t, Label: "Settings", Command: "lockstorm run baseline/fault-free --help-set"})
	if whole, known := scenarios.Find("kleppmann/gc-pause"); known {
		d.Add(reports.Block{Kind: "heading", Words: reports.Words("A whole file"), ID: "file"})
		d.Rich(reports.Span{Text: "lockstorm new kleppmann/gc-pause", Look: "code"}, reports.Span{Text: " prints it:"})
		d.Lines(strings.TrimSpace(string(whole.Commented())))
	}
	return d
}
