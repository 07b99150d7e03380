package play

import (
	"errors"
	"fmt"
	"slices"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/draw"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// A runAnswer is one run, or what is wrong with its setup: then only Problems is filled.
type runAnswer struct {
	Problems []problem       `json:"problems"`
	Hash     string          `json:"hash"`
	Verdict  string          `json:"verdict"`
	Title    string          `json:"title"`
	Promises []judgedPromise `json:"promises"`
	Outcome  outcome         `json:"outcome"`
	Broken   []string        `json:"broken"`   // the promises that broke, the worst first
	Timeline string          `json:"timeline"` // a picture for a page that has the style sheet of pictures
	Sequence string          `json:"sequence"`
	Left     string          `json:"left"` // what the timeline leaves out of a long run, in a sentence; else empty
	Faults   []faultMark     `json:"faults"`
	Events   []event         `json:"events"`   // what the timeline shows, one after the other: the first eventsMost of them
	Schedule string          `json:"schedule"` // of the run, including the faults that the seed picked
	Command  string          `json:"command"`  // repeats it on a shell
	Needs    string          `json:"needs"`    // the name of the file that the command needs, whose text is YAML; empty for none
	YAML     string          `json:"yaml"`
}

// A judgedPromise is a promise and its outcome.
type judgedPromise struct {
	Name     string `json:"name"`
	Verdict  string `json:"verdict"`
	Expected string `json:"expected"`
	Short    string `json:"short"` // what broke, in a few words; else empty
	Story    string `json:"story"` // how it was broken, or why that is not known; else empty
	From     *int64 `json:"from"`  // when it was plainly broken; null if it was not
}

// A faultMark is a fault that hit, or one that did not.
type faultMark struct {
	Line    int            `json:"line"` // in the setup's schedule, or in open's; 0 if the seed picked it
	Text    string         `json:"text"`
	Struck  bool           `json:"struck"` // else it has no place
	From    clock.Instant  `json:"from"`
	To      *clock.Instant `json:"to"` // null for the rest of the run
	Y       float64        `json:"y"`
	Height  float64        `json:"height"`
	Movable bool           `json:"movable"`
	Stretch bool           `json:"stretch"` // its end can be moved too
	WhyNot  string         `json:"why_not"` // it can't be moved or stretched
}

// An event is a moment of a run.
type event struct {
	T    clock.Instant `json:"t"`
	Host string        `json:"host"` // or the fault
	Text string        `json:"text"`
	Over bool          `json:"over"` // it is the end of what Text says
}

// eventsMost is how many events an answer has.
const eventsMost = 2000

// ran is a run that was made, with the scene of its pictures.
type ran struct {
	opened // what the seed drew it from
	setup  setup
	result *scenarios.Result
	scene  *draw.Scene
}

// made returns the run of a sound setup. It keeps the latest two, because a page compares two.
func (p *Program) made(q *setup) (*ran, error) {
	for _, m := range p.latest {
		if m != nil && m.setup.equal(q) {
			return m, nil
		}
	}
	o, err := p.scenario(q)
	if err != nil {
		return nil, err
	}
	s := o.drawn(q.Seed)
	r := scenarios.Run(limited(s), q.Seed)
	if tooLong(r, s.Steps) {
		return nil, q.long(q.Seed)
	}
	r.Scenario.Steps = s.Steps
	m := &ran{opened: o, setup: q.clone(), result: r, scene: draw.NewScene(r)}
	p.latest = [2]*ran{m, p.latest[0]}
	return m, nil
}

func (q *setup) clone() setup {
	c := *q
	c.Set = slices.Clone(q.Set)
	if q.Schedule != nil {
		text := *q.Schedule
		c.Schedule = &text
	}
	return c
}

func (q *setup) equal(o *setup) bool {
	return q.Scenario == o.Scenario && q.YAML == o.YAML && q.Seed == o.Seed && slices.Equal(q.Set, o.Set) &&
		(q.Schedule == nil) == (o.Schedule == nil) && (q.Schedule == nil || *q.Schedule == *o.Schedule)
}

func (p *Program) run(q *setupRequest) (*runAnswer, error) {
	m, err := p.made(&q.Setup)
	if all, is := errors.AsType[problems](err); is {
		return &runAnswer{Problems: all}, nil
	}
	if err != nil {
		return nil, err
	}
	r := m.result
	chart := draw.NewChart(m.scene)
	a := &runAnswer{
		Problems: []problem{}, Hash: r.Hash(), Verdict: r.Verdict.String(), Title: r.Scenario.Title, Promises: judged(r),
		Timeline: chart.SVG, Sequence: draw.ExcerptSVG(draw.Principal(m.scene), "sequence", false), Left: m.scene.Left,
		Faults: m.faults(&chart), Events: m.events(), Schedule: r.Scenario.Faults.String(),
		Command: q.Setup.command(), YAML: string(m.scenario.YAML()),
	}
	a.Outcome, a.Broken = outcomeOf(r, a.Promises, len(q.Setup.Set) > 0 || q.Setup.Schedule != nil), append([]string{}, broken(r)...)
	if !q.Setup.plain() {
		a.Needs = fileName
	}
	return a, nil
}

func judged(r *scenarios.Result) (all []judgedPromise) {
	for _, f := range r.Findings {
		j := judgedPromise{Name: f.Property, Verdict: f.Verdict.String(), Expected: r.Scenario.Expected(f.Property).String()}
		switch f.Verdict {
		case checker.Violated:
			from := int64(f.Witness.From)
			j.Short, j.Story, j.From = r.Evidence.Summary(f), r.Evidence.Account(f).Text, &from
		case checker.Unknown:
			j.Story = r.Evidence.Explain(f)
		}
		all = append(all, j)
	}
	return all
}

// events lists what the timeline shows.
func (m *ran) events() []event {
	all := []event{}
	for _, x := range m.scene.Moments() {
		if len(all) == eventsMost {
			break
		}
		all = append(all, event{x.At, wording.Plain(x.Lane), wording.PlainLong(x.Text), x.Over})
	}
	return all
}

// faults lists the faults of the run that hit, and then those that did not.
func (m *ran) faults(chart *draw.Chart) []faultMark {
	all, s := []faultMark{}, m.result.Scenario
	struck := make([]bool, len(s.Faults))
	for _, strike := range m.result.Evidence.Strikes {
		f := m.fault(strike.Index, &s.Faults[strike.Index])
		struck[strike.Index] = true
		f.Struck, f.From = true, strike.From
		if to := strike.To; to != clock.Forever {
			f.To = &to
		}
		if p, ok := chart.Lane(strike.Fault); ok {
			f.Y, f.Height = p.Top, p.Height
		}
		all = append(all, f)
	}
	for i := range s.Faults {
		if !struck[i] {
			all = append(all, m.fault(i, &s.Faults[i]))
		}
	}
	return all
}

// fault describes a fault of the schedule, without what it hit.
func (m *ran) fault(index int, f *faults.Fault) faultMark {
	x := faultMark{Text: f.String(), From: f.At, Movable: true, Stretch: true}
	switch {
	case index >= len(m.lines):
		x.Movable, x.Stretch, x.WhyNot = false, false, "the seed drew this fault; write it into the schedule to move it"
		return x
	case f.Kind.EndsItself:
		x.Stretch, x.WhyNot = false, "it lasts as long as it takes"
	case f.On != "":
		x.Stretch, x.WhyNot = false, "the clock of "+f.On+" counts how long it lasts"
	case f.For == 0:
		x.Stretch, x.WhyNot = false, "it lasts for the rest of the run"
	}
	x.Line = m.lines[index]
	return x
}

// A reportAnswer is the whole report of a run, as text.
type reportAnswer struct {
	Text string `json:"text"`
}

func (p *Program) report(q *setupRequest) (*reportAnswer, error) {
	m, err := p.made(&q.Setup)
	if err != nil {
		return nil, err
	}
	making := runs.Making{Version: p.Version, Source: q.Setup.Scenario, Settings: q.Setup.Set, Command: q.Setup.command()}
	if m.scenario.Search.Drawn() {
		making.Asked = &m.scenario
	}
	return &reportAnswer{runs.Document(m.result, making, true).Text(reports.Screen{})}, nil
}

// A decideAnswer says when it was decided that a run would break its worst promise.
type decideAnswer struct {
	Says     string `json:"says"`
	Timeline string `json:"timeline"` // with a lane for it
}

func (p *Program) decide(q *setupRequest) (*decideAnswer, error) {
	m, err := p.made(&q.Setup)
	if err != nil {
		return nil, err
	}
	names := broken(m.result)
	if len(names) == 0 {
		return nil, errors.New("the run breaks no promise")
	}
	s := limited(m.drawn(q.Setup.Seed))
	all := campaign.Decide(&s, q.Setup.Seed)
	says := fmt.Sprintf("“%s” was broken. %s", wording.Plainly(names[0]), runs.Decided(all, names[0]))
	return &decideAnswer{says, runs.DecidedTimeline(m.result, all, names[0])}, nil
}
