package suites

import (
	"fmt"
	"strings"

	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
)

// annotationsMost is how many annotations are whole. GitHub shows ten of a step; the tenth counts the rest.
const annotationsMost = 9

// Annotations returns the entries that were not as expected as workflow commands, which GitHub's runner turns into
// annotations, a line each. An annotation names the file of a scenario, if it has one.
func Annotations(entries []Entry) string {
	var b strings.Builder
	more := 0
	for _, e := range entries {
		if e.Verdict == scenarios.Pass {
			continue
		}
		if more++; more > annotationsMost {
			continue
		}
		file, title := "", strings.ToUpper(e.Verdict.String())+" "+e.Title
		if e.File != "" {
			file = ",file=" + propertyEscapes.Replace(e.File)
		}
		message := strings.Join(e.Wrong, ".\n") + ".\nSee it: " + e.Command
		fmt.Fprintf(&b, "::error title=%s%s::%s\n", propertyEscapes.Replace(title), file,
			messageEscapes.Replace(message))
	}
	if more -= annotationsMost; more > 0 {
		fmt.Fprintf(&b, "::error title=lockstorm::%d more %s not as expected; the summary of the job names them all.\n",
			more, wording.Either(more, "is", "are"))
	}
	return b.String()
}

// Workflow commands end at the line, and their properties at colons and commas.
var (
	messageEscapes  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
