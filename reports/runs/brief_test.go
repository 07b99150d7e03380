package runs_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/sim/simtest"
)

// Every scenario of the catalogue fits into 40 lines of 80 columns, and says in its first sentence what is violated. A
// fault that the paragraph quotes is named nowhere else in the story.
func TestABriefTextOfEveryScenarioIsShort(t *testing.T) {
	violated, longest := 0, ""
	most := 0
	for i, s := range scenarios.Catalogue() {
		if !simtest.Long && i%6 > 0 {
			continue
		}
		r := scenarios.Run(s, 1)
		text := briefOf(reports.Screen{}, r, runs.Making{Command: "lockstorm run " + s.ID + " --seed 1", Whole: "lockstorm run " + s.ID + " --seed 1 --verbose"})
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		if len(lines) > 40 {
			t.Errorf("%s: %d lines\n%s", s.ID, len(lines), text)
		}
		for _, line := range lines {
			if utf8.RuneCountInString(line) > 80 && !strings.Contains(line, "lockstorm run") {
				t.Errorf("%s: %d columns: %s", s.ID, utf8.RuneCountInString(line), line)
			}
		}
		if len(lines) > most {
			most, longest = len(lines), s.ID
		}
		for _, f := range r.Findings {
			if f.Verdict == checker.Violated {
				violated++
				p, _ := checker.Lookup(f.Property)
				says := strings.ToLower(p.Broken[:1]) + strings.TrimSuffix(p.Broken[1:], ".")
				if flat := strings.Join(strings.Fields(text), " "); !strings.Contains(text, "("+f.Property+")") && !strings.Contains(flat, says) {
					t.Errorf("%s: its verdict does not name %s:\n%s", s.ID, f.Property, text)
				}
			}
		}
		for _, strike := range r.Evidence.Strikes {
			if quoted := fmt.Sprintf("%q", strike.Fault); strings.Count(text, quoted) > 1 || strings.Contains(text, quoted) && strings.Contains(text, "fault: "+strike.Fault+",") {
				t.Errorf("%s names %s more than once:\n%s", s.ID, quoted, text)
			}
		}
	}
	if violated == 0 {
		t.Error("nothing is violated in any scenario")
	}
	t.Logf("%d violations; the longest text is that of %s, %d lines", violated, longest, most)
}

// The first story of each violated scenario has the last sentence of its argument, and at least one moment if there
// are any, and fits with them into 40 lines.
func TestBriefTextHasAReasonAndAMoment(t *testing.T) {
	seeds := uint64(1)
	if os.Getenv("LOCKSTORM_LONG") != "" {
		seeds = 30
	}
	told, all := 0, 0
	for i, s := range scenarios.Catalogue() {
		if !simtest.Long && i%3 > 0 || !slices.ContainsFunc(s.Expect, func(e scenarios.Expectation) bool { return e.Verdict == checker.Violated }) {
			continue
		}
		for seed := uint64(1); seed <= seeds; seed++ {
			r := scenarios.Run(s, seed)
			text := briefOf(reports.Screen{}, r, runs.Making{Command: "lockstorm run " + s.ID, Whole: "lockstorm run " + s.ID + " --verbose"})
			if lines := strings.Count(text, "\n"); lines > 40 {
				t.Errorf("%s, seed %d: %d lines\n%s", s.ID, seed, lines, text)
			}
			f, ok := firstTold(r, text)
			if !ok {
				continue
			}
			all++
			words := withoutNumbers(strings.Join(strings.Fields(text), " "))
			argument := withoutNumbers(r.Evidence.ShortAccount(f).Text)
			reason := argument[strings.LastIndex(strings.TrimSuffix(argument, "."), ". ")+1:]
			hasMoment := slices.ContainsFunc(r.Evidence.Story(f).Events, func(m checker.Event) bool {
				return strings.Contains(words, withoutNumbers(wording.Micros(m.At)+" "+m.Text))
			})
			if strings.Contains(words, strings.TrimSpace(reason)) && (hasMoment || len(r.Evidence.Story(f).Events) == 0) {
				told++
				continue
			}
			t.Errorf("%s, seed %d: no reason or no moment\n%s", s.ID, seed, text)
		}
	}
	if all == 0 {
		t.Error("nothing is told")
	}
	t.Logf("%d of %d runs give a reason and a moment", told, all)
}

// withoutNumbers returns a text without its numbers, which a brief text rounds.
func withoutNumbers(text string) string {
	return regexp.MustCompile(`[0-9.]*[0-9]`).ReplaceAllString(text, "")
}

// firstTold returns the violation that a brief text reports.
func firstTold(r *scenarios.Result, text string) (checker.Finding, bool) {
	for _, f := range r.Findings {
		if f.Verdict == checker.Violated && strings.Contains(text, "\n"+wording.Capital(wording.Broke([]string{f.Property}))+" ("+f.Property+").") {
			return f, true
		}
	}
	return checker.Finding{}, false
}

// A title longer than a line is broken, not rejected: a run must not fail because of its scenario's name.
func TestALongTitleIsBrokenIntoLines(t *testing.T) {
	s, err := scenarios.Parse("x.yaml", []byte("title: "+strings.TrimSpace(strings.Repeat("A long title. ", 20))+"\nclients: 2\n"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(briefOf(reports.Screen{}, scenarios.Run(s, 1), runs.Making{})) {
		if len([]rune(line)) > 81 {
			t.Errorf("%q", line)
		}
	}
}
