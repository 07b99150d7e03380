package environment

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
)

//go:embed shipped/*.yaml
var shipped embed.FS

// Names returns the names of the environments that ship with the program.
func Names() (names []string) {
	files, _ := shipped.ReadDir("shipped")
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f.Name(), path.Ext(f.Name())))
	}
	return names
}

// Find returns the environment of that name; ok is false if none ships.
func Find(name string) (e *Environment, ok bool) {
	text, err := shipped.ReadFile("shipped/" + name + ".yaml")
	if err != nil {
		return nil, false
	}
	if e, err = Parse(name+".yaml", text); err != nil {
		panic("environment: " + err.Error()) // a test reads each
	}
	return e, true
}

// Open returns the environment of a name that ships, or of a file.
func Open(name string) (*Environment, error) {
	if e, ok := Find(name); ok {
		return e, nil
	}
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no environment and no file %q%s; %s ship with the program", name,
			faults.Suggest(name, Names()), strings.Join(slices.Sorted(slices.Values(Names())), ", "))
	case err != nil:
		return nil, err
	case info.Size() > scenarios.FileBytesMax:
		return nil, fmt.Errorf("%s has %d bytes; an environment has at most %d", name, info.Size(), scenarios.FileBytesMax)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return Parse(name, text)
}

//go:embed environment.schema.json
var schema []byte

// Schema returns the JSON Schema of environment files, so that an editor completes and checks what Parse will read.
// What a distribution or a fault may say is left to Parse.
func Schema() []byte { return slices.Clone(schema) }
