package reports

import (
	"encoding/json"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
)

// A File is one file of a stored result.
type File struct {
	Name    string
	Content []byte
}

// JSON returns data as indented JSON with a final newline.
func JSON(data any) []byte {
	b, err := json.MarshalIndent(data, "", "  ")
	if err != nil {
		panic("reports: " + err.Error()) // these types always marshal
	}
	return append(b, '\n')
}

// JSON writes the data of the document. One without data has its sentences and tables as they are read.
func (d *Document) JSON() string {
	if d.Data != nil {
		return string(JSON(d.Data))
	}
	type rows struct {
		Heads []string   `json:"heads"`
		Rows  [][]string `json:"rows"`
	}
	plain := struct {
		SchemaVersion int      `json:"schema_version"`
		Text          []string `json:"text"`
		Tables        []rows   `json:"tables"`
	}{checker.SchemaVersion, []string{}, []rows{}}
	for _, b := range read(d.Blocks) {
		if words := b.text(); words != "" {
			plain.Text = append(plain.Text, words)
		}
	}
	for _, t := range tables(d.Blocks) {
		r := rows{Rows: [][]string{}}
		for _, c := range t.Columns {
			r.Heads = append(r.Heads, c.Head)
		}
		for _, row := range t.Rows {
			var cells []string
			for _, c := range row {
				cells = append(cells, c.Text)
			}
			r.Rows = append(r.Rows, cells)
		}
		plain.Tables = append(plain.Tables, r)
	}
	return string(JSON(plain))
}

// read returns the blocks of a text, including the blocks in groups and details.
func read(blocks []Block) (all []*Block) {
	for i := range blocks {
		b := &blocks[i]
		switch {
		case !b.in(Terminal):
		case b.Kind == "fit":
			all = append(all, read(b.Blocks[:1])...)
		default:
			all = append(append(all, b), read(b.Blocks)...)
		}
	}
	return all
}

// Plain makes a user's text harmless: no letter of it turns the direction of the text after it, or controls a
// terminal, and it is not endless.
func Plain(text string) string { return wording.Plain(text) }
