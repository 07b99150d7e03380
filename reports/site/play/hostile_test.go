package play_test

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/reports/site/play"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/sim/simtest"
)

func TestErrorsNameTheirPlace(t *testing.T) {
	p := &play.Program{}
	for _, c := range []struct {
		setup        setup
		where, says  string
		line, column int
	}{
		{setup{YAML: "title: x\nsource: y\nnodes: many\n"}, "yaml", "many", 3, 8},
		{setup{YAML: "title: x\nnodes: [\n"}, "yaml", "no end", 2, 8},
		{setup{YAML: "title: \x00\n"}, "yaml", "", 1, 0},
		{setup{YAML: "title: x\nclients: 99999999999999999999\n"}, "yaml", "clients", 2, 10},
		{setup{}, "yaml", "", 1, 1},
		{setup{Scenario: "kleppmann/gc-pause", Schedule: text("at 1s pause c1\n\nat 2s puase c1\n")}, "schedule", "pause", 3, 7},
		{setup{Scenario: "kleppmann/gc-pause", Schedule: text("\nat 1s pause c77\n")}, "schedule", "c77", 2, 13},
		{setup{Scenario: "kleppmann/gc-pause", Schedule: text("at 1s pause \x00")}, "schedule", "", 1, 13},
		{setup{Scenario: "kleppmann/gc-pause", Schedule: text("at 99999999999h pause c1")}, "schedule", "", 1, 4},
		{setup{Scenario: "kleppmann/gc-pause", Schedule: text(strings.Repeat("at 1s pause c1\n", 5000))}, "schedule", "", 0, 0},
		{setup{Scenario: "kleppmann/gc-pause", Set: []string{"lock.tll=3s"}}, "set", "did you mean lock.ttl", 0, 0},
		{setup{Scenario: "kleppmann/gc-pause", Set: []string{"lock.ttl=-3s"}}, "set", "lock.ttl", 0, 0},
		{setup{Scenario: "kleppmann/gc-pause", Set: []string{"lock.ttl=999999999999h"}}, "set", "lock.ttl", 0, 0},
		{setup{Scenario: "kleppmann/gc-pause", Set: []string{"\x00"}}, "set", "KEY=VALUE", 0, 0},
		{setup{Scenario: "kleppmann/gc-pause", Set: make([]string, 1000)}, "set", "at most", 0, 0},
		{setup{Scenario: "kleppmann/gc-pause", Seed: 1 << 60}, "seed", "9007199254740991", 0, 0},
	} {
		r := call[run](t, p, "run", fields{"setup": c.setup})
		if len(r.Problems) == 0 {
			t.Errorf("%+v has no problem, want %s", c.setup, c.says)
			continue
		}
		x := r.Problems[0]
		if x.Where != c.where || !strings.Contains(x.Message, c.says) || x.Line != c.line || c.column > 0 && x.Column != c.column {
			t.Errorf("%.200v: %+v, want %+v", c.setup, x, c)
		}
		opened := call[struct{ Problems []fields }](t, p, "open", fields{"setup": c.setup})
		if len(opened.Problems) != len(r.Problems) {
			t.Errorf("open says %v, and run %v", opened.Problems, r.Problems)
		}
	}
}

func text(s string) *string { return &s }

func TestInvalidRequestIsAnError(t *testing.T) {
	p := &play.Program{}
	const s = `"setup":{"scenario":"kleppmann/gc-pause","seed":1}`
	for _, c := range []struct{ call, request, says string }{
		{"rum", `{}`, "did you mean run"},
		{"run", ``, "can't be read"},
		{"run", `null extra`, "more after its end"},
		{"run", `{"setup":{"scenario":"kleppmann/gc-puase"}}`, "did you mean kleppmann/gc-pause"},
		{"run", `{"setup":{"scenario":"a","yaml":"b"}}`, "not both"},
		{"run", `{"setup":{"sceanrio":"x"}}`, "unknown field"},
		{"run", `{"setup":{"seed":-1}}`, "can't be read"},
		{"run", `{"setup":{"seed":1e300}}`, "can't be read"},
		{"run", `{"setup":{"scenario":"` + strings.Repeat("x", 5<<20) + `"}}`, "bytes"},
		{"run", strings.Repeat("[", 100_000), "can't be read"},
		{"state", `{` + s + `,"t":-5}`, "is not on the timeline"},
		{"state", `{` + s + `,"t":9000000000000000000}`, "is not on the timeline"},
		{"move", `{` + s + `,"line":9,"from":0,"to":1}`, "line 9 of the schedule has no fault"},
		{"move", `{` + s + `,"line":1,"from":-1,"to":1}`, "0s or later"},
		{"move", `{` + s + `,"line":1,"from":9223372036854775807}`, "not after 60s"},
		{"many", `{` + s + `,"first":1,"runs":0}`, "out of range"},
		{"many", `{` + s + `,"first":1,"runs":1000000000}`, "out of range"},
		{"many", `{` + s + `,"first":9007199254740991,"runs":2}`, "seeds go up to"},
		{"many", `{` + s + `,"first":1,"runs":1,"counts":{"counts":[{"name":"belief","violated":-1}]}}`, "are no count"},
		{"many", `{` + s + `,"first":1,"runs":1,"counts":{"counts":[{"violated":9223372036854775807,"unknown":9223372036854775807}]}}`, "are no count"},
		{"many", `{` + s + `,"first":1,"runs":1,"counts":{"runs":3,"passed":4}}`, "have not passed"},
		{"many", `{` + s + `,"first":1,"runs":1,"counts":{"runs":9223372036854775807}}`, "have not passed"},
		{"many", `{` + s + `,"first":1,"runs":1,"counts":{"counts":[{"name":"belief","runs":9223372036854775807}]}}`, "are no count"},
		{"fuzz", `{` + s + `,"first":1,"runs":1,"property":"valdity"}`, "did you mean validity"},
		{"shrink", `{` + s + `,"property":"quorum","tries":10}`, "not violated"},
		{"shrink", `{` + s + `,"property":"","tries":10}`, "name the promise"},
		{"shrink", `{` + s + `,"property":"storage","tries":0}`, "out of range"},
		{"shrink", `{` + s + `,"property":"storage","tries":1,"runs":9223372036854775807}`, "out of range"},
		{"state", `{"setup":{"scenario":"kleppmann/gc-pause","schedule":"\nfoo"},"t":1}`, "found"},
	} {
		if says, _, _ := failure(t, p, c.call, c.request); !strings.Contains(says, c.says) {
			t.Errorf("%s %.100s says %q, want %q", c.call, c.request, says, c.says)
		}
	}
	if _, line, column := failure(t, p, "state", `{"setup":{"scenario":"kleppmann/gc-pause","schedule":"\nfoo"},"t":1}`); line != 2 || column != 1 {
		t.Errorf("the error is at %d:%d", line, column)
	}
}

// A scenario that would run without end fills no memory: the answer says how to run it elsewhere.
func TestEndlessRunIsStopped(t *testing.T) {
	p := &play.Program{}
	s := setup{Scenario: "baseline/fault-free", Seed: 1, Set: []string{"work.cycles=1000000", "clients=50", "horizon=8000h", "steps=1000000000"}}
	q, _ := json.Marshal(fields{"setup": s})
	for _, name := range []string{"run", "report"} {
		if says, _, _ := failure(t, p, name, string(q)); !strings.Contains(says, "300,000") || !strings.Contains(says, "lockstorm run baseline/fault-free --seed 1 --set ") {
			t.Errorf("%s says %q", name, says)
		}
	}
	q, _ = json.Marshal(fields{"setup": s, "first": 3, "runs": 1000})
	for _, name := range []string{"many", "fuzz"} { // all of these runs would take minutes
		if says, _, _ := failure(t, p, name, string(q)); !strings.Contains(says, "lockstorm run baseline/fault-free --seed 3 --set ") {
			t.Errorf("%s says %q", name, says)
		}
	}
}

// Whatever is in a request, there is an answer, and no defect in it.
func TestRequestsNeverCauseADefect(t *testing.T) {
	p := &play.Program{}
	ids := scenarios.IDs()
	calls := []string{"open", "run", "report", "decide", "state", "move", "many", "fuzz", "shrink"}
	rapid.Check(t, func(t *rapid.T) {
		s := setup{Scenario: rapid.SampledFrom(ids).Draw(t, "id"), Seed: rapid.Uint64Range(0, 1000).Draw(t, "seed")}
		if rapid.IntRange(0, 3).Draw(t, "what") == 0 {
			known, _ := scenarios.Find(s.Scenario)
			file := string(known.Brief())
			at := rapid.IntRange(0, len(file)).Draw(t, "at")
			s.Scenario, s.YAML = "", file[:at]+rapid.SampledFrom([]string{"\x00", "\n", ": ", "- ", "99999999999999999999", "&a *a", "\t", "{", "\"", ""}).Draw(t, "junk")+file[min(len(file), at+rapid.IntRange(0, 3).Draw(t, "gone")):]
		}
		if rapid.Bool().Draw(t, "planned") {
			plan := rapid.SampledFrom([]string{"", "at 1s pause c1", "at 0s for 1ns pause all", "when any acquired pause holder for 1h", "at 1s jump n1 -9000h", "at 1s drift all +499999ppm", "at 1s partition ring", "\xff"}).Draw(t, "plan")
			s.Schedule = &plan
		}
		for range rapid.IntRange(0, 2).Draw(t, "settings") {
			s.Set = append(s.Set, rapid.SampledFrom([]string{"nodes=0", "nodes=100", "clients=1", "lock.ttl=1ms", "lock.kind=raft", "work.cycles=1", "work.work=0s..1h", "network.loss=1", "horizon=0s", "steps=1", "=", "pause.for=1ns"}).Draw(t, "set"))
		}
		if !simtest.Long { // many clients on many nodes take long
			s.Set = append(s.Set, "steps=3000")
		}
		q := fields{"setup": s}
		name := rapid.SampledFrom(calls).Draw(t, "call")
		switch name {
		case "state":
			q["t"] = rapid.Int64().Draw(t, "t")
		case "move":
			q["line"], q["from"], q["to"] = rapid.IntRange(-1, 3).Draw(t, "line"), rapid.Int64Range(0, 1<<40).Draw(t, "from"), rapid.Int64Range(0, 1<<62).Draw(t, "to")
		case "many", "fuzz":
			q["first"], q["runs"] = 1, rapid.IntRange(1, 3).Draw(t, "runs")
		case "shrink":
			q["property"], q["tries"] = rapid.SampledFrom([]string{"belief", "storage"}).Draw(t, "property"), 3
		}
		request, _ := json.Marshal(q)
		if answer := string(p.Call(name, request)); strings.Contains(answer, "defect of Lockstorm") || !json.Valid([]byte(answer)) {
			t.Fatalf("%s %s: %.2000s", name, request, answer)
		}
	})
}
