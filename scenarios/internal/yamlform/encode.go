package yamlform

import (
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lockstorm/lockstorm/faults"
)

// Encode returns a struct as a file. With comments it also has the Naming of each field, and leaves out keys that
// unused reports.
func (f *Format) Encode(v reflect.Value, comments bool, unused func(key string) bool) []byte {
	w := writer{format: f, comments: comments, unused: unused}
	w.section(v, "", 0)
	return []byte(w.b.String())
}

// EncodeChanges returns a struct as a file that has only what differs from another.
func (f *Format) EncodeChanges(v, base reflect.Value) []byte {
	w := &writer{format: f}
	w.changes(v, base, 0)
	return []byte(w.b.String())
}

// A writer writes YAML. The library could, but not with a comment next to each value and prose in blocks.
type writer struct {
	format   *Format
	b        strings.Builder
	comments bool
	unused   func(key string) bool // reports which keys to leave out; nil for none
}

func (w *writer) line(depth int, text, doc string) {
	line := strings.Repeat("  ", depth) + text
	if w.comments && doc != "" {
		line += strings.Repeat(" ", max(1, 34-utf8.RuneCountInString(line))) + "# " + doc
	}
	w.b.WriteString(line + "\n")
}

func (w *writer) section(v reflect.Value, path string, depth int) {
	for _, f := range w.format.Fields(v.Type()) {
		if key := Join(path, f.Name); w.unused == nil || !w.unused(key) {
			w.field(&f, f.In(v), key, depth)
		}
	}
}

// field writes the field of a dotted key. Fields of lists of sections have the key of the list before their own.
func (w *writer) field(f *Field, v reflect.Value, key string, depth int) {
	if v.IsZero() && f.Shape != Section && (f.Shape != Leaf || v.Kind() == reflect.String) {
		return
	}
	named := w.format.named(key, f)
	doc := strings.TrimPrefix(named.Label+": "+named.Doc, ": ")
	switch f.Shape {
	case Leaf:
		w.leaf(f, v, doc, depth)
	case Section:
		w.inner(f, v, doc, key, depth)
	case Pairs:
		w.line(depth, f.Name+":", doc)
		w.pairs(f, v, depth+1)
	case Words:
		all := make([]string, v.Len())
		for i := range all {
			all[i] = v.Index(i).String()
		}
		if strings.ContainsAny(strings.Join(all, ""), ",[]{}*") { // which would mean something else in a list in brackets
			w.line(depth, f.Name+":", doc)
			for _, text := range all {
				w.line(depth+1, "- "+plain(text), "")
			}
			return
		}
		w.line(depth, f.Name+": ["+strings.Join(all, ", ")+"]", doc)
	case Sections:
		w.line(depth, f.Name+":", doc)
		for e := range elements(v) {
			w.item(e, key, depth)
		}
	case Lines:
		w.line(depth, f.Name+": |", doc)
		for _, l := range v.Interface().(faults.Schedule) {
			w.line(depth+1, l.String(), "")
		}
	}
}

// pairs writes names and values, with the field's group last.
func (w *writer) pairs(f *Field, v reflect.Value, depth int) {
	var grouped []string
	for e := range elements(v) {
		line := e.Field(0).String() + ": " + w.format.Write(e.Field(1))
		if inner, is := strings.CutPrefix(line, f.Group+"."); is && f.Group != "" {
			grouped = append(grouped, inner)
		} else {
			w.line(depth, line, "")
		}
	}
	if len(grouped) > 0 {
		w.line(depth, f.Group+":", "")
	}
	for _, line := range grouped {
		w.line(depth+1, line, "")
	}
}

// changes writes the fields of a section that differ from another's.
func (w *writer) changes(v, base reflect.Value, depth int) {
	for _, f := range w.format.Fields(v.Type()) {
		mine, other := f.In(v), f.In(base)
		switch {
		case reflect.DeepEqual(mine.Interface(), other.Interface()):
		case f.Shape == Section:
			w.line(depth, f.Name+":", "")
			w.changes(mine, other, depth+1)
		case f.Shape == Pairs:
			w.field(&f, added(mine, other), f.Name, depth)
		default:
			w.field(&f, mine, f.Name, depth)
		}
	}
}

// added returns the elements of a list of pairs that another list does not have.
func added(list, other reflect.Value) reflect.Value {
	all := reflect.MakeSlice(list.Type(), 0, list.Len())
	for e := range elements(list) {
		known := func(o reflect.Value) bool { return o.Equal(e) }
		if !slices.ContainsFunc(slices.Collect(elements(other)), known) {
			all = reflect.Append(all, e)
		}
	}
	return all
}

// inner writes a section, unless it has no fields to write. Zeros are written: the defaults may be others.
func (w *writer) inner(f *Field, v reflect.Value, doc, key string, depth int) {
	inner := writer{format: w.format, comments: w.comments, unused: w.unused}
	inner.section(v, key, depth+1)
	if inner.b.Len() > 0 {
		w.line(depth, f.Name+":", doc)
		w.b.WriteString(inner.b.String())
	}
}

// item writes a section of a list, whose first line begins with a dash.
func (w *writer) item(v reflect.Value, key string, depth int) {
	inner := writer{format: w.format, comments: w.comments}
	inner.section(v, key, depth+2)
	text := inner.b.String()
	in := 2 * (depth + 1)
	w.b.WriteString(text[:in] + "- " + text[in+2:])
}

// leaf writes a scalar; long prose becomes a block of lines.
func (w *writer) leaf(f *Field, v reflect.Value, doc string, depth int) {
	text := w.format.Write(v)
	if v.Kind() == reflect.String && (strings.Contains(text, "\n") || utf8.RuneCountInString(text) > 100) {
		w.line(depth, f.Name+": |-", doc)
		for l := range strings.SplitSeq(text, "\n") {
			for _, l := range wrap(l, 110) {
				w.line(depth+1, l, "")
			}
		}
		return
	}
	if v.Kind() == reflect.String {
		text = plain(text)
	}
	w.line(depth, f.Name+": "+text, doc)
}

// plain returns a text for YAML, in quotes if YAML would take it for something else.
func plain(s string) string {
	odd := s == "" || isOtherType(s) || s != strings.TrimSpace(s) || strings.ContainsAny(s[:1], "!&*?|>%@`\"'#,[]{}-:~") ||
		strings.Contains(s, ": ") || strings.Contains(s, " #") || strings.HasSuffix(s, ":")
	if !odd {
		return s
	}
	return fmt.Sprintf("%q", s)
}

// isOtherType reports whether YAML reads the text as something other than a string.
func isOtherType(s string) bool {
	switch strings.ToLower(s) {
	case "true", "false", "null", "yes", "no", "on", "off", ".nan", ".inf":
		return true
	}
	return strings.Trim(s, "+-.0123456789_xobeEaAfF") == ""
}

func wrap(s string, width int) []string {
	var out []string
	line := ""
	for word := range strings.FieldsSeq(s) {
		if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			out, line = append(out, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(out, line)
}

func elements(list reflect.Value) iter.Seq[reflect.Value] {
	return func(yield func(reflect.Value) bool) {
		for i := range list.Len() {
			if !yield(list.Index(i)) {
				return
			}
		}
	}
}
