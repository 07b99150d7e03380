package debate

import (
	_ "embed" // for the style
	"fmt"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/reports/internal/draw"
	"github.com/lockstorm/lockstorm/reports/internal/plot"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
)

//go:embed debate.css
var style string

const title = "The Redlock debate, measured"

// A writer writes a debate block by block.
type writer struct {
	*reports.Document
	d     *Debate
	facts *facts
	done  int // steps that are written
	drawn int // figures
}

// Document returns a debate in all formats: the prose with its measurements, and the steps. A page also has the
// figures, the bounds, and the method.
func (d *Debate) Document() *reports.Document {
	w := writer{d: d, facts: d.facts()}
	w.Document = &reports.Document{
		Title: title, Data: w.facts, Rows: w.facts.table(), Summary: summaryOf(d), Style: draw.Style + plot.Style + style,
		Class: "debate",
		Foot:  fmt.Sprintf("Made by Lockstorm %s with %s.", d.Version, d.Command),
	}
	w.Headline(title)
	w.Add(reports.Block{Kind: "title", Words: reports.Words(title), In: reports.Marked})
	w.front()
	for i := range d.Argument.Chapters {
		if d.Argument.Chapters[i].ID == appendix {
			w.method()
		}
		w.chapter(i)
	}
	w.references()
	w.Add(reports.Block{Kind: "verdict", Words: reports.Words(w.Summary), In: reports.Terminal | reports.Marked})
	w.Add(reports.Block{Kind: "command", Words: reports.Words("Repeat it:"), Command: d.Command,
		In: reports.Terminal | reports.Marked, Close: true})
	return w.Document
}

// page adds a paragraph for pages.
func (w *writer) page(class string, words ...reports.Span) {
	w.Add(reports.Block{Words: words, Class: class, In: reports.Page})
}

// section begins a section for pages.
func (w *writer) section(id, heading string) {
	w.Add(reports.Block{Kind: "heading", Words: reports.Words(heading), ID: id, In: reports.Page})
}

// parsed reads a text in the form of the argument, with the values of its verbs.
func (w *writer) parsed(form string, args ...any) []reports.Span {
	spans, err := w.d.Argument.spans(fmt.Sprintf(form, args...), nil)
	if err != nil {
		panic("debate: " + err.Error()) // the text is ours
	}
	return w.words(Passage{Spans: spans}, "")
}

// front introduces the document, and lists the sentences that the runs contradict.
func (w *writer) front() {
	d := w.d
	w.page("", append(w.parsed("In 2016 Martin Kleppmann [kleppmann] and Salvatore Sanfilippo, known as antirez "+
		"[antirez], argued about whether Redlock, the distributed lock of the Redis documentation [redis], is safe. "+
		"This document runs each of their claims in a simulator that knows true time: %s of each scenario, with seeds "+
		"%d to %d. Each sentence about a result was compared with its runs. Where runs differ, their share is "+
		"shown ",
		d.made(), d.Seed, d.last()),
		reports.Span{Text: "like this", Class: "seen"},
		reports.Span{Text: ". Where all agree there is none. Letters such as A.1 are steps of the appendix."})...)
	w.page("soft", w.parsed("Made by Lockstorm %s, with `%s`. The same command gives the same document, byte for byte.",
		d.Version, d.Command)...)
	if len(w.facts.Wrong) > 0 {
		alarm := reports.Block{Kind: "alarm", Class: "violated", Words: []reports.Span{
			{Text: "The runs contradict this document", Look: "bold"}, {Text: " in these sentences. Do not cite it."},
		}}
		if w.facts.Verdict == scenarios.Unknown {
			alarm.Class, alarm.Words[0].Text = "unknown", "The runs leave open whether this document is right"
		}
		for _, wrong := range w.facts.Wrong {
			alarm.Blocks = append(alarm.Blocks, reports.Block{Words: reports.Words(wrong)})
		}
		w.Add(alarm)
	}
	contents := reports.Block{Kind: "contents"}
	for i, c := range d.Argument.Chapters {
		if c.ID == appendix {
			contents.Links = append(contents.Links, reports.Link{Text: "How this was measured", To: "#method"})
		}
		contents.Links = append(contents.Links, reports.Link{Text: w.heading(i), To: "#" + c.ID})
	}
	contents.Links = append(contents.Links, reports.Link{Text: "How to cite this", To: "#cite"},
		reports.Link{Text: "References", To: "#references"})
	w.Add(contents)
}

func (w *writer) heading(i int) string {
	return strings.TrimSpace(w.d.Argument.chapterNumber(i) + " " + w.d.Argument.Chapters[i].Title)
}

func (w *writer) chapter(i int) {
	c := &w.d.Argument.Chapters[i]
	w.Add(reports.Block{Kind: "heading", Words: reports.Words(w.heading(i)), ID: c.ID})
	w.prose(c.Text, "")
	for j := range c.Steps {
		w.step(&c.Steps[j], &w.d.Trials[w.done], &w.facts.Steps[w.done])
		w.done++
	}
}

func stepAnchor(scenario string) string { return strings.ReplaceAll(scenario, "/", "-") }

// class returns the class of a verdict on a page.
func class(v scenarios.Verdict) string {
	return [...]string{scenarios.Pass: "", scenarios.Unknown: "unknown", scenarios.Fail: "violated"}[v]
}

func (w *writer) step(s *Step, t *Trial, f *stepFacts) {
	w.Add(reports.Block{Kind: "topic", Words: reports.Words(f.Step + " " + f.Title), ID: stepAnchor(s.Scenario)})
	w.claim(t, f)
	w.prose(s.Text, s.Scenario)
	words := []reports.Span{{Text: w.broke(t, f) + " "}, {Text: f.Command, Look: "code"}}
	w.Add(reports.Block{Words: words, Class: "rest"})
	w.bounds(t)
	if s.Figure {
		w.Add(reports.Block{Kind: "details", Words: reports.Words("The run of seed " + fmt.Sprint(t.Drawn.Seed)),
			Blocks: []reports.Block{*w.figure(t)}, In: reports.Page})
	}
}

// claim adds the claim and the finding.
func (w *writer) claim(t *Trial, f *stepFacts) {
	if f.Says == "" {
		if f.verdict != scenarios.Pass {
			w.page("claim", reports.Span{Text: f.Outcome, Class: class(f.verdict)})
		}
		return
	}
	w.Add(reports.Block{Words: []reports.Span{{Text: f.By + ":", Class: "strong"}, {Text: " " + f.Says}},
		Class: "claim"})
	var words []reports.Span
	if f.verdict != scenarios.Pass {
		words = []reports.Span{{Text: "NOT AS EXPECTED; it should be:", Class: class(f.verdict)}, {Text: " "}}
	}
	found := wording.PlainLong(t.Scenario.Claim.Found() + wording.Assumed(t.Scenario.Departures()))
	w.Add(reports.Block{Words: append(words, reports.Span{Text: found})})
}

// figure draws the run of a step.
func (w *writer) figure(t *Trial) *reports.Block {
	w.drawn++
	scenario := t.place.Scenario
	caption := fmt.Sprintf("Figure %d. Seed %d of %s. %s", w.drawn, t.Drawn.Seed, scenario,
		wording.Plain(t.Scenario.Title))
	x := draw.Principal(draw.NewScene(t.Drawn))
	x.ClientsFirst = true
	image := draw.ExcerptSVG(x, fmt.Sprintf("figure-%s-%d", stepAnchor(scenario), w.drawn), false)
	return &reports.Block{Kind: "picture", Image: image, ID: fmt.Sprintf("figure-%d", w.drawn),
		Label: fmt.Sprintf("Figure %d", w.drawn), In: reports.Page,
		Blocks: []reports.Block{{Words: reports.Words(caption), Class: "rest"}}}
}

// plotted draws a study; texts have its numbers in the other formats.
func (w *writer) plotted(name string) reports.Block {
	w.drawn++
	t := w.d.study(name)
	title, about, svg := campaigns.StudyDrawing(t.shown(), "plot-"+name)
	caption := []reports.Span{{Text: fmt.Sprintf("Figure %d. %s.", w.drawn, title), Look: "bold"}, {Text: " " + about}}
	look := "plotted"
	if t.Map {
		look += " broad"
	}
	return reports.Block{Kind: "picture", Image: svg, Class: look,
		ID: fmt.Sprintf("figure-%d", w.drawn), Label: fmt.Sprintf("Figure %d", w.drawn), In: reports.Page,
		Blocks: []reports.Block{{Words: caption, Class: "rest"}}}
}

// broke lists the properties that broke in a step's runs, and the mutants with theirs. It leaves out shares of all
// runs.
func (w *writer) broke(t *Trial, f *stepFacts) string {
	var each, some, wrong []string
	for _, r := range f.Broke[:len(f.Broke)-len(t.Mutants)] {
		n := tally(t.Rows, r.Name)
		switch {
		case r.Verdict != scenarios.Pass:
			wrong = append(wrong, fmt.Sprintf("%s should %s, and breaks in %s", r.Name, r.Want, r.Count))
		case n.Violated == n.Runs:
			each = append(each, r.Name)
		case n.Violated > 0:
			some = append(some, r.Name+" in "+r.Count)
		}
	}
	text := "Breaks nothing"
	if each != nil {
		text = "Breaks " + wording.List(each)
	}
	if some != nil {
		text += "; " + wording.List(some)
	}
	for i := range t.Mutants {
		r := f.Broke[len(f.Broke)-len(t.Mutants)+i]
		text += fmt.Sprintf("; mutant %s: %s", r.Name, r.Want)
		if n := len(t.Mutants[i]); r.Count != outOfAll(n, n) {
			text += " in " + r.Count
		}
	}
	if wrong != nil {
		text += "; NOT AS EXPECTED: " + wording.List(wrong)
	}
	return text + "."
}

// bounds adds the bounds of a step, as computed and as measured.
func (w *writer) bounds(t *Trial) {
	for _, e := range t.Edges {
		if e.None == "" {
			text := fmt.Sprintf("Bound of %s along %s: computed %s; holds at %s, breaks at %s.", e.Bound.Property,
				e.Bound.Setting, spaced(e.Computed), spaced(e.Holds), spaced(e.Breaks))
			w.page("rest", reports.Span{Text: text, Class: class(verdictIf(t.safe(e), true))})
		}
	}
}

// prose adds passages with their measurements.
func (w *writer) prose(all []Passage, here string) {
	for i, p := range all {
		switch {
		case p.Word == "-":
			item := reports.Block{Words: w.words(p, here)}
			if i > 0 && all[i-1].Word == "-" {
				last := &w.Blocks[len(w.Blocks)-1]
				last.Blocks = append(last.Blocks, item)
			} else {
				w.Add(reports.Block{Kind: "bullets", Blocks: []reports.Block{item}})
			}
		case p.plot != "":
			w.Add(w.plotted(p.plot))
		case p.drawn != "":
			w.Add(*w.figure(w.d.trial(Place{Scenario: p.drawn})))
		case p.helps != nil:
			w.Add(reports.Block{Kind: "rows", Table: w.helps(p.helps), Class: "helps"})
		default:
			w.Add(reports.Block{Words: w.words(p, here)})
		}
	}
}

// helps lists helps, a pair each.
func (w *writer) helps(all []Help) *reports.Table {
	t := &reports.Table{Columns: reports.Columns(
		"what helps", "without it", "with it", "what breaks", "one setting", "where")}
	for _, h := range all {
		set, not := h.With.With, ""
		if len(h.Place.With) > len(set) {
			set, not = h.Place.With, "not "
		}
		where := []reports.Span{{Text: h.Scenario, Look: "code"}}
		if n := w.d.Argument.number(h.Scenario); n != "" && h.Under == "" {
			title := n + " " + w.d.Argument.find(h.Scenario).Title
			where[0] = reports.Span{Text: title, Link: "#" + stepAnchor(h.Scenario)}
		} else if h.Under != "" {
			where = append(where, reports.Span{Text: ", drawn " + h.Under})
		}
		share := func(p Place) reports.Cell {
			n := tally(w.d.rows(p), h.Property)
			switch {
			case n.Violated == n.Runs:
				return reports.Cell{Text: "in each run"}
			case n.Violated > 0:
				return reports.Cell{Text: n.PerCent(1) + "%"}
			case h.Under != "":
				return reports.Cell{Text: outOfAll(0, n.Runs)}
			}
			return reports.Cell{Text: "in none"}
		}
		one := reports.Rich(reports.Span{Text: not}, reports.Span{Text: set[len(set)-1], Look: "code"})
		row := []reports.Cell{{Text: h.Words}, share(h.Place), share(h.With), {Text: h.Property}, one,
			reports.Rich(where...)}
		if f := w.d.helped(h); f.verdict != scenarios.Pass {
			row[2] = reports.Rich(reports.Span{Text: "NOT SO: " + f.says, Class: class(f.verdict)})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func (w *writer) words(p Passage, here string) (words []reports.Span) {
	if p.Word == "Open" {
		words = append(words, reports.Span{Text: p.Word + ".", Look: "bold"}, reports.Span{Text: " "})
	}
	named := map[string]bool{here: true}
	for i, s := range p.Spans {
		if i+1 < len(p.Spans) && p.Spans[i+1].Claim != nil && s.Text != "" {
			s.Text = strings.TrimRight(s.Text, " ")
		}
		words = append(words, w.d.span(s, named)...)
	}
	return words
}

// span returns a piece of a paragraph. It names each step once.
func (d *Debate) span(s Span, named map[string]bool) []reports.Span {
	one := reports.Span{Text: s.Text}
	switch {
	case s.Source != "":
		i := slices.IndexFunc(sources, func(o Source) bool { return o.Key == s.Source })
		one = reports.Span{Text: fmt.Sprintf("[%d]", i+1), Link: "#ref-" + s.Source, Class: "cite"}
	case s.Chapter != "":
		i := slices.IndexFunc(d.Argument.Chapters, func(c Chapter) bool { return c.ID == s.Chapter })
		one = reports.Span{Text: "section " + d.Argument.chapterNumber(i), Link: "#" + s.Chapter}
	case s.Claim != nil:
		return d.measured(s.Claim, named)
	case s.Code != "":
		one = reports.Span{Text: s.Code, Look: "code"}
	case s.Stress != "":
		one = reports.Span{Text: s.Stress, Look: "bold"}
	}
	return []reports.Span{one}
}

// measured returns the facts of the runs beyond an assertion's sentence: a share between 0 and all, a figure, a
// contradiction. It names the step if that is another.
func (d *Debate) measured(c *Assertion, named map[string]bool) (words []reports.Span) {
	f := d.judge(c)
	chip := reports.Span{Text: f.says, Class: strings.TrimSpace("seen " + class(f.verdict))}
	switch f.verdict {
	case scenarios.Fail:
		chip.Text, f.shown = "NOT SO: "+f.says, true
	case scenarios.Unknown:
		chip.Text, f.shown = "NOT KNOWN: "+f.says, true
	}
	if f.shown {
		words = append(words, reports.Span{Text: " "}, chip)
	}
	if n := d.Argument.number(c.Scenario); n != "" && c.Under == "" && !named[c.Scenario] {
		named[c.Scenario] = true
		words = append(words, reports.Span{Text: " "},
			reports.Span{Text: "[" + n + "]", Link: "#" + stepAnchor(c.Scenario), Class: "cite"})
	}
	return words
}

// method adds to pages how everything was measured, and the limits of the runs.
func (w *writer) method() {
	d := w.d
	w.section("method", "How this was measured")
	searched := ""
	for i := range d.Trials {
		if d.Trials[i].Searched() {
			searched = fmt.Sprintf(", those of a search with %s", wording.Grouped(len(d.Trials[i].Rows)))
			break
		}
	}
	w.page("", w.parsed("A run is a pure function of a scenario, which is a file, and a seed. Scenarios ran with the seeds "+
		"%d to %d%s. A pair has the same scenario and the same seeds, and one setting differs; a mutant is the lock "+
		"with one rule broken. This document rejects a comparison without a pair, a result without runs, a sentence "+
		"that says more than its runs show, and a number that is neither a setting nor counted. If runs contradict a "+
		"sentence, the document says so at the top, and the command fails.",
		d.Seed, d.last(), searched)...)
	w.page("", w.parsed("Most faults are planned for the moment that matters. Where all runs of such a plan agree, they "+
		"are not a sample: one run shows that it can happen, or that this plan does no harm. Intervals for random "+
		"faults are those of Clopper and Pearson [clopper] at 95%%, each separately. If a promise broke in 0 of %s, "+
		"the share is %s. Bounds are measured by halving, with %d seeds for each value.",
		d.made(), interval(0, d.Runs), d.Seeds)...)
	promises := &reports.Table{Columns: reports.Columns("promise", "question")}
	for _, p := range new(scenarios.Scenario).Promises() {
		promises.Add(p.Name, p.Asks)
	}
	w.Add(reports.Block{Kind: "rows", Table: promises, In: reports.Page})
}

// references adds to pages how to cite the document, and to all formats the works that it cites.
func (w *writer) references() {
	d := w.d
	w.section("cite", "How to cite this")
	w.page("", w.parsed("Lockstorm %s, *%s*, made by `%s`; SHA-256 of the scenarios: `%s`. A file CITATION.cff is in "+
		"the repository.",
		d.Version, title, d.Command, d.hash())...)
	w.Add(reports.Block{Kind: "heading", Words: reports.Words("References"), ID: "references"})
	w.page("", w.parsed("Claims are paraphrased.")...)
	for i, s := range sources {
		words := []reports.Span{{Text: fmt.Sprintf("[%d]", i+1), Look: "bold"},
			{Text: fmt.Sprintf("%s: %s %s. ", s.By, strings.ReplaceAll(s.Title+".", "?.", "?"), s.In)}}
		if s.Address != "" {
			words = append(words, reports.Span{Text: s.Address, Link: s.Address})
		}
		w.Add(reports.Block{Kind: "item", Words: words, ID: "ref-" + s.Key, Close: true})
	}
}

// last returns the last seed.
func (d *Debate) last() uint64 { return d.Seed + uint64(d.Runs) - 1 }

// hash returns the hash of all scenarios of the debate in order.
func (d *Debate) hash() string {
	var all []byte
	for _, t := range d.Trials {
		all = append(all, t.Scenario.YAML()...)
	}
	return runs.HashScenario(all)
}
