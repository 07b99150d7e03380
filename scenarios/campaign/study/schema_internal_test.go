package study

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/invopop/jsonschema"
	validator "github.com/santhosh-tekuri/jsonschema/v6"
)

// TestTheSchemaIsCurrent compares the file with the schema of the types; -update rewrites it.
func TestTheSchemaIsCurrent(t *testing.T) {
	made := schemaOfTypes()
	if f := flag.Lookup("update"); f != nil && f.Value.String() == "true" {
		if err := os.WriteFile("study.schema.json", made, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(made, Schema()) {
		t.Error("study.schema.json is not what the types give: run go test ./scenarios/campaign/study " +
			"-run TestTheSchemaIsCurrent -update")
	}
}

// schemaOfTypes returns the schema of the type Study.
func schemaOfTypes() []byte {
	r := jsonschema.Reflector{
		FieldNameTag: "yaml", RequiredFromJSONSchemaTags: true, Anonymous: true, DoNotReference: true, ExpandedStruct: true,
		Mapper: func(t reflect.Type) *jsonschema.Schema {
			f, scalar := format.Scalars[t]
			if !scalar {
				return nil
			}
			k := f.Schema
			return &jsonschema.Schema{Type: k.Type, Pattern: k.Pattern, Minimum: k.Minimum, Maximum: k.Maximum, MultipleOf: k.MultipleOf}
		},
		LookupComment: func(t reflect.Type, name string) string {
			if t.Kind() != reflect.Struct {
				return ""
			}
			f, _ := t.FieldByName(name)
			return f.Tag.Get("doc")
		},
	}
	s := r.Reflect(Study{})
	s.Title = "A study of Lockstorm"
	s.Description = "Which runs are made, what is measured, and how it is drawn."
	s.Required = []string{"title"}
	s.AnyOf = []*jsonschema.Schema{{Required: []string{"scenario"}}, {Required: []string{"scenarios"}}}
	x, _ := s.Properties.Get("x")
	x.AnyOf = []*jsonschema.Schema{{Required: []string{"label", "values"}}, {Required: []string{"columns"}}, {Required: []string{"halve"}}}
	s.Properties.Delete("Name")
	x.Properties.Delete("Points")
	x.Properties.Delete("List")
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(s); err != nil {
		panic("study: " + err.Error()) // these types always marshal
	}
	return b.Bytes()
}

func bySchema(t *testing.T, text []byte) error {
	t.Helper()
	doc, err := validator.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := validator.NewCompiler()
	if err := c.AddResource("study.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("study.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	data, err := yaml.YAMLToJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	v, err := validator.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(v)
}

func TestTheSchemaTakesEveryFileThatShips(t *testing.T) {
	for _, name := range Names() {
		text, _ := Text(name)
		if err := bySchema(t, text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The schema and Parse reject the same mistakes, except mistakes within a text, such as a setting or a range.
func TestSchemaAndParseRejectTheSame(t *testing.T) {
	const whole = `title: a
scenario: kleppmann/gc-pause
runs: 10
x: {label: b, values: 1 2, set: [lock.ttl=@s]}
lines:
  - {name: c, theory: [1, 2]}
`
	for _, c := range []struct{ old, changed string }{{"title: a", "title: b c"}, {"values: 1 2", "values: 1 2, log: true"},
		{"runs: 10", "seed: 7"}} {
		text := []byte(strings.Replace(whole, c.old, c.changed, 1))
		_, parsed := Parse("s.yaml", text)
		if err := bySchema(t, text); err != nil || parsed != nil {
			t.Errorf("%s: %v; Parse: %v", c.changed, err, parsed)
		}
	}
	for _, c := range []struct{ old, mistake string }{
		{"runs: 10", "runs: ten"}, {"runs: 10", "runs: -1"}, {"title: a\n", ""}, {"scenario: kleppmann/gc-pause\n", ""},
		{"label: b, ", ""},
		{"x: {", "y: {"}, {"values: 1 2, ", ""}, {"runs: 10\n", "runs: 10\nlog: true\n"}, {"theory: [1, 2]", "theory: 1"},
		{"name", "nam"},
		{"runs: 10", "map: perhaps"}, {"runs: 10", "seed: -1"},
	} {
		text := []byte(strings.Replace(whole, c.old, c.mistake, 1))
		_, parsed := Parse("s.yaml", text)
		if err := bySchema(t, text); err == nil || parsed == nil {
			t.Errorf("%s in place of %s: the schema says %v, Parse %v", c.mistake, c.old, err, parsed)
		}
	}
}
