package study

import (
	_ "embed"
	"slices"
)

//go:embed study.schema.json
var schema []byte

// Schema returns the JSON Schema of study files, so that an editor completes and checks what Parse will read. Whether the
// settings and faults in them fit the scenario is left to Job.
func Schema() []byte { return slices.Clone(schema) }
