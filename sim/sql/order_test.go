package sql

import (
	"slices"
	"testing"

	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/storage"
)

// Two clients ignore all replies: each goes through all four steps. The test tries all orders in which their steps can
// arrive, with something that ends sessions at each place in between: the host loses its power, or one of the two
// closes its connection. There are few enough to try all; with -short, a fifth.
func TestNoOrderOfTwoSessionsLosesAnUpdate(t *testing.T) {
	s := newServer(t, Config{})
	orders, both := 0, 0
	each(4, 4, nil, func(order []int) {
		for place := range len(order) + 1 {
			for end := range 4 {
				if orders++; !long && orders%5 != 0 {
					continue
				}
				attach(s, Config{})
				if arrive(s, order, place, end) == 2 {
					both++
				}
				current := uint64(0)
				for _, u := range s.Updates() {
					if u.Base.Plain != current {
						t.Fatalf("order %v, end %d at %d: a write on %d goes over %d", order, end, place, u.Base.Plain, current)
					}
					current = u.Made.Plain
				}
			}
		}
	})
	if orders != 70*9*4 || both == 0 || both == orders {
		t.Errorf("%d orders, in %d of them both write", orders, both)
	}
}

// each shows all orders of a times 0 and b times 1.
func each(a, b int, so []int, show func([]int)) {
	if a+b == 0 {
		show(so)
		return
	}
	if a > 0 {
		each(a-1, b, append(slices.Clone(so), 0), show)
	}
	if b > 0 {
		each(a, b-1, append(slices.Clone(so), 1), show)
	}
}

// arrive lets the steps of both clients arrive in an order, and returns the number of updates.
func arrive(s *Server, order []int, place, end int) int {
	var next [2]int
	var base [2]storage.State
	for i, client := range append(slices.Clone(order), -1) {
		if i == place {
			interrupt(s, end)
		}
		if client < 0 {
			break
		}
		name := []string{"a", "b"}[client]
		switch next[client]++; next[client] {
		case 1:
			s.Serve([]string{"BEGIN IMMEDIATE", name})
		case 2:
			if state, ok := s.Serve(In{name, storage.Read{}}).(storage.State); ok {
				base[client] = state
			}
		case 3:
			s.Serve(In{name, &storage.Write{Client: client, Base: base[client]}})
		case 4:
			s.Serve([]string{"COMMIT", name})
		}
	}
	return len(s.Updates())
}

// interrupt ends sessions in one of four ways.
func interrupt(s *Server, end int) {
	switch end {
	case 1:
		s.Stop(true)
		s.Start()
	case 2:
		s.Serve([]string{"ROLLBACK", "a"})
	case 3:
		s.Serve([]string{"ROLLBACK", "b"})
	}
}

var _ sim.Starter = (*Server)(nil)
