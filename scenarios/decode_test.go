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

// fileOf returns the text of a built-in scenario's file.
func fileOf(id string) []byte {
	text, err := os.ReadFile("catalogue/" + id + ".yaml")
	if err != nil {
		panic(err)
	}
	return text
}

func TestCatalogueFilesNameTheirSchemaAndSurviveYAML(t *testing.T) {
	for i, id := range scenarios.IDs() {
		if !strings.HasPrefix(string(fileOf(id)), "# yaml-language-server: $schema=../../scenario.schema.json\n") {
			t.Errorf("%s does not begin with the line that names its schema", id)
		}
		if !long && i%3 > 0 {
			continue
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

// A starting point does not offer what Parse would reject as soon as it is changed.
func TestCommentedFileHasExactlyItsLocksSettings(t *testing.T) {
	for id, c := range map[string]struct{ has, hasNot []string }{
		"etcd/lock":           {[]string{"  session:", "raft:", "  ttl:"}, []string{"  contact:", "  renew:", "  row:", "replicas:"}},
		"failover/wait":       {[]string{"  failover:", "replicas:", "  drift_factor:"}, []string{"  contact:", "  session:", "raft:"}},
		"redisson/lock":       {[]string{"  redisson:", "  renew:", "    stop_at_release:"}, []string{"    check:", "  drift_factor:", "raft:"}},
		"baseline/fault-free": {[]string{"  contact:", "  renew:", "    check:"}, []string{"  redisson:", "  counter:", "raft:", "replicas:"}},
	} {
		s, _ := scenarios.Find(id)
		text := "\n" + string(s.Commented())
		for _, key := range c.has {
			if !strings.Contains(text, "\n"+key) {
				t.Errorf("%s has no %q", id, key)
			}
		}
		for _, key := range c.hasNot {
			if strings.Contains(text, "\n"+key) {
				t.Errorf("%s has %q, which its lock has no use for", id, key)
			}
		}
	}
}

// Where a value is zero and Base has another, the file must say so.
func TestChangedScenarioSurvivesYAML(t *testing.T) {
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

func TestAllErrorsAreReportedTogether(t *testing.T) {
	_, err := scenarios.Parse("x.yaml", []byte("title: a\nclients: two\nnodez: 3\nschedule: |\n  at x\n  at y\n"))
	if n := len(strings.Split(fmt.Sprint(err), "\n")); n != 4 {
		t.Errorf("%d lines: %v", n, err)
	}
}

// FuzzParse: no file causes a panic. Either each problem has its place in the text, or the scenario is sound, and comes
// back from its own file. Fuzz it with -fuzzminimizetime 20x: otherwise go test stops for a minute at each new input,
// and tries to leave out every part of it. The seeds are small for that reason.
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

// pieces returns the sections of the catalogue's files, each once as a small file, and some odd ones.
func pieces() []string {
	all := []string{"", "# c\n", "title: &a [*a]\n", "lock: {ttl: 1h, <<: {ttl: 2s}}\n", "title: !!str 5\n", "title: \"\\x41\\n\"\r\n", "\ufefftitle: a\n",
		"about: >-\n  a\n\n   b\n", "title: 'it''s'\n", "---\ntitle: a\n...\n", "? title\n: a\n", "clocks: {n1: +1ppm, c1: -0.5ppm}\n", "expect: {}\nsometimes: [contended]\n",
		"title: a\nschedule: \"\\n\\n at x\"\n", "title: a\nschedule: at 1s pause c1\n  for 5s # x\n", "title: a\nmutants: []\nbounds: []\nclocks: {}\nlock: {}\n"}
	for _, id := range scenarios.IDs() {
		section := ""
		for line := range strings.Lines(string(fileOf(id))) {
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
