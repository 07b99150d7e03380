package storage

import (
	"testing"

	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/simtest"
)

// Every field of what storage remembers, of what it answers and of a request on its way counts in the digest, or has a
// reason not to.
func TestEachFieldOfStorageIsInItsStateOrHasAReason(t *testing.T) {
	const itself, replayed = simtest.Part("it is the same in two runs that are compared"), simtest.Part("it is for the record, and storage does not look at it")
	var d sim.Digest
	of := func(x sim.Digester) func() (uint64, bool) {
		return func() (uint64, bool) {
			d.Reset(0)
			x.Digest(&d, -1)
			return d.Sum(), d.Opaque
		}
	}
	store, write, state, pass := newStore(t), &Write{}, &State{}, &Pass{}
	simtest.Parts(t, []*Store{store}, map[string]simtest.Part{
		"world": itself, "config": itself, "state": simtest.Counts, "highest": simtest.Counts, "latest": simtest.Counts, "updates": replayed,
	}, map[string]func(*Store){
		"state": func(s *Store) { s.state.Plain++ }, "updates": func(s *Store) { s.updates = append(s.updates, Update{}) },
		"config": func(s *Store) { s.config.ReadsMark = !s.config.ReadsMark },
	}, of(store))
	simtest.Parts(t, []*Write{write}, map[string]simtest.Part{
		"Pass": simtest.Counts, "Client": simtest.Counts, "Op": replayed, "Base": simtest.Counts, "Asked": simtest.Counts, "Tick": replayed,
	}, map[string]func(*Write){"Pass": func(w *Write) { w.Fence++ }, "Base": func(w *Write) { w.Base.Plain++ }}, of(write))
	simtest.Parts(t, []*State{state}, map[string]simtest.Part{
		"Plain": simtest.Counts, "Fenced": simtest.Counts, "Refused": simtest.Counts,
	}, nil, func() (uint64, bool) { return of(*state)() })
	simtest.Parts(t, []*Pass{pass}, map[string]simtest.Part{"Fence": simtest.Counts, "Token": simtest.Counts},
		nil, func() (uint64, bool) { return of(*pass)() })
}
