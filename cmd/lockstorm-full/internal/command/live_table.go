package command

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/scenarios/live"
)

// verdictTable has a row for each scenario, and a column for each lock.
func verdictTable(bouts []bout) (t cli.Table) {
	t.Heads = []string{"scenario", "simulated"}
	for _, b := range bouts {
		if b.Scenario == bouts[0].Scenario {
			t.Heads = append(t.Heads, b.Lock)
		}
	}
	for row := range slices.Chunk(bouts, max(1, len(t.Heads)-2)) {
		cells := []string{row[0].Scenario, ""}
		for i := range row {
			if row[i].Runs > 0 {
				cells[1] = orNothing(row[i].Twin)
			}
			cells = append(cells, verdictCell(&row[i].Verdicts))
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// verdictNotes are the scales with their margins, the doubts and the refusals, a line each.
func verdictNotes(bouts []bout) (all []string) {
	at := map[string][]string{}
	for _, b := range bouts {
		for _, p := range b.Paces {
			if !slices.Contains(at[p], b.Scenario) {
				at[p] = append(at[p], b.Scenario)
			}
		}
	}
	for _, p := range slices.Sorted(maps.Keys(at)) {
		all = append(all, fmt.Sprintf("at a scale (and with a margin) of %s: %s", p, strings.Join(at[p], ", ")))
	}
	for _, b := range bouts {
		for _, text := range append(b.Notes, b.Refused) {
			if text != "" {
				all = append(all, fmt.Sprintf("%s, %s: %s", b.Scenario, b.Lock, text))
			}
		}
	}
	return all
}

// verdictCell says in how many runs what broke.
func verdictCell(v *live.Verdicts) string {
	if v.Runs == 0 {
		return "refused"
	}
	counts := func(counted map[string]int, all []checker.Property) (text []string) {
		for _, p := range all {
			if n := counted[p.Name]; n > 0 {
				text = append(text, fmt.Sprintf("%s %d", p.Name, n))
			}
		}
		return text
	}
	cell := fmt.Sprintf("%s of %d", orNothing(counts(v.Broken, checker.Properties)), v.Runs)
	if unknown := counts(v.Unknown, checker.Properties); len(unknown) > 0 {
		cell += "; unknown: " + strings.Join(unknown, ", ")
	}
	for _, missing := range counts(v.Missing, checker.Sometimes) {
		cell += "; no " + missing
	}
	return cell
}

// orNothing joins words, or returns one for none.
func orNothing(words []string) string {
	if len(words) == 0 {
		return "nothing"
	}
	return strings.Join(words, ", ")
}
