package serve

import (
	"bytes"
	"encoding/base64"
	"errors"
	"net/http"
	"path"
	"slices"
	"strconv"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/draw"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/reports/runs"
)

// Bounds of a comparison.
const (
	verdictsMax = 100 // of one run
	settingsMax = 20  // of one run
)

// none is shown where only the other run has something.
const none = "-"

// A side is one of two runs that are compared.
type side struct {
	letter, place string
	run           runs.Run
	wrong         string // why the result can't be read
}

// compare shows two runs next to each other: their verdicts, the first event in which they differ, and both timelines.
func (s *Store) compare(w http.ResponseWriter, a, b string) {
	p := s.page()
	var sides []side
	for i, place := range []string{a, b} {
		x := side{letter: string(rune('A' + i)), place: place}
		result := path.Join(place, runs.ResultFile)
		if _, err := p.Stat(result); err != nil || !isPlace(place) {
			notice(w, http.StatusNotFound, "No such run", "There is no run "+wording.Plain(place)+" in the store.")
			return
		}
		text, err := p.ReadFile(result)
		if err == nil {
			x.run, err = runs.Parse(runs.ResultFile, text)
		}
		if err != nil {
			x.wrong = runs.ResultFile + " can't be read: " + wording.Plain(err.Error())
		}
		sides = append(sides, x)
	}
	d := &reports.Document{Title: "Two runs compared", Style: ".wide img{display:block;width:100%;height:auto;min-width:860px}"}
	d.Rich(reports.Span{Text: "All runs and campaigns", Link: "/"}, reports.Span{Text: " · "},
		reports.Span{Text: "Swap A and B", Link: comparison(b, a)})
	t := &reports.Table{Columns: reports.Columns("", "run", "result", "changed settings")}
	for i := range sides {
		t.Rows = append(t.Rows, sides[i].row())
	}
	d.Table("", t)
	d.Heading("Verdicts")
	d.Table("", verdicts(&sides[0].run, &sides[1].run))
	d.Heading("The first event that differs")
	p.difference(d, a, b)
	d.Heading("Timelines")
	for i := range sides {
		p.timeline(d, &sides[i])
	}
	html(w, http.StatusOK, d)
}

// row describes one of the two runs, and its outcome.
func (x *side) row() []reports.Cell {
	title := wording.Plain(x.run.Scenario) + ", seed " + strconv.FormatUint(x.run.Seed, 10)
	result := reports.Cell{Text: wording.Plain(x.run.Verdict)}
	if x.wrong != "" {
		title, result = wording.Plain(x.place), reports.Cell{Text: x.wrong, Ink: reports.RedInk}
	}
	return []reports.Cell{{Text: x.letter}, {Text: title, Link: address(path.Join(x.place, runs.PageFile))}, result,
		{Text: wording.Few(wording.PlainAll(x.run.Settings), settingsMax, " ")}}
}

// verdicts returns both tables of verdicts as one, and highlights the rows that differ.
func verdicts(a, b *runs.Run) *reports.Table {
	t := &reports.Table{Columns: reports.Columns("property", "A", "B", "expected in A", "expected in B")}
	inA, inB := a.Properties[:min(len(a.Properties), verdictsMax)], b.Properties[:min(len(b.Properties), verdictsMax)]
	find := func(all []runs.Property, name string) runs.Property {
		if i := slices.IndexFunc(all, func(p runs.Property) bool { return p.Name == name }); i >= 0 {
			return all[i]
		}
		return runs.Property{Name: name, Verdict: none, Expect: none}
	}
	add := func(x, y runs.Property) {
		if x.Verdict != y.Verdict {
			t.Marked = append(t.Marked, len(t.Rows))
		}
		t.Rows = append(t.Rows, []reports.Cell{{Text: wording.Plain(x.Name)}, verdict(x), verdict(y),
			{Text: wording.Plain(x.Expect)}, {Text: wording.Plain(y.Expect)}})
	}
	for _, x := range inA {
		add(x, find(inB, x.Name))
	}
	for _, y := range inB {
		if find(inA, y.Name).Verdict == none {
			add(find(inA, y.Name), y)
		}
	}
	return t
}

// verdict returns the cell of a verdict. A promise that breaks as the scenario expects is no alarm.
func verdict(p runs.Property) reports.Cell {
	c := reports.Cell{Text: wording.Plain(p.Verdict)}
	switch {
	case p.Verdict == "violated" && p.Expect == "violated":
		c.Class = "expected"
	case slices.Contains([]string{"violated", "holds", "unknown"}, p.Verdict):
		c.Class = p.Verdict
	}
	return c
}

// difference adds the first event of the two traces that differs.
func (p *page) difference(d *reports.Document, a, b string) {
	x, errA := p.ReadFile(path.Join(a, "trace.jsonl"))
	y, errB := p.ReadFile(path.Join(b, "trace.jsonl"))
	if err := errors.Join(errA, errB); err != nil {
		d.Paragraph("The traces can't be compared: " + wording.Plain(err.Error()) + ".")
		return
	}
	for n := 1; len(x)+len(y) > 0; n++ {
		lineA, restA, _ := bytes.Cut(x, []byte("\n"))
		lineB, restB, _ := bytes.Cut(y, []byte("\n"))
		if bytes.Equal(lineA, lineB) {
			x, y = restA, restB
			continue
		}
		t := &reports.Table{Columns: reports.Columns("", "event "+wording.Grouped(n)+" of the trace")}
		t.Rows = [][]reports.Cell{{{Text: "A"}, event(string(lineA))}, {{Text: "B"}, event(string(lineB))}}
		d.Table("", t)
		return
	}
	d.Paragraph("There is none: both left the same trace.")
}

func event(line string) reports.Cell {
	if line == "" {
		return reports.Cell{Text: "none: the trace has ended"}
	}
	return reports.Rich(code(wording.Plain(line)))
}

// timeline adds the timeline of a run as a picture, in which no script runs.
func (p *page) timeline(d *reports.Document, x *side) {
	svg, err := p.ReadFile(path.Join(x.place, draw.TimelineFile))
	if err != nil {
		d.Paragraph("Run " + x.letter + " has no timeline.")
		return
	}
	d.Add(reports.Block{Kind: "picture", Words: reports.Words(x.letter), Label: "Timeline of run " + x.letter,
		Source: "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(svg)})
}
