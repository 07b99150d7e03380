package runs_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/reports/reportstest"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
)

// hostile is a name that would do harm if it were taken for anything but a name.
const hostile = "</title><script>alert(1)</script>'\"&{{.}}\u202egnp.exe\u0000\x1b[31m;#%%\n--\n../../x"

func TestHostileNamesAreHarmlessInAPage(t *testing.T) {
	s := *reportstest.Scenario(t, "kleppmann/gc-pause")
	s.ID, s.Title, s.About = hostile, hostile, hostile
	s.Claim = scenarios.Claim{By: hostile, Says: hostile, Finding: hostile}
	m := runs.Making{Version: hostile, Command: "lockstorm run " + hostile, Settings: []string{hostile}, Source: hostile}
	page := string(htmlOf(scenarios.Run(s, 1), m))
	for _, bad := range []string{"<script>alert", "\u202e", "\x00", "\x1b"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
	if strings.Count(page, "<script") != 1 || strings.Count(page, "</script") != 1 {
		t.Error("the page has more scripts than its own")
	}
	s.ID, s.Title = strings.Repeat("<b>", 1<<20/3), strings.Repeat("\u202e", 1<<18)
	if page := htmlOf(scenarios.Run(s, 1), m); len(page) > 400_000 {
		t.Errorf("a long name makes the page %d bytes long", len(page))
	}
}

// Two clients continue for a hundred seconds while c1 is paused: the page shows both ends of it, and says what it
// leaves out.
func TestLongRunPageNamesWhatItOmits(t *testing.T) {
	s := reportstest.Scenario(t, "kleppmann/gc-pause", "clients=3", "work.cycles=500", "horizon=100h", "steps=100000000", "fault.1.for=100s")
	r := scenarios.Run(*s, 1)
	page := string(htmlOf(r, runs.Making{}))
	for _, want := range []string{`class="gap"`, "not all is drawn", " operations and lasts", "All operations of the run"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if len(page) > 500_000 {
		t.Errorf("the page has %d bytes", len(page))
	}
}

func TestThePageOfARunIsAlwaysTheSame(t *testing.T) {
	for _, id := range []string{"kleppmann/gc-pause", "baseline/bad-weather", "antirez/ntp-slew"} {
		s := *reportstest.Scenario(t, id)
		m := runs.Making{Command: "c"}
		if !bytes.Equal(htmlOf(scenarios.Run(s, 5), m), htmlOf(scenarios.Run(s, 5), m)) {
			t.Errorf("%s: the page is another each time", id)
		}
	}
}

// A promise that breaks as the scenario expects says so in words, and has another class, on chips and in the table.
func TestExpectedViolationIsNoAlarm(t *testing.T) {
	for expected, want := range map[bool][2]int{true: {0, 4}, false: {2, 2}} { // belief and storage break, each in two places
		s := *reportstest.Scenario(t, "kleppmann/gc-pause")
		if !expected {
			s.Expect = slices.DeleteFunc(slices.Clone(s.Expect), func(e scenarios.Expectation) bool { return e.Property == "belief" })
		}
		page := string(htmlOf(scenarios.Run(s, 1), runs.Making{Command: "c"}))
		page, _, _ = strings.Cut(page, "What a linearizability checker sees")
		got := [2]int{strings.Count(page, `<span class="violated">violated</span>`), strings.Count(page, `<span class="expected">violated</span>`)}
		meant := strings.Count(page, `<span class="expected">broken, as this scenario is meant to show</span>`)
		got[1] += meant
		if got != want || meant != want[1]/2 {
			t.Errorf("expected %v: %d in red and %d not, want %v", expected, got[0], got[1], want)
		}
	}
}
