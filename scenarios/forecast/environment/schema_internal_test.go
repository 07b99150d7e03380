package environment

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
		if err := os.WriteFile("environment.schema.json", made, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(made, Schema()) {
		t.Error("environment.schema.json is not what the types give: run go -C scenarios/forecast test ./environment " +
			"-run TestTheSchemaIsCurrent -update")
	}
}

// schemaOfTypes returns the schema of the type Environment.
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
	s := r.Reflect(Environment{})
	s.Title = "An environment of Lockstorm"
	s.Description = "How a lock is used, what network and clocks are like, and what goes wrong there now and then."
	s.Required = []string{"title", "work"}
	in := func(s *jsonschema.Schema, key string) *jsonschema.Schema {
		p, _ := s.Properties.Get(key)
		return p
	}
	work := in(s, "work")
	work.Required = []string{"clients", "hold"}
	in(work, "clients").Minimum, in(work, "clients").Maximum = "1", "20"
	in(in(s, "network"), "loss").Minimum, in(in(s, "network"), "loss").Maximum = "0", "1"
	in(s, "causes").Items.Required = []string{"name", "strikes", "rate", "source"}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(s); err != nil {
		panic("environment: " + err.Error()) // these types always marshal
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
	if err := c.AddResource("environment.schema.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("environment.schema.json")
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
		text, err := shipped.ReadFile("shipped/" + name + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		e, _ := Find(name)
		for _, text := range [][]byte{text, e.YAML()} {
			if err := bySchema(t, text); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// The schema and Parse reject the same mistakes, except within a text: a size, or a fault.
func TestTheSchemaAndParseRefuseTheSame(t *testing.T) {
	const whole = `title: a
work: {clients: 3, hold: 1s..2s, think: 1s}
network: {latency: 1ms, loss: 0.1}
clocks: {rate: 5ppm}
causes:
  - {name: freeze, strikes: pause a-client for ~, rate: 12/year, size: "uniform(1s,2s)", source: made up}
`
	for _, c := range []struct{ old, changed string }{
		{"1s..2s", "1s"}, {"12/year", "0.1..3/1h"}, {"12/year", "1/1h30m"}, {"5ppm", "0.5ppm"}, {", think: 1s", ""},
		{"clocks: {rate: 5ppm}\n", ""}, {"title: a", "title: b c"},
	} {
		text := []byte(strings.Replace(whole, c.old, c.changed, 1))
		_, parsed := Parse("e.yaml", text)
		if err := bySchema(t, text); err != nil || parsed != nil {
			t.Errorf("%s: %v; Parse: %v", c.changed, err, parsed)
		}
	}
	for _, c := range []struct{ old, mistake string }{
		{"12/year", "12"}, {"12/year", "12/jear"}, {"12/year", "-1/year"}, {"1s..2s", "1s.."}, {"1s..2s", "soon"},
		{"clients: 3", "clients: 0"}, {"clients: 3", "clients: 21"}, {"clients: 3, ", ""}, {"hold: 1s..2s, ", ""}, {"0.1", "1.5"},
		{"0.1", "-0.1"}, {"5ppm", "5"}, {"5ppm", "-5ppm"}, {"name: freeze, ", ""}, {"rate: 12/year, ", ""},
		{", source: made up", ""}, {"title: a\n", ""}, {"title: a\n", "title: a\nlock: {}\n"}, {"source", "sauce"},
	} {
		text := []byte(strings.Replace(whole, c.old, c.mistake, 1))
		_, parsed := Parse("e.yaml", text)
		if err := bySchema(t, text); err == nil || parsed == nil {
			t.Errorf("%s in place of %s: the schema says %v, Parse %v", c.mistake, c.old, err, parsed)
		}
	}
}
