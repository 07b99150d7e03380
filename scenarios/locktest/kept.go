package locktest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A finding is kept as its differences from its scenario: a line with the scenario, the seed and the settings, and a
// line for each fault. On one line, with semicolons, it is part of a command. Lines that begin with # are comments.
//
//	redlock/any seed=35 nodes=3 lock.ttl=300ms
//	when c1 acquired pause c1 for 2s

// findVariable names the variable that has a finding, or the name of its file, to run alone.
const findVariable = "LOCKSTORM_FIND"

const folder = "testdata/lockstorm"

const suffix = ".find"

// written returns a universe as what differs from a scenario, a line each.
func written(u, base *scenarios.Scenario, seed uint64) (lines []string, err error) {
	head := []string{base.ID, "seed=" + strconv.FormatUint(seed, 10)}
	for _, k := range scenarios.Settings(base) {
		if strings.HasPrefix(k.Key, "fault.") || strings.HasPrefix(k.Key, "search.") {
			continue
		}
		if is := k.Get(u); is != k.Get(base) {
			head = append(head, k.Key+"="+is)
		}
	}
	lines = append(lines, strings.Join(head, " "))
	for _, line := range strings.Split(strings.TrimSpace(u.Faults.String()), "\n") {
		if line != "" {
			lines = append(lines, line)
		}
	}
	again, _, err := readFind(strings.Join(lines, "\n"), []scenarios.Scenario{*base})
	if plain := bare(*u); err == nil && !bytes.Equal(again.YAML(), plain.YAML()) {
		err = fmt.Errorf("it differs from %s in more than settings and faults", base.ID)
	}
	return lines, err
}

// bare returns a scenario without what a finding does not keep.
func bare(s scenarios.Scenario) scenarios.Scenario {
	s.Search = scenarios.Search{}
	if len(s.Faults) == 0 {
		s.Faults = nil // as it is read
	}
	return s
}

// readFind returns the universe that lines describe, which come from one of some scenarios, and its seed.
func readFind(text string, all []scenarios.Scenario) (u scenarios.Scenario, seed uint64, err error) {
	var lines []string
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for part := range strings.SplitSeq(line, ";") {
			if part = strings.TrimSpace(part); part != "" {
				lines = append(lines, part)
			}
		}
	}
	if len(lines) == 0 {
		return u, 0, fmt.Errorf("the find says nothing; it begins with the scenario it came from, such as redlock/any seed=1")
	}
	head := strings.Fields(lines[0])
	i := slices.IndexFunc(all, func(s scenarios.Scenario) bool { return s.ID == head[0] })
	if i < 0 {
		return u, 0, fmt.Errorf("the finding is from %s, and this test has no such scenario", head[0])
	}
	u = bare(all[i])
	for _, word := range head[1:] {
		if digits, ok := strings.CutPrefix(word, "seed="); ok {
			if seed, err = strconv.ParseUint(digits, 10, 64); err != nil {
				return u, 0, fmt.Errorf("the seed of the finding is not a number: %s", digits)
			}
			continue
		}
		if err := u.Set(word); err != nil {
			return u, 0, fmt.Errorf("the find: %w", err)
		}
	}
	if u.Faults, err = faults.Parse(strings.Join(lines[1:], "\n")); err != nil {
		return u, 0, fmt.Errorf("the find: %w", err)
	}
	return u, seed, u.Check()
}

// fileNamed returns the file name of a finding, without suffix: the test, what breaks under which faults, and the seed.
func fileNamed(test, find string, seed uint64) string {
	return folder + "/" + fileTest(test) + "." + find + ".seed-" + strconv.FormatUint(seed, 10)
}

func fileTest(test string) string { return strings.ReplaceAll(test, "/", "_") }

func keepFind(file string, remarks, lines []string) error {
	var b strings.Builder
	for _, r := range remarks {
		b.WriteString("# " + r + "\n")
	}
	b.WriteString(strings.Join(lines, "\n") + "\n")
	return write(file, []byte(b.String()))
}

func write(file string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, content, 0o644)
}

// repeatCommand returns the command that repeats a finding alone, on any machine that has the test.
func repeatCommand(test string, lines []string) string {
	return findVariable + "='" + strings.Join(lines, "; ") + "' " + command(test)
}

// keptFinds returns the files of what a test found.
func keptFinds(test string) []string {
	all, _ := filepath.Glob(folder + "/*") // that is a pattern, and the name of a test may be another
	return slices.DeleteFunc(all, func(file string) bool {
		return !strings.HasPrefix(filepath.Base(file), fileTest(test)+".") || !strings.HasSuffix(file, suffix)
	})
}

// readUniverse returns the universe that a text describes, or the file that it names, and its seed.
func (tr *trial) readUniverse(text string) (u scenarios.Scenario, seed uint64, err error) {
	if !strings.HasSuffix(text, suffix) {
		return readFind(text, tr.scenarios)
	}
	kept, err := os.ReadFile(text)
	if err != nil {
		return u, 0, err
	}
	return readFind(string(kept), tr.scenarios)
}
