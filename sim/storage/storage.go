package storage

import (
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// A Config is how the fenced register detects a stale client. The zero value compares fencing tokens by order, and
// records them only in writes.
type Config struct {
	Check     Check
	ReadsMark bool // a read records its pass, like a write
	Above     bool // a fencing token must be higher than the highest one seen; otherwise it may be equal
}

// A Check is what the fenced register compares a pass with.
type Check uint8

// The checks, under the names that scenarios use: order, equality, version.
const (
	Order    Check = iota // reject a fencing token that is lower than the highest one seen
	Equality              // reject a write whose random token is not the one of the last read
	Version               // reject a write that is not based on the present version: that needs no lock
)

// CheckNames lists the checks as scenarios write them.
var CheckNames = []string{"order", "equality", "version"}

// A Pass is what a client shows to prove that it has the lock.
type Pass struct {
	Fence uint64 // its fencing token; 0 for none
	Token string // its random token
}

// A Read asks for the state of both registers.
type Read struct{ Pass }

// An Ask asks whether the fenced register would accept a write with this pass. The answer is a bool. It may be out of
// date by the time the write arrives: that is what is wrong with asking first.
type Ask struct{ Pass }

// A Write replaces the state of both registers.
type Write struct {
	Pass
	Client int   // its writer, for the record
	Op     int   // the writer's name for this write, for the record
	Tick   int   // the tick of the writer's workload whose job it is, for the record; 0 for none
	Base   State // what the writer had read
	Asked  bool  // the client has asked before; the fenced register does not check again
}

// A State is the reply to a Read and to a Write: the versions of both registers.
type State struct {
	Plain   uint64
	Fenced  uint64
	Refused bool // the fenced register rejected the pass; Fenced is then 0
}

// An Update is a Write that arrived, and its effect.
type Update struct {
	Write
	At   clock.Instant
	Made State // the versions that it made
}

// A Store is the storage service.
type Store struct {
	world   *sim.World
	config  Config
	state   State
	highest uint64 // fencing token that it has seen
	latest  string // random token of the latest read
	updates []Update
}

// Attach resets the store.
func (s *Store) Attach(w *sim.World, c Config) {
	*s = Store{world: w, config: c, updates: s.updates[:0]}
}

// Serve handles a Read, an Ask or a Write.
func (s *Store) Serve(request any) any {
	switch r := request.(type) {
	case Read:
		return s.read(r)
	case Ask:
		return s.admits(r.Pass)
	case *Write:
		return s.write(r)
	}
	panic("storage: not a request of this package")
}

// admits reports whether the pass is good for a write. Every pass is good where versions decide.
func (s *Store) admits(p Pass) bool {
	switch s.config.Check {
	case Equality:
		return p.Token == s.latest
	case Version:
		return true
	}
	return p.Fence > s.highest || p.Fence == s.highest && !s.config.Above
}

// stale reports whether to reject a write.
func (s *Store) stale(r *Write) bool {
	if s.config.Check == Version {
		return r.Base.Fenced != s.state.Fenced
	}
	return !s.admits(r.Pass)
}

// mark records a pass: the highest fencing token, and the latest random token, because random tokens have no order.
func (s *Store) mark(p Pass) {
	s.highest, s.latest = max(s.highest, p.Fence), p.Token
}

// read returns the state. It rejects a reader that comes too late, except where the latest pass counts.
func (s *Store) read(r Read) State {
	if !s.config.ReadsMark {
		return s.state
	}
	if s.config.Check == Order && !s.admits(r.Pass) {
		return State{Plain: s.state.Plain, Refused: true}
	}
	s.mark(r.Pass)
	return s.state
}

func (s *Store) write(r *Write) State {
	s.state.Plain++
	made := State{Plain: s.state.Plain, Refused: !r.Asked && s.stale(r)}
	if !made.Refused {
		s.mark(r.Pass)
		s.state.Fenced++
		made.Fenced = s.state.Fenced
	}
	s.updates = append(s.updates, Update{Write: *r, At: s.world.Now(), Made: made})
	return made
}

// Updates lists the writes that arrived, in that order. It is valid until the store is attached again.
func (s *Store) Updates() []Update { return s.updates }

// Digest adds both registers. Storage never looks at the writes on record.
func (s *Store) Digest(d *sim.Digest, lane int) {
	s.state.Digest(d, lane)
	d.Add(lane, s.highest)
	d.Text(lane, s.latest)
}

// Digest adds both versions.
func (s State) Digest(d *sim.Digest, lane int) {
	refused := uint64(0)
	if s.Refused {
		refused = 1
	}
	d.Add(lane, s.Plain, s.Fenced, refused)
}

// Digest adds what a client shows.
func (p Pass) Digest(d *sim.Digest, lane int) {
	d.Add(lane, p.Fence)
	d.Text(lane, p.Token)
}

// Digest adds the write, except its number on record.
func (w *Write) Digest(d *sim.Digest, lane int) {
	w.Pass.Digest(d, lane)
	d.Add(lane, uint64(w.Client))
	w.Base.Digest(d, lane)
	if w.Asked {
		d.Add(lane, 1)
	}
}
