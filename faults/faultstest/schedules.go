package faultstest

import (
	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/faults"
)

// Schedules draws schedules as the storm does, for a run that has this cast.
func Schedules(storm faults.Storm, cast faults.Cast) *rapid.Generator[faults.Schedule] {
	return rapid.Custom(func(t *rapid.T) faults.Schedule { return storm.Draw(&source{t}, cast) })
}

// A source draws from rapid, which records the draws and shrinks by lowering them.
type source struct{ *rapid.T }

// Below draws as faults.Source says. Where there is nothing to choose it draws nothing, which keeps the record short.
func (s *source) Below(n uint64) uint64 {
	if n <= 1 {
		return 0
	}
	return rapid.Uint64Range(0, n-1).Draw(s.T, "draw")
}

// Group makes the draws of a fault one draw, which rapid can leave out as a whole.
func (s *source) Group(draws func()) {
	outer := s.T
	rapid.Custom(func(t *rapid.T) bool {
		s.T = t
		draws()
		return true
	}).Draw(outer, "fault")
	s.T = outer
}
