package sim

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/clock"
)

func TestEventsAtOneInstantHappenInTheOrderPlanned(t *testing.T) {
	w := newWorld(t, plain)
	var got, want []int
	for i := range 100 {
		w.At(5*us, func() { got = append(got, i) })
		want = append(want, i)
	}
	w.At(5*us, func() { w.At(0, func() { got = append(got, 101) }) }) // the past is now, behind everything planned
	w.At(5*us, func() { got = append(got, 100) })
	finishes(t, w)
	if want = append(want, 100, 101); !slices.Equal(got, want) {
		t.Errorf("order %v", got)
	}
}

func TestEventsHappenInTheOrderOfTheirInstants(t *testing.T) {
	w := newWorld(t, plain)
	var got []clock.Instant
	for _, at := range []clock.Instant{5, 2, 9, 0, 7, 2} {
		w.At(at, func() { got = append(got, w.Now()) })
	}
	finishes(t, w)
	if !slices.Equal(got, []clock.Instant{0, 2, 2, 5, 7, 9}) {
		t.Errorf("order %v", got)
	}
}

// The oracle of the heap is a slice that a stable sort brings into the order of the instants.
func TestHeapAgreesWithASortedSlice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type entry struct {
			at clock.Instant
			id uint32
		}
		var q queue
		var oracle []entry
		for id := range rapid.Uint32Range(1, 200).Draw(t, "operations") {
			if len(oracle) == 0 || rapid.IntRange(0, 2).Draw(t, "pop if 0") > 0 {
				at := clock.Instant(rapid.IntRange(0, 9).Draw(t, "at")) // few instants, so that many are equal
				q.push(at, event{call: &call{id: id}})
				oracle = append(oracle, entry{at, id})
				slices.SortStableFunc(oracle, func(a, b entry) int { return cmp.Compare(a.at, b.at) })
				continue
			}
			if q.next() != oracle[0].at || q.peek().call.id != oracle[0].id {
				t.Fatalf("next %v at %v, want %v", q.peek().call.id, q.next(), oracle[0])
			}
			var e event
			if q.pop(&e); e.at != oracle[0].at || e.call.id != oracle[0].id {
				t.Fatalf("popped %v at %v, want %v", e.call.id, e.at, oracle[0])
			}
			oracle = oracle[1:]
		}
		for _, want := range oracle {
			var e event
			if q.pop(&e); e.call.id != want.id {
				t.Fatalf("popped %v at the end, want %v", e.call.id, want)
			}
		}
		if !q.empty() {
			t.Fatalf("more is left than was put in")
		}
	})
}
