package reports

import (
	"fmt"
	"strings"
)

// annotationsMost is how many annotations are given in full. GitHub shows ten of a step; the tenth counts the rest.
const annotationsMost = 9

// Annotations gives what was not as expected as the workflow commands that GitHub's runner turns into annotations, a
// line each. An annotation points at a file only if the scenario is of one.
func Annotations(s Suite) string {
	var b strings.Builder
	more := 0
	for _, e := range s.entries() {
		if e.verdict == "pass" {
			continue
		}
		if more++; more <= annotationsMost {
			b.WriteString(annotation(&e))
		}
	}
	if more -= annotationsMost; more > 0 {
		fmt.Fprintf(&b, "::error title=lockstorm::%d more %s not as expected; the summary of the job names them all.\n", more, either(more, "is", "are"))
	}
	return b.String()
}

func annotation(e *entry) string {
	file := ""
	if e.file != "" {
		file = ",file=" + propertyEscapes.Replace(e.file)
	}
	return fmt.Sprintf("::error title=%s%s::%s\n", propertyEscapes.Replace(strings.ToUpper(e.verdict)+" "+e.title), file,
		messageEscapes.Replace(strings.Join(e.wrong, ".\n")+".\nSee it: "+e.command))
}

// Workflow commands end at the line, and their properties at colons and commas.
var (
	messageEscapes  = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	propertyEscapes = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)
