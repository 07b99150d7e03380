package study

import (
	_ "embed"
	"slices"
)

//go:embed study.schema.json
var schema []byte

// Schema returns the JSON Schema of study files, so that an editor completes and checks what Parse will read. Job
// checks whether the settings and faults in them suit the scenario.
func Schema() []byte { return slices.Clone(schema) }
