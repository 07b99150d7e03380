package scenarios_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios"
)

func TestTheSchemaIsCurrent(t *testing.T) {
	kept, err := os.ReadFile("scenario.schema.json")
	if err != nil || !bytes.Equal(kept, scenarios.Schema()) {
		t.Errorf("run go run ./cmd/lockstorm schema > scenarios/scenario.schema.json (%v)", err)
	}
}

func TestEveryFileOfTheCatalogueNamesItsSchemaAndComesBackFromYAML(t *testing.T) {
	for _, id := range scenarios.IDs() {
		if !strings.HasPrefix(string(scenarios.FileOf(id)), scenarios.SchemaLine("../../scenario.schema.json")) {
			t.Errorf("%s does not begin with the line that names its schema", id)
		}
		s, _ := scenarios.Find(id)
		for _, text := range [][]byte{s.YAML(), s.Commented()} {
			again, err := scenarios.Parse("x.yaml", text)
			again.ID = s.ID
			if err != nil || !reflect.DeepEqual(again, s) {
				t.Errorf("%s does not come back: %v\n%s", id, err, text)
			}
		}
	}
}

// Each file is wrong in one way, or in several.
func TestBrokenFilesAreRefusedWithTheirPlace(t *testing.T) {
	const head = "title: a\n"
	for text, says := range map[string]string{
		"":                                         "x.yaml:1:1: the file is empty",
		"# nothing\n":                              "x.yaml:1:1: the file is empty",
		head + "nodez: 3\n":                        `x.yaml:2:1: there is no "nodez"; did you mean nodes?`,
		head + "clients: two\n":                    `x.yaml:2:10: found "two"; want a whole number for clients`,
		head + "clients: \"2\"\n":                  `x.yaml:2:10: found "2"; want a whole number`,
		head + "clients: [1]\n":                    "x.yaml:2:10: found a list; want a whole number",
		head + "clients: 0\n":                      "x.yaml:2:10: clients: 0 is out of range",
		head + "lock: 5\n":                         `x.yaml:2:7: found "5"; want a mapping`,
		head + "lock: {ttl: 10}\n":                 `x.yaml:2:13: found "10"; want a time such as 300ms or 10s for lock.ttl`,
		head + "lock: {ttl: 10 parsecs}\n":         `x.yaml:2:13: found "10 parsecs"; want a time`,
		head + "lock: {ttl: -10s}\n":               "x.yaml:2:13: lock.ttl: -10s is not positive",
		head + "lock: {contact: sequentia}\n":      "did you mean sequential?",
		head + "lock:\n  ttl: 5s\n  ttl: 6s":       "x.yaml:4:3: mapping key \"ttl\" already defined",
		head + "schedule: |\n  at 1s explode c1\n": `x.yaml:3:9: found "explode"; want one of pause`,
		head + "schedule: |\n\n    at 1s pause c1\n    at x\n":           `x.yaml:5:8: found "x"; want an instant`,
		head + "schedule: |\n  at 1s pause c9\n":                         `x.yaml:3:3: schedule.0: "at 1s pause c9": no host is named "c9"`,
		head + "schedule: |\n  at 1h0m0s pause c1\n":                     "it strikes after the run's horizon of 5m0s",
		head + "schedule: |\n  at 1s partition c1 | c1 n1\n":             "stands in it twice",
		head + "schedule: |\n  at 1s pause c1\nsometimes: [contended]\n": "fault-struck must stand here too",
		head + "sometimes: []\n":                                         "name something that must have happened",
		head + "sometimes: [contendet]\n":                                `x.yaml:2:13: sometimes.0: there is no "contendet"; did you mean contended?`,
		head + "expect: {believe: holds}\n":                              `there is no property "believe"; did you mean belief?`,
		head + "expect: {belief: maybe}\n":                               `x.yaml:2:18: found "maybe"; want holds or violated`,
		head + "clocks: {n9: +5ppm}\n":                                   `x.yaml:2:10: clocks.n9: no host is named "n9"`,
		head + "clocks: {n1: fast}\n":                                    `x.yaml:2:14: found "fast"; want a rate`,
		head + "lock: &a {ttl: *a}\n":                                    "anchors, aliases and tags are not read here",
		head + "lock: !!map {}\n":                                        "anchors, aliases and tags are not read here",
		head + "\tclients: 3\n":                                          "x.yaml:2",
		head + "---\ntitle: b\n":                                         "a second document begins here",
		"- a\n- b\n":                                                     "x.yaml:1:1: found a list; want a mapping",
		"\x00\x01\x02":                                                   "x.yaml:1:1: this is no text",
		"title: \xff\n":                                                  "this is no text",
		strings.Repeat("[", 100_000):                                     "the file has 100000 bytes",
		strings.Repeat("a", 10<<20):                                      "the file has 10485760 bytes",
		"title: " + strings.Repeat("[", 1000):                            "brackets are open",
		"title: " + strings.Repeat("{a: ", 100):                          "brackets are open",
		strings.Repeat("- ", 500) + "a\n":                                "columns in",
		strings.Repeat("? ", 500) + "a\n":                                "columns in",
		strings.Repeat("a", 3000):                                        "the line has 3000 bytes",
	} {
		_, err := scenarios.Parse("x.yaml", []byte(text))
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%.80q: %v\nwant %s", text, err, says)
		}
	}
}

func TestAllThatIsWrongIsSaidAtOnce(t *testing.T) {
	_, err := scenarios.Parse("x.yaml", []byte("title: a\nclients: two\nnodez: 3\nschedule: |\n  at x\n  at y\n"))
	if n := len(strings.Split(fmt.Sprint(err), "\n")); n != 4 {
		t.Errorf("%d lines: %v", n, err)
	}
}

// FuzzParse: whatever a file holds, there is no panic. Either each thing that is wrong has its place in the text, or the
// scenario is sound, and comes back from its own file. Fuzz it with -fuzzminimizetime 20x: else go test
// stands still for a minute at each new find, and tries to leave out every part of it. The seeds are small for that reason.
func FuzzParse(f *testing.F) {
	for _, text := range pieces() {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := scenarios.Parse("x.yaml", text)
		if err != nil {
			placed(t, text, err)
			return
		}
		if err := s.Check(); err != nil {
			t.Errorf("it was accepted, and is not sound: %v", err)
		}
		for _, file := range [][]byte{s.YAML(), s.Commented()} {
			if again, err := scenarios.Parse("x.yaml", file); err != nil || !reflect.DeepEqual(again, s) {
				t.Errorf("it does not come back: %v\n%s\n%#v\n%#v", err, file, again, s)
			}
		}
	})
}

// pieces gives the sections of the catalogue's files, each once and each a small file of its own, and some odd ones.
func pieces() []string {
	all := []string{"", "# c\n", "title: &a [*a]\n", "lock: {ttl: 1h, <<: {ttl: 2s}}\n", "title: !!str 5\n", "title: \"\\x41\\n\"\r\n", "\ufefftitle: a\n",
		"about: >-\n  a\n\n   b\n", "title: 'it''s'\n", "---\ntitle: a\n...\n", "? title\n: a\n", "clocks: {n1: +1ppm, c1: -0.5ppm}\n", "expect: {}\nsometimes: [contended]\n",
		"title: a\nschedule: \"\\n\\n at x\"\n", "title: a\nschedule: at 1s pause c1\n  for 5s # x\n", "title: a\nmutants: []\nbounds: []\nclocks: {}\nlock: {}\n"}
	for _, id := range scenarios.IDs() {
		section := ""
		for line := range strings.Lines(string(scenarios.FileOf(id))) {
			if !strings.HasPrefix(line, " ") && section != "" {
				all, section = append(all, section), ""
			}
			if len(section)+len(line) < 300 {
				section += line
			}
		}
		all = append(all, section)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// placed wants a place within the text for each thing that is wrong.
func placed(t *testing.T, text []byte, err error) {
	t.Helper()
	joined, ok := err.(interface{ Unwrap() []error })
	if !ok || len(joined.Unwrap()) == 0 {
		t.Fatalf("an error without a place: %v", err)
	}
	lines := strings.Split(string(text), "\n")
	for _, err := range joined.Unwrap() {
		var e *scenarios.FileError
		if !errors.As(err, &e) || e.File != "x.yaml" || e.Problem == "" || e.Line < 1 || e.Line > len(lines) || e.Column < 1 {
			t.Errorf("a place that is none, in %d lines: %v", len(lines), err)
		}
	}
}
