package reports

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // for the page, its style and its script
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios"
)

//go:embed page.css
var pageStyle string

//go:embed page.js
var pageScript string

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Funcs(pageWords).Parse(pageText))

// A page is what report.html holds. Texts of others are escaped by the template; only pictures, style and script, which
// are ours, go in as they are.
type page struct {
	Policy, ID, Title, Summary, About, Left string
	Style                                   template.CSS
	Script                                  template.JS
	Timeline                                template.HTML
	Seed                                    uint64
	From, To                                int64
	Window, Clocks                          string
	Verdicts                                []pageVerdict
	Happened                                []string
	Violations                              []pageViolation
	Peace                                   *pageViolation
	Claim                                   *scenarios.Claim
	Settings                                []string
	Schedule, Command                       string
	Figures                                 []pageFigure
	Bounds                                  []Bound
	HistorySays                             string
	Counts                                  []pageCount
	Clients                                 []string
	History                                 []pageOp
	Long                                    bool
	Version, End, Hash, ScenarioHash        string
	Steps                                   int
}

type pageVerdict struct{ Name, Got, Want, Asks string }

type pageViolation struct {
	Name, Head, Finding, Argument string
	Moments                       []pageMoment
	Same                          string // the violation whose diagram it shares
	Sequence                      template.HTML
}

type pageMoment struct {
	Nanos    int64
	At, Text string
}

type pageFigure struct{ Name, Value, Doc string }

type pageCount struct {
	Name string
	N    [4]string
}

type pageOp struct {
	Index                       int
	At, Client, Op, Type, Value string
	In                          bool // it lies in the window of a violation
}

// HTML gives a run as one page that needs nothing else: no server, no network, and no script, though one adds zooming,
// stepping and filtering.
func HTML(r *scenarios.Result, m Making) []byte {
	s := set(r)
	p := &page{
		ID: plain(r.Scenario.ID), Seed: r.Seed, Title: plain(r.Scenario.Title), Summary: plainLong(Summary(r)), About: plainLong(r.Scenario.About),
		Left: s.left, From: int64(s.from), To: int64(s.to), Timeline: template.HTML(timelineHTML(s)), Clocks: s.clocks(),
		Settings: plainAll(m.Settings), Schedule: plainLines(r.Scenario.Faults.String()), Command: plainLong(m.Command),
		Figures: pageFigures(r.Evidence), Bounds: describeBounds(m.Edges), Version: plain(m.Version), End: "(" + r.End.String() + ")",
		Hash: r.Hash(), ScenarioHash: HashScenario(r.Scenario.YAML()), Steps: r.Steps,
		Style: template.CSS(pageStyle + pictureStyle), Script: template.JS(pageScript),
	}
	p.Policy = "default-src 'none'; style-src " + hashed(string(p.Style)) + "; script-src " + hashed(pageScript) + "; base-uri 'none'; form-action 'none'"
	if c := r.Scenario.Claim; c.By != "" {
		p.Claim = &scenarios.Claim{By: plain(c.By), Says: plainLong(c.Says), Finding: plainLong(c.Finding)}
	}
	p.judge(s)
	p.tell(s)
	p.list(s)
	var b bytes.Buffer
	if err := pageTemplate.Execute(&b, p); err != nil {
		panic("reports: " + err.Error()) // the template fits its page
	}
	return b.Bytes()
}

// hashed names a style or script as the only one that may run.
func hashed(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// plainLong makes a longer text of others harmless; plainLines one of several lines; plainAll several texts.
func plainLong(s string) string {
	var b strings.Builder
	for word := range strings.FieldsSeq(s[:min(len(s), 20_000)]) {
		b.WriteString(plain(word) + " ")
	}
	return strings.TrimSpace(b.String())
}

func plainLines(s string) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	for i := range lines {
		lines[i] = plain(lines[i])
	}
	return strings.Join(lines, "\n")
}

func plainAll(all []string) []string {
	all = slices.Clone(all)
	for i := range all {
		all[i] = plain(all[i])
	}
	return all
}

// judge fills in the verdicts.
func (p *page) judge(s *scene) {
	r := s.run
	for _, f := range r.Findings {
		asks, _ := checker.Lookup(f.Property)
		p.Verdicts = append(p.Verdicts, pageVerdict{f.Property, f.Verdict.String(), r.Scenario.Expected(f.Property).String(), asks.Asks})
	}
	for _, v := range []checker.Verdict{checker.Holds, checker.Violated, checker.Unknown} {
		if names := seen(r, v); len(names) > 0 {
			p.Happened = append(p.Happened, capital(happened(v))+": "+strings.Join(names, ", ")+[...]string{checker.Holds: ".", checker.Unknown: " (not as expected).", checker.Violated: " (not as expected)."}[v])
		}
	}
	if len(s.bands) > 0 {
		b := s.bands[0]
		p.Window = fmt.Sprintf("%d %d", int64(b.from), int64(b.to))
	}
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// tell fills in the story of each violation, or of a run without one.
func (p *page) tell(s *scene) {
	all := excerpts(s)
	for i, x := range all {
		v := pageViolation{Name: x.finding.Property, Head: x.finding.Property + " is violated",
			Finding: s.run.Evidence.Explain(*x.finding), Argument: s.run.Evidence.Argument(*x.finding), Moments: pageMoments(x)}
		for j := range i {
			if slices.Equal(all[j].messages, x.messages) && slices.Equal(all[j].events, x.events) {
				v.Same = all[j].finding.Property
				break
			}
		}
		if v.Same == "" {
			v.Sequence = template.HTML(sequenceSVG(x, "sequence-"+x.finding.Property, false))
		}
		p.Violations = append(p.Violations, v)
	}
	if len(all) == 0 {
		x := s.peace()
		p.Peace = &pageViolation{Moments: pageMoments(x), Sequence: template.HTML(sequenceSVG(x, "sequence", false))}
	}
}

func pageMoments(x *excerpt) (all []pageMoment) {
	for _, m := range fewEvents(x.events, 200) {
		all = append(all, pageMoment{int64(m.At), micros(m.At), plainLong(m.Text)})
	}
	return all
}

func pageFigures(e *checker.Evidence) (all []pageFigure) {
	for _, f := range new(checker.Judge).Figures(e) {
		if isTelling(f) {
			all = append(all, pageFigure{f.Name, shown(f), f.Doc})
		}
	}
	return all
}

// list fills in the history: all of it, or what is in the scene, and counts of all.
func (p *page) list(s *scene) {
	e := s.run.Evidence
	var counts [5][4]int
	for i, op := range e.History {
		if int(op.F) < len(counts) && int(op.Type) < 4 {
			counts[op.F][op.Type]++
		}
		if s.left == "" || s.sees(op.Time, op.Time) {
			p.History = append(p.History, pageOpOf(s, i, op))
		}
	}
	p.HistorySays = fmt.Sprintf("%s operations, each with its beginning and end as its client saw them.", grouped(len(e.History)))
	if s.left != "" {
		p.HistorySays = fmt.Sprintf("The %s of %s lines from %s to %s. All are in history.jsonl.", grouped(len(p.History)), grouped(len(e.History)), micros(s.from), micros(s.to))
		for f := range counts {
			c := pageCount{Name: checker.Func(f).String()}
			for i, n := range counts[f] {
				c.N[i] = grouped(n)
			}
			p.Counts = append(p.Counts, c)
		}
	}
	p.Long = len(p.History) > 120
	for i := range e.Clients {
		p.Clients = append(p.Clients, clientName(i))
	}
}

func pageOpOf(s *scene, i int, op checker.Op) pageOp {
	e := s.run.Evidence
	client := clientName(op.Process % e.Clients)
	if op.Process >= e.Clients {
		client += fmt.Sprintf(" (process %d)", op.Process)
	}
	value := valueText(op)
	if op.Error != "" {
		value = strings.TrimSpace(value + " " + plain(op.Error))
	}
	in := slices.ContainsFunc(s.bands, func(b band) bool { return op.Time >= b.from && op.Time <= b.to })
	return pageOp{i, micros(op.Time), client, op.F.String(), op.Type.String(), value, in}
}

// valueText says what an operation carried or brought back.
func valueText(op checker.Op) string {
	var parts []string
	if op.Value.Fence > 0 {
		parts = append(parts, fmt.Sprintf("token %d", op.Value.Fence))
	}
	switch {
	case op.F == checker.Read && op.Type == checker.OK, op.F == checker.Write && op.Type != checker.Info:
		parts = append(parts, fmt.Sprintf("plain v%d", op.Value.Plain))
		if op.F == checker.Write && op.Type == checker.OK && op.Value.Fenced == 0 {
			parts = append(parts, "fenced refused")
		} else {
			parts = append(parts, fmt.Sprintf("fenced v%d", op.Value.Fenced))
		}
	}
	return strings.Join(parts, ", ")
}

// clocks gives, for each host whose clock is not always true, how far ahead it is and when: between two of the instants
// evenly. The page's script reads it.
func (s *scene) clocks() string {
	type curve [2]any
	all := []curve{}
	for _, l := range s.lanes {
		if points := s.ahead(l.host); points != nil {
			all = append(all, curve{l.name, points})
		}
	}
	b, _ := json.Marshal(all) // numbers and names marshal
	return string(b)
}

// ahead gives how far ahead of the truth a host's clock is at the instants that matter; nil if it is always true.
func (s *scene) ahead(host int) [][2]int64 {
	instants := []clock.Instant{s.from, s.to}
	for i := range clock.Instant(40) { // a slew bends where nothing tells of it
		instants = append(instants, s.from+(s.to-s.from)/40*i)
	}
	for _, p := range s.episodes {
		if p.Host == host && p.From >= s.from && p.From <= s.to && (p.What == "step" || p.What == "drift" || p.What == "slew") {
			instants = append(instants, max(p.From-1, 0), p.From)
		}
	}
	slices.Sort(instants)
	var points [][2]int64
	wrong := false
	for _, at := range slices.Compact(instants) {
		_, by, known := s.run.Shown(host, at)
		wrong = wrong || known && by != 0
		points = append(points, [2]int64{int64(at), int64(by)})
	}
	if !wrong {
		return nil
	}
	return points
}
