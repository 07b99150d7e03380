package onerun

import (
	"github.com/lockstorm/lockstorm/reports/layout"
	"github.com/lockstorm/lockstorm/scenarios"
)

// failureMost is how many lines of a failure a brief report has.
const failureMost = 16

// failure returns how a guest failed, with stacks; empty unless one did.
func failure(r *scenarios.Result) string {
	if r.Failure == "" {
		return ""
	}
	return "\n" + layout.PlainLines(r.Failure) + "\n"
}
