package forecast

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
	"github.com/lockstorm/lockstorm/scenarios/forecast/environment"
	"github.com/lockstorm/lockstorm/sim"
)

// Promises are the promises that a forecast counts; most people ask for the first.
var Promises = []string{"storage", "fenced", "belief", "validity"}

// A Model is a lock in an environment, and the effort for its forecast.
type Model struct {
	Scenario    *scenarios.Scenario // the lock, without faults
	Environment *environment.Environment
	First       uint64 // the first seed of each stratum
	Runs        int    // of each stratum, at first
	More        int    // of all strata together, then; they go where they make the interval narrower
	Workers     int
	Away        time.Duration               // nodes that restart stay away at least this long
	Single      bool                        // leave out pairs of events
	Done        func(runs, broken int) bool // receives the runs so far; false begins no more; may be nil

	strata []stratum
	site   scenarios.Scenario // the lock in the environment
	warm   time.Duration      // until use is steady
	phases time.Duration      // then events hit within this time
	tail   time.Duration      // until what an event did has shown
	raised float64            // how many times as many messages are lost in runs without an event
}

// cuts divide the sizes of a cause's events into bands, so that large sizes, which are rare, get as many runs as
// small ones. They are in millionths.
var cuts = []int{0, 500_000, 900_000, 990_000, 999_000, 1_000_000}

// longest is the greatest size in a run. Longer events are cut to it.
const longest = 5 * time.Minute

// A stratum is a set of similar runs: without an event, with one of a cause and a band of sizes, or with two.
type stratum struct {
	name        string
	cause, with int // -1 for none
	low, high   int // the band, in millionths
	window      time.Duration
	length      time.Duration // of the longest run
	shows       []shown       // of each run
	took        time.Duration // by all runs together, of simulated time
}

// shown says which of the Promises a run broke, a bit for each.
type shown uint8

// Prepare checks the model, and creates its strata.
func (m *Model) Prepare() error {
	s := *m.Scenario
	s.Search, s.Faults, s.Expect, s.Sometimes = scenarios.Search{}, nil, nil, nil
	s.Mutants, s.Bounds = nil, nil
	e := m.Environment
	s.Clients, s.Work.Work, s.Work.Think = e.Work.Clients, e.Work.Hold, e.Work.Think
	s.Network.Latency, s.Network.Loss = e.Network.Latency, e.Network.Loss
	s.Work.Cycles, s.Steps = 1<<30, 1<<30
	cycle := e.Work.Hold.Max + e.Work.Think.Max
	m.warm, m.phases = cycle, cycle
	m.tail = s.Lock.TTL + 2*cycle + 3*s.Replicas.DownAfter + 3*s.Raft.Election
	m.site, m.strata = s, nil
	m.raised = m.raise(&s)
	m.strata = append(m.strata, stratum{name: "calm", cause: -1, with: -1, length: m.warm + calmLength})
	for i := range e.Causes {
		if err := m.bands(i); err != nil {
			return err
		}
	}
	for i := range e.Causes {
		for j := range e.Causes {
			if !m.Single {
				m.pair(i, j)
			}
		}
	}
	s.Horizon = m.warm + m.phases + m.tail
	return s.Check()
}

// bands adds the strata of one cause.
func (m *Model) bands(i int) error {
	c := &m.Environment.Causes[i]
	if c.Hosts(m.site.Clients, m.site.Nodes) == 0 {
		return nil // it has no host to hit
	}
	for k := range len(cuts) - 1 {
		x := stratum{cause: i, with: -1, low: cuts[k], high: cuts[k+1]}
		if !c.Size.Given() || c.Size.At(0) == c.Size.At(1_000_000) {
			if x.high = 1_000_000; k > 0 {
				break
			}
		}
		x.length = m.warm + m.phases + m.lasting(c, x.high) + m.tail
		x.name = fmt.Sprintf("%s/%d", c.Name, x.low)
		f, err := c.Fault(m.warm, m.size(c, x.high))
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		if !m.strikes(f) {
			return nil
		}
		t := m.site
		t.Faults, t.Horizon = faults.Schedule{f}, x.length
		if err := t.Check(); err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
		m.strata = append(m.strata, x)
	}
	return nil
}

func (m *Model) strikes(f faults.Fault) bool {
	cast := m.site.Cast()
	return f.Kind.Possible(&cast)
}

// size returns a quantile of a cause's sizes, limited as in runs.
func (m *Model) size(c *environment.Cause, ppm int) time.Duration {
	if !c.Size.Given() {
		return 0
	}
	d := min(c.Size.At(ppm), longest).Round(time.Microsecond)
	if strings.HasPrefix(c.Strikes, "restart ") {
		d = max(d, m.Away)
	}
	return max(d, time.Microsecond)
}

// lasting returns how long an event of that quantile lasts.
func (m *Model) lasting(c *environment.Cause, ppm int) time.Duration {
	f, err := c.Fault(0, m.size(c, ppm))
	if err != nil {
		return 0
	}
	return f.For
}

// pair adds the stratum of an event of one cause after an event of another. Most sizes are within the first 99 %. The
// window is the time that those last, plus the time until their effect has shown.
func (m *Model) pair(i, j int) {
	has := func(i int) bool {
		return slices.ContainsFunc(m.strata, func(x stratum) bool { return x.cause == i && x.with < 0 })
	}
	if !has(i) || !has(j) {
		return
	}
	c, d := &m.Environment.Causes[i], &m.Environment.Causes[j]
	x := stratum{name: c.Name + ", then " + d.Name, cause: i, with: j, high: 1_000_000}
	x.window = m.lasting(c, 990_000) + m.tail
	x.length = m.warm + m.phases + x.window + m.lasting(d, 990_000) + m.tail
	m.strata = append(m.strata, x)
}

// in returns the run of a stratum and a seed, as a scenario for a file.
func (m *Model) in(x *stratum, seed uint64) scenarios.Scenario {
	s := m.site
	m.clocks(&s, seed)
	if s.Horizon = x.length; x.cause < 0 {
		if m.raised > 1 && s.Network.Loss > 0 {
			s.Network.Loss = max(s.Network.Loss, calmLoss)
		}
		return s
	}
	c := sim.NewChance(seed, "forecast/"+x.name)
	start := m.warm + c.In(sim.Range{Max: m.phases}).Truncate(time.Microsecond)
	s.Faults = append(s.Faults, m.event(&c, x.cause, start, x.low, x.high))
	if x.with >= 0 {
		start += c.In(sim.Range{Max: x.window}).Truncate(time.Microsecond)
		s.Faults = append(s.Faults, m.event(&c, x.with, start, 0, 1_000_000))
	}
	s.Horizon = 0
	for _, f := range s.Faults {
		s.Horizon = max(s.Horizon, time.Duration(f.At)+f.For+m.tail)
	}
	return s
}

// event draws an event of a cause, with a size within a band.
func (m *Model) event(c *sim.Chance, cause int, start time.Duration, low, high int) faults.Fault {
	k := &m.Environment.Causes[cause]
	f, err := k.Fault(start, m.size(k, low+int(c.Below(uint64(high-low)+1))))
	if err != nil {
		panic("forecast: " + err.Error()) // Prepare has read it
	}
	return f
}

// clocks draws how fast or slow each host's clocks run.
func (m *Model) clocks(s *scenarios.Scenario, seed uint64) {
	most := m.Environment.Clocks.Rate
	if most == 0 {
		return
	}
	c := sim.NewChance(seed, "forecast/clocks")
	s.Clocks = nil
	for _, host := range s.Hosts() {
		s.Clocks = append(s.Clocks, scenarios.Rate{Host: host, By: clock.Rate(c.Below(2*uint64(most)+1)) - most})
	}
}

// rate returns how many events of a cause hit the lock in a year.
func (m *Model) rate(i int) Rate {
	c := &m.Environment.Causes[i]
	low, high := c.Rate.Yearly()
	hosts := float64(c.Hosts(m.site.Clients, m.site.Nodes))
	return Rate{low * hosts, high * hosts}
}

// Run performs the runs. It returns false if Done wanted no more.
func (m *Model) Run() bool {
	if !m.make(m.first) {
		return false
	}
	if calm := &m.strata[0]; m.raised > 1 && calm.broke()*2 > len(calm.shows) { // too often to be counted
		m.raised, calm.shows, calm.took = 1, nil, 0
		if !m.make(m.first) {
			return false
		}
	}
	if m.More == 0 {
		return true
	}
	worth, all := make([]float64, len(m.strata)), 0.0
	sample := m.Sample(0)
	rates, term := sample.middle(), 0
	for i := range m.strata {
		if m.strata[i].cause < 0 {
			worth[i] = sample.calmWeight() * float64(sample.Calm.Runs+1) * scatter(sample.Calm)
		} else {
			worth[i] = sample.Terms[term].weight(rates) * scatter(sample.Terms[term].Count)
			term++
		}
		worth[i] /= math.Sqrt(float64(m.strata[i].length)) // longer runs cost more
		all += worth[i]
	}
	return m.make(func(x *stratum) int {
		for i := range m.strata {
			if x == &m.strata[i] && all > 0 {
				return len(x.shows) + int(float64(m.More)*worth[i]/all)
			}
		}
		return 0
	})
}

// batch is how many runs of one stratum form a piece of work.
const batch = 32

// piece is a part of a stratum's runs.
type piece struct {
	of    *stratum
	first int
	runs  int
}

// make performs runs until each stratum has as many as wanted.
func (m *Model) make(wanted func(*stratum) int) bool {
	var pieces []piece
	for i := range m.strata {
		x := &m.strata[i]
		for n := len(x.shows); n < wanted(x); n += batch {
			pieces = append(pieces, piece{x, n, min(batch, wanted(x)-n)})
		}
	}
	took := make([]time.Duration, len(pieces))
	for _, p := range pieces {
		p.of.shows = append(p.of.shows, make([]shown, p.runs)...)
	}
	done := true
	engine := campaign.Engine[[2]int]{
		Workers: m.Workers, Pieces: campaign.Range(0, len(pieces)),
		NewWorker: func() campaign.Worker[[2]int] {
			r, seed := newRunner(), uint64(0)
			return campaign.Worker[[2]int]{
				Make: func(i int) (made [2]int) {
					p := pieces[i]
					for k := range p.runs {
						seed = m.First + uint64(p.first+k)
						s := m.in(p.of, seed)
						took[i] += s.Horizon
						b := show(r, &s, seed)
						p.of.shows[p.first+k] = b
						made[1] += int(b & 1)
					}
					made[0] = p.runs
					return made
				},
				At:    func() (string, uint64) { return m.site.ID, seed },
				Close: r.Close,
			}
		},
		Done: func(i int, made [2]int) (bool, error) {
			pieces[i].of.took += took[i]
			if m.Done != nil {
				done = m.Done(made[0], made[1])
			}
			return done, nil
		},
	}
	if err := engine.Run(); err != nil {
		panic("forecast: " + err.Error()) // Done returns none
	}
	return done
}

// newRunner returns a runner that only judges the promises.
func newRunner() *scenarios.Runner {
	r := scenarios.NewRunner()
	r.Exploring.SafetyOnly = true
	for _, name := range Promises {
		i := slices.IndexFunc(checker.Properties, func(p checker.Property) bool { return p.Name == name })
		r.Exploring.Judged = append(r.Exploring.Judged, checker.Properties[i])
	}
	return r
}

// show performs a run. It ends in the midst of its work, so no promise is known to hold. But violations are certain.
func show(r *scenarios.Runner, s *scenarios.Scenario, seed uint64) (broken shown) {
	for i, f := range r.Run(s, seed).Findings {
		if f.Verdict == checker.Violated {
			broken |= 1 << i
		}
	}
	return broken
}

// Sample returns what the runs showed of one of the Promises.
func (m *Model) Sample(promise int) *Sample {
	s := &Sample{}
	for i := range m.Environment.Causes {
		s.Rates = append(s.Rates, m.rate(i))
	}
	for i := range m.strata {
		x := &m.strata[i]
		n := stats.Count{Runs: len(x.shows)}
		for _, b := range x.shows {
			if b>>promise&1 == 1 {
				n.Violated++
			}
		}
		if x.cause < 0 {
			s.Calm, s.Long, s.Raised = n, x.long(), m.raised
			continue
		}
		s.Terms = append(s.Terms, Term{
			Cause: x.cause, With: x.with, Part: float64(x.high-x.low) / 1e6, Window: float64(x.window) / float64(environment.Year),
			Long: x.long(), Count: n,
		})
	}
	return s
}

// broke returns how many of the runs broke any of the Promises.
func (x *stratum) broke() (n int) {
	for _, b := range x.shows {
		if b != 0 {
			n++
		}
	}
	return n
}

// long returns how long a run of the stratum is, in years.
func (x *stratum) long() float64 {
	return float64(x.took) / float64(max(len(x.shows), 1)) / float64(environment.Year)
}

// Planned returns how many runs Run will perform.
func (m *Model) Planned() (runs int) {
	for i := range m.strata {
		runs += m.first(&m.strata[i])
	}
	return runs + m.More
}

// single returns the first number of runs of a stratum with a single event, and none of others.
func (m *Model) single(x *stratum) int {
	if x.cause < 0 || x.with >= 0 {
		return 0
	}
	return m.Runs
}

// first returns the first number of runs of a stratum, before it is known where more are wanted.
func (m *Model) first(x *stratum) int {
	switch {
	case x.with >= 0: // which is rare
		return (m.Runs + 3) / 4
	case x.cause < 0 && math.IsInf(m.raised, 1):
		return 2 // they show nothing new
	}
	return m.Runs
}
