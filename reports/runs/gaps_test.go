package runs_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/reportstest"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/sim/simtest"
	"pgregory.net/rapid"
)

// all makes every report of a run.
func all(r *scenarios.Result) (text string) {
	var m runs.Making
	text = textOf(reports.Screen{}, r, m) + briefOf(reports.Screen{}, r, m) + markdownOf(r, m) + string(htmlOf(r, m)) + runs.Summary(r)
	runs.Describe(r, m)
	for _, f := range slices.Concat(runs.Files(r, m), runs.Pictures(r, m)) {
		text += string(f.Content)
	}
	return text
}

// clone copies a result, so that its evidence can be changed.
func clone(r *scenarios.Result) *scenarios.Result {
	c, e := *r, *r.Evidence
	e.History, e.Tries, e.Holds, e.Keys = slices.Clone(e.History), slices.Clone(e.Tries), slices.Clone(e.Holds), slices.Clone(e.Keys)
	e.Renewals, e.Outages, e.Writes, e.Strikes = slices.Clone(e.Renewals), slices.Clone(e.Outages), slices.Clone(e.Writes), slices.Clone(e.Strikes)
	c.Evidence = &e
	return &c
}

func judge(r *scenarios.Result) {
	var j, k checker.Judge
	r.Findings, r.Seen = j.Judge(r.Evidence), k.Sometimes(r.Evidence)
}

// gaps are ways to leave something out of evidence.
var gaps = []struct {
	name  string
	leave func(e *checker.Evidence)
	says  string
}{
	{"history", func(e *checker.Evidence) { e.History = nil }, "no history, so it shows no calls"},
	{"tries", func(e *checker.Evidence) { e.Tries = nil }, "no attempts, so it shows no client waiting"},
	{"keys", func(e *checker.Evidence) { e.Keys = nil }, ""},
	{"holds", func(e *checker.Evidence) { e.Holds, e.Renewals = nil, nil }, ""},
	{"writes", func(e *checker.Evidence) { e.Writes = nil }, ""},
	{"strikes", func(e *checker.Evidence) { e.Strikes, e.Planned = nil, 0 }, ""},
	{"outages", func(e *checker.Evidence) { e.Outages = nil }, ""},
	{"clients", func(e *checker.Evidence) { e.Clients = 0 }, ""},
	{"lanes", func(e *checker.Evidence) { e.Lanes, e.Keys, e.Outages = nil, nil, nil }, ""},
	{"end", func(e *checker.Evidence) { e.End = 0 }, "is not sound"},
	{"broken", func(e *checker.Evidence) {
		e.Holds = append(e.Holds, checker.Hold{Client: 99, From: clock.Forever})
	}, "is not sound"},
}

// A report shows whatever evidence there is, and says what is missing.
func TestARunIsReportedWithGapsInItsEvidence(t *testing.T) {
	for i, id := range []string{"kleppmann/gc-pause", "kleppmann/clock-jump", "kleppmann/delayed-write", "redisson/watchdog", "failover/wait"} {
		if !simtest.Long && i > 0 {
			continue
		}
		if !slices.ContainsFunc(scenarios.Catalogue(), func(s scenarios.Scenario) bool { return s.ID == id }) {
			continue
		}
		whole := scenarios.Run(*reportstest.Scenario(t, id), 1)
		for _, g := range gaps {
			r := clone(whole)
			g.leave(r.Evidence)
			judge(r)
			if text := all(r); g.says != "" && !strings.Contains(text, g.says) {
				t.Errorf("%s without %s: the reports do not say %q", id, g.name, g.says)
			}
		}
		everything := clone(whole)
		everything.Evidence, everything.Trace = &checker.Evidence{}, nil
		judge(everything)
		all(everything)
	}
}

// Several gaps together, and numbers that fit nothing, break no report either.
func TestNoEvidenceBreaksAReport(t *testing.T) {
	whole := scenarios.Run(*reportstest.Scenario(t, "kleppmann/gc-pause"), 1)
	draws := 0
	rapid.Check(t, func(t *rapid.T) {
		if draws++; !simtest.Long && draws > 20 {
			return
		}
		r := clone(whole)
		for range rapid.IntRange(1, 3).Draw(t, "gaps") {
			gaps[rapid.IntRange(0, len(gaps)-3).Draw(t, "gap")].leave(r.Evidence)
		}
		e := r.Evidence
		if n := len(e.Holds); n > 0 && rapid.Bool().Draw(t, "hold") {
			h := &e.Holds[rapid.IntRange(0, n-1).Draw(t, "of")]
			h.Gone = clock.Instant(rapid.Int64().Draw(t, "gone"))
			h.Valid = clock.Instant(rapid.Int64().Draw(t, "valid"))
			h.Try = rapid.IntRange(-2, 20).Draw(t, "try")
		}
		if n := len(e.Writes); n > 0 && rapid.Bool().Draw(t, "write") {
			e.Writes[rapid.IntRange(0, n-1).Draw(t, "of")].Op = rapid.IntRange(-2, 200).Draw(t, "op")
		}
		judge(r)
		all(r)
	})
}
