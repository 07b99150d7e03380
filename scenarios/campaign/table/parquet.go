package table

import (
	"io"

	"github.com/parquet-go/parquet-go"

	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// groupRows is how many rows a row group of a Parquet file has: they are in memory at once.
const groupRows = 50_000

// Parquet writes the table as a Parquet file, compressed with zstd. Words are in dictionaries.
func (t *Table) Parquet(out io.Writer) error {
	w := parquet.NewWriter(out, parquet.NewSchema("rows", t.root()), parquet.MaxRowsPerRowGroup(groupRows),
		parquet.Compression(&parquet.Zstd), parquet.CreatedBy("lockstorm", t.archive.Manifest.Lockstorm, ""))
	var buffer []parquet.Row
	err := t.archive.Each(func(_ int, rows []campaign.Row) error {
		buffer = buffer[:0]
		for i := range rows {
			buffer = append(buffer, t.values(&rows[i]))
		}
		_, err := w.WriteRows(buffer)
		return err
	})
	if err != nil {
		return err
	}
	return w.Close()
}

// root is the type of a row.
func (t *Table) root() ordered {
	r := ordered{Group: parquet.Group{}}
	for i := range t.columns {
		g := parquet.Group{t.columns[i].name: t.columns[i].node()}
		r.Group[t.columns[i].name], r.fields = t.columns[i].node(), append(r.fields, g.Fields()...)
	}
	return r
}

// ordered is a group whose columns come in the order of the table; those of the library come in that of the alphabet.
type ordered struct {
	parquet.Group
	fields []parquet.Field
}

// Fields gives the columns.
func (o ordered) Fields() []parquet.Field { return o.fields }

func (c *column) node() parquet.Node {
	if c.word != nil {
		return parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
	}
	return parquet.Optional(parquet.Int(64))
}

// values gives a row as the library wants it: each value with its column, and with whether it is there.
func (t *Table) values(r *campaign.Row) parquet.Row {
	row := make(parquet.Row, len(t.columns))
	for i := range t.columns {
		row[i] = t.columns[i].value(r, i)
	}
	return row
}

func (c *column) value(r *campaign.Row, i int) parquet.Value {
	if c.word != nil {
		return parquet.ByteArrayValue([]byte(c.word(r))).Level(0, 0, i)
	}
	n := c.number(r)
	if n == campaign.Absent {
		return parquet.NullValue().Level(0, 0, i)
	}
	return parquet.Int64Value(n).Level(0, 1, i)
}
