package scenarios_test

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
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
		for _, text := range [][]byte{s.YAML(), s.Commented(), s.Brief()} {
			again, err := scenarios.Parse("x.yaml", text)
			again.ID = s.ID
			if err != nil || !reflect.DeepEqual(again, s) {
				t.Errorf("%s does not come back: %v\n%s", id, err, text)
			}
		}
	}
}

// Where a value is zero and Base has another, the file must say so.
func TestAScenarioThatWasChangedComesBackFromYAML(t *testing.T) {
	for _, set := range []string{"network.latency=0s", "lock.retry.max=0s", "lock.retry.min=0s", "work.think=0s", "fencing.source=none", "fault.3.by=-1s", "fault.3.after=7ms"} {
		s, _ := scenarios.Find("kleppmann/clock-jump")
		s.Lock.Retry.Min = 0
		if err := s.Set(set); err != nil {
			t.Fatal(err)
		}
		again, err := scenarios.Parse("x.yaml", s.YAML())
		again.ID = s.ID
		if err != nil || !reflect.DeepEqual(again, s) {
			t.Errorf("with %s it does not come back: %v\n%s", set, err, s.YAML())
		}
		if again, err = scenarios.Parse("x.yaml", s.Brief()); err != nil || !bytes.Equal(again.YAML(), s.YAML()) {
			t.Errorf("with %s it does not come back: %v\n%s", set, err, s.Brief())
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
		head + "expect: {belief: maybe}\n":                               `x.yaml:2:18: found "maybe"; want a holds or violated`,
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

func FuzzParse(f *testing.F) {
	for _, id := range scenarios.IDs() {
		f.Add(scenarios.FileOf(id))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := scenarios.Parse("x.yaml", text)
		if err != nil {
			return
		}
		if again, err := scenarios.Parse("x.yaml", s.YAML()); err != nil || !bytes.Equal(again.YAML(), s.YAML()) {
			t.Errorf("it does not come back: %v\n%s", err, s.YAML())
		}
	})
}
