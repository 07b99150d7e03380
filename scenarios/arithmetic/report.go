package arithmetic

import (
	"fmt"
	"strconv"
	"strings"
)

// Report returns the laws and the flaws found, as text and as rows: the law, its verdict, the flaw, and the file and
// seed that show it. keep stores the scenario that shows a flaw of a law, and returns its place.
func Report(r Rules, flaws []Flaw, draws int, keep func(law string, file []byte) (where string)) (text string, rows [][]string) {
	var b strings.Builder
	found := map[string]*Flaw{}
	for i := range flaws {
		found[flaws[i].Law.Name] = &flaws[i]
	}
	fmt.Fprintf(&b, "Each law is looked at with %d draws: 1 to 99 nodes, TTLs from 1ms to a year, "+
		"elapsed times around every edge,\n"+
		"and clocks that are right or wrong by %d ppm, the client's slow and the servers' fast.\n\n", draws, r.Drift)
	for _, l := range Laws {
		f, row := found[l.Name], []string{l.Name, "holds", "", "", ""}
		switch {
		case !l.Applies(r):
			row[1] = "not asked"
			fmt.Fprintf(&b, "  not asked  %s\n", l.Name)
		case f == nil:
			fmt.Fprintf(&b, "  holds      %s\n", l.Name)
		default:
			row[1], row[2] = "broken", f.Sentence
			fmt.Fprintf(&b, "  BROKEN     %s: %s.\n", l.Name, f.Sentence)
			s, seed, why := f.Scenario()
			if s == nil {
				fmt.Fprintf(&b, "             No scenario: %s.\n", why)
			} else if where := keep(l.Name, s.Brief()); where != "" {
				row[3], row[4] = where, strconv.FormatUint(seed, 10)
				fmt.Fprintf(&b, "             See it: lockstorm run %s --seed %d\n", where, seed)
			} else {
				fmt.Fprintf(&b, "             A lock with such rules breaks a promise in a run; --out DIR writes the scenario.\n")
			}
		}
		rows = append(rows, row)
	}
	if len(flaws) == 0 {
		b.WriteString("\nNothing was found. That is no proof: other numbers were not looked at, and no law is about what servers do.\n")
	}
	return b.String(), rows
}
