package reports_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

var update = flag.Bool("update", false, "rewrite the transcripts")

// A transcript is what one run prints, behind a line of prose that says what to see in it.
type transcript struct {
	file, prose string
	scenario    string
	set         []string
}

var transcripts = []transcript{
	{"gc-pause", "The pause outlasts the lock: two believe in it, an update is lost, and fencing would have saved it.",
		"kleppmann/gc-pause", nil},
	{"clock-jump", "One node's clock jumps, and its vote is given twice: every promise breaks but fencing.",
		"kleppmann/clock-jump", nil},
	{"delayed-write", "No client is wrong about the lock at any time, and an update is lost all the same.",
		"kleppmann/delayed-write", nil},
	{"crash-restart", "A node comes back without its data, and gives its vote twice.",
		"kleppmann/crash-restart", nil},
	{"delayed-restart", "The same node stays away until all it forgot has expired: nothing breaks, and c2 has to wait.",
		"antirez/delayed-restart", nil},
	{"no-validity-check", "A mutant: without the third step a client takes up a lock that has expired.",
		"kleppmann/pause-before-reply", []string{"lock.validity_check=false"}},
	{"plain-release", "A mutant: a release that does not compare frees what another client holds.",
		"kleppmann/gc-pause", []string{"lock.free=delete"}},
	{"no-cleanup", "A mutant: a failed attempt leaves its keys behind, which is told as a leak.",
		"baseline/fault-free", []string{"lock.cleanup=none"}},
	{"lost-counter", "The node that counts fencing tokens forgets its count, and a token comes twice.",
		"antirez/delayed-restart", []string{"fencing.source=node", "fencing.node=3"}},
	{"bounds", "A restart that is not delayed enough, and how long is enough: as reckoned, and as measured.",
		"antirez/delayed-restart-short", nil},
	{"no-bound", "A clock that errs on the safe side: there is no bound to find.",
		"leases/fast-client", nil},
	{"unavailable", "Most nodes crash and stay away: the lock is safe, and cannot be had for a while.",
		"antirez/majority-crash", nil},
	{"cut-short", "The network loses so much that time runs out: what was not seen to break is unknown.",
		"baseline/fault-free", []string{"network.loss=0.2"}},
}

// scenario gives a scenario of the catalogue, changed.
func scenario(t testing.TB, id string, set ...string) *scenarios.Scenario {
	t.Helper()
	s, ok := scenarios.Find(id)
	if !ok {
		t.Fatalf("there is no scenario %q", id)
	}
	for _, change := range set {
		if err := s.Set(change); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	return &s
}

// Rewrite the transcripts with go test ./reports -update, and read what has changed.
func TestTranscripts(t *testing.T) {
	for _, c := range transcripts {
		t.Run(c.file, func(t *testing.T) {
			command := "lockstorm run " + c.scenario + " --seed 1"
			for _, set := range c.set {
				command += " --set " + set
			}
			s := scenario(t, c.scenario, c.set...)
			m := reports.Making{Command: command, Edges: measured(s)}
			got := c.prose + "\n\n" + reports.Text(scenarios.Run(*s, 1), m)
			golden(t, c.file, got)
		})
	}
	t.Run("campaign", func(t *testing.T) {
		s := scenario(t, "kleppmann/pause-before-reply", "lock.validity_check=false")
		m := reports.Campaign(s, 1, campaign.Plan{Scenario: s, First: 1, Runs: 30, Workers: 2}.Run())
		m.Command, m.Kept = "lockstorm run kleppmann/pause-before-reply --seed 1 --set lock.validity_check=false", 5
		golden(t, "campaign", "Many runs of the mutant without the third step: all of them break.\n\n"+reports.CampaignText(m))
	})
	t.Run("list", func(t *testing.T) {
		golden(t, "list", "The scenarios, and what they break.\n\n"+reports.List(scenarios.Catalogue()))
	})
	t.Run("settings", func(t *testing.T) {
		golden(t, "settings", "What can be changed in a scenario.\n\n"+reports.Settings(scenario(t, "kleppmann/clock-jump")))
	})
}

// The first five transcripts have pictures too. Look at them when they change: in a browser, light and dark.
func TestPictures(t *testing.T) {
	for _, c := range transcripts[:5] {
		r := scenarios.Run(*scenario(t, c.scenario, c.set...), 1)
		for _, f := range reports.Pictures(r, reports.Making{Command: "lockstorm run " + c.scenario + " --seed 1"}) {
			switch f.Name {
			case "timeline.svg", "sequence.svg", "sequence.mmd":
				goldenFile(t, filepath.Join("pictures", c.file+"."+f.Name), string(f.Content))
			}
		}
	}
}

// golden compares a text with its file, or rewrites the file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	goldenFile(t, name+".txt", got)
}

func goldenFile(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is not current: run go test ./reports -update, and read the difference.\n%s", file, got)
	}
}

// The same run gives the same bytes: nothing in a report hangs on the order of a map, or on what was told before.
func TestAReportIsAFunctionOfItsRun(t *testing.T) {
	s := scenario(t, "baseline/fault-free", "clients=12", "work.cycles=2", "network.loss=0.02")
	m := reports.Making{Version: "9.9.9", Settings: []string{"a=b"}, Command: "do it"}
	r := scenarios.Run(*s, 3)
	text, json := reports.Text(r, m), string(reports.JSON(reports.Describe(r, m)))
	for range 20 {
		again := scenarios.Run(*s, 3)
		if reports.Text(again, m) != text || string(reports.JSON(reports.Describe(again, m))) != json {
			t.Fatal("the same run was told in another way")
		}
	}
}

// The last two lines are for machines to copy; everything before them fits a terminal of 120 columns.
func TestNothingButTheSummaryIsWide(t *testing.T) {
	runs := append([]transcript{}, transcripts...)
	for _, s := range scenarios.Catalogue() {
		runs = append(runs, transcript{scenario: s.ID})
	}
	for _, set := range [][]string{
		{"clients=12"}, {"nodes=9"}, {"nodes=100", "clients=40", "work.cycles=1"}, {"lock.kind=single"}, {"fencing.source=none"}, {"network.loss=0.2"},
		{"horizon=364ms"}, {"lock.cleanup=answered", "lock.fresh_token=false"}, {"steps=500"},
	} {
		runs = append(runs, transcript{scenario: "baseline/fault-free", set: set}, transcript{scenario: "kleppmann/gc-pause", set: set})
	}
	for _, c := range runs {
		r := scenarios.Run(*scenario(t, c.scenario, c.set...), 1)
		lines := strings.Split(strings.TrimSuffix(reports.Text(r, reports.Making{Command: "again"}), "\n"), "\n")
		for _, line := range lines[:len(lines)-2] {
			tidy(t, line)
		}
	}
	all := scenarios.Catalogue()
	for _, s := range all {
		for line := range strings.Lines(reports.Settings(&s) + reports.List(all)) {
			tidy(t, strings.TrimSuffix(line, "\n"))
		}
	}
}

func tidy(t *testing.T, line string) {
	t.Helper()
	if n := utf8.RuneCountInString(line); n > 120 {
		t.Errorf("a line of %d columns: %s", n, line)
	}
	if strings.TrimRight(line, " \t") != line || !utf8.ValidString(line) {
		t.Errorf("a line ends in blanks, or is no text: %q", line)
	}
}
