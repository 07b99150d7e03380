package table

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"strconv"

	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// JSON writes the table as JSON lines, compressed with gzip: an object for each row. Numbers are numbers, and a figure
// that a run does not have is null, so that a reader finds the type of each column.
func (t *Table) JSON(out io.Writer) error {
	w := gzip.NewWriter(out)
	keys, err := t.keys()
	if err != nil {
		return err
	}
	var line []byte
	err = t.archive.Each(func(_ int, rows []campaign.Row) error {
		for i := range rows {
			if line, err = t.object(line[:0], keys, &rows[i]); err != nil {
				return err
			}
			if _, err := w.Write(line); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return w.Close()
}

// keys returns what stands before each value in a line.
func (t *Table) keys() ([]string, error) {
	keys := make([]string, len(t.columns))
	for i := range t.columns {
		name, err := json.Marshal(t.columns[i].name)
		if err != nil {
			return nil, err
		}
		keys[i] = "," + string(name) + ":"
	}
	keys[0] = "{" + keys[0][1:]
	return keys, nil
}

func (t *Table) object(line []byte, keys []string, r *campaign.Row) ([]byte, error) {
	for i := range t.columns {
		value, err := t.columns[i].json(r)
		if err != nil {
			return nil, err
		}
		line = append(append(line, keys[i]...), value...)
	}
	return append(line, "}\n"...), nil
}

func (c *column) json(r *campaign.Row) ([]byte, error) {
	if c.word != nil {
		return json.Marshal(c.word(r))
	}
	n := c.number(r)
	if n == campaign.Absent {
		return []byte("null"), nil
	}
	return strconv.AppendInt(nil, n, 10), nil
}
