package scenarios

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"

	"github.com/lockstorm/lockstorm/faults"
)

// Schema gives the JSON Schema of scenario files: made from the type Scenario, so that an editor completes and checks
// what Parse will read. What only the whole scenario tells, such as whether a host exists, it leaves to Parse.
func Schema() []byte {
	r := jsonschema.Reflector{
		FieldNameTag: "yaml", RequiredFromJSONSchemaTags: true, Anonymous: true, DoNotReference: true, ExpandedStruct: true,
		Mapper: schemaOf, LookupComment: docOf,
	}
	s := r.Reflect(Scenario{})
	s.Title = "A scenario of Lockstorm"
	s.Description = "A topology, a lock, a workload, a schedule of faults, and what is expected of them."
	base := Base()
	giveDefaults(s, reflect.ValueOf(base))
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(s); err != nil {
		panic("scenarios: " + err.Error()) // these types always marshal
	}
	return b.Bytes()
}

// docOf gives the explanation of a field, from its tag.
func docOf(t reflect.Type, name string) string {
	if t.Kind() != reflect.Struct {
		return ""
	}
	f, _ := t.FieldByName(name)
	return f.Tag.Get("doc")
}

// schemaOf gives the schema of a type that is no plain struct; nil leaves it to the reflector.
func schemaOf(t reflect.Type) *jsonschema.Schema {
	if f, ok := forms[t]; ok {
		s := f.schema
		return &s
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
		return s
	}
	switch kindOf(t) {
	case pairs:
		return &jsonschema.Schema{Type: "object", AdditionalProperties: schemaOf(t.Elem().Field(1).Type)}
	case words:
		return &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Type: "string"}}
	}
	return nil
}

// giveDefaults tells what each value is when a file says nothing of it.
func giveDefaults(s *jsonschema.Schema, v reflect.Value) {
	all := fields(v.Type())
	for p := s.Properties.Oldest(); p != nil; p = p.Next() {
		i := slices.IndexFunc(all, func(f field) bool { return f.name == p.Key })
		switch f := &all[i]; {
		case f.kind == section:
			giveDefaults(p.Value, f.value(v))
		case p.Key == "sometimes":
			p.Value.Items.Enum = anys(happenings())
		case f.kind == leaf && f.of.Kind() != reflect.String:
			p.Value.Default = marshaled(forms[f.of], f.value(v))
		}
	}
}

func anys(list []string) []any {
	all := make([]any, len(list))
	for i, s := range list {
		all[i] = s
	}
	return all
}

// SchemaLine is the first line of a scenario file, for editors that complete by a schema. The path leads from the file to
// the schema.
func SchemaLine(path string) string {
	return "# yaml-language-server: $schema=" + strings.ReplaceAll(path, `\`, "/") + "\n"
}
