package scenarios

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lockstorm/lockstorm/faults"
)

// YAML returns the scenario as a file holds it, whole: Parse of it gives the scenario again, but for its ID.
func (s *Scenario) YAML() []byte { return s.yaml(false) }

// Commented returns the scenario as a file with a comment on each value that its lock can use: a starting point for one's
// own.
func (s *Scenario) Commented() []byte { return s.yaml(true) }

// Brief returns the scenario as a file that holds only what differs from Base: what Parse gives by itself is left out. Parse
// of it gives the scenario again, but for its ID, as long as the scenario says what must have happened.
func (s *Scenario) Brief() []byte {
	base := Base()
	base.Sometimes = nil
	w := writer{}
	w.differences(reflect.ValueOf(s).Elem(), reflect.ValueOf(&base).Elem(), 0)
	return []byte(w.b.String())
}

func (s *Scenario) yaml(commented bool) []byte {
	w := writer{commented: commented}
	if commented {
		w.idle = s.Lock.Kind.lacks
	}
	w.section(reflect.ValueOf(s).Elem(), "", 0)
	return []byte(w.b.String())
}

// A writer puts a scenario into YAML. The library could, but not with a comment beside each value and prose in blocks.
type writer struct {
	b         strings.Builder
	commented bool
	idle      func(key string) bool // tells which keys to leave out; nil for none
}

// line writes one line, and the comment beside it.
func (w *writer) line(depth int, text, doc string) {
	line := strings.Repeat("  ", depth) + text
	if w.commented && doc != "" {
		line += strings.Repeat(" ", max(1, 34-utf8.RuneCountInString(line))) + "# " + doc
	}
	w.b.WriteString(line + "\n")
}

func (w *writer) section(v reflect.Value, path string, depth int) {
	for _, f := range fields(v.Type()) {
		if key := dotted(path, f.name); w.idle == nil || !w.idle(key) {
			w.field(&f, f.value(v), key, depth)
		}
	}
}

// field writes the field that stands under a dotted key.
func (w *writer) field(f *field, v reflect.Value, key string, depth int) {
	if v.IsZero() && f.kind != section && (f.kind != leaf || v.Kind() == reflect.String) {
		return // nothing to say
	}
	switch f.kind {
	case leaf:
		w.leaf(f, v, depth)
	case section:
		w.inner(f, v, key, depth)
	case pairs:
		w.line(depth, f.name+":", f.doc)
		for e := range elements(v) {
			w.line(depth+1, e.Field(0).String()+": "+text(e.Field(1)), "")
		}
	case words:
		all := make([]string, v.Len())
		for i := range all {
			all[i] = v.Index(i).String()
		}
		w.line(depth, f.name+": ["+strings.Join(all, ", ")+"]", f.doc)
	case several:
		w.line(depth, f.name+":", f.doc)
		for e := range elements(v) {
			w.item(e, depth)
		}
	case lines:
		w.line(depth, f.name+": |", f.doc)
		for _, l := range v.Interface().(faults.Schedule) {
			w.line(depth+1, l.String(), "")
		}
	}
}

// differences writes the fields of a section that differ from another's.
func (w *writer) differences(v, from reflect.Value, depth int) {
	for _, f := range fields(v.Type()) {
		mine, other := f.value(v), f.value(from)
		switch {
		case reflect.DeepEqual(mine.Interface(), other.Interface()):
		case f.kind == section:
			inner := writer{}
			inner.differences(mine, other, depth+1)
			w.line(depth, f.name+":", "")
			w.b.WriteString(inner.b.String())
		case f.kind == pairs:
			w.field(&f, news(mine, other), f.name, depth)
		default:
			w.field(&f, mine, f.name, depth)
		}
	}
}

// news returns the elements of a list of pairs that another list does not have.
func news(list, other reflect.Value) reflect.Value {
	all := reflect.MakeSlice(list.Type(), 0, list.Len())
	for e := range elements(list) {
		known := func(o reflect.Value) bool { return o.Equal(e) }
		if !slices.ContainsFunc(slices.Collect(elements(other)), known) {
			all = reflect.Append(all, e)
		}
	}
	return all
}

// inner writes a section, unless there is nothing to say in it. One that is all zeros says so: Base has other values.
func (w *writer) inner(f *field, v reflect.Value, key string, depth int) {
	inner := writer{commented: w.commented, idle: w.idle}
	inner.section(v, key, depth+1)
	if inner.b.Len() > 0 {
		w.line(depth, f.name+":", f.doc)
		w.b.WriteString(inner.b.String())
	}
}

// item writes one section of a list: its first line begins with a dash.
func (w *writer) item(v reflect.Value, depth int) {
	inner := writer{commented: w.commented}
	inner.section(v, "", depth+2)
	text := inner.b.String()
	in := 2 * (depth + 1)
	w.b.WriteString(text[:in] + "- " + text[in+2:])
}

// leaf writes a scalar; prose goes into a block of lines.
func (w *writer) leaf(f *field, v reflect.Value, depth int) {
	said := text(v)
	if v.Kind() == reflect.String && (strings.Contains(said, "\n") || utf8.RuneCountInString(said) > 100) {
		w.line(depth, f.name+": |-", f.doc)
		for l := range strings.SplitSeq(said, "\n") {
			for _, l := range wrapped(l, 110) {
				w.line(depth+1, l, "")
			}
		}
		return
	}
	if v.Kind() == reflect.String {
		said = plain(said)
	}
	w.line(depth, f.name+": "+said, f.doc)
}

func text(v reflect.Value) string { return forms[v.Type()].write(v) }

// plain quotes a text that YAML would take for something else.
func plain(s string) string {
	odd := s == "" || isOther(s) || s != strings.TrimSpace(s) || strings.ContainsAny(s[:1], "!&*?|>%@`\"'#,[]{}-:~") ||
		strings.Contains(s, ": ") || strings.Contains(s, " #") || strings.HasSuffix(s, ":")
	if !odd {
		return s
	}
	return fmt.Sprintf("%q", s)
}

// isOther reports whether YAML reads the text as no string.
func isOther(s string) bool {
	switch strings.ToLower(s) {
	case "true", "false", "null", "yes", "no", "on", "off", ".nan", ".inf":
		return true
	}
	return strings.Trim(s, "+-.0123456789_xobeEaAfF") == ""
}

// wrapped breaks a line of prose.
func wrapped(s string, width int) []string {
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
