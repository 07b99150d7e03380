package onerun

import (
	"github.com/lockstorm/lockstorm/reports/layout"
	"github.com/lockstorm/lockstorm/scenarios"
)

// failureMost is how many lines of remarks a brief report has.
const failureMost = 16

// remarks returns how a guest failed, with stacks, and what there is to say of a live run; empty for most runs.
func remarks(r *scenarios.Result) (text string) {
	if r.Failure != "" {
		text = "\n" + layout.PlainLines(r.Failure) + "\n"
	}
	for i, remark := range r.Live {
		if i == 0 {
			text += "\n"
		}
		text += layout.PlainLong(remark) + "\n"
	}
	return text
}
