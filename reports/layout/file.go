package layout

import "encoding/json"

// A File is one file of a stored result.
type File struct {
	Name    string
	Content []byte
}

// SchemaVersion is the version of the JSON that describes a run. It rises when a field changes its meaning or goes away.
const SchemaVersion = 1

// JSON returns data as indented JSON with a final newline.
func JSON(data any) []byte {
	b, err := json.MarshalIndent(data, "", "  ")
	if err != nil {
		panic("reports: " + err.Error()) // these types always marshal
	}
	return append(b, '\n')
}
