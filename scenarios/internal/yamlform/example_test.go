package yamlform_test

import (
	"fmt"
	"reflect"
	"strconv"

	"github.com/lockstorm/lockstorm/scenarios/internal/yamlform"
)

// A struct is read from a file, with the place of what is wrong, and written again with its comments.
func Example() {
	type door struct {
		Name string `yaml:"name" doc:"what is behind it"`
		Open bool   `yaml:"open" doc:"anybody may enter"`
		Keys int    `yaml:"keys" doc:"how many there are"`
	}
	f := yamlform.Format{
		Root: reflect.TypeFor[door](),
		Scalars: map[reflect.Type]yamlform.Scalar{
			reflect.TypeFor[string](): yamlform.Text,
			reflect.TypeFor[bool]():   yamlform.Bool,
			reflect.TypeFor[int]():    yamlform.NewScalar("whole number", strconv.Atoi, strconv.Itoa, yamlform.Schema{Type: "integer"}),
		},
	}
	d := door{Keys: 2}
	file := f.Decode("door.yaml", []byte("name: the cellar\nopen: yes\nkey: 3\n"), reflect.ValueOf(&d).Elem())
	fmt.Println(file.Err())
	fmt.Print(string(f.Encode(reflect.ValueOf(d), true, nil)))

	// Output:
	// door.yaml:2:7: found "yes"; want true or false for open
	// door.yaml:3:1: there is no "key"; did you mean keys?
	// name: the cellar                  # what is behind it
	// open: false                       # anybody may enter
	// keys: 2                           # how many there are
}
