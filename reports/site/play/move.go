package play

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
)

// A moveRequest asks for a fault to move from one instant of the timeline to another.
type moveRequest struct {
	Setup setup          `json:"setup"`
	Line  int            `json:"line"` // of the schedule, as Fault has it
	From  clock.Instant  `json:"from"`
	To    *clock.Instant `json:"to"` // null leaves its length as it is
}

// A moveAnswer is the schedule with the fault moved. Settings of faults are now part of it.
type moveAnswer struct {
	Schedule string   `json:"schedule"`
	Set      []string `json:"set"` // what is left of the settings
}

func (p *Program) move(q *moveRequest) (*moveAnswer, error) {
	m, err := p.made(&q.Setup)
	if err != nil {
		return nil, err
	}
	i := slices.Index(m.lines, q.Line)
	if i < 0 {
		return nil, fmt.Errorf("line %d of the schedule has no fault", q.Line)
	}
	back := q.To != nil && *q.To < q.From && m.fault(i, &m.scenario.Faults[i]).Stretch
	if end := clock.Instant(m.scenario.Horizon); q.From < 0 || q.From > end || back {
		return nil, fmt.Errorf("a fault hits at 0s or later, and not after %s, and ends after that", end)
	}
	step := m.resolution()
	all := slices.Clone(m.scenario.Faults)
	f := &all[i]
	if f.When.Host == "" {
		f.At = clock.Instant(time.Duration(q.From).Round(step))
	} else {
		strikes := m.result.Evidence.Strikes
		first := slices.IndexFunc(strikes, func(s checker.Strike) bool { return s.Index == i })
		if first < 0 {
			return nil, errors.New("the fault waits for a mark, and has not hit: there is nothing to move")
		}
		f.When.After = max(0, f.When.After+q.From.Sub(strikes[first].From).Round(step))
	}
	if q.To != nil && m.fault(i, f).Stretch {
		f.For = max(step, q.To.Sub(q.From).Round(step))
	}
	return &moveAnswer{m.written(&q.Setup, all), slices.DeleteFunc(slices.Clone(q.Setup.Set), ofFaults)}, nil
}

// resolution is the step to which a drag is rounded: a power of ten, and less than a pixel of the timeline.
func (m *ran) resolution() time.Duration {
	const pixels = 1000
	step := time.Microsecond
	for step*10*pixels <= m.scene.To.Sub(m.scene.From) {
		step *= 10
	}
	return step
}

// written returns the schedule with these faults, each in its line; comments and empty lines stay.
func (o *opened) written(q *setup, all faults.Schedule) string {
	if q.Schedule == nil {
		return all.String()
	}
	lines := strings.Split(*q.Schedule, "\n")
	planned, _ := faults.Parse(*q.Schedule) // it has been read before
	for i, f := range all {
		if text := f.String(); text != planned[i].String() {
			line := &lines[o.lines[i]-1]
			_, comment, has := strings.Cut(*line, "#")
			if *line = text; has {
				*line += " #" + comment
			}
		}
	}
	return strings.Join(lines, "\n")
}

// ofFaults reports whether a setting is one of a fault.
func ofFaults(set string) bool {
	key, _, _ := strings.Cut(set, "=")
	kind, _, _ := strings.Cut(key, ".")
	return kind == "fault" || faults.KindNamed(kind) != nil
}
