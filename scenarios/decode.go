package scenarios

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
)

// A FileError says what is wrong at one place of a scenario file.
type FileError struct {
	File         string
	Line, Column int // both from 1
	Problem      string
}

// Error says it as compilers do: file:line:column: what was found, and what would be right.
func (e *FileError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Problem)
}

// Parse reads a scenario file, and checks the scenario. What the file does not say is as in Base. All that is wrong is
// said at once: the error joins a FileError for each thing. But how values fit together is checked only when each of them
// could be read. The ID is the file's name, without its folder and ending.
func Parse(file string, text []byte) (Scenario, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff")) // which some editors put before everything
	s := Base()
	s.Sometimes = nil
	s.ID = strings.TrimSuffix(path.Base(strings.ReplaceAll(file, `\`, "/")), path.Ext(file))
	d := decoder{file: file, lines: strings.Split(string(text), "\n"), places: map[string]place{}}
	if root := d.parse(text); root != nil {
		if d.section(root, reflect.ValueOf(&s).Elem(), "") {
			d.title(s.Title)
			d.happenings(&s)
		}
	}
	check := s.complaints
	if len(d.wrong) > 0 { // what could not be read is as in Base, so nothing can be said of how it fits the rest
		check = s.alone
	}
	for _, c := range check() {
		d.fail(d.spot(d.where(c.key), c.word), "%s", c)
	}
	return s, d.errors()
}

const titleMax = 100 // characters: a line of a list

// A place is where something stands in a file.
type place struct{ line, column int }

func at(t *token.Token) place { return place{t.Position.Line, t.Position.Column} }

// A decoder reads one file into a Scenario.
type decoder struct {
	file   string
	wrong  []FileError
	lines  []string         // of the file
	places map[string]place // where the value of each dotted key stands; looked up only
}

func (d *decoder) fail(p place, format string, args ...any) {
	d.wrong = append(d.wrong, FileError{d.file, max(p.line, 1), max(p.column, 1), fmt.Sprintf(format, args...)})
}

// errors joins all that is wrong, in the order of the file.
func (d *decoder) errors() error {
	slices.SortStableFunc(d.wrong, func(a, b FileError) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
	all := make([]error, len(d.wrong))
	for i := range d.wrong {
		all[i] = &d.wrong[i]
	}
	return errors.Join(all...)
}

// where returns the place of a key, or of the nearest section around it.
func (d *decoder) where(key string) place {
	for {
		if p, ok := d.places[key]; ok || key == "" {
			return p
		}
		key = key[:max(0, strings.LastIndexByte(key, '.'))]
	}
}

// spot returns the place of a word in the rest of a line; where the rest begins, if it is not there, or there is none.
func (d *decoder) spot(p place, word string) place {
	if word == "" || p.line < 1 || p.line > len(d.lines) {
		return p
	}
	line := d.lines[p.line-1]
	for from := p.column - 1; from < len(line); {
		i := strings.Index(line[from:], word)
		if i < 0 {
			break
		}
		if from += i; !inWord(line, from-1) && !inWord(line, from+len(word)) {
			return place{p.line, from + 1}
		}
		from += len(word)
	}
	return p
}

// inWord reports whether what stands at an index belongs to a word of a schedule.
func inWord(line string, i int) bool {
	return i >= 0 && i < len(line) && !strings.ContainsRune(" \t\r>\"'#", rune(line[i]))
}

// parse reads the text as YAML, and gives the top node; nil if something is wrong. The library panics on some malformed
// input, which must not reach a user.
func (d *decoder) parse(text []byte) (root ast.Node) {
	if p, problem := screen(text); problem != "" {
		d.fail(p, "%s", problem)
		return nil
	}
	defer func() {
		if r := recover(); r != nil {
			d.fail(place{}, "this can't be read as YAML; lockstorm new shows what a scenario file looks like")
			root = nil
		}
	}()
	f, err := parser.ParseBytes(text, 0)
	if err != nil {
		d.syntax(err)
		return nil
	}
	var docs []ast.Node
	for _, doc := range f.Docs {
		if _, directive := doc.Body.(*ast.DirectiveNode); doc.Body != nil && !directive {
			docs = append(docs, doc.Body)
		}
	}
	switch {
	case len(docs) == 0:
		d.fail(place{}, "the file is empty; lockstorm new shows what a scenario file looks like")
		return nil
	case len(docs) > 1:
		d.fail(at(docs[1].GetToken()), "a second document begins here; a file holds one scenario")
		return nil
	}
	return docs[0]
}

// syntax says where the YAML itself is wrong.
func (d *decoder) syntax(err error) {
	var y yaml.Error
	if errors.As(err, &y) && y.GetToken() != nil {
		d.fail(at(y.GetToken()), "%s", advised(y.GetMessage()))
		return
	}
	d.fail(place{}, "%v", err)
}

// advised says what would be right, where the library only says what is wrong.
func advised(problem string) string {
	for _, a := range [...]struct{ about, advice string }{
		{"found character '\t'", "found a tab; indent with spaces"},
		{"found a tab", "found a tab; indent with spaces"},
		{"mapping value is not allowed in this context", "found a second colon; put a text that has one in quotes, and begin each key as far in as its neighbours"},
		{"value is not allowed in this context", "this does not belong here; indent it like the lines that it goes with"},
		{"non-map value is specified", "found no “key: value”; put a space after the colon, and indent what goes with the key above by two spaces"},
		{"double-quoted text", "the quote that begins here has no end; close it"},
		{"single-quoted text", "the quote that begins here has no end; close it"},
		{"sequence end token", "the list that begins here has no end; close it with ]"},
		{"flow map", "the mapping has no end; close it with }"},
		{"',' or '}' must be specified", "the mapping before this has no end; close it with }"},
		{"',' or ']' must be specified", "the list before this has no end; close it with ]"},
		{"is a reserved character", problem + "; put the text in quotes"},
		{"invalid key", "this is no key; a key is a plain word"},
		{"unexpected key name", "this is no key; a key is a plain word"},
	} {
		if strings.Contains(problem, a.about) {
			return a.advice
		}
	}
	if m := twice.FindStringSubmatch(problem); m != nil {
		return m[1] + " stands there twice; leave one out, here or in line " + m[2]
	}
	return problem
}

// twice is what the library says of a key that stands there twice.
var twice = regexp.MustCompile(`^mapping key "(.*)" already defined at \[(\d+):\d+\]$`)

// entry is one line of a mapping.
type entry struct {
	key   string
	at    place // of the key
	value ast.Node
}

// mapping returns the entries of a mapping, if it is one.
func (d *decoder) mapping(n ast.Node, what string) (all []entry, is bool) {
	var values []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		values = n.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{n}
	default:
		d.unfit(n, what)
		return nil, false
	}
	seen := map[string]bool{}
	for _, v := range values {
		name, plain := v.Key.(*ast.StringNode)
		p := at(v.Key.GetToken())
		switch {
		case !plain:
			d.fail(p, "%s is no key; a key is a plain word", shown(v.Key))
		case seen[name.Value]:
			d.fail(p, "%s stands there twice", name.Value)
		default:
			seen[name.Value] = true
			all = append(all, entry{name.Value, p, v.Value})
		}
	}
	return all, true
}

// unfit says that a node is not what was wanted.
func (d *decoder) unfit(n ast.Node, want string) {
	switch n.(type) {
	case *ast.AnchorNode, *ast.AliasNode, *ast.TagNode, *ast.MergeKeyNode:
		d.fail(at(n.GetToken()), "found %s; anchors, aliases and tags are not read here: write %s", shown(n), want)
	default:
		d.fail(at(n.GetToken()), "found %s; want %s", shown(n), want)
	}
}

// shown says in a few words what stands in the file.
func shown(n ast.Node) string {
	switch n := n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a mapping"
	case *ast.SequenceNode:
		return "a list"
	case *ast.NullNode:
		return "nothing"
	case *ast.LiteralNode:
		return "a block of text"
	case *ast.AnchorNode:
		return "an anchor"
	case *ast.AliasNode:
		return "an alias"
	case *ast.TagNode:
		return "the tag " + n.GetToken().Value
	case *ast.MergeKeyNode:
		return "a merge key"
	}
	if t := n.GetToken(); t.Type == token.DoubleQuoteType || t.Type == token.SingleQuoteType {
		return "the text " + quoted(t.Value)
	}
	return quoted(n.GetToken().Value)
}

func quoted(text string) string { return fmt.Sprintf("%q", short(text)) }

// short returns no more of a text than a line bears.
func short(text string) string {
	if len(text) > 60 {
		text = strings.ToValidUTF8(text[:60], "") + "…"
	}
	return text
}

// section reads a mapping into a struct, if it is one.
func (d *decoder) section(n ast.Node, into reflect.Value, path string) (is bool) {
	known := fields(into.Type())
	entries, is := d.mapping(n, "a mapping with some of "+strings.Join(names(known), ", "))
	for _, e := range entries {
		i := slices.IndexFunc(known, func(f field) bool { return f.name == e.key })
		if i < 0 {
			d.fail(e.at, "there is no %q%s%s", e.key, here(path), elsewhere(e.key, known))
			continue
		}
		d.field(e, &known[i], known[i].value(into), dotted(path, e.key))
	}
	return is
}

func here(path string) string {
	if path == "" {
		return ""
	}
	return " in " + path
}

// elsewhere ends the complaint about an unknown key: with the section that has it, with the nearest ones, or with all.
func elsewhere(key string, known []field) string {
	var others []string
	for _, k := range leafKeys() {
		if k == key || strings.HasSuffix(k, "."+key) {
			others = append(others, k)
		}
	}
	switch {
	case slices.Contains(others, key):
		return "; it belongs to the top of the file, in no section"
	case len(others) > 0:
		return "; did you mean " + strings.Join(others[:min(3, len(others))], " or ") + "?"
	}
	all := names(known)
	if near := Suggest(key, all); near != "" {
		return near
	}
	return "; there are " + strings.Join(all, ", ")
}

// leafKeys are the dotted keys of all scalars that a file can hold.
var leafKeys = sync.OnceValue(func() (all []string) {
	leaves(reflect.TypeFor[Scenario](), nil, nil, func(key string, _ field) { all = append(all, key) })
	return all
})

func dotted(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// field reads the value of one field.
func (d *decoder) field(e entry, f *field, into reflect.Value, key string) {
	d.places[key] = e.at
	if e.value != nil {
		d.places[key] = at(e.value.GetToken())
	}
	switch f.kind {
	case leaf:
		d.leaf(e.value, into, key)
	case section:
		d.section(e.value, into, key)
	case words:
		d.words(e.value, into, key)
	case pairs:
		d.pairs(e.value, into, key)
	case several:
		d.several(e.value, into, key)
	case lines:
		d.schedule(e.value, into)
	}
}

// leaf reads a scalar.
func (d *decoder) leaf(n ast.Node, into reflect.Value, key string) {
	f := forms[into.Type()]
	text, ok := scalar(n, f.schema.Type)
	if !ok {
		d.unfit(n, wanted(f)+" for "+key+quoting(n, f))
		return
	}
	switch err := f.read(into, text); {
	case errors.Is(err, strconv.ErrRange):
		d.fail(at(n.GetToken()), "%s: %s is out of range; give %s", key, short(text), f.limits(key))
	case err != nil:
		hint := ""
		switch {
		case len(f.schema.Enum) > 0:
			hint = Suggest(text, strings.Split(f.says, "|"))
		case f.says == "text":
			hint = ", without control characters"
		}
		d.unfit(n, wanted(f)+" for "+key+hint)
	}
}

// quoting ends the complaint about what would be a text if it stood in quotes.
func quoting(n ast.Node, f form) string {
	if _, plain := scalar(n, ""); plain && f.schema.Type == "string" && f.schema.Enum == nil && f.says == "text" {
		return "; put it in quotes"
	}
	return ""
}

// wanted says what a form wants: one of its words, or a thing.
func wanted(f form) string {
	words := strings.ReplaceAll(f.says, "|", " or ")
	if words != f.says || f.says == "text" {
		return words
	}
	return "a " + words
}

// number is what YAML takes for one. The library gives some of them as text: those that are too long, and 1e+30.
var number = regexp.MustCompile(`^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$`)

// scalar returns the text of a scalar, if it is of the type that JSON Schema knows under this name; of any, if it is empty.
func scalar(n ast.Node, kind string) (text string, ok bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		if n.GetToken().Type == token.StringType && number.MatchString(n.Value) {
			return n.Value, kind == "" || kind == "number" || kind == "integer" && strings.Trim(n.Value, "+-0123456789") == ""
		}
		return n.Value, kind == "string" || kind == ""
	case *ast.LiteralNode:
		return n.Value.Value, kind == "string" || kind == ""
	case *ast.IntegerNode:
		return n.GetToken().Value, kind == "integer" || kind == "number" || kind == ""
	case *ast.FloatNode:
		return n.GetToken().Value, kind == "number" || kind == ""
	case *ast.BoolNode:
		return n.GetToken().Value, kind == "boolean" || kind == ""
	}
	return "", false
}

// words reads a list of words.
func (d *decoder) words(n ast.Node, into reflect.Value, key string) {
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		d.unfit(n, "a list of words, such as [contended, fault-struck]")
		return
	}
	kind := forms[into.Type().Elem()].schema.Type
	all := reflect.MakeSlice(into.Type(), 0, len(list.Values))
	for i, v := range list.Values {
		word, ok := scalar(v, kind)
		if !ok {
			d.unfit(v, "a word")
			continue
		}
		d.places[item(key, i)] = at(v.GetToken())
		all = reflect.Append(all, reflect.ValueOf(word).Convert(into.Type().Elem()))
	}
	if all.Len() > 0 { // else nil, as it comes back from a file that does not name it
		into.Set(all)
	}
}

// pairs reads a mapping whose keys are not fixed into a list of names and values. A name that stands there already, by
// default, gets the new value.
func (d *decoder) pairs(n ast.Node, into reflect.Value, key string) {
	defaults := into.Len()
	entries, _ := d.mapping(n, "a mapping, with "+wanted(forms[into.Type().Elem().Field(1).Type])+" for each name")
	for _, e := range entries {
		pair := reflect.New(into.Type().Elem()).Elem()
		pair.Field(0).SetString(e.key)
		d.places[dotted(key, e.key)] = e.at
		d.leaf(e.value, pair.Field(1), dotted(key, e.key))
		i := 0
		for i < defaults && into.Index(i).Field(0).String() != e.key {
			i++
		}
		if i < defaults {
			into.Index(i).Set(pair)
		} else {
			into.Set(reflect.Append(into, pair))
		}
	}
}

func elements(list reflect.Value) func(yield func(reflect.Value) bool) {
	return func(yield func(reflect.Value) bool) {
		for i := range list.Len() {
			if !yield(list.Index(i)) {
				return
			}
		}
	}
}

// several reads a list of sections.
func (d *decoder) several(n ast.Node, into reflect.Value, key string) {
	list, ok := n.(*ast.SequenceNode)
	if !ok {
		d.unfit(n, "a list of mappings, each after a dash")
		return
	}
	all := reflect.MakeSlice(into.Type(), len(list.Values), len(list.Values))
	for i, v := range list.Values {
		d.places[item(key, i)] = at(v.GetToken())
		d.section(v, all.Index(i), item(key, i))
	}
	if len(list.Values) > 0 { // else nil, as above
		into.Set(all)
	}
}

// schedule reads the faults, each with its own place in the file.
func (d *decoder) schedule(n ast.Node, into reflect.Value) {
	first, text, ok := d.block(n)
	if !ok {
		d.unfit(n, "a schedule: write “schedule: |”, and a fault a line below it")
		return
	}
	s, lines, err := faults.ParseLines(text)
	if err != nil {
		d.faulty(first, text, err)
		return
	}
	for i, line := range lines {
		d.places[item("fault", i)] = d.inside(first, text, line, 1)
	}
	into.Set(reflect.ValueOf(s))
}

// inside returns the place in the file of a line and column of a text that begins at a place. A text that does not stand in
// the file as it reads, for it is quoted or broken into lines, has its first place only.
func (d *decoder) inside(first place, text string, line, column int) place {
	p := place{first.line + line - 1, first.column + column - 1}
	said := strings.Split(text, "\n")[line-1]
	if p.line > len(d.lines) || !strings.HasPrefix(d.lines[p.line-1][min(first.column-1, len(d.lines[p.line-1])):], said) {
		return first
	}
	return p
}

// faulty says what is wrong with lines of a schedule, whose text begins at a place. The error joins SyntaxErrors.
func (d *decoder) faulty(first place, text string, err error) {
	for _, line := range err.(interface{ Unwrap() []error }).Unwrap() {
		var e *faults.SyntaxError
		if errors.As(line, &e) {
			p := d.inside(first, text, e.Line, e.Column)
			e.Line, e.Column = 0, 0
			d.fail(p, "%s", e)
		}
	}
}

// block returns a block of text, and the place at which its first line begins. A text on the key's own line is one too.
func (d *decoder) block(n ast.Node) (first place, text string, ok bool) {
	switch n := n.(type) {
	case *ast.LiteralNode:
		if n.Start.Value == ">" || strings.HasPrefix(n.Start.Value, ">") {
			return first, "", false // folded, so that no line is where it was
		}
		first.line = n.Start.Position.Line + 1
		for i, line := range strings.Split(n.Value.Value, "\n") { // YAML takes so much from the beginning of each line
			if at := first.line - 1 + i; strings.TrimSpace(line) != "" && at < len(d.lines) {
				first.column = len(strings.TrimRight(d.lines[at], " \t\r")) - len(strings.TrimRight(line, " \t\r")) + 1
				break
			}
		}
		return first, n.Value.Value, true
	case *ast.StringNode:
		return at(n.GetToken()), n.Value, true
	}
	return first, "", false
}

// title wants one, of a length that fits into a list.
func (d *decoder) title(title string) {
	p, said := d.places["title"]
	n := utf8.RuneCountInString(title)
	if n == 0 && !(said && d.refused(p)) {
		d.fail(p, "there is no title; say in one line what the scenario shows")
	}
	if n > titleMax {
		d.fail(p, "the title has %d characters; give at most %d, and tell the rest under about", n, titleMax)
	}
}

// refused reports whether something is wrong at a place.
func (d *decoder) refused(p place) bool {
	return slices.ContainsFunc(d.wrong, func(e FileError) bool { return place{e.Line, e.Column} == p })
}

// happenings fills in what must have happened, where the file does not say. Where it does, it must say enough: a run in
// which nothing happened proves nothing.
func (d *decoder) happenings(s *Scenario) {
	if p, said := d.places["sometimes"]; said {
		if problem := s.owesTooLittle(); problem != "" && !d.refused(p) {
			d.fail(p, "sometimes: %s", problem)
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
}

const struck = "fault-struck"

// owesTooLittle says why a run in which nothing happened would pass; nothing if it would not. Whoever waits for a mark
// waits for a client that does something.
func (s *Scenario) owesTooLittle() string {
	breaks := slices.ContainsFunc(s.Expect, func(e Expectation) bool { return e.Verdict == checker.Violated })
	waits := slices.ContainsFunc(s.Faults, func(f faults.Fault) bool { return f.When.Host != "" })
	switch {
	case len(s.Sometimes) == 0:
		return "a run in which nothing happened would pass; name something that must have happened"
	case len(s.Faults) > 0 && !slices.Contains(s.Sometimes, struck):
		return "there is a schedule, so fault-struck must stand here too; a run in which no fault struck proves nothing"
	case !breaks && !waits && !slices.ContainsFunc(s.Sometimes, func(name string) bool { return name != struck }):
		return "a run in which nobody had the lock would pass; name what must have happened besides, such as acquired"
	}
	return ""
}
