package blackbox

import "github.com/lockstorm/lockstorm/checker"

// Removals returns the history without each removable group in turn, and without each pair of neighbouring ones.
func Removals(h checker.History, m Model) (all []checker.History) {
	s := minimizer{whole: h, model: &m, effort: effort}
	for i := range h {
		s.kept = append(s.kept, i)
	}
	c := s.operations()
	for _, grouped := range m.removable {
		groups := grouped(c)
		for i, u := range groups {
			all = append(all, part(h, s.without(c, u)))
			if i > 0 {
				all = append(all, part(h, s.without(c, append(append([]int{}, u...), groups[i-1]...))))
			}
		}
	}
	for end := range h {
		all = append(all, part(h, s.kept[:end]))
	}
	return all
}
