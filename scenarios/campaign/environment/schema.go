package environment

import (
	_ "embed"
	"slices"
)

//go:embed environment.schema.json
var schema []byte

// Schema returns the JSON Schema of environment files, so that an editor completes and checks what Parse will read. What a
// distribution or a fault may say is left to Parse.
func Schema() []byte { return slices.Clone(schema) }
