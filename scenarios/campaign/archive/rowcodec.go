package archive

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// A rowCodec writes rows as lines of JSON, in one way only, and reads nothing else.
type rowCodec struct {
	cells      bool // there are several
	properties []string
	views      []string
	sometimes  []string
	kinds      []string
	verdicts   []string
	figures    int

	rows   []campaign.Row // what was read last, and its figures
	values []int64
}

func newRowCodec(m *Manifest) rowCodec {
	codec := rowCodec{
		cells: len(m.Cells) > 1, properties: quoted(m.Properties), views: quoted(m.Views),
		sometimes: quoted(m.Sometimes), figures: len(m.Figures),
	}
	for _, k := range faults.Kinds {
		codec.kinds = append(codec.kinds, strconv.Quote(k.Name))
	}
	for v := scenarios.Pass; v <= scenarios.Fail; v++ {
		codec.verdicts = append(codec.verdicts, strconv.Quote(v.String()))
	}
	return codec
}

// quoted puts names in quotes: none has anything in it that JSON would write in another way.
func quoted(names []string) (all []string) {
	for _, n := range names {
		all = append(all, strconv.Quote(n))
	}
	return all
}

func (codec *rowCodec) append(dst []byte, r *campaign.Row) []byte {
	dst = append(dst, '{')
	if codec.cells {
		dst = append(strconv.AppendInt(append(dst, `"cell":`...), int64(r.Cell), 10), ',')
	}
	dst = strconv.AppendUint(append(dst, `"seed":`...), r.Seed, 10)
	dst = append(append(dst, `,"verdict":`...), codec.verdicts[r.Verdict]...)
	dst = appendSet(append(dst, `,"violated":`...), codec.properties, uint64(r.Violated))
	dst = appendSet(append(dst, `,"unknown":`...), codec.properties, uint64(r.Unknown))
	if r.Untested != 0 { // rows of earlier versions have none
		dst = appendSet(append(dst, `,"untested":`...), codec.properties, uint64(r.Untested))
	}
	if len(codec.views) > 0 {
		dst = appendSet(append(dst, `,"blackbox":`...), codec.views, uint64(r.BoxViolated))
		dst = appendSet(append(dst, `,"blackbox_unknown":`...), codec.views, uint64(r.BoxUnknown))
	}
	dst = appendSet(append(dst, `,"missing":`...), codec.sometimes, uint64(r.Missing))
	dst = appendSet(append(dst, `,"struck":`...), codec.kinds, uint64(r.Struck))
	dst = strconv.AppendInt(append(dst, `,"steps":`...), int64(r.Steps), 10)
	dst = appendFigures(append(dst, `,"figures":`...), r.Figures)
	return append(dst, '}', '\n')
}

func appendSet(dst []byte, words []string, set uint64) []byte {
	dst = append(dst, '[')
	for i, first := 0, true; set != 0; i, set = i+1, set>>1 {
		if set&1 == 0 {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		dst, first = append(dst, words[i]...), false
	}
	return append(dst, ']')
}

func appendFigures(dst []byte, values []int64) []byte {
	dst = append(dst, '[')
	for i, v := range values {
		if i > 0 {
			dst = append(dst, ',')
		}
		if v == campaign.Absent {
			dst = append(dst, "null"...)
			continue
		}
		dst = strconv.AppendInt(dst, v, 10)
	}
	return append(dst, ']')
}

// read reads the n rows of a block. If it fails it returns the line, from 1.
func (codec *rowCodec) read(text []byte, cell int, first uint64, n int) (rows []campaign.Row, line int, err error) {
	codec.rows, codec.values = codec.rows[:0], slices.Grow(codec.values[:0], min(n, len(text)/100)*codec.figures)
	for line = 1; len(text) > 0; line++ {
		one, rest, whole := bytes.Cut(text, []byte("\n"))
		row, err := codec.row(one)
		switch {
		case err != nil:
			return nil, line, err
		case !whole:
			return nil, line, errors.New("the line has no end")
		case line > n:
			return nil, line, fmt.Errorf("a row too many; want %d", n)
		case row.Cell != cell && codec.cells:
			return nil, line, fmt.Errorf("it is of cell %d; want %d", row.Cell, cell)
		case row.Seed != first+uint64(line-1):
			return nil, line, fmt.Errorf("it is of seed %d; want %d", row.Seed, first+uint64(line-1))
		}
		codec.rows, text = append(codec.rows, row), rest
	}
	if len(codec.rows) < n {
		return nil, line, fmt.Errorf("the block ends after %d rows; want %d", len(codec.rows), n)
	}
	return codec.rows, 0, nil
}

func (codec *rowCodec) row(text []byte) (r campaign.Row, err error) {
	c := cursor{text: text}
	c.must("{")
	if codec.cells {
		c.must(`"cell":`)
		r.Cell = int(c.number())
		c.must(",")
	}
	c.must(`"seed":`)
	r.Seed = uint64(c.number())
	c.must(`,"verdict":`)
	r.Verdict = scenarios.Verdict(c.word(codec.verdicts, 0))
	c.must(`,"violated":`)
	r.Violated = campaign.Set(c.set(codec.properties))
	c.must(`,"unknown":`)
	r.Unknown = campaign.Set(c.set(codec.properties))
	if c.has(`,"untested":`) {
		if r.Untested = campaign.Set(c.set(codec.properties)); r.Untested == 0 {
			c.fail("a promise in untested")
		}
	}
	if len(codec.views) > 0 {
		c.must(`,"blackbox":`)
		r.BoxViolated = campaign.Set(c.set(codec.views))
		c.must(`,"blackbox_unknown":`)
		r.BoxUnknown = campaign.Set(c.set(codec.views))
	}
	c.must(`,"missing":`)
	r.Missing = campaign.Set(c.set(codec.sometimes))
	c.must(`,"struck":`)
	r.Struck = campaign.Kinds(c.set(codec.kinds))
	c.must(`,"steps":`)
	r.Steps = int(c.number())
	c.must(`,"figures":`)
	from := len(codec.values)
	codec.values = c.figures(codec.values, codec.figures)
	r.Figures = slices.Clip(codec.values[from:])
	c.must("}")
	if c.err == nil && c.at < len(text) {
		c.fail("the end of the line")
	}
	return r, c.err
}

// A cursor reads a line from left to right. After the first thing that is not as it should be it reads no more.
type cursor struct {
	text []byte
	at   int
	err  error
}

func (c *cursor) fail(want string) {
	if c.err == nil {
		got := c.text[c.at:]
		c.err = fmt.Errorf("column %d: %q; want %s", c.at+1, got[:min(len(got), 20)], want)
	}
}

// has passes over a word if it comes next.
func (c *cursor) has(word string) bool {
	if c.err != nil || len(c.text)-c.at < len(word) || string(c.text[c.at:c.at+len(word)]) != word {
		return false
	}
	c.at += len(word)
	return true
}

func (c *cursor) must(word string) {
	if !c.has(word) {
		c.fail(word)
	}
}

// number reads a whole number as Lockstorm writes it: no sign but a minus, no leading zeros.
func (c *cursor) number() int64 {
	at := c.at
	negative := at < len(c.text) && c.text[at] == '-'
	if negative {
		at++
	}
	digits := at
	var n uint64
	for ; at < len(c.text) && '0' <= c.text[at] && c.text[at] <= '9' && at-digits < 20; at++ {
		n = n*10 + uint64(c.text[at]-'0') // 19 digits fit, and 20 are rejected
	}
	most := uint64(math.MaxInt64)
	if negative {
		most++
	}
	switch {
	case at == digits, at-digits > 19, n > most, c.text[digits] == '0' && (at-digits > 1 || negative):
		c.fail("a whole number")
		return 0
	}
	c.at = at
	if negative {
		return -int64(n)
	}
	return int64(n)
}

// word reads one of the words from the i-th on, and returns its place.
func (c *cursor) word(words []string, i int) int {
	for ; i < len(words); i++ {
		if c.has(words[i]) {
			return i
		}
	}
	c.fail("one of " + strings.Join(words, ", "))
	return 0
}

// set reads words, which come in their order and once each.
func (c *cursor) set(words []string) (set uint64) {
	c.must("[")
	for i := 0; c.err == nil && !c.has("]"); i++ {
		if set != 0 {
			c.must(",")
		}
		if i = c.word(words, i); c.err == nil {
			set |= 1 << i
		}
	}
	return set
}

// figures appends n numbers, or nulls.
func (c *cursor) figures(dst []int64, n int) []int64 {
	c.must("[")
	for i := range n {
		if i > 0 {
			c.must(",")
		}
		if c.has("null") {
			dst = append(dst, campaign.Absent)
			continue
		}
		from := c.at
		v := c.number()
		if v == campaign.Absent {
			c.at = from
			c.fail("a figure, or null")
		}
		dst = append(dst, v)
	}
	c.must("]")
	return dst
}
