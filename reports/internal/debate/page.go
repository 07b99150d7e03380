package debate

import (
	_ "embed" // for the page and its style
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports/internal/bounds"
	"github.com/lockstorm/lockstorm/reports/internal/draw"
	"github.com/lockstorm/lockstorm/reports/internal/layout"
	"github.com/lockstorm/lockstorm/reports/internal/onerun"
	"github.com/lockstorm/lockstorm/scenarios"
)

//go:embed debate.html
var debateText string

//go:embed debate.css
var debateStyle string

var debateTemplate = layout.PageTemplate(debateText)

// A debatePage is what the document of a debate holds.
type debatePage struct {
	Policy, Version, Command, Hash string
	Style                          template.CSS
	Seed                           uint64
	Last                           uint64
	Runs, Zero, Searched           string
	Seeds, Clopper                 int // seeds of each bound; the number of a source
	Wrong                          []string
	Failed                         bool
	Balance                        []debateSide
	Chapters                       []debateChapter
	Properties                     []checker.Property
	Sources                        []debateSource
}

// A debateSide is what became of all claims of one party.
type debateSide struct{ By, Says string }

type debateChapter struct {
	N         int
	ID, Title string
	Text      []debatePassage
	Steps     []debateStep
}

type debateStep struct {
	N, ID, Scenario, Title      string
	By, Claims, Says, Finding   string
	Outcome, Class, Breaks      string
	Text                        []debatePassage
	Rows, Mutants               []debateRow
	Rest, RestSays, Setting     string
	Bounds                      []debateBound
	Laws                        []string
	Schedule, Command, Searched string
	Changed                     string // its settings that are not the scenario's
	Figure                      *debateFigure
	Expects                     bool // its scenario says what is to be
	Sides                       bool // it says who is right, what stays open, or what the model covers
}

type debateBound struct {
	bounds.Bound
	Verdict string
}

type debateFigure struct {
	N       int
	Shown   bool
	Caption string
	Picture template.HTML
}

type debatePassage struct {
	Word  string
	Spans []debateSpan
}

type debateSpan struct {
	Text, Stress, Code string
	Cite, Chapter      int
	Link               string // where a source, a chapter or a measurement leads
	Seen, Class        string
}

type debateSource struct {
	N int
	Source
}

// HTML returns a debate as one page that needs nothing else, and no script.
func HTML(d *Debate) []byte { return layout.Execute(debateTemplate, d.page()) }

// page returns what the page of a debate holds.
func (d *Debate) page() *debatePage {
	p := &debatePage{
		Version: d.Version, Command: d.Command, Seed: d.Seed, Last: d.Seed + uint64(d.Runs) - 1, Runs: d.made(),
		Zero: interval(0, d.Runs), Seeds: d.Seeds, Hash: d.hash(), Properties: checker.Properties, Style: template.CSS(layout.PageStyle + draw.Style + debateStyle),
	}
	p.Policy = layout.Policy(string(p.Style), "")
	for i, s := range Sources {
		p.Sources = append(p.Sources, debateSource{i + 1, s})
		if s.Key == "clopper" {
			p.Clopper = i + 1
		}
	}
	wrong, worst := d.Wrong()
	p.Wrong, p.Failed = wrong, worst == scenarios.Fail
	d.fill(p)
	p.Balance = balance(p)
	return p
}

// hash is that of all scenarios that the debate stands on, one after the other.
func (d *Debate) hash() string {
	var all []byte
	for _, t := range d.Trials {
		all = append(all, t.Scenario.YAML()...)
	}
	return onerun.HashScenario(all)
}

func (d *Debate) fill(p *debatePage) {
	figures, trial := 0, 0
	for i, c := range d.Argument.Chapters {
		chapter := debateChapter{N: i, ID: c.ID, Title: c.Title, Text: d.passages(c.Text, "")}
		for j := range c.Steps {
			s := d.step(&c.Steps[j], &d.Trials[trial])
			s.N = d.Argument.number(c.Steps[j].Key)
			if s.Figure != nil {
				figures++
				s.Figure.N = figures
			} else {
				p.Searched = layout.Grouped(len(d.Trials[trial].Rows))
			}
			chapter.Steps = append(chapter.Steps, s)
			trial++
		}
		p.Chapters = append(p.Chapters, chapter)
	}
}

func stepAnchor(key string) string { return strings.ReplaceAll(key, "/", "-") }

func (d *Debate) step(s *Step, t *Trial) debateStep {
	step := debateStep{
		ID: stepAnchor(s.Key), Scenario: s.Scenario, Title: layout.Plain(s.Title), Text: d.passages(s.Text, s.Key),
		Setting: setting(t.Scenario), Schedule: layout.PlainLines(t.Scenario.Faults.String()), Breaks: t.breaks(),
		Command: "lockstorm run " + s.Scenario + fmt.Sprintf(" --seed %d", d.Seed) + s.sets(), Expects: !t.free(), Changed: strings.Join(s.With, " "),
	}
	step.Sides = slices.ContainsFunc(s.Text, func(p Passage) bool { return p.Word != "" })
	step.Rows, step.Mutants, step.Rest = t.table(s)
	step.RestSays = fmt.Sprintf("%s runs each, %s", outOfAll(0, len(t.Rows)), interval(0, len(t.Rows)))
	step.claim(t)
	step.bounds(t)
	if t.Searched() {
		step.Searched = fmt.Sprintf("Faults of %s, at most %d of them within %s. What the search draws decides how often something breaks.",
			layout.List(s.Under), t.Scenario.Search.Most, t.Scenario.Search.Within)
		step.Command = fmt.Sprintf("lockstorm fuzz %s --faults %s --runs %d --seed %d", s.Scenario, strings.Join(s.Under, ","), len(t.Rows), d.Seed) + s.sets()
		return step
	}
	step.Figure = &debateFigure{
		Shown:   s.Figure,
		Caption: fmt.Sprintf("Seed %d of %s. %s", t.Drawn.Seed, s.Scenario, layout.Plain(t.Scenario.Title)),
		Picture: template.HTML(draw.ExcerptSVG(draw.Principal(draw.NewScene(t.Drawn)), "figure-"+step.ID, false)),
	}
	return step
}

func (s *Step) sets() (flags string) {
	for _, change := range s.With {
		flags += " --set " + change
	}
	return flags
}

func (s *debateStep) claim(t *Trial) {
	_, worst := t.expected()
	s.Class = verdictClass(worst)
	if c := t.Scenario.Claim; c.Says != "" {
		s.By, s.Says, s.Finding = party(layout.Plain(c.By)), layout.PlainLong(c.Says), layout.PlainLong(c.Finding)
		s.Claims = layout.Either(strings.Count(c.By, " and ")+1, "claims", "claim")
		s.Outcome = outcome(c.Finding)
	}
	switch worst {
	case scenarios.Fail:
		s.Outcome = "not as expected"
	case scenarios.Unknown:
		s.Outcome = "not known"
	}
}

// party names one who claims something as the first word of a sentence. A name keeps its letters: antirez has no capital.
func party(by string) string {
	if article, _, _ := strings.Cut(by, " "); article == "the" || article == "a" {
		return layout.Capital(by)
	}
	return by
}

// outcomes are what findings begin with, of one claim and of several.
var outcomes = []struct{ begins, one, many string }{
	{"Holds here", "holds here", "hold here"},
	{"Breaks here", "breaks here", "break here"},
	{"Depends on", "depends", "depend"},
}

// outcome returns what a finding begins with. A fact of the documentation begins otherwise: no run can show it.
func outcome(finding string) string {
	for _, o := range outcomes {
		if strings.HasPrefix(finding, o.begins) {
			return o.one
		}
	}
	return "not measured"
}

func verdictClass(v scenarios.Verdict) string {
	return [...]string{scenarios.Pass: "pass", scenarios.Unknown: "unknown", scenarios.Fail: "fail"}[v]
}

// breaks describes which promises broke, and in how many runs.
func (t *Trial) breaks() string {
	var parts []string
	for _, p := range checker.Properties {
		violated, _ := tally(t.Rows, p.Name)
		if violated == 0 {
			continue
		}
		share := " in " + counts(violated, len(t.Rows))
		if n := len(parts); n > 0 && strings.HasSuffix(parts[n-1], share) {
			parts[n-1] = strings.TrimSuffix(parts[n-1], share) + ", " + p.Name + share
			continue
		}
		parts = append(parts, p.Name+share)
	}
	if parts == nil {
		return "nothing in " + layout.Grouped(len(t.Rows))
	}
	return strings.Join(parts, "; ")
}

// table returns a step's lines: those of the reference, those of its mutants, and the names of what held throughout.
func (t *Trial) table(s *Step) (rows, mutants []debateRow, rest string) {
	var about []string
	for _, p := range s.Text {
		for _, span := range p.Spans {
			if c := span.Claim; c != nil && c.Key == s.Key && c.Mutant == "" {
				about = append(about, c.Name)
			}
		}
	}
	rows, names := t.rows(about)
	for i := range t.Mutants {
		mutants = append(mutants, t.killed(i))
	}
	return rows, mutants, layout.List(names)
}

// Class names how a line should look.
func (r debateRow) Class() string { return verdictClass(r.Verdict) }

func (s *debateStep) bounds(t *Trial) {
	for _, e := range t.Edges {
		b := debateBound{bounds.DescribeBound(e), "pass"}
		if b.None == "" {
			b.Verdict = verdictClass(verdictIf(t.safe(e), true))
			b.Computed, b.HoldsAt, b.BreaksAt = spaced(b.Computed), spaced(b.HoldsAt), spaced(b.BreaksAt)
		}
		s.Bounds = append(s.Bounds, b)
	}
	s.Laws = bounds.Laws(t.Scenario, t.Edges)
}

func setting(s *scenarios.Scenario) string {
	lock := "A lock of kind " + s.Lock.Kind.String()
	if s.Nodes > 0 {
		lock += " on " + layout.Count(s.LockNodes(), "node", "nodes")
	}
	return fmt.Sprintf("%s, %d clients; TTL %s, %s for each node, allowance for drift %s; messages take %s to %s.",
		lock, s.Clients, s.Lock.TTL, s.Lock.Timeout, s.Lock.Drift(), s.Network.Latency.Min, s.Network.Latency.Max)
}

// passages returns prose with all that was measured in it.
func (d *Debate) passages(all []Passage, here string) (filled []debatePassage) {
	for _, p := range all {
		one := debatePassage{Word: p.Word}
		for _, s := range p.Spans {
			one.Spans = append(one.Spans, d.span(s, here))
		}
		filled = append(filled, one)
	}
	return filled
}

func (d *Debate) span(s Span, here string) debateSpan {
	switch {
	case s.Source != "":
		i := slices.IndexFunc(Sources, func(o Source) bool { return o.Key == s.Source })
		return debateSpan{Cite: i + 1, Link: "ref-" + s.Source}
	case s.Chapter != "":
		i := slices.IndexFunc(d.Argument.Chapters, func(c Chapter) bool { return c.ID == s.Chapter })
		return debateSpan{Chapter: i, Link: s.Chapter}
	case s.Claim != nil:
		return d.measured(s.Claim, here)
	}
	return debateSpan{Text: s.Text, Stress: s.Stress, Code: s.Code}
}

// measured puts what the runs say in the place of an assertion.
func (d *Debate) measured(c *Assertion, here string) debateSpan {
	f := d.judge(c)
	span := debateSpan{Seen: f.says, Class: verdictClass(f.verdict)}
	if c.Mutant != "" {
		span.Seen = "mutant " + c.Mutant + ": " + span.Seen
	}
	if c.Key != here {
		span.Seen, span.Link = d.Argument.number(c.Key)+": "+span.Seen, stepAnchor(c.Key)
	}
	switch f.verdict {
	case scenarios.Fail:
		span.Seen = "NOT SO: " + span.Seen
	case scenarios.Unknown:
		span.Seen = "NOT KNOWN: " + span.Seen
	}
	return span
}

// balance counts the claims of each party by their outcome.
func balance(p *debatePage) (all []debateSide) {
	counted := map[string][]string{}
	parties := []string{"The Redis documentation", "Kleppmann", "antirez"}
	for _, c := range p.Chapters {
		for _, s := range c.Steps {
			if s.By == "" {
				continue
			}
			if !slices.Contains(parties, s.By) {
				parties = append(parties, s.By)
			}
			counted[s.By] = append(counted[s.By], s.Outcome)
		}
	}
	for _, by := range parties {
		if len(counted[by]) > 0 {
			all = append(all, debateSide{by, sum(counted[by])})
		}
	}
	return all
}

// sum counts outcomes: "9 claims: 8 hold here; 1 depends".
func sum(words []string) string {
	kinds := slices.Clone(words)
	slices.Sort(kinds)
	var parts []string
	for _, k := range slices.Compact(kinds) {
		n := 0
		for _, w := range words {
			if w == k {
				n++
			}
		}
		for _, o := range outcomes {
			if k == o.one && n > 1 {
				k = o.many
			}
		}
		parts = append(parts, fmt.Sprintf("%d %s", n, k))
	}
	return fmt.Sprintf("%s: %s", layout.Count(len(words), "claim", "claims"), strings.Join(parts, "; "))
}
