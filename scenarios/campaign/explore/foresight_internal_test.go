package explore

import (
	"reflect"
	"testing"
)

// The foreseen state of a schedule is the first state of its run.
func TestForeseenStatesAreTheFirstStatesOfRuns(t *testing.T) {
	foreseen, others := 0, 0
	for _, n := range some(3) {
		s := drawn(t, n)
		u, err := New(&s, 1, nil)
		if err != nil {
			t.Fatal(err)
		}
		r := newRunner(u)
		r.runs.Exploring.Foresees = true // also where a token is used again
		r.levels = 0                     // also of those that have children
		r.known = func(uint64) bool { return false }
		wrong := 0
		var add func(s *schedule, more int)
		add = func(s *schedule, more int) {
			o := r.attempt(s)
			if s.foreseen {
				foreseen++
				if len(r.states) == 0 || r.states[0] != s.first {
					wrong++
				}
			} else if s.up != nil && !s.last.strikes() {
				others++
			}
			if more == 0 {
				return
			}
			for _, c := range r.below(s, &o) {
				add(&c, more-1)
			}
		}
		add(&schedule{}, 2)
		r.close()
		if wrong > 0 {
			t.Errorf("universe %d: %d runs come to another state than was foreseen", n, wrong)
		}
	}
	t.Logf("%d foreseen, %d not", foreseen, others)
	if foreseen < others/3 {
		t.Errorf("%d states of %d are foreseen", foreseen, foreseen+others)
	}
}

// A run that is left out is counted as it would have been: with the same schedules, states and properties that break.
func TestRunsThatAreLeftOutAreCountedAsIfMade(t *testing.T) {
	left := 0
	for _, n := range some(34) {
		s := drawn(t, n)
		counted := func(options ...option) Extent {
			u, err := newWith(&s, options...)
			if err != nil {
				t.Fatal(err)
			}
			return last((&Exploration{Universe: u}).Run())
		}
		made := counted(func(u *Universe) { u.running = true })
		if c := counted(); !reflect.DeepEqual(c, made) {
			t.Errorf("universe %d: %+v, and with all runs made %+v", n, c, made)
		}
		left += made.Merged
	}
	if left == 0 {
		t.Error("no run came to a known state")
	}
}
