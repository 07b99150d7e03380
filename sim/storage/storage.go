package storage

import (
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// A Read asks for the state of both registers.
type Read struct {
	Fence uint64 // the reader's fencing token; 0 for none
}

// A Write replaces the state of both registers.
type Write struct {
	Client int    // who writes, for the record
	Op     int    // the writer's name for this write, for the record
	Fence  uint64 // the writer's fencing token; 0 for none
	Base   State  // what the writer had read
}

// A State is what a Read brings back, and a Write too: the versions of both registers.
type State struct {
	Plain   uint64
	Fenced  uint64
	Refused bool // the fenced register refused, for it had seen a higher token; Fenced is then 0
}

// An Update is a Write that arrived, and what it did.
type Update struct {
	Write
	At   clock.Instant
	Made State // the versions that it made
}

// A Store is the storage service.
type Store struct {
	world   *sim.World
	state   State
	mark    uint64 // the highest fencing token seen
	updates []Update
}

// Attach makes the store new, whatever it held before.
func (s *Store) Attach(w *sim.World) {
	*s = Store{world: w, updates: s.updates[:0]}
}

// Serve handles a Read or a Write.
func (s *Store) Serve(request any) any {
	switch r := request.(type) {
	case Read:
		return s.read(r)
	case *Write:
		return s.write(r)
	}
	panic("storage: not a request of this package")
}

// admit raises the mark to the token, and tells whether the token is one to refuse.
func (s *Store) admit(fence uint64) (stale bool) {
	if fence < s.mark {
		return true
	}
	s.mark = fence
	return false
}

func (s *Store) read(r Read) State {
	if s.admit(r.Fence) {
		return State{Plain: s.state.Plain, Refused: true}
	}
	return s.state
}

func (s *Store) write(r *Write) State {
	s.state.Plain++
	made := State{Plain: s.state.Plain, Refused: s.admit(r.Fence)}
	if !made.Refused {
		s.state.Fenced++
		made.Fenced = s.state.Fenced
	}
	s.updates = append(s.updates, Update{Write: *r, At: s.world.Now(), Made: made})
	return made
}

// Updates lists the writes that arrived, in that order. It is valid until the store is attached again.
func (s *Store) Updates() []Update { return s.updates }
