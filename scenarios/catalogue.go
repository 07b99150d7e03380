package scenarios

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/faults"
)

// Open returns the scenario of a name, with settings applied. The name is an ID of the catalogue, or a file if it ends
// in .yaml or .yml; - is standard input. Each setting is KEY=VALUE. Every command opens its scenario here. The error
// joins a FileError for each problem of a file. It is a SettingError if a setting can't be changed.
func Open(name string, settings ...string) (s Scenario, err error) {
	if !IsFile(name) {
		var known bool
		if s, known = Find(name); !known {
			return s, UnknownScenario(name)
		}
	} else {
		text, shown, err := readFile(name)
		if err == nil {
			s, err = Parse(shown, text)
		}
		if err != nil {
			return s, err
		}
	}
	if len(settings) == 0 { // it is sound
		return s, nil
	}
	return s, s.Change(settings)
}

// IsFile reports whether Open reads a name as the name of a file.
func IsFile(name string) bool {
	return name == "-" || strings.HasSuffix(name, ".yaml") || strings.HasSuffix(name, ".yml")
}

// readFile returns the text of a file, and the file's name in messages. It stops reading once the file is too long.
func readFile(name string) (text []byte, shown string, err error) {
	f, shown := os.Stdin, "stdin"
	if name != "-" {
		shown = name
		if f, err = os.Open(name); err != nil {
			return nil, shown, unreadable(shown, err)
		}
		defer func() { _ = f.Close() }()
	}
	if about, err := f.Stat(); err == nil && about.IsDir() {
		return nil, shown, unreadable(shown, errors.New("it is a directory"))
	}
	if text, err = io.ReadAll(io.LimitReader(f, FileBytesMax+1)); err != nil {
		return nil, shown, unreadable(shown, err)
	}
	return text, shown, nil
}

// unreadable leaves out the name of the system call.
func unreadable(name string, err error) error {
	if path, is := errors.AsType[*os.PathError](err); is {
		err = path.Err
	}
	return fmt.Errorf("%s can't be read: %w", name, err)
}

// Change applies settings, each KEY=VALUE, and checks the scenario. The error has one line.
func (s *Scenario) Change(settings []string) error {
	if err := s.SetAll(settings); err != nil {
		return SettingError{err}
	}
	if err := s.Check(); err != nil {
		return errors.New(oneLine(err))
	}
	return nil
}

// A SettingError says why a setting can't be changed: its key is unknown, or its value.
type SettingError struct{ error }

// The catalogue is a folder of scenario files; their paths are the IDs.
//
//go:embed catalogue
var catalogue embed.FS

// IDs returns the IDs of the scenarios of the catalogue, in order.
func IDs() []string {
	var all []string
	err := fs.WalkDir(catalogue, "catalogue", func(path string, _ fs.DirEntry, err error) error {
		if id, is := strings.CutSuffix(strings.TrimPrefix(path, "catalogue/"), ".yaml"); is {
			all = append(all, id)
		}
		return err
	})
	if err != nil {
		panic("scenarios: the catalogue can't be read: " + err.Error())
	}
	return all
}

// Catalogue returns the built-in scenarios, by ID. They are the caller's to change.
func Catalogue() []Scenario {
	ids := IDs()
	all := make([]Scenario, len(ids))
	for i, id := range ids {
		all[i], _ = Find(id)
	}
	return all
}

// Find returns the built-in scenario of that ID.
func Find(id string) (Scenario, bool) {
	path := "catalogue/" + id + ".yaml"
	text, err := catalogue.ReadFile(path)
	if err != nil {
		return Scenario{}, false
	}
	s, err := Parse(path, text)
	if err != nil {
		panic("scenarios: the catalogue is broken: " + err.Error())
	}
	s.ID = id
	return s, true
}

// Matching returns the IDs of the built-in scenarios that a pattern names: an ID, a source such as "kleppmann", a name
// without its source, or any of these with * and ?.
func Matching(pattern string) (ids []string, err error) {
	for _, id := range IDs() {
		ok, err := matches(pattern, id)
		if err != nil {
			return nil, fmt.Errorf("%q is not a pattern: %w", pattern, err)
		}
		if ok {
			ids = append(ids, id)
		}
	}
	if ids == nil {
		return nil, fmt.Errorf("no scenario matches %q%s", pattern,
			cmp.Or(faults.Suggest(pattern, sourcesAndIDs()), seeList))
	}
	return ids, nil
}

// seeList ends an error about a name where no name of the catalogue is near.
const seeList = "; see lockstorm list"

// UnknownScenario returns the error about an ID that the catalogue does not have.
func UnknownScenario(id string) error {
	hint := faults.Suggest(id, IDs())
	if _, err := os.Stat(id); hint == "" && err == nil {
		hint = "; the name of a scenario file ends in .yaml"
	}
	return fmt.Errorf("there is no scenario %q%s", id, cmp.Or(hint, seeList))
}

func matches(pattern, id string) (bool, error) {
	if strings.HasPrefix(id, strings.TrimSuffix(pattern, "/")+"/") {
		return true, nil
	}
	if !strings.Contains(pattern, "/") {
		id = path.Base(id)
	}
	return path.Match(pattern, id)
}

// sourcesAndIDs returns every name that a pattern may have meant.
func sourcesAndIDs() []string {
	all := IDs()
	for _, id := range IDs() {
		if source := path.Dir(id); !slices.Contains(all, source) {
			all = append(all, source)
		}
	}
	return all
}
