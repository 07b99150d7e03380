package scenarios

import (
	_ "embed"
	"slices"
	"strings"
)

//go:embed scenario.schema.json
var schema []byte

// Schema returns the JSON Schema of scenario files, so that an editor completes and checks what Parse will read. What takes
// the whole scenario to check, such as whether a host exists, is left to Parse.
func Schema() []byte { return slices.Clone(schema) }

// SchemaLine is the first line of a scenario file, for editors that complete by a schema. The path leads from the file to
// the schema.
func SchemaLine(path string) string {
	return "# yaml-language-server: $schema=" + strings.ReplaceAll(path, `\`, "/") + "\n"
}
