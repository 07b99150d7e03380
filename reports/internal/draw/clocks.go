package draw

import (
	"encoding/json"
	"slices"

	"github.com/lockstorm/lockstorm/clock"
)

// clocks returns as JSON, for the script of a page, how far ahead each clock is that is not always true, at some
// instants. Between two instants the difference changes evenly.
func (s *Scene) clocks() string {
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

// ahead returns how far ahead of true time a host's clock is at the instants that matter; nil if it is always true.
func (s *Scene) ahead(host int) [][2]int64 {
	instants := []clock.Instant{s.From, s.To}
	for i := range clock.Instant(40) { // a slew changes the clock without events
		instants = append(instants, s.From+(s.To-s.From)/40*i)
	}
	for _, p := range s.episodes {
		changes := p.What == "step" || p.What == "drift" || p.What == "slew"
		if changes && p.Host == host && p.From >= s.From && p.From <= s.To {
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
