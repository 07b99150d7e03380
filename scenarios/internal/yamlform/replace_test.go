package yamlform_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios/internal/yamlform"
)

// The explanation of an enum lists a value that was added after the table had been read.
func TestTheTableKnowsValuesThatAreAddedLater(t *testing.T) {
	type kind uint8
	type file struct {
		Kind kind `yaml:"kind"`
	}
	of := reflect.TypeFor[kind]()
	f := yamlform.Format{Root: reflect.TypeFor[file](),
		Scalars: map[reflect.Type]yamlform.Scalar{of: yamlform.NewEnum[kind]([]string{"one"})},
		Names:   map[string]yamlform.Naming{"kind": {Label: "Kind", Values: []string{"the first"}}}}
	if doc := f.Table()[0].Doc; !strings.Contains(doc, "one (the first).") {
		t.Error(doc)
	}
	f.Replace(of, yamlform.NewEnum[kind]([]string{"one", "two"}))
	if doc := f.Table()[0].Doc; !strings.Contains(doc, "one (the first), two.") {
		t.Error(doc)
	}
}
