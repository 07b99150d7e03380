package play

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/reports/shell"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/sim"
)

// A setup says what to run.
type setup struct {
	Scenario string   `json:"scenario,omitempty"` // the ID of one of the catalogue
	YAML     string   `json:"yaml,omitempty"`     // or a file, as text
	Set      []string `json:"set"`                // KEY=VALUE, as --set takes it
	Schedule *string  `json:"schedule"`           // in place of the scenario's own; null for that
	Seed     uint64   `json:"seed"`
}

// A problem is a mistake in a setup, or in a request.
type problem struct {
	Where   string `json:"where"` // yaml, schedule, set or seed; empty for elsewhere
	Line    int    `json:"line"`  // of the file or the schedule, from 1; 0 where it is no line that is wrong
	Column  int    `json:"column"`
	Message string `json:"message"`
}

// problems are the mistakes in a setup, as an error; there is at least one.
type problems []problem

// Error returns the first.
func (p problems) Error() string { return p[0].Message }

func wrong(where, message string) problems { return problems{{Where: where, Message: message}} }

// fileName is how a setup names a scenario that differs from the catalogue's: a user who runs it on a machine saves it
// under that name.
const fileName = "scenario.yaml"

// What a page can hold.
const (
	stepsMost = 300_000   // events and steps of one run
	seedMost  = 1<<53 - 1 // what JavaScript has right
	setMost   = 100       // settings of a setup
)

// An opened setup is a scenario that is sound.
type opened struct {
	scenario scenarios.Scenario
	lines    []int // of the schedule: the place of each fault
}

// scenario returns the scenario of a setup. Mistakes in the setup are problems; a name that does not exist is another
// error.
func (p *Program) scenario(q *setup) (o opened, err error) {
	s, err := p.base(q)
	if err != nil {
		return o, err
	}
	lines, err := q.plan(&s)
	if err != nil {
		return o, err
	}
	if len(q.Set) > setMost {
		return o, wrong("set", fmt.Sprintf("there are %d settings; give at most %d", len(q.Set), setMost))
	}
	if len(q.Set) > 0 {
		if err := s.Change(slices.Clone(q.Set)); err != nil {
			return o, wrong("set", err.Error())
		}
	}
	if q.Seed > seedMost {
		return o, wrong("seed", fmt.Sprintf("seeds go up to %d", uint64(seedMost)))
	}
	if len(s.Faults) != len(lines) { // settings never change how many there are
		panic("play: the schedule has lost a fault")
	}
	return opened{s, lines}, nil
}

// based is the scenario that a setup begins with: the next call mostly begins with the same.
type based struct {
	named, text string
	scenario    scenarios.Scenario
	err         error
}

// base returns the scenario that the setup begins with.
func (p *Program) base(q *setup) (scenarios.Scenario, error) {
	if b := p.begun; b == nil || b.named != q.Scenario || b.text != q.YAML {
		s, err := q.base()
		p.begun = &based{q.Scenario, q.YAML, s, err}
	}
	return p.begun.scenario, p.begun.err
}

func (q *setup) base() (s scenarios.Scenario, err error) {
	switch {
	case q.YAML != "" && q.Scenario != "":
		return s, errors.New("a setup has a scenario or the text of one, not both")
	case q.Scenario != "" && !slices.Contains(scenarios.IDs(), q.Scenario):
		return s, fmt.Errorf("there is no scenario %q%s", q.Scenario, faults.Suggest(q.Scenario, scenarios.IDs()))
	case q.Scenario != "":
		s, _ = scenarios.Find(q.Scenario)
		return s, nil
	}
	if s, err = scenarios.Parse(fileName, []byte(q.YAML)); err != nil {
		return s, problemsOf("yaml", err)
	}
	return s, nil
}

// problemsOf returns the problems that an error joins.
func problemsOf(where string, err error) (all problems) {
	for _, e := range split(err) {
		p := problem{Where: where, Message: e.Error()}
		if at, is := errors.AsType[*scenarios.FileError](e); is {
			p.Line, p.Column, p.Message = at.Line, at.Column, at.Problem
		} else if at, is := errors.AsType[*faults.SyntaxError](e); is {
			p.Line, p.Column = at.Line, at.Column
			p.Message = strings.TrimPrefix(p.Message, fmt.Sprintf("%d:%d: ", at.Line, at.Column))
		}
		all = append(all, p)
	}
	return all
}

// split returns the errors that one joins.
func split(err error) []error {
	if err == nil {
		return nil
	}
	if joined, is := err.(interface{ Unwrap() []error }); is {
		return joined.Unwrap()
	}
	return []error{err}
}

// plan puts the setup's schedule into the scenario, and returns the line of each fault. If the setup has no schedule,
// these are the lines of the scenario's schedule as written.
func (q *setup) plan(s *scenarios.Scenario) (lines []int, err error) {
	if q.Schedule == nil {
		for i := range s.Faults {
			lines = append(lines, i+1)
		}
		return lines, nil
	}
	if n := len(*q.Schedule); n > scenarios.FileBytesMax {
		return nil, wrong("schedule", fmt.Sprintf("the schedule has %d bytes; give at most %d", n,
			scenarios.FileBytesMax))
	}
	planned, lines, err := faults.ParseLines(*q.Schedule)
	if err != nil {
		return nil, problemsOf("schedule", err)
	}
	s.Faults, s.Mutants, s.Bounds = planned, nil, nil // those two are of the schedule that was there
	text := strings.Split(*q.Schedule, "\n")
	var all problems
	for _, c := range planned.Complaints(s.Cast(), s.Horizon) {
		p := problem{Where: "schedule", Message: c.Err.Error()}
		if c.Index >= 0 && c.Index < len(lines) {
			p.Line = lines[c.Index]
			p.Column = 1 + max(strings.Index(text[p.Line-1], cmp.Or(c.Word, strings.TrimSpace(text[p.Line-1]))), 0)
		}
		all = append(all, p)
	}
	if all == nil && len(q.Set) == 0 {
		all = problemsOf("schedule", s.Check())
	}
	if all != nil {
		return nil, all
	}
	return lines, nil
}

// plain reports whether the setup is a scenario of the catalogue, changed by settings alone: a command can say it.
func (q *setup) plain() bool { return q.Scenario != "" && q.Schedule == nil }

// command returns the command that makes the run on a machine. A setup with a file needs that file there, under the
// name of File.
func (q *setup) command() string {
	r := shell.Run{Program: "lockstorm", Named: q.Scenario, Seed: q.Seed, Set: q.Set}
	if !q.plain() {
		r.Named, r.Set = fileName, nil
	}
	return r.String()
}

// drawn returns the universe that the seed picks of a scenario with a search; else the scenario.
func (o *opened) drawn(seed uint64) scenarios.Scenario {
	if o.scenario.Search.Drawn() {
		return o.scenario.Universes().At(seed)
	}
	return o.scenario
}

// limited returns the scenario with a limit to its steps that a page can hold.
func limited(s scenarios.Scenario) scenarios.Scenario {
	s.Steps = min(s.Steps, stepsMost)
	return s
}

// tooLong reports whether a run reached the limit of a page before its own.
func tooLong(r *scenarios.Result, steps int) bool { return r.End == sim.StepsHit && steps > stepsMost }

// long returns the error about a run that a page can't hold.
func (q *setup) long(seed uint64) error {
	its := *q
	its.Seed = seed
	return fmt.Errorf("the run of seed %d takes more than %s events and steps, which is more than a page can hold; "+
		"on a machine: %s", seed, wording.Grouped(stepsMost), its.command())
}

// bounded makes the first of many runs alone: if a page can't hold it, the others are not worth their time.
func (o *opened) bounded(q *setup, first uint64) error {
	if r := scenarios.Run(limited(o.drawn(first)), first); tooLong(r, o.scenario.Steps) {
		return q.long(first)
	}
	return nil
}
