package runs_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/reports/reportstest"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/sim/simtest"
)

// A transcript is the output of one run, after a line of prose that says what to see in it.
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
	{"bounds", "A restart that is not delayed enough, and how long is enough: as computed, and as measured.",
		"antirez/delayed-restart-short", nil},
	{"no-bound", "A clock that errs on the safe side: there is no bound to find.",
		"leases/fast-client", nil},
	{"unavailable", "Most nodes crash and stay away: the lock is safe, and cannot be had for a while.",
		"antirez/majority-crash", nil},
	{"cut-short", "The network loses so much that time runs out: what was not seen to break is unknown.",
		"baseline/fault-free", []string{"network.loss=0.2"}},
}

// Rewrite the transcripts with go test ./reports/runs -update, and read what has changed.
func TestTranscripts(t *testing.T) {
	for _, c := range transcripts {
		t.Run(c.file, func(t *testing.T) {
			command := "lockstorm run " + c.scenario + " --seed 1"
			for _, set := range c.set {
				command += " --set " + set
			}
			s := reportstest.Scenario(t, c.scenario, c.set...)
			m := runs.Making{Command: command, Edges: measured(s)}
			got := c.prose + "\n\n" + textOf(reports.Screen{}, scenarios.Run(*s, 1), m)
			reportstest.Golden(t, c.file, got)
		})
	}
	t.Run("campaign", func(t *testing.T) {
		s := reportstest.Scenario(t, "kleppmann/pause-before-reply", "lock.validity_check=false")
		m := campaign.Plan{Scenario: s, First: 1, Runs: 30, Workers: 2}.Run()
		m.Command, m.Kept = "lockstorm run kleppmann/pause-before-reply --seed 1 --set lock.validity_check=false", 5
		reportstest.Golden(t, "campaign", "Many runs of the mutant without the third step: all of them break.\n\n"+campaigns.Tally(&m, s.ProofNote()).Text(reports.Screen{}))
	})
	t.Run("list", func(t *testing.T) {
		reportstest.Golden(t, "list", "The scenarios, and what they break.\n\n"+runs.List(scenarios.Catalogue()).Text(reports.Screen{}))
	})
	t.Run("settings", func(t *testing.T) {
		reportstest.Golden(t, "settings", "What can be changed in a scenario.\n\n"+runs.Settings(reports.Screen{}, reportstest.Scenario(t, "kleppmann/clock-jump")))
	})
}

// The first five transcripts have pictures too. Look at them when they change: in a browser, light and dark.
func TestPictures(t *testing.T) {
	for _, c := range transcripts[:5] {
		r := scenarios.Run(*reportstest.Scenario(t, c.scenario, c.set...), 1)
		for _, f := range runs.Pictures(r, runs.Making{Command: "lockstorm run " + c.scenario + " --seed 1"}) {
			switch f.Name {
			case "timeline.svg", "sequence.svg":
				folder := "pictures"
				if c.file+"."+f.Name == "gc-pause.timeline.svg" { // a page shows it
					folder = filepath.Join("..", "..", "pictures")
				}
				reportstest.GoldenFile(t, filepath.Join(folder, c.file+"."+f.Name), string(f.Content))
			}
		}
	}
}

// The same run yields the same bytes: nothing in a report depends on the order of a map, or on earlier reports.
func TestAReportIsAFunctionOfItsRun(t *testing.T) {
	s := reportstest.Scenario(t, "baseline/fault-free", "clients=12", "work.cycles=2", "network.loss=0.02")
	m := runs.Making{Version: "9.9.9", Settings: []string{"a=b"}, Command: "do it"}
	r := scenarios.Run(*s, 3)
	text, json := textOf(reports.Screen{}, r, m), string(reports.JSON(runs.Describe(r, m)))
	for range 5 {
		again := scenarios.Run(*s, 3)
		if textOf((reports.Screen{}), again, m) != text || string(reports.JSON(runs.Describe(again, m))) != json {
			t.Fatal("the same run was told in another way")
		}
	}
}

// The last two lines are for machines to copy; everything before them fits a terminal of 120 columns. Another test
// checks each scenario of the unchanged catalogue.
func TestOnlyTheSummaryIsWide(t *testing.T) {
	varied := append([]transcript{}, transcripts...)
	for _, set := range [][]string{
		{"clients=12"}, {"nodes=9"}, {"nodes=100", "clients=40", "work.cycles=1"}, {"lock.kind=single"}, {"fencing.source=none"}, {"network.loss=0.2"},
		{"horizon=364ms"}, {"lock.cleanup=answered", "lock.fresh_token=false"}, {"steps=500"},
	} {
		varied = append(varied, transcript{scenario: "baseline/fault-free", set: set}, transcript{scenario: "kleppmann/gc-pause", set: set})
	}
	for i, c := range varied {
		if !simtest.Long && i%5 > 0 {
			continue
		}
		r := scenarios.Run(*reportstest.Scenario(t, c.scenario, c.set...), 1)
		lines := strings.Split(strings.TrimSuffix(textOf(reports.Screen{}, r, runs.Making{Command: "again"}), "\n"), "\n")
		for _, line := range lines[:len(lines)-2] {
			reportstest.Tidy(t, line)
		}
	}
	all := scenarios.Catalogue()
	text := runs.List(all).Text(reports.Screen{})
	for _, s := range all {
		text += runs.Settings(reports.Screen{}, &s)
	}
	for line := range strings.Lines(text) {
		reportstest.Tidy(t, strings.TrimSuffix(line, "\n"))
	}
}
