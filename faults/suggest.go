package faults

import (
	"cmp"
	"slices"
	"strings"
)

// Suggest ends an error about an unknown name with the nearest names: "; did you mean lock.ttl?". It is empty when none
// is near.
func Suggest(name string, known []string) string {
	near := Nearest(name, known)
	if len(near) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(near, " or ") + "?"
}

// Nearest returns up to three of the known names that a user may have meant, the nearest first. It is in this package
// because schedules suggest words, like the scenarios that import them.
func Nearest(name string, known []string) []string {
	type match struct {
		name string
		off  int
	}
	var near []match
	lower := strings.ToLower(name)
	for _, k := range known {
		most := max(2, len(k)/3)
		off := most + 1
		if len(lower)-len(k) <= most { // otherwise that many deletions are needed, and distance would waste time
			off = distance(lower, k)
		}
		if part := len(name) > 2 && strings.Contains(k, lower); part {
			off = 1
		}
		if off <= most {
			near = append(near, match{k, off})
		}
	}
	slices.SortStableFunc(near, func(a, b match) int { return cmp.Compare(a.off, b.off) })
	names := make([]string, 0, 3)
	for _, m := range near[:min(3, len(near))] {
		if m.off <= near[0].off+1 {
			names = append(names, m.name)
		}
	}
	return names
}

// distance is the number of characters to insert, delete or replace to turn a into b (Levenshtein, 1965).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
