package forecast

import (
	"time"

	"github.com/lockstorm/lockstorm/faults"
)

// A Result is the outcome of a forecast.
type Result struct {
	Lock        string     `json:"lock"`
	Environment string     `json:"environment"`
	Tokens      string     `json:"tokens"` // where fencing tokens come from, as a sentence
	Clients     int        `json:"clients"`
	Runs        int        `json:"runs"` // all of them
	Calm        Calm       `json:"calm"`
	Promises    []Promise  `json:"promises"`
	Causes      []Struck   `json:"causes"`
	Changes     []Improved `json:"changes"`
	Advice      *Advice    `json:"advice,omitempty"`
}

// A Promise says how often one of the promises breaks.
type Promise struct {
	Name   string     `json:"name"`
	All    Estimate   `json:"all"`
	Calm   Estimate   `json:"without_events"`
	Causes []Estimate `json:"by_cause"` // in the order of the environment's causes
	Pairs  Estimate   `json:"by_pairs"`
}

// Struck is what runs showed of a cause.
type Struck struct {
	Name  string  `json:"name"`
	Low   float64 `json:"events_per_year_low"` // to all hosts of the lock
	High  float64 `json:"events_per_year_high"`
	Least string  `json:"least_that_broke,omitempty"` // the smallest size that broke the first promise; "" if none did
	Runs  int     `json:"runs"`
}

// Improved is the effect of a change on the first promise, by single events.
type Improved struct {
	Change
	Now        Estimate   `json:"now"` // how often it breaks with the change
	Difference Difference `json:"difference"`
}

// Dominant returns the cause by which a promise breaks most often, and its share; -1 if no violation was seen.
func (p *Promise) Dominant() (cause int, share float64) {
	cause, all := -1, p.Calm.Value+p.Pairs.Value
	for i, e := range p.Causes {
		if all += e.Value; e.Value > 0 && (cause < 0 || e.Value > p.Causes[cause].Value) {
			cause = i
		}
	}
	if cause < 0 {
		return -1, 0
	}
	return cause, p.Causes[cause].Value / all
}

// Made returns how many runs have been performed.
func (m *Model) Made() (runs int) {
	for i := range m.strata {
		runs += len(m.strata[i].shows)
	}
	return runs
}

// Result describes what the runs showed. Change and Advise add their results to it.
func (m *Model) Result() *Result {
	r := &Result{
		Lock: m.Scenario.ID, Environment: m.Environment.Name, Tokens: m.Scenario.TokensNote(), Clients: m.site.Clients, Runs: m.Made(),
		Calm: m.calm(), Changes: []Improved{},
	}
	for i, name := range Promises {
		f := m.Sample(i).Estimate()
		r.Promises = append(r.Promises, Promise{name, f.All, f.Calm, f.Cause, f.Pairs})
	}
	for i := range m.Environment.Causes {
		rate := m.rate(i)
		x := Struck{Name: m.Environment.Causes[i].Name, Low: rate.Low, High: rate.High}
		if least := m.least(i, &x.Runs); least > 0 {
			x.Least = least.Round(max(time.Millisecond, least/100)).String()
		}
		r.Causes = append(r.Causes, x)
	}
	return r
}

// least returns the smallest size of the events of a cause that broke the first promise, and adds the runs.
func (m *Model) least(cause int, runs *int) (least time.Duration) {
	for i := range m.strata {
		x := &m.strata[i]
		if x.cause != cause || x.with >= 0 {
			continue
		}
		*runs += len(x.shows)
		for k, b := range x.shows {
			if b&1 == 0 {
				continue
			}
			s := m.in(x, m.First+uint64(k))
			if d := sizeOf(&s.Faults[0]); least == 0 || d < least {
				least = d
			}
		}
	}
	return least
}

// sizeOf returns the size of an event: how long it lasts, or how far it steps a clock.
func sizeOf(f *faults.Fault) time.Duration {
	if f.For > 0 {
		return f.For
	}
	return f.By.Abs()
}
