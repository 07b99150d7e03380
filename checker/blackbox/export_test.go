package blackbox

import "github.com/lockstorm/lockstorm/checker"

// Removals gives the history without each unit in turn, and without each pair of neighbouring ones.
func Removals(h checker.History, m Model) (all []checker.History) {
	s := shrinking{whole: h, model: &m, effort: effort}
	for i := range h {
		s.ops = append(s.ops, i)
	}
	c := s.calls()
	for _, bundle := range m.units {
		units := bundle(c)
		for i, u := range units {
			all = append(all, part(h, s.without(c, u)))
			if i > 0 {
				all = append(all, part(h, s.without(c, append(append([]int{}, u...), units[i-1]...))))
			}
		}
	}
	for end := range h {
		all = append(all, part(h, s.ops[:end]))
	}
	return all
}
