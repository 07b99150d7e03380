package site

import (
	"strings"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/reports/internal/layout"
	"github.com/lockstorm/lockstorm/scenarios"
)

// Pages that are made from the tables that help and schema are made of.
const (
	faultsFile   = "reference/faults.html"
	settingsFile = "reference/scenario-files.html"
	schemaFile   = "reference/scenario.schema.json"
)

func (b *builder) references() {
	b.reference(faultsFile, b.faults())
	b.reference(settingsFile, b.settings())
}

func (b *builder) reference(address string, d *layout.Document) {
	d.Foot = "Made by Lockstorm " + b.Version + "."
	b.sources(&page{address, d})
	b.add(address, d)
}

// faults returns the page of what can go wrong, and of the language in which that is written.
func (b *builder) faults() *layout.Document {
	d := &layout.Document{Title: "Faults"}
	d.Paragraph("What can go wrong, and how a schedule says it. lockstorm help schedule prints the same.")
	kinds := &layout.Table{Columns: layout.Columns("fault", "what goes wrong")}
	for _, k := range faults.Kinds {
		kinds.Rows = append(kinds.Rows, []layout.Cell{layout.Rich(layout.Span{Text: k.Form, Look: layout.Coded}), {Text: k.About}})
	}
	d.Add(layout.Block{Kind: layout.Heading, Words: layout.Words("Kinds of faults"), ID: "kinds"})
	d.Add(layout.Block{Kind: layout.Rows, Table: kinds, Label: "Kinds of faults", Command: "lockstorm help schedule"})
	d.Add(layout.Block{Kind: layout.Heading, Words: layout.Words("The language of schedules"), ID: "language"})
	d.Lines(strings.TrimSpace(faults.Language()))
	d.Add(layout.Block{Kind: layout.Heading, Words: layout.Words("Marks"), ID: "marks"})
	d.Paragraph("A client passes a mark when")
	d.Lines(strings.TrimRight(scenarios.MarkLines(), "\n"))
	return d
}

// settings returns the page of scenario files: each setting with its default, and a whole file with its comments.
func (b *builder) settings() *layout.Document {
	d := &layout.Document{Title: "Scenario files"}
	base := scenarios.Base()
	b.file(schemaFile, scenarios.Schema())
	d.Rich(layout.Span{Text: "A scenario is a file in YAML. An editor that reads the "},
		layout.Span{Text: "JSON Schema", Link: "scenario.schema.json"}, layout.Span{Text: " ("},
		layout.Span{Text: "lockstorm new --schema", Look: layout.Coded}, layout.Span{Text: ") completes and checks it. "},
		layout.Span{Text: "Your own scenarios", Link: relative(settingsFile, addressOf("scenarios/files.md"))},
		layout.Span{Text: " explains how to write one."})
	t := &layout.Table{Columns: layout.Columns("setting", "form", "default", "what it is")}
	for _, k := range scenarios.Settings(&base) {
		key := layout.Rich(layout.Span{Text: k.Key, Look: layout.Coded})
		t.Rows = append(t.Rows, []layout.Cell{key, {Text: k.Form}, {Text: k.Get(&base)}, {Text: k.Doc}})
	}
	d.Add(layout.Block{Kind: layout.Heading, Words: layout.Words("Settings"), ID: "settings"})
	d.Paragraph("Each can stand in a file, and be changed with --set.")
	d.Add(layout.Block{Kind: layout.Rows, Table: t, Label: "Settings", Command: "lockstorm run baseline/fault-free --help-set"})
	if whole, known := scenarios.Find("kleppmann/gc-pause"); known {
		d.Add(layout.Block{Kind: layout.Heading, Words: layout.Words("A whole file"), ID: "file"})
		d.Rich(layout.Span{Text: "lockstorm new kleppmann/gc-pause", Look: layout.Coded}, layout.Span{Text: " prints it:"})
		d.Lines(strings.TrimSpace(string(whole.Commented())))
	}
	return d
}
