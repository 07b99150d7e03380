package debate

import (
	"cmp"
	_ "embed" // for the style
	"fmt"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports/internal/bounds"
	"github.com/lockstorm/lockstorm/reports/internal/draw"
	"github.com/lockstorm/lockstorm/reports/internal/layout"
	"github.com/lockstorm/lockstorm/reports/internal/onerun"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

//go:embed debate.css
var style string

const title = "The Redlock debate, measured"

// A writer writes a debate block by block.
type writer struct {
	*layout.Document
	d     *Debate
	facts *facts
	done  int // steps that are written
	drawn int // figures
}

// Document returns a debate in all formats: the prose with all that was measured in it, and a table for each step. A page has the
// figures besides, the bounds, and how everything was measured.
func (d *Debate) Document() *layout.Document {
	w := writer{d: d, facts: d.facts()}
	w.Document = &layout.Document{
		Title: title, Data: w.facts, Rows: w.facts.table(), Summary: Summary(d), Style: draw.Style + style, Class: "debate",
		Foot: fmt.Sprintf("Made by Lockstorm %s with %s.", d.Version, d.Command),
	}
	w.Headline(title)
	w.Add(layout.Block{Kind: layout.Title, Words: layout.Words(title), In: layout.Marked})
	w.front()
	for i := range d.Argument.Chapters {
		w.chapter(i)
	}
	w.method()
	w.references()
	w.Add(layout.Block{Kind: layout.Verdict, Words: layout.Words(w.Summary), In: layout.Texts})
	w.Add(layout.Block{Kind: layout.Shell, Words: layout.Words("Repeat it:"), Command: d.Command, In: layout.Texts, Close: true})
	return w.Document
}

// page adds a paragraph that only a page has.
func (w *writer) page(class string, words ...layout.Span) {
	w.Add(layout.Block{Kind: layout.Sentence, Words: words, Class: class, In: layout.Page})
}

// note adds a small one.
func (w *writer) note(text string) { w.page("rest", layout.Span{Text: text}) }

// section begins a part that only a page has.
func (w *writer) section(id, heading string) {
	w.Add(layout.Block{Kind: layout.Heading, Words: layout.Words(heading), ID: id, In: layout.Page})
}

// parsed returns a text of ours that is written as the argument is.
func (w *writer) parsed(text string) []layout.Span {
	spans, err := w.d.Argument.spans(text, nil)
	if err != nil {
		panic("debate: " + err.Error()) // the text is ours
	}
	return w.words(Passage{Spans: spans}, "")
}

// front says what the document is, and what in it the runs contradict.
func (w *writer) front() {
	d := w.d
	w.page("", append(w.parsed(fmt.Sprintf(
		"In 2016 Martin Kleppmann [kleppmann] and Salvatore Sanfilippo, known as antirez [antirez], argued about whether Redlock, the distributed lock of "+
			"the Redis documentation [redis], is safe. Here each of their claims is tested in a simulator that knows true time: %s of each scenario, "+
			"with seeds %d to %d. Wherever a sentence says what happens, a figure ", d.made(), d.Seed, d.Seed+uint64(d.Runs)-1)),
		layout.Span{Text: "like this", Class: "seen"}, layout.Span{Text: " says in how many runs it did."})...)
	w.page("soft", w.parsed(fmt.Sprintf("Made by Lockstorm %s, with `%s`. The same command gives the same document, byte for byte.", d.Version, d.Command))...)
	if len(w.facts.Wrong) > 0 {
		alarm := layout.Block{Kind: layout.Alarm, Class: "violated", Words: []layout.Span{
			{Text: "The runs contradict this document", Look: layout.Bold}, {Text: " in these sentences. Do not cite it."},
		}}
		if w.facts.Verdict == scenarios.Unknown {
			alarm.Class, alarm.Words[0].Text = "unknown", "The runs leave open whether this document is right"
		}
		for _, wrong := range w.facts.Wrong {
			alarm.Blocks = append(alarm.Blocks, layout.Block{Kind: layout.Sentence, Words: layout.Words(wrong)})
		}
		w.Add(alarm)
	}
	contents := layout.Block{Kind: layout.Contents}
	for i, c := range d.Argument.Chapters {
		contents.Links = append(contents.Links, layout.Link{Text: heading(i, &c), To: "#" + c.ID})
	}
	contents.Links = append(contents.Links, layout.Link{Text: "How this was measured", To: "#method"}, layout.Link{Text: "What the model leaves out", To: "#scope"},
		layout.Link{Text: "How to cite this", To: "#cite"}, layout.Link{Text: "References", To: "#references"})
	w.Add(contents)
}

func heading(i int, c *Chapter) string {
	if i == 0 {
		return c.Title
	}
	return fmt.Sprintf("%d %s", i, c.Title)
}

func (w *writer) chapter(i int) {
	c := &w.d.Argument.Chapters[i]
	w.Add(layout.Block{Kind: layout.Heading, Words: layout.Words(heading(i, c)), ID: c.ID})
	w.prose(c.Text, "")
	if i == 0 {
		w.note("Each claim, whether these runs are as claimed, and what broke in them. Counts are runs in which a promise broke.")
		w.Add(layout.Block{Kind: layout.Rows, Table: w.whole(), Class: "whole", In: layout.Page})
	}
	for j := range c.Steps {
		w.step(&c.Steps[j], &w.d.Trials[w.done], &w.facts.Steps[w.done])
		w.done++
	}
}

// whole lists all steps, and what came of them.
func (w *writer) whole() *layout.Table {
	t := &layout.Table{Columns: layout.Columns("Claim", "By", "In the runs")}
	n := 0
	for i, c := range w.d.Argument.Chapters {
		if len(c.Steps) > 0 {
			t.Rows = append(t.Rows, []layout.Cell{layout.Rich(layout.Span{Text: heading(i, &c), Look: layout.Bold, Link: "#" + c.ID}), {}, {}})
		}
		for _, s := range c.Steps {
			f := &w.facts.Steps[n]
			outcome := f.Outcome
			if outcome == "" {
				outcome = "measured"
			}
			t.Rows = append(t.Rows, []layout.Cell{
				layout.Rich(layout.Span{Text: f.Step + " " + f.Title, Link: "#" + stepAnchor(s.Key)}),
				{Text: cmp.Or(f.By, "–")},
				layout.Rich(layout.Span{Text: outcome, Class: class(f.verdict)}, layout.Span{Text: "; broken: " + w.d.Trials[n].breaks(), Class: "soft"}),
			})
			n++
		}
	}
	return t
}

func stepAnchor(key string) string { return strings.ReplaceAll(key, "/", "-") }

// class is what a page calls a verdict that stands out.
func class(v scenarios.Verdict) string {
	return [...]string{scenarios.Pass: "", scenarios.Unknown: "unknown", scenarios.Fail: "violated"}[v]
}

func (w *writer) step(s *Step, t *Trial, f *stepFacts) {
	w.Add(layout.Block{Kind: layout.Topic, Words: layout.Words(f.Step + " " + f.Title), ID: stepAnchor(s.Key)})
	w.claim(t, f)
	figure := w.figure(s, t)
	plain := slices.IndexFunc(append(s.Text, Passage{Word: "-"}), func(p Passage) bool { return p.Word != "" })
	w.prose(s.Text[:plain], s.Key)
	if s.Figure && figure != nil {
		w.Add(*figure)
	}
	w.prose(s.Text[plain:], s.Key)
	w.broke(s, t, f)
	w.bounds(t)
	summary, inside := "The run and how to repeat it", []layout.Block{{Kind: layout.Sentence, Words: layout.Words(setting(s, t))}}
	if schedule := layout.PlainLines(t.Scenario.Faults.String()); schedule != "" {
		inside = append(inside, layout.Block{Kind: layout.Lines, Words: layout.Words(schedule)})
	} else if !t.Searched() {
		inside = append(inside, layout.Block{Kind: layout.Sentence, Words: layout.Words("No faults are planned.")})
	}
	inside = append(inside, layout.Block{Kind: layout.Shell, Command: f.Command})
	if figure != nil && !s.Figure {
		summary = fmt.Sprintf("The run, figure %d and how to repeat it", w.drawn)
		inside = append(inside, *figure)
	}
	w.Add(layout.Block{Kind: layout.Details, Words: layout.Words(summary), Blocks: inside, In: layout.Page})
	w.Add(layout.Block{Kind: layout.Shell, Words: layout.Words("See it:"), Command: f.Command, In: layout.Texts, Close: true})
}

// claim says what was claimed, and on pages what was found.
func (w *writer) claim(t *Trial, f *stepFacts) {
	if f.Says == "" {
		if f.verdict != scenarios.Pass {
			w.page("claim", layout.Span{Text: f.Outcome, Class: class(f.verdict)})
		}
		return
	}
	claims := layout.Either(strings.Count(t.Scenario.Claim.By, " and ")+1, "claims", "claim")
	w.Add(layout.Block{Kind: layout.Sentence, Words: []layout.Span{{Text: f.By + " " + claims + ":", Class: "strong"}, {Text: " " + f.Says}}, Class: "claim"})
	found := layout.Span{Text: "Found.", Class: "strong"}
	if f.verdict != scenarios.Pass {
		found = layout.Span{Text: "NOT AS EXPECTED; it should be:", Class: class(f.verdict)}
	}
	w.page("claim", found, layout.Span{Text: " " + layout.PlainLong(t.Scenario.Claim.Found()+scenarios.Assumed(t.Scenario.Departures()))})
}

// figure draws the run of a step; nil for a search.
func (w *writer) figure(s *Step, t *Trial) *layout.Block {
	if t.Searched() {
		return nil
	}
	w.drawn++
	caption := fmt.Sprintf("Figure %d. Seed %d of %s. %s", w.drawn, t.Drawn.Seed, s.Scenario, layout.Plain(t.Scenario.Title))
	image := draw.ExcerptSVG(draw.Principal(draw.NewScene(t.Drawn)), "figure-"+stepAnchor(s.Key), false)
	return &layout.Block{Kind: layout.Picture, Image: image, ID: fmt.Sprintf("figure-%d", w.drawn), Label: fmt.Sprintf("Figure %d", w.drawn), In: layout.Page,
		Blocks: []layout.Block{{Kind: layout.Sentence, Words: layout.Words(caption), Class: "rest"}}}
}

// broke adds the table of a step: in how many runs each property broke, and on pages what held throughout.
func (w *writer) broke(s *Step, t *Trial, f *stepFacts) {
	about := s.Scenario
	if t.Searched() {
		about += ", searched"
	}
	if len(s.With) > 0 {
		about += ", with " + strings.Join(s.With, " ")
	}
	table := &layout.Table{Columns: layout.Columns("what broke", "expected", "runs", "share of all runs")}
	for i, r := range f.Broke {
		name, want := layout.Cell{Text: r.Name}, layout.Span{Text: r.Want, Class: class(r.Verdict)}
		breaks := layout.Span{Text: "breaks ", Class: want.Class, In: layout.Page}
		if mutant := i >= len(f.Broke)-len(t.Mutants); mutant {
			name = layout.Rich(layout.Span{Text: "mutant ", In: layout.Page}, layout.Span{Text: r.Name})
		} else {
			breaks.Text = ""
		}
		cell := layout.Cell{}
		if r.Want != "" {
			cell = layout.Rich(breaks, want)
			if r.Verdict != scenarios.Pass {
				cell.Words = append(cell.Words, layout.Span{Text: " ← not so", Class: want.Class, In: layout.Page})
			}
		}
		table.Rows = append(table.Rows, []layout.Cell{name, cell, {Text: r.Count}, {Text: r.Interval}})
	}
	if len(table.Rows) > 0 {
		w.note(about)
		w.Add(layout.Block{Kind: layout.Rows, Table: table, Class: "broke"})
	}
	if len(f.rest) > 0 {
		n := stats.Count{Runs: len(t.Rows)}
		w.note(fmt.Sprintf("Never violated: %s (%s runs each, %s).", layout.List(f.rest), outOfAll(0, n.Runs), t.share(t.Rows, n)))
	}
}

// bounds adds the bounds of a step, as computed and as measured.
func (w *writer) bounds(t *Trial) {
	if len(t.Edges) == 0 {
		return
	}
	table := &layout.Table{Columns: layout.Numbers("promise", "setting", "computed", "holds at", "breaks at")}
	table.Columns[1].Kind = layout.Left
	for _, e := range t.Edges {
		line := []layout.Cell{{Text: e.Bound.Property}, {Text: e.Bound.Setting}, {Text: e.Computed}, {Text: e.None}, {}}
		if e.None == "" {
			line[2] = layout.Rich(layout.Span{Text: spaced(e.Computed), Class: class(verdictIf(t.safe(e), true))})
			line[3].Text, line[4].Text = spaced(e.Holds), spaced(e.Breaks)
		}
		table.Rows = append(table.Rows, line)
	}
	w.note("The bound, as computed and as measured")
	w.Add(layout.Block{Kind: layout.Rows, Table: table, In: layout.Page})
	for _, law := range bounds.Laws(t.Scenario, t.Edges) {
		w.note(law)
	}
}

// sides are what a page calls the words that passages begin with.
var sides = map[string]string{"Right": "Borne out", "Open": "What stays open", "Scope": "Scope"}

// prose adds passages, with what was measured in them.
func (w *writer) prose(all []Passage, here string) {
	for _, p := range all {
		b := layout.Block{Kind: layout.Sentence, Words: w.words(p, here)}
		if p.Word != "" {
			b.Class = "side"
		}
		w.Add(b)
	}
}

func (w *writer) words(p Passage, here string) (words []layout.Span) {
	if p.Word != "" {
		words = append(words, layout.Span{Text: p.Word + ".", Look: layout.Bold, In: layout.Texts},
			layout.Span{Text: sides[p.Word], Look: layout.Bold, In: layout.Page}, layout.Span{Text: " "})
	}
	for _, s := range p.Spans {
		words = append(words, w.d.span(s, here)...)
	}
	return words
}

func (d *Debate) span(s Span, here string) []layout.Span {
	one := layout.Span{Text: s.Text}
	switch {
	case s.Source != "":
		one = layout.Span{Text: fmt.Sprintf("[%d]", 1+slices.IndexFunc(Sources, func(o Source) bool { return o.Key == s.Source })), Link: "#ref-" + s.Source, Class: "cite"}
	case s.Chapter != "":
		i := slices.IndexFunc(d.Argument.Chapters, func(c Chapter) bool { return c.ID == s.Chapter })
		one = layout.Span{Text: fmt.Sprintf("section %d", i), Link: "#" + s.Chapter}
	case s.Claim != nil:
		return []layout.Span{{Text: "{", In: layout.Texts}, d.measured(s.Claim, here), {Text: "}", In: layout.Texts}}
	case s.Code != "":
		one = layout.Span{Text: s.Code, Look: layout.Coded}
	case s.Stress != "":
		one = layout.Span{Text: s.Stress, Look: layout.Bold}
	}
	return []layout.Span{one}
}

// measured puts what the runs say in the place of an assertion.
func (d *Debate) measured(c *Assertion, here string) layout.Span {
	f := d.judge(c)
	span := layout.Span{Text: f.says, Class: strings.TrimSpace("seen " + class(f.verdict))}
	if c.Mutant != "" {
		span.Text = "mutant " + c.Mutant + ": " + span.Text
	}
	if c.Key != here {
		span.Text, span.Link = d.Argument.number(c.Key)+": "+span.Text, "#"+stepAnchor(c.Key)
	}
	switch f.verdict {
	case scenarios.Fail:
		span.Text = "NOT SO: " + span.Text
	case scenarios.Unknown:
		span.Text = "NOT KNOWN: " + span.Text
	}
	return span
}

// method says on pages how everything was measured, and what no run here can show.
func (w *writer) method() {
	d := w.d
	searched := ""
	for i := range d.Trials {
		if d.Trials[i].Searched() {
			searched = fmt.Sprintf("; a search has %s, from the same first seed on", layout.Grouped(len(d.Trials[i].Rows)))
		}
	}
	w.section("method", "How this was measured")
	w.page("", w.parsed(fmt.Sprintf("Each scenario is a file: clients, nodes, a lock with its rules, work to do under it, faults and when they strike, and the verdict that is "+
		"expected of every promise. A run is a pure function of the scenario and a seed, from which all random choices are drawn. Every scenario here was run "+
		"with the seeds %d to %d%s. Where a mutant is named, a rule of the lock is turned off and the same seeds are run again.",
		d.Seed, d.Seed+uint64(d.Runs)-1, searched))...)
	w.page("", w.parsed("The simulator knows true time. So it can say whether two clients held the lock at once, which no client can see. "+
		"These are the promises, each judged on its own:")...)
	promises := &layout.Table{Columns: layout.Columns("promise", "question")}
	for _, p := range checker.Properties {
		promises.Add(p.Name, p.Asks)
	}
	w.Add(layout.Block{Kind: layout.Rows, Table: promises, In: layout.Page})
	w.page("", w.parsed(fmt.Sprintf("Intervals are those of Clopper and Pearson [clopper], at 95 %%. If a promise broke in none of %s, the share of runs in which it breaks "+
		"is %s. Each interval is computed on its own; among so many, a few may miss the true share. In most scenarios the faults are planned for the moment "+
		"that matters, and a seed changes latencies and waits. Where all runs of such a scenario agree, no interval is given: they are no sample of "+
		"anything. One run shows that it can happen, or that this plan does no harm, and not how often such moments come.", d.made(), interval(0, d.Runs)))...)
	w.page("", w.parsed(fmt.Sprintf("Bounds are measured by halving: a promise holds at a value if it holds there with each of %d seeds. The computed bound beside it "+
		"follows from the theorem of section 1, and is on the safe side.", d.Seeds))...)
	w.page("", w.parsed("A sentence of this document that is followed by a figure was compared with the runs when the document was made. If they had disagreed, the "+
		"document would say so at its beginning, and the command would have ended with exit code 1.")...)
	w.section("scope", "What the model leaves out")
	leftOut := layout.Block{Kind: layout.Bullets, In: layout.Page}
	for _, text := range []string{
		"Nodes are Redis as miniredis has it, with its own clock, persistence and restarts. They follow their rules: nobody lies, and nothing is corrupted. " +
			"None of the parties claims to tolerate such faults.",
		"Messages are delayed, lost and reordered without limit, but never altered.",
		"Clocks are wrong by stated rates, slews and steps. How wrong real clocks are, and how often, is not modelled.",
		"Clients follow the rules of their lock, except in mutants. In many scenarios they never look whether the lock is still valid once they have it " +
			"(`work.recheck=false`, `work.stop_at_deadline=false`); behind the finding of a claim this is named as assumed. They do one kind of work: " +
			"read, work, write. The guarded resource is one register.",
		"Probabilities are those of the scenarios. No figure here is the probability that your lock fails on a given day.",
	} {
		leftOut.Blocks = append(leftOut.Blocks, layout.Block{Kind: layout.Sentence, Words: w.parsed(text)})
	}
	w.Add(leftOut)
}

// references says on pages how to cite the document, and everywhere what it cites.
func (w *writer) references() {
	d, hash := w.d, w.d.hash()
	w.section("cite", "How to cite this")
	w.page("", w.parsed(fmt.Sprintf("Lockstorm %s, *%s*, made by `%s`; SHA-256 of the scenarios: `%s`.", d.Version, title, d.Command, hash))...)
	w.Add(layout.Block{Kind: layout.Lines, In: layout.Page, Words: layout.Words(fmt.Sprintf(`@misc{lockstorm-redlock-debate,
  title        = {The {Redlock} debate, measured},
  author       = {{Lockstorm %s}},
  howpublished = {\url{https://github.com/lockstorm/lockstorm}},
  note         = {Made by %s;
                  scenarios %s}
}`, d.Version, d.Command, hash))})
	w.Add(layout.Block{Kind: layout.Heading, Words: layout.Words("References"), ID: "references"})
	w.page("", w.parsed("Claims are paraphrased.")...)
	for i, s := range Sources {
		words := []layout.Span{{Text: fmt.Sprintf("[%d]", i+1), Look: layout.Bold}, {Text: fmt.Sprintf("%s: %s. %s. ", s.By, s.Title, s.In)}}
		if s.Address != "" {
			words = append(words, layout.Span{Text: s.Address, Link: s.Address})
		}
		w.Add(layout.Block{Kind: layout.Item, Words: words, ID: "ref-" + s.Key, Close: true})
	}
}

// hash is that of all scenarios that the debate stands on, one after the other.
func (d *Debate) hash() string {
	var all []byte
	for _, t := range d.Trials {
		all = append(all, t.Scenario.YAML()...)
	}
	return onerun.HashScenario(all)
}
