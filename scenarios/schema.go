package scenarios

import (
	"bytes"
	_ "embed"
	"slices"
	"strings"
)

//go:embed scenario.schema.json
var schema []byte

// Schema returns the JSON Schema of scenario files, so that an editor completes and checks what Parse will read. What takes
// the whole scenario to check, such as whether a host exists, is left to Parse.
func Schema() []byte {
	if len(kinds) == ours {
		return slices.Clone(schema)
	}
	return bytes.Replace(schema, kindsInSchema(KindNames[:ours]), kindsInSchema(KindNames), 1)
}

// kindsInSchema returns the names of kinds as they stand in the schema.
func kindsInSchema(names []string) []byte {
	const line = "\n            "
	return []byte(line + `"` + strings.Join(names, `",`+line+`"`) + `"`)
}

// SchemaLine is the first line of a scenario file, for editors that complete by a schema. The path leads from the file to
// the schema.
func SchemaLine(path string) string {
	return "# yaml-language-server: $schema=" + strings.ReplaceAll(path, `\`, "/") + "\n"
}
