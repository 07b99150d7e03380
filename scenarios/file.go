package scenarios

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios/internal/yamlform"
)

// A FileError is a mistake at one place of a scenario file.
type FileError struct {
	File         string
	Line, Column int    // both from 1
	Problem      string // what was found, and what would be right
}

// Error returns file:line:column, as compilers do, and the problem.
func (e *FileError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Problem)
}

// fileErrors joins the mistakes of a file, in its order.
func fileErrors(d *yamlform.Decoder) error {
	var all []error
	for _, e := range d.Wrong() {
		all = append(all, (*FileError)(&e))
	}
	return errors.Join(all...)
}

// FileBytesMax is how many bytes a scenario file may have.
const FileBytesMax = yamlform.BytesMax

const titleMax = 300 // characters: what a page shows of one text; lists and pictures break or shorten it

// Parse reads a scenario file, and checks the scenario. What the file does not have is as in Base. The error joins a
// FileError for each problem; it checks how values fit together only if it could read all. The ID is the file's base
// name.
func Parse(file string, text []byte) (Scenario, error) {
	s := Base()
	s.Sometimes = nil
	s.ID = strings.TrimSuffix(path.Base(strings.ReplaceAll(file, `\`, "/")), path.Ext(file))
	d := format.Decode(file, text, reflect.ValueOf(&s).Elem())
	if d.Read {
		checkTitle(d, s.Title)
		s.completeSometimes(d)
		s.refuseEmptySearch(d)
	}
	check := s.problems
	if d.Failed() { // what could not be read is as in Base, and can conflict with the rest
		check = s.valueProblems
	}
	for _, p := range check() {
		d.Fail(d.Place(p.key, p.word), "%s", p)
	}
	return s, fileErrors(d)
}

// Unexplorable returns why the scenario of a file can't be explored, each reason with its place; else nil.
func Unexplorable(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	s := Base()
	d := format.Decode(file, text, reflect.ValueOf(&s).Elem())
	if d.Failed() {
		return nil
	}
	for _, p := range s.unexplorable() {
		d.Fail(d.Place(p.key, p.word), "%s", p)
	}
	return fileErrors(d)
}

// checkTitle rejects a file without a title, and a title that is too long.
func checkTitle(d *yamlform.Decoder, title string) {
	p, given := d.Given("title")
	n := utf8.RuneCountInString(title)
	if n == 0 && !(given && d.FailedAt(p)) {
		d.Fail(p, "there is no title; say in one line what the scenario shows")
	}
	if n > titleMax {
		d.Fail(p, "the title has %d characters; give at most %d, and put the rest under about", n, titleMax)
	}
}

// refuseEmptySearch rejects a list of faults from which nothing is chosen, and faults with no effect: an author who
// writes one wants random faults. A search of most 0 alone says that it has none, and a kept run may have it.
func (s *Scenario) refuseEmptySearch(d *yamlform.Decoder) {
	x := &s.Search
	p, given := d.Given("search.faults")
	switch {
	case !given || d.FailedAt(p):
	case len(x.Faults) == 0 && !x.Drawn():
		d.Fail(p, "search.faults: an empty list draws nothing; name classes of faults, or leave search out")
	case len(x.Faults) > 0 && x.Within < time.Millisecond:
		d.Fail(p, "search.faults: within %s none of them can do anything; give 1ms or more as search.within", x.Within)
	}
}

// completeSometimes adds what must have happened, if the file does not name it. A file that does must name enough.
func (s *Scenario) completeSometimes(d *yamlform.Decoder) {
	if p, given := d.Given("sometimes"); given {
		if problem := s.sometimesProblem(); problem != "" && !d.FailedAt(p) {
			d.Fail(p, "sometimes: %s", problem)
		}
		return
	}
	if len(s.Faults) > 0 {
		s.Sometimes = append(s.Sometimes, struck)
		if s.Clients > 1 {
			s.Sometimes = append(s.Sometimes, "wanted-after-fault")
		}
	}
	if s.Clients > 1 {
		s.Sometimes = append(s.Sometimes, "contended", "acquired-by-two")
	} else {
		s.Sometimes = append(s.Sometimes, "acquired")
	}
	if s.Expected("storage") == checker.Holds {
		s.Sometimes = append(s.Sometimes, "written")
	}
}

// YAML returns the whole scenario as a file. Parse of the file returns the scenario again, except for its ID.
func (s *Scenario) YAML() []byte { return format.Encode(reflect.ValueOf(s).Elem(), false, nil) }

// Commented returns the scenario as a file with a comment on each value that its lock can use: a template.
func (s *Scenario) Commented() []byte {
	return format.Encode(reflect.ValueOf(s).Elem(), true, s.Lock.Kind.lacks)
}

// Brief returns the scenario as a file that has only what differs from Base. Parse of the file returns the scenario
// again, except for its ID, if the scenario names what must have happened.
func (s *Scenario) Brief() []byte {
	base := Base()
	base.Sometimes = nil
	return format.EncodeChanges(reflect.ValueOf(s).Elem(), reflect.ValueOf(&base).Elem())
}

// GoString returns what Brief does, with the ID before it: this is how rapid prints a random scenario.
func (s Scenario) GoString() string { return "a scenario from " + s.ID + "\n" + string(s.Brief()) }

//go:embed scenario.schema.json
var schema []byte

// Schema returns the JSON Schema of scenario files, so that an editor completes and checks what Parse will read. Parse
// makes the checks that need the whole scenario, such as whether a host exists.
func Schema() []byte {
	if len(kinds) == ours {
		return slices.Clone(schema)
	}
	return bytes.Replace(schema, kindsInSchema(KindNames[:ours]), kindsInSchema(KindNames), 1)
}

// kindsInSchema returns the names of kinds in the form that the schema has.
func kindsInSchema(names []string) []byte {
	const line = "\n            "
	return []byte(line + `"` + strings.Join(names, `",`+line+`"`) + `"`)
}
