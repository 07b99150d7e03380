package scenarios

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/invopop/jsonschema"

	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios/internal/yamlform"
)

// TestTheSchemaIsCurrent compares the file with the schema of the types; -update rewrites it.
func TestTheSchemaIsCurrent(t *testing.T) {
	made := schemaOfTypes()
	if f := flag.Lookup("update"); f != nil && f.Value.String() == "true" {
		if err := os.WriteFile("scenario.schema.json", made, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(made, Schema()) {
		t.Error("scenario.schema.json is not what the types give: run go test ./scenarios -run TestTheSchemaIsCurrent -update")
	}
}

// A tag can't name a constant.
func TestTagsHaveTheMostHostsThatThereMayBe(t *testing.T) {
	for _, f := range format.Table() {
		if (f.Key == "clients" || f.Key == "nodes") && f.Most != strconv.Itoa(hostsMax) {
			t.Errorf("%s: the tag says %s at most, and there may be %d", f.Key, f.Most, hostsMax)
		}
	}
}

// schemaOfTypes returns the schema of the type Scenario.
func schemaOfTypes() []byte {
	r := jsonschema.Reflector{
		FieldNameTag: "yaml", RequiredFromJSONSchemaTags: true, Anonymous: true, DoNotReference: true, ExpandedStruct: true,
		Mapper: schemaOf,
	}
	s := r.Reflect(Scenario{})
	s.Title = "A scenario of Lockstorm"
	s.Description = "A topology, a lock, a workload, a schedule of faults, and what is expected of them."
	s.Required = []string{"title"}
	giveDefaults(s, reflect.ValueOf(Base()))
	giveNames(s, "")
	tighten(s)
	s.AllOf = idleOptions()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(s); err != nil {
		panic("scenarios: " + err.Error()) // these types always marshal
	}
	return b.Bytes()
}

// giveNames sets the label and the explanation of each value below a dotted key.
func giveNames(s *jsonschema.Schema, key string) {
	if s.Items != nil {
		giveNames(s.Items, key)
	}
	for p := s.Properties.Oldest(); p != nil; p = p.Next() {
		inner := yamlform.Join(key, p.Key)
		if f, is := names[inner]; is {
			p.Value.Title, p.Value.Description = f.Label, f.Doc
		}
		giveNames(p.Value, inner)
	}
}

// TestEverySettingHasANameForPeople rejects settings without a label, and labels without a setting.
func TestEverySettingHasANameForPeople(t *testing.T) {
	s := Base()
	s.Clocks = []Rate{{Host: "n1"}}
	all := []string{"clocks.HOST"}
	for _, k := range faults.Kinds {
		line := strings.NewReplacer("HOST>HOST", "c1>n1", "HOST", "n1", "…", "split", " [cleanly]", "").Replace(k.Form)
		for _, when := range []string{"at 1s ", "when c1 acquired "} {
			schedule, err := faults.Parse(when + line)
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			s.Faults = append(s.Faults, schedule...)
		}
	}
	for i := range s.Faults {
		for _, k := range faultSettings(i, s.Faults[i]) {
			all = append(all, "fault.N."+k.Key[strings.LastIndexByte(k.Key, '.')+1:])
		}
	}
	all = append(all, fieldKeys(reflect.TypeFor[Scenario](), "")...)
	for _, key := range all {
		f, is := names[key]
		if !is || f.Label == "" || f.Doc == "" && f.Values == nil {
			t.Errorf("names.txt says too little of %s: %+v", key, f)
		}
	}
	for key := range names {
		if !slices.Contains(all, key) {
			t.Errorf("names.txt names %s, which is no setting", key)
		}
	}
	for _, k := range Settings(&s) {
		if n := len(k.names); k.Kind(&s) == "enum" && n != len(k.Choices()) {
			t.Errorf("names.txt has %d names for the values of %s: %s", n, k.Key, k.Form)
		}
	}
}

// fieldKeys returns the dotted keys of everything below a struct that has a name for people: sections have none.
func fieldKeys(t reflect.Type, path string) (all []string) {
	for _, f := range format.Fields(t) {
		key := yamlform.Join(path, f.Name)
		if f.Shape != yamlform.Section || f.Name == "search" || f.Name == "explore" {
			all = append(all, key)
		}
		switch f.Shape {
		case yamlform.Section:
			all = append(all, fieldKeys(f.Type, key)...)
		case yamlform.Sections:
			all = append(all, fieldKeys(f.Type.Elem(), key)...)
		}
	}
	return all
}

// schemaOf returns the schema of a type that is no plain struct; nil leaves it to the reflector.
func schemaOf(t reflect.Type) *jsonschema.Schema {
	if f, ok := scalars[t]; ok {
		return keywords(f.Schema)
	}
	if t.Kind() != reflect.Slice {
		return nil
	}
	switch t {
	case reflect.TypeFor[faults.Schedule]():
		return &jsonschema.Schema{Type: "string"}
	case reflect.TypeFor[[]Expectation]():
		s := &jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties(), AdditionalProperties: jsonschema.FalseSchema}
		for _, name := range promises() {
			s.Properties.Set(name, schemaOf(t.Elem().Field(1).Type))
		}
		views := &jsonschema.Schema{Type: "object", Properties: jsonschema.NewProperties(), AdditionalProperties: jsonschema.FalseSchema}
		for _, m := range blackbox.Views {
			views.Properties.Set(m.Name, schemaOf(t.Elem().Field(1).Type))
		}
		s.Properties.Set(BlackBox, views)
		return s
	}
	switch format.ShapeOf(t) {
	case yamlform.Pairs:
		return &jsonschema.Schema{Type: "object", AdditionalProperties: schemaOf(t.Elem().Field(1).Type)}
	case yamlform.Words:
		return &jsonschema.Schema{Type: "array", Items: schemaOf(t.Elem())}
	}
	return nil
}

// keywords returns the schema of a scalar.
func keywords(s yamlform.Schema) *jsonschema.Schema {
	made := &jsonschema.Schema{Type: s.Type, Pattern: s.Pattern, Enum: s.Enum, Minimum: s.Minimum, Maximum: s.Maximum, MultipleOf: s.MultipleOf}
	for _, kind := range s.AnyOf {
		made.AnyOf = append(made.AnyOf, &jsonschema.Schema{Type: kind})
	}
	return made
}

// giveDefaults says what each value is when a file omits it, and what bounds it.
func giveDefaults(s *jsonschema.Schema, v reflect.Value) {
	all := format.Fields(v.Type())
	for p := s.Properties.Oldest(); p != nil; p = p.Next() {
		i := slices.IndexFunc(all, func(f yamlform.Field) bool { return f.Name == p.Key })
		switch f := &all[i]; {
		case f.Shape == yamlform.Section:
			giveDefaults(p.Value, f.In(v))
		case f.Shape == yamlform.Leaf && f.Type.Kind() != reflect.String:
			p.Value.Default = marshaled(scalars[f.Type], f.In(v))
			bound(p.Value, f)
		}
	}
}

// bound sets a number's schema to the range that Check requires.
func bound(s *jsonschema.Schema, f *yamlform.Field) {
	if f.Least != "" {
		s.Minimum, s.Maximum = json.Number(f.Least), json.Number(cmp.Or(f.Most, string(s.Maximum)))
	}
}

// tighten says what the types can't: which names there are, and what must not be missing.
func tighten(s *jsonschema.Schema) {
	at := func(s *jsonschema.Schema, key string) *jsonschema.Schema {
		p, _ := s.Properties.Get(key)
		return p
	}
	words := "^" + yamlform.TextPattern + `[^\s\x00-\x1f\x7f-\x9f]` + yamlform.TextPattern + "$" // something to see at least
	at(s, "title").Pattern = words
	at(s, "sometimes").Items.Enum = anys(slices.Concat(happenings(), viewNames))
	at(s, "sometimes").MinItems = count(1)
	at(at(s, "explore"), "breaks").Items = &jsonschema.Schema{Type: "string", Enum: anys(promises())}

	mutants := at(s, "mutants")
	mutants.MaxItems = count(mutantsMax)
	mutants.Items.Required = []string{"name", "set", "breaks", "within"}
	at(mutants.Items, "name").Pattern = words
	at(mutants.Items, "set").MinProperties = count(1)
	at(mutants.Items, "breaks").MinItems = count(1)
	at(mutants.Items, "breaks").Items.Enum = anys(promises())
	all := format.Fields(reflect.TypeFor[Mutant]())
	bound(at(mutants.Items, "within"), &all[slices.IndexFunc(all, func(f yamlform.Field) bool { return f.Name == "within" })])

	bounds := at(s, "bounds")
	bounds.MaxItems = count(boundsMax)
	bounds.Items.Required = []string{"setting", "from", "to", "property"}
	at(bounds.Items, "property").Enum = anys(promises())

	search := at(s, "search")
	at(search, "faults").Items.Enum = anys(faults.Words())
	at(search, "spare").Items.Enum = anys([]string{faults.Nodes, faults.Clients})
	at(search, "vary").Items.Required = []string{"setting"}
}

// idleOptions returns a rule for each set of options that the same kinds of locks have no use for: with such a lock
// they may be in the file, but only with their usual values. A time can be written in many ways, so it is left to
// Parse.
func idleOptions() (rules []*jsonschema.Schema) {
	base := Base()
	var lots []string
	for _, f := range format.Table() {
		var kinds []string
		for kind, name := range KindNames {
			if Kind(kind).lacks(f.Key) {
				kinds = append(kinds, name)
			}
		}
		usual := scalars[f.Type]
		if len(kinds) == 0 || usual.Most != "" {
			continue
		}
		lot := slices.Index(lots, strings.Join(kinds, " "))
		if lot < 0 {
			lot, lots = len(lots), append(lots, strings.Join(kinds, " "))
			rules = append(rules, &jsonschema.Schema{If: ofKinds(kinds), Then: &jsonschema.Schema{}})
		}
		within(rules[lot].Then, f.Key).Const = marshaled(usual, f.In(reflect.ValueOf(&base).Elem()))
	}
	return rules
}

// ofKinds matches the scenarios whose lock is of one of these kinds. A scenario without a kind has the usual one.
func ofKinds(kinds []string) *jsonschema.Schema {
	s := &jsonschema.Schema{}
	within(s, "lock.kind").Enum = anys(kinds)
	if !slices.Contains(kinds, Base().Lock.Kind.String()) {
		s.Required = []string{"lock"}
		within(s, "lock").Required = []string{"kind"}
	}
	return s
}

// within returns the schema under a dotted key, and makes those on the way to it.
func within(s *jsonschema.Schema, key string) *jsonschema.Schema {
	for name := range strings.SplitSeq(key, ".") {
		if s.Properties == nil {
			s.Properties = jsonschema.NewProperties()
		}
		inner, ok := s.Properties.Get(name)
		if !ok {
			inner = &jsonschema.Schema{}
			s.Properties.Set(name, inner)
		}
		s = inner
	}
	return s
}

func count(n uint64) *uint64 { return &n }

func anys(list []string) []any {
	all := make([]any, len(list))
	for i, s := range list {
		all[i] = s
	}
	return all
}

// marshaled returns a value as JSON.
func marshaled(s yamlform.Scalar, v reflect.Value) any {
	text := s.Write(v)
	if s.Schema.Type == "string" {
		return text
	}
	return json.RawMessage(text)
}
