package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/scenarios"
)

// A Subject is a scenario to test, and the file that it was read from, if any.
type Subject struct {
	Scenario scenarios.Scenario
	File     string
	Wrong    error // the mistakes of the file, if it is no scenario
}

// Select returns the scenarios that the arguments name, each once; without arguments, the whole catalogue. The error
// has the mistakes of all files.
func Select(args []string) ([]Subject, error) {
	all, err := SelectAll(args)
	if err != nil {
		return nil, err
	}
	return all, Mistakes(all)
}

// Mistakes returns the mistakes of all files among the subjects.
func Mistakes(all []Subject) error {
	var wrong []error
	for i := range all {
		wrong = append(wrong, all[i].Wrong)
	}
	return errors.Join(wrong...)
}

// SelectAll is Select for a caller that continues after a file with mistakes: its subject has them.
func SelectAll(args []string) (all []Subject, err error) {
	if len(args) == 0 {
		args = []string{"*"}
	}
	for _, arg := range args {
		found, err := matching(arg)
		if err != nil {
			return nil, err
		}
		for _, u := range found {
			same := func(o Subject) bool { return o.File == u.File && o.Scenario.ID == u.Scenario.ID }
			if !slices.ContainsFunc(all, same) {
				all = append(all, u)
			}
		}
	}
	return all, nil
}

// matching returns what one argument names: a file, a pattern of IDs, or, where the catalogue has nothing of that name,
// a folder of files or a pattern of their names, which a shell has left as it is.
func matching(arg string) (all []Subject, err error) {
	switch {
	case scenarios.IsFile(arg) && !isPattern(arg):
		return openAll([]string{arg})
	case scenarios.IsFile(arg) && strings.Contains(arg, "**"):
		folder, _, _ := strings.Cut(arg, "**")
		return nil, fmt.Errorf("%q: ** means only * here; name the folder, and all files in and below it are "+
			"run: %s", arg,
			path.Clean(folder))
	}
	ids, err := scenarios.Matching(arg)
	if err == nil {
		for _, id := range ids {
			s, _ := scenarios.Find(id)
			all = append(all, Subject{Scenario: s})
		}
		return all, nil
	}
	names, here := filesOf(arg)
	switch {
	case len(names) > 0:
		return openAll(names)
	case here:
		return nil, noFile(arg)
	case scenarios.IsFile(arg):
		return nil, fmt.Errorf("no scenario file is named like %q", arg)
	}
	return nil, err
}

// Files returns the scenarios of the files that the arguments name, and of those in and below the folders that they
// name. What can't be read has its reason as the mistakes of the file.
func Files(args []string) (all []Subject) {
	for _, arg := range args {
		names, here := filesOf(arg)
		switch {
		case scenarios.IsFile(arg) && !isPattern(arg):
			names = []string{arg}
		case !here:
			all = append(all, Subject{File: arg, Wrong: fmt.Errorf("no file or folder is named %s", arg)})
		case len(names) == 0:
			all = append(all, Subject{File: arg, Wrong: noFile(arg)})
		}
		for _, name := range names {
			s, err := scenarios.Open(name)
			all = append(all, Subject{s, name, err})
		}
	}
	return all
}

func noFile(arg string) error {
	if i, err := os.Stat(arg); err == nil && !i.IsDir() {
		return fmt.Errorf("%s is not a scenario file; its name must end in .yaml", arg)
	}
	return fmt.Errorf("%s: it has no scenario file; their names end in .yaml", arg)
}

// isPattern reports whether a name is a pattern, and no file has it.
func isPattern(name string) bool {
	_, err := os.Lstat(name)
	return err != nil && strings.ContainsAny(name, "*?[")
}

func openAll(names []string) (all []Subject, err error) {
	for _, name := range names {
		s, err := scenarios.Open(name)
		if err != nil {
			var mistakes *scenarios.FileError
			if !errors.As(err, &mistakes) {
				return nil, err
			}
		}
		all = append(all, Subject{s, name, err})
	}
	return all, nil
}

// filesOf returns the scenario files that a pattern names, and those in and below the folders that it names; and
// whether anything of that name exists. Hidden files are left out.
func filesOf(pattern string) (names []string, here bool) {
	found, _ := filepath.Glob(pattern) // a malformed pattern was rejected before
	for _, root := range found {
		if hidden(filepath.Base(root)) && !hidden(filepath.Base(pattern)) {
			continue
		}
		_ = filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return nil // what can't be read holds nothing
			case name != root && hidden(e.Name()) && e.IsDir():
				return filepath.SkipDir
			case !e.IsDir() && scenarios.IsFile(name) && !hidden(e.Name()):
				names = append(names, name)
			}
			return nil
		})
	}
	return names, len(found) > 0
}

func hidden(name string) bool { return strings.HasPrefix(name, ".") }

// NamesOf returns arguments that name just these. A source replaces its scenarios if all of them are there.
func NamesOf(all []Subject) (names []string) {
	for i := range all {
		u := &all[i]
		name := u.File
		if source, _, ok := strings.Cut(u.Scenario.ID, "/"); name == "" {
			if name = u.Scenario.ID; ok && count(all, source) == len(idsOf(source)) {
				name = source
			}
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func idsOf(source string) []string {
	ids, _ := scenarios.Matching(source + "/")
	return ids
}

// count is how many are of a source of the catalogue.
func count(all []Subject, source string) (n int) {
	for i := range all {
		if all[i].File == "" && strings.HasPrefix(all[i].Scenario.ID, source+"/") {
			n++
		}
	}
	return n
}

// Shard returns one part of several, as --shard names it: I/N, with I from 0. An empty shard means all.
func Shard(all []Subject, shard string) ([]Subject, error) {
	if shard == "" {
		return all, nil
	}
	i, n, ok := strings.Cut(shard, "/")
	index, bad := strconv.Atoi(i)
	of, worse := strconv.Atoi(n)
	if !ok || bad != nil || worse != nil || index < 0 || index >= of {
		return nil, fmt.Errorf("--shard: %q is not a shard; want I/N, such as 0/8, with I from 0 to N-1", shard)
	}
	each, rest := len(all)/of, len(all)%of // some have one more
	from := each*index + min(index, rest)
	to := each*(index+1) + min(index+1, rest)
	if from == to {
		return nil, fmt.Errorf("--shard %s has nothing to do, because there are only %d scenarios; give fewer shards", shard,
			len(all))
	}
	return all[from:to], nil
}
