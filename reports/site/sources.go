package site

import (
	"fmt"
	"path"
	"strings"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign/study"
)

// A source is where a table or a figure comes from.
type source struct {
	Command string `json:"made_by,omitempty"`
	Study   string `json:"study,omitempty"`
	data    []reports.Link
}

// sources puts the same line below each table and figure of a page: its data, as files next to the page, the command
// that makes it, and the study that does the same. A document says the last two in words, or in a comment around the
// table.
func (b *builder) sources(p *page) {
	n := 0
	p.Blocks = b.sourced(p, p.Blocks, &n)
}

// sourced does so for some of its blocks; n are the tables and figures before them.
func (b *builder) sourced(p *page, blocks []reports.Block, n *int) (all []reports.Block) {
	for i := 0; i < len(blocks); i++ {
		one := blocks[i]
		one.Blocks = b.sourced(p, one.Blocks, n)
		if all = append(all, one); one.Kind != "rows" && one.Kind != "picture" {
			continue
		}
		s := source{Command: one.Command}
		if i+1 < len(blocks) {
			if told, is := read(&blocks[i+1]); is {
				s, i = told, i+1
			}
		}
		switch *n++; {
		case one.Source != "":
			s.data = b.picture(p, one.Source, s.Command)
		case one.Table != nil && len(one.Table.Rows) > 1:
			b.data(p, one.Table, fmt.Sprintf("%s.table-%d", strings.TrimSuffix(p.address, ".html"), *n), &s)
		}
		all = append(all, s.line(b, p)...)
	}
	return all
}

// picture returns the source of a picture: the CSV next to it, or the history and the trace of the run that its command
// makes.
func (b *builder) picture(p *page, picture, command string) []reports.Link {
	kind := path.Ext(picture)
	all := []reports.Link{{Text: strings.ToUpper(strings.TrimPrefix(kind, ".")), To: picture}}
	table := strings.TrimSuffix(picture, kind) + ".csv"
	if b.document(path.Join(path.Dir(p.address), table)) {
		return append(all, reports.Link{Text: "CSV", To: table})
	}
	if id, is := strings.CutPrefix(command, "lockstorm run "); is {
		all = append(all, b.run(p, id)...)
	}
	return all
}

// run adds the history and the trace of a scenario's first seed, once, and returns links to them; none, if it is not known.
func (b *builder) run(p *page, id string) []reports.Link {
	s, known := scenarios.Find(id)
	if !known {
		return nil
	}
	return b.records(p, "runs/"+id, scenarios.Run(s, 1))
}

// records adds the history and the trace of a run in a folder, once, and returns links to them.
func (b *builder) records(p *page, folder string, r *scenarios.Result) []reports.Link {
	history, trace := folder+"/history.jsonl", folder+"/trace.jsonl"
	if !b.kept(history) {
		b.file(history, r.HistoryJSONL())
		b.file(trace, r.TraceJSONL())
	}
	return []reports.Link{{Text: "history", To: relative(p.address, history)}, {Text: "trace", To: relative(p.address, trace)}}
}

// read reads the paragraph by which a document says what made the table before it.
func read(b *reports.Block) (s source, is bool) {
	if b.Kind != "" || len(b.Words) < 2 || b.Words[0].Text != "Made by " || b.Words[1].Look != "code" {
		return s, false
	}
	s.Command = b.Words[1].Text
	for _, w := range b.Words[2:] {
		if name, is := strings.CutPrefix(w.Text, "lockstorm study "); is && w.Look == "code" {
			s.Study = name
		}
	}
	return s, true
}

// data adds the rows of a table as files next to its page.
func (b *builder) data(p *page, t *reports.Table, name string, s *source) {
	rows := [][]string{}
	for _, r := range t.Rows {
		var cells []string
		for _, c := range r {
			cells = append(cells, c.Text)
		}
		rows = append(rows, cells)
	}
	heads := []string{}
	for _, c := range t.Columns {
		heads = append(heads, c.Head)
	}
	s.data = b.both(name, reports.CSV(append([][]string{heads}, rows...)), reports.JSON(struct {
		Page string `json:"page"`
		source
		Heads []string   `json:"heads"`
		Rows  [][]string `json:"rows"`
	}{p.address, *s, heads, rows}))
}

// numbers adds all numbers of a page as files next to it, and returns the line that leads to them.
func (b *builder) numbers(p *page, name string) []reports.Block {
	s := source{data: b.both(name, p.CSV(), []byte(p.JSON()))}
	return s.line(b, p)
}

// both adds the two files that data have, and returns links to them from the same folder.
func (b *builder) both(name, csv string, json []byte) []reports.Link {
	b.file(name+".csv", []byte(csv))
	b.file(name+".json", json)
	return []reports.Link{{Text: "CSV", To: path.Base(name) + ".csv"}, {Text: "JSON", To: path.Base(name) + ".json"}}
}

// line returns the line below a table or a figure; none if there is nothing to say.
func (s *source) line(b *builder, p *page) []reports.Block {
	var words []reports.Span
	say := func(head string, more ...reports.Span) {
		if len(words) > 0 {
			words = append(words, reports.Span{Text: " · "})
		}
		words = append(append(words, reports.Span{Text: head}), more...)
	}
	for i, d := range s.data {
		head := ""
		if i == 0 {
			head = "Data: "
		}
		say(head, reports.Span{Text: d.Text, Link: d.To})
	}
	if s.Command != "" {
		say("Made by ", reports.Span{Text: s.Command, Look: "code"})
	}
	if s.Study != "" {
		say("As a study: ", reports.Span{Text: "lockstorm study " + s.Study, Look: "code"})
		if file := b.study(s.Study); file != "" {
			link := reports.Span{Text: "its file", Link: relative(p.address, file)}
			words = append(words, reports.Span{Text: " ("}, link, reports.Span{Text: ")"})
		}
	}
	if len(words) == 0 {
		return nil
	}
	return []reports.Block{{Words: words, Class: "source"}}
}

// study adds the file of a study, once, and returns its name; "" if there is no such study.
func (b *builder) study(name string) string {
	text, known := study.Text(name)
	if !known {
		return ""
	}
	file := "studies/" + name + ".yaml"
	if !b.kept(file) {
		b.file(file, text)
	}
	return file
}
