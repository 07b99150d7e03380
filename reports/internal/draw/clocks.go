package draw

import (
	"encoding/json"
	"slices"

	"github.com/lockstorm/lockstorm/clock"
)

// Clocks returns, as JSON, how far ahead each clock is that is not always true, and when. Between two of the instants it
// changes evenly. The page's script reads it.
func (s *Scene) Clocks() string {
	type curve [2]any
	all := []curve{}
	for _, l := range s.lanes {
		if points := s.ahead(l.host); points != nil {
			all = append(all, curve{l.name, points})
		}
	}
	b, _ := json.Marshal(all) // numbers and names marshal
	return string(b)
}

// ahead returns how far ahead of the truth a host's clock is at the instants that matter; nil if it is always true.
func (s *Scene) ahead(host int) [][2]int64 {
	instants := []clock.Instant{s.From, s.To}
	for i := range clock.Instant(40) { // a slew changes where no event says so
		instants = append(instants, s.From+(s.To-s.From)/40*i)
	}
	for _, p := range s.episodes {
		if p.Host == host && p.From >= s.From && p.From <= s.To && (p.What == "step" || p.What == "drift" || p.What == "slew") {
			instants = append(instants, max(p.From-1, 0), p.From, min(p.To, s.To))
		}
	}
	slices.Sort(instants)
	var points [][2]int64
	wrong := false
	for _, at := range slices.Compact(instants) {
		_, by, known := s.Run.Shown(host, at)
		wrong = wrong || known && by != 0
		points = append(points, [2]int64{int64(at), int64(by)})
	}
	if !wrong {
		return nil
	}
	return points
}
