package yamlform

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"github.com/lockstorm/lockstorm/faults"
)

// An Error is what is wrong at one place of a file.
type Error struct {
	File         string
	Line, Column int // both from 1
	Problem      string
}

// Error returns file:line:column, as compilers do, and what was found and what would be right.
func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Problem)
}

// A Place is a line and a column of a file, both from 1. The zero Place is the whole file.
type Place struct{ Line, Column int }

func placeOf(t *token.Token) Place { return Place{t.Position.Line, t.Position.Column} }

// A Decoder is a file that has been read, and what is wrong with it.
type Decoder struct {
	Read bool // the file is a mapping, and its values have been read

	format *Format
	file   string
	wrong  []Error
	lines  []string         // of the file
	places map[string]Place // of the value of each dotted key; looked up only
}

// Decode reads a file into a struct. Values that are wrong stay as they are in the struct.
func (f *Format) Decode(file string, text []byte, into reflect.Value) *Decoder {
	text = bytes.TrimPrefix(text, []byte("\ufeff")) // which some editors put before everything
	d := &Decoder{format: f, file: file, lines: strings.Split(string(text), "\n"), places: map[string]Place{}}
	if root := d.parse(text); root != nil {
		d.Read = d.section(root, into, "")
	}
	return d
}

// Fail reports a problem at a place.
func (d *Decoder) Fail(p Place, format string, args ...any) {
	d.wrong = append(d.wrong, Error{d.file, max(p.Line, 1), max(p.Column, 1), fmt.Sprintf(format, args...)})
}

// Failed reports whether anything is wrong.
func (d *Decoder) Failed() bool { return len(d.wrong) > 0 }

// FailedAt reports whether anything is wrong at a place.
func (d *Decoder) FailedAt(p Place) bool {
	return slices.ContainsFunc(d.wrong, func(e Error) bool { return Place{e.Line, e.Column} == p })
}

// Wrong returns an Error for each problem, in the order of the file.
func (d *Decoder) Wrong() []Error {
	slices.SortStableFunc(d.wrong, func(a, b Error) int {
		return cmp.Or(a.Line-b.Line, a.Column-b.Column)
	})
	return d.wrong
}

// Err joins what Wrong returns. It is nil if there is no problem.
func (d *Decoder) Err() error {
	var all []error
	for i := range d.Wrong() {
		all = append(all, &d.wrong[i])
	}
	return errors.Join(all...)
}

// Given returns the place of a key's value; ok is false if the file does not have the key.
func (d *Decoder) Given(key string) (p Place, ok bool) {
	p, ok = d.places[key]
	return p, ok
}

// Place returns the place of a word in the value of a key. Without the word it is where the value begins, and without
// the key where the nearest section around it does.
func (d *Decoder) Place(key, word string) Place {
	for {
		if p, ok := d.places[key]; ok || key == "" {
			return d.wordPlace(p, word)
		}
		key = key[:max(0, strings.LastIndexByte(key, '.'))]
	}
}

// wordPlace returns the place of a word in the rest of a line, or where the rest begins.
func (d *Decoder) wordPlace(p Place, word string) Place {
	if word == "" || p.Line < 1 || p.Line > len(d.lines) {
		return p
	}
	line := d.lines[p.Line-1]
	for from := p.Column - 1; from < len(line); {
		i := strings.Index(line[from:], word)
		if i < 0 {
			break
		}
		if from += i; !inWord(line, from-1) && !inWord(line, from+len(word)) {
			return Place{p.Line, from + 1}
		}
		from += len(word)
	}
	return p
}

// inWord reports whether the byte at an index is part of a word of a schedule.
func inWord(line string, i int) bool {
	return i >= 0 && i < len(line) && !strings.ContainsRune(" \t\r>\"'#", rune(line[i]))
}

// section reads a mapping into a struct. It returns false if the node is no mapping.
func (d *Decoder) section(n ast.Node, into reflect.Value, path string) (ok bool) {
	known := d.format.Fields(into.Type())
	entries, ok := d.mapping(n, "a mapping with some of "+strings.Join(names(known), ", "))
	for _, e := range entries {
		i := slices.IndexFunc(known, func(f Field) bool { return f.Name == e.key })
		if i < 0 {
			d.unknownKey(e, path, known)
			continue
		}
		d.field(e, &known[i], known[i].In(into), Join(path, e.key))
	}
	return ok
}

// unknownKey reports a key that its section does not have: with the right section, the nearest keys, or all.
func (d *Decoder) unknownKey(e entry, path string, known []Field) {
	where, all := "", names(known)
	if path != "" {
		where = " in " + path
	}
	var others []string
	for _, f := range d.format.Table() {
		if f.Key == e.key || strings.HasSuffix(f.Key, "."+e.key) {
			others = append(others, f.Key)
		}
	}
	near := faults.Suggest(e.key, all)
	switch {
	case slices.Contains(others, e.key):
		near = "; move it to the top of the file, outside all sections"
	case len(others) > 0:
		near = "; did you mean " + strings.Join(others[:min(3, len(others))], " or ") + "?"
	case near == "":
		near = "; there are " + strings.Join(all, ", ")
	}
	d.Fail(e.at, "there is no %q%s%s", e.key, where, near)
}

func (d *Decoder) field(e entry, f *Field, into reflect.Value, key string) {
	d.places[key] = e.at
	if e.value != nil {
		d.places[key] = placeOf(e.value.GetToken())
	}
	switch f.Shape {
	case Leaf:
		d.scalar(e.value, into, f, key)
	case Section:
		d.section(e.value, into, key)
	case Words:
		d.wordList(e.value, into, key)
	case Pairs:
		d.pairs(e.value, into, key, "", f.Group)
	case Sections:
		d.sections(e.value, into, key)
	case Lines:
		d.schedule(e.value, into)
	}
}

func (d *Decoder) scalar(n ast.Node, into reflect.Value, f *Field, key string) {
	s := d.format.Scalars[into.Type()]
	text, ok := scalarText(n, s.Schema.Type)
	if !ok {
		d.mismatch(n, s.want()+" for "+key+quoteHint(n, &s))
		return
	}
	switch err := s.Read(into, text); {
	case errors.Is(err, strconv.ErrRange):
		d.Fail(placeOf(n.GetToken()), "%s: %s is out of range; give %s", key, cut(text), s.limits(f))
	case err != nil:
		hint := ""
		switch {
		case len(s.Schema.Enum) > 0:
			hint = cmp.Or(faults.Suggest(text, strings.Split(s.Form, "|")), s.Hint)
		case s.Form == textForm:
			hint = ", without control characters"
		}
		d.mismatch(n, s.want()+" for "+key+hint)
	}
}

// quoteHint ends the message about a value that would be a text if it stood in quotes.
func quoteHint(n ast.Node, s *Scalar) string {
	if _, ok := scalarText(n, ""); ok && s.Form == textForm {
		return "; put it in quotes"
	}
	return ""
}

func (d *Decoder) wordList(n ast.Node, into reflect.Value, key string) {
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		d.mismatch(n, "a list of words, such as [contended, fault-struck]")
		return
	}
	kind := d.format.Scalars[into.Type().Elem()].Schema.Type
	all := reflect.MakeSlice(into.Type(), 0, len(list.Values))
	for i, v := range list.Values {
		word, ok := scalarText(v, kind)
		if !ok {
			d.mismatch(v, "a word")
			continue
		}
		d.places[Item(key, i)] = placeOf(v.GetToken())
		all = reflect.Append(all, reflect.ValueOf(word).Convert(into.Type().Elem()))
	}
	if all.Len() > 0 { // else it stays nil, as if the file did not have the key
		into.Set(all)
	}
}

// pairs reads a mapping with free names into a list of names and values. A name that is in the list already gets the
// new value. Names below the name of a group begin with it.
func (d *Decoder) pairs(n ast.Node, into reflect.Value, key, prefix, group string) {
	defaults := into.Len()
	scalar := d.format.Scalars[into.Type().Elem().Field(1).Type]
	entries, _ := d.mapping(n, "a mapping, with "+scalar.want()+" for each name")
	for _, e := range entries {
		d.places[Join(key, e.key)] = e.at
		if group != "" && e.key == group {
			d.pairs(e.value, into, Join(key, group), group+".", "")
			continue
		}
		if group != "" && strings.HasPrefix(e.key, group+".") {
			d.Fail(e.at, "there is no %q; write %s: and below it %s", e.key, group, e.key[len(group)+1:])
			continue
		}
		pair, name := reflect.New(into.Type().Elem()).Elem(), prefix+e.key
		pair.Field(0).SetString(name)
		d.scalar(e.value, pair.Field(1), &Field{}, Join(key, e.key))
		i := 0
		for i < defaults && into.Index(i).Field(0).String() != name {
			i++
		}
		if i < defaults {
			into.Index(i).Set(pair)
		} else {
			into.Set(reflect.Append(into, pair))
		}
	}
}

func (d *Decoder) sections(n ast.Node, into reflect.Value, key string) {
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		d.mismatch(n, "a list of mappings, each after a dash")
		return
	}
	all := reflect.MakeSlice(into.Type(), len(list.Values), len(list.Values))
	for i, v := range list.Values {
		d.places[Item(key, i)] = placeOf(v.GetToken())
		d.section(v, all.Index(i), Item(key, i))
	}
	if len(list.Values) > 0 { // else it stays nil, as above
		into.Set(all)
	}
}

// Item returns the key of an item of a list. Items are numbered from 1, as --set numbers faults.
func Item(list string, i int) string { return list + "." + strconv.Itoa(i+1) }

// schedule reads the faults of a schedule, each with its own place in the file.
func (d *Decoder) schedule(n ast.Node, into reflect.Value) {
	first, text, ok := d.block(n)
	if !ok {
		d.mismatch(n, "a schedule: write “schedule: |”, and a fault a line below it")
		return
	}
	s, lines, err := faults.ParseLines(text)
	if err != nil {
		d.failLines(first, text, err)
		return
	}
	for i, line := range lines {
		d.places[Item("fault", i)] = d.inBlock(first, text, line, 1)
	}
	into.Set(reflect.ValueOf(s))
}

// block returns a block of text, and the place at which its first line begins. A text on the key's own line is one too;
// a folded block is not, because its lines differ from the file's.
func (d *Decoder) block(n ast.Node) (first Place, text string, ok bool) {
	switch n := n.(type) {
	case *ast.LiteralNode:
		if strings.HasPrefix(n.Start.Value, ">") {
			return first, "", false
		}
		first.Line = n.Start.Position.Line + 1
		for i, line := range strings.Split(n.Value.Value, "\n") { // YAML removes the same indentation from each line
			if at := first.Line - 1 + i; strings.TrimSpace(line) != "" && at < len(d.lines) {
				first.Column = len(strings.TrimRight(d.lines[at], " \t\r")) - len(strings.TrimRight(line, " \t\r")) + 1
				break
			}
		}
		return first, n.Value.Value, true
	case *ast.StringNode:
		return placeOf(n.GetToken()), n.Value, true
	}
	return first, "", false
}

// inBlock returns the place in the file of a line and column of a block that begins at a place. Text that is quoted or
// broken into lines in another way has only the place where it begins.
func (d *Decoder) inBlock(first Place, text string, line, column int) Place {
	p := Place{first.Line + line - 1, first.Column + column - 1}
	want := strings.Split(text, "\n")[line-1]
	if p.Line > len(d.lines) ||
		!strings.HasPrefix(d.lines[p.Line-1][min(first.Column-1, len(d.lines[p.Line-1])):], want) {
		return first
	}
	return p
}

// failLines reports what is wrong with lines of a schedule whose text begins at a place. The error joins SyntaxErrors.
func (d *Decoder) failLines(first Place, text string, err error) {
	for _, line := range err.(interface{ Unwrap() []error }).Unwrap() {
		if e, is := errors.AsType[*faults.SyntaxError](line); is {
			p := d.inBlock(first, text, e.Line, e.Column)
			e.Line, e.Column = 0, 0
			d.Fail(p, "%s", e)
		}
	}
}
