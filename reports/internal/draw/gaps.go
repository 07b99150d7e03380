package draw

import (
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports/layout"
	"github.com/lockstorm/lockstorm/scenarios"
)

// drawable returns what of a run can be drawn, and says in a sentence what it lacks. Evidence that contradicts itself is no
// picture of anything, so nothing of it is drawn but who was there.
func drawable(r *scenarios.Result) (drawn *scenarios.Result, lacks string) {
	e := r.Evidence
	if err := e.Check(); err != nil {
		bare := *r
		bare.Evidence = &checker.Evidence{Clients: r.Scenario.Clients, Lanes: e.Lanes, End: max(e.End, 0)}
		bare.Findings, bare.Copies = nil, nil
		return &bare, layout.PlainLong("The evidence is not sound, so nothing of it is drawn. " + strings.ReplaceAll(err.Error(), "\n", ". ") + ".")
	}
	return r, lacking(e)
}

// lacking names the lists that evidence lacks and most evidence has.
func lacking(e *checker.Evidence) string {
	var missing []string
	if len(e.History) == 0 && len(e.Tries)+len(e.Holds)+len(e.Writes) > 0 {
		missing = append(missing, "no history, so it shows no calls")
	}
	if len(e.Tries) == 0 && len(e.Holds) > 0 {
		missing = append(missing, "no attempts, so it shows nobody waiting")
	}
	if len(missing) == 0 {
		return ""
	}
	return "The evidence has " + strings.Join(missing, "; it has ") + "."
}
