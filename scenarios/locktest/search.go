package locktest

import (
	"cmp"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// A search runs a lock in universes, one for each seed, and looks for promises that it breaks and must keep there.
type search struct {
	scenario  *scenarios.Scenario       // with the lock in it, and a search
	reference func(*scenarios.Scenario) // puts the lock of the same kind into a universe that the lock is compared with
	ledger    *ledger                   // what that one keeps; nil if it was not measured
	watched   campaign.Set              // of checker.Properties: those that are judged at all
	named     campaign.Set              // the watched promises that must hold whatever the reference does
	always    campaign.Set              // the named promises that must hold under all faults

	draws []draw
	tight *draw // of faults that are placed where a client asks; nil if there are none
	tally
	universe *scenarios.Scenario // the universe that is tried after the search; nil before
}

func (s *search) in(seed uint64) *scenarios.Scenario {
	if s.universe != nil {
		return s.universe
	}
	u := s.at(seed)
	return &u
}

// A draw is a way to draw universes.
type draw struct {
	universes *scenarios.Universes
	only      []adversity // which faults are left in them; nil for all
}

func (d *draw) at(seed uint64) scenarios.Scenario {
	u := d.universes.At(seed)
	if d.only != nil {
		u = within(u, d.only)
	}
	return u
}

// A tally is what a search saw. Its slices are by the places of checker.Properties.
type tally struct {
	runs    int
	owed    []int // in how many universes the lock must keep each promise
	broke   []int // in how many of them it broke
	unknown []int // in how many of them that is unknown
	hits    []hit // by seed
	late    []hit // universes with a grant past its own deadline, by seed
}

// A hit is a universe that broke a promise which the lock must keep.
type hit struct {
	seed   uint64
	faults int
	broke  campaign.Set
}

func newTally() tally {
	n := len(checker.Properties)
	return tally{owed: make([]int, n), broke: make([]int, n), unknown: make([]int, n)}
}

func (c *tally) count(res *scenarios.Result, owed campaign.Set) {
	row := campaign.RowOf(res)
	c.runs++
	for i := range checker.Properties {
		c.owed[i] += one(owed.Has(i))
		c.broke[i] += one((owed & row.Violated).Has(i))
		c.unknown[i] += one((owed & row.Unknown).Has(i))
	}
	if isLate(res) {
		c.late = append(c.late, hit{seed: row.Seed, faults: len(res.Scenario.Faults)})
	}
	if owed&row.Violated != 0 {
		c.hits = append(c.hits, hit{row.Seed, len(res.Scenario.Faults), owed & row.Violated})
	}
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

func (c *tally) add(o tally) {
	c.runs += o.runs
	for i := range checker.Properties {
		c.owed[i] += o.owed[i]
		c.broke[i] += o.broke[i]
		c.unknown[i] += o.unknown[i]
	}
	c.hits, c.late = append(c.hits, o.hits...), append(c.late, o.late...)
}

// begin makes a search ready. Some of its universes have faults of all kinds. A lock must keep little in most of those,
// because hardly a fault leaves every promise whole. So other universes have only faults that leave one promise or
// another whole.
func (s *search) begin() {
	s.draws = []draw{{universes: s.scenario.Universes()}}
	s.tally = newTally()
	if d, ok := s.drawOf(tight); ok {
		s.tight = &d
	}
	if s.ledger == nil {
		return
	}
	var sets [][]adversity
	for i, p := range checker.Properties {
		set := s.ledger.survived(p.Name)
		if !(s.watched &^ s.always).Has(i) ||
			slices.ContainsFunc(sets, func(o []adversity) bool { return slices.Equal(o, set) }) {
			continue
		}
		sets = append(sets, set)
		if d, ok := s.drawOf(set); ok {
			s.draws = append(s.draws, d)
		}
	}
}

// drawOf returns the way to draw universes from some adversities; false if the search has no fault that is one.
func (s *search) drawOf(these []adversity) (d draw, ok bool) {
	one := *s.scenario
	one.Search.Faults = nil
	kinds, _ := faults.KindsOf(s.scenario.Search.Faults) // Check has found them
	for _, k := range kinds {
		if slices.ContainsFunc(these, func(a adversity) bool { return classOf(a) == k.Class.Name }) {
			one.Search.Faults = append(one.Search.Faults, k.Name)
		}
	}
	return draw{one.Universes(), these}, len(one.Search.Faults) > 0
}

// tight are the adversities that are placed. A lock may forget something between its first request and the last answer.
// That shows only if a client stops in these few milliseconds, as in hardly any other universe.
var tight = []adversity{"pause of clients", "suspend of clients"}

const (
	placed   = uint64(1) << 49 // the first seed of the universes in which faults are placed
	placedIn = 8               // there is one for that many others
)

// place moves each fault to some moment while a client asks for the lock, or for an extension.
func (s *search) place(u scenarios.Scenario, seed uint64) scenarios.Scenario {
	chance := rand.NewPCG(seed, 0)
	below := func(n uint64) uint64 { return chance.Uint64() % n }
	moved := u
	moved.Faults = slices.Clone(u.Faults)
	for i := range moved.Faults {
		m := faults.Mark{Host: faults.Any, Name: "asking", Nth: 1 + int(below(4))}
		m.After = time.Duration(below(max(uint64(2*u.Network.Latency.Max), 1)))
		if u.Lock.Renew.Every > 0 && below(2) == 1 {
			m.Name = "extending"
		}
		moved.Faults[i].At, moved.Faults[i].When = 0, m
	}
	if moved.Check() != nil {
		return u
	}
	return moved
}

func (s *search) at(seed uint64) scenarios.Scenario {
	if seed >= placed && seed < screened {
		return s.place(s.tight.at(seed), seed)
	}
	return s.draws[(seed-1)%uint64(len(s.draws))].at(seed)
}

func (s *search) requires(u *scenarios.Scenario) (all campaign.Set) {
	if s.ledger == nil {
		return s.watched
	}
	these := adversities(u)
	all = s.always
	for i, p := range checker.Properties {
		if s.watched.Has(i) && !p.Ticks && s.ledger.requires(p.Name, these) { // a promise about ticks is no lock's
			all |= 1 << i
		}
	}
	return all
}

// workers returns how many runs happen in parallel: one with guests, because they change state of the whole process.
func (s *search) workers() int {
	if s.scenario.Hosted() {
		return 1
	}
	return runtime.GOMAXPROCS(0)
}

const pieceRuns = 20

// sideBySide makes the runs of n seeds in parallel: do makes one, and counts it. It panics with campaign.Broken.
func (s *search) sideBySide(first uint64, n int, do func(r *scenarios.Runner, seed uint64, c *tally)) tally {
	all := newTally()
	e := campaign.Engine[tally]{
		Workers: s.workers(), Pieces: campaign.Range(0, (n+pieceRuns-1)/pieceRuns),
		NewWorker: func() campaign.Worker[tally] {
			r, seed := scenarios.NewRunner(), uint64(0)
			return campaign.Worker[tally]{
				Make: func(piece int) tally {
					defer explain(r, s.scenario.ID, &seed)
					c := newTally()
					for i := piece * pieceRuns; i < min((piece+1)*pieceRuns, n); i++ {
						seed = first + uint64(i)
						do(r, seed, &c)
					}
					return c
				},
				At:    func() (string, uint64) { return s.scenario.ID, seed },
				Close: r.Close,
			}
		},
		Done: func(_ int, c tally) (bool, error) { all.add(c); return true, nil },
	}
	_ = e.Run() // Done returns no error
	slices.SortFunc(all.hits, func(a, b hit) int { return cmp.Compare(a.seed, b.seed) })
	return all
}

// explain adds to the panic of a run which one it was, and where the code of its lock broke.
func explain(r *scenarios.Runner, id string, seed *uint64) {
	p := recover()
	if p == nil {
		return
	}
	b := campaign.BrokenBy(p, id, *seed)
	if at := r.PanicStack(); at != nil {
		b.Stack = at
	}
	panic(*b)
}

// run searches the first n seeds, and some of those that place faults.
func (s *search) run(n int) {
	one := func(r *scenarios.Runner, seed uint64, c *tally) {
		u := s.at(seed)
		c.count(r.Run(&u, seed), s.requires(&u))
	}
	s.tally = s.sideBySide(1, n, one)
	if s.tight != nil {
		s.add(s.sideBySide(placed, n/placedIn, one))
	}
}

// redraw runs one universe with other seeds, and counts how often each promise broke that it must keep there. Faults
// and settings stay; all chance is redrawn: times of messages and work, tokens, waits.
func (s *search) redraw(u *scenarios.Scenario, first uint64, n int) tally {
	s.universe = u
	owed := s.requires(u)
	return s.sideBySide(first, n, func(r *scenarios.Runner, seed uint64, c *tally) { c.count(r.Run(u, seed), owed) })
}
