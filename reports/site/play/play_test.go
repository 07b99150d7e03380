package play_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/reports/shell"
	"github.com/lockstorm/lockstorm/reports/site/play"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/sim/simtest"
)

// A setup is one as a page sends it.
type setup struct {
	Scenario string   `json:"scenario,omitempty"`
	YAML     string   `json:"yaml,omitempty"`
	Set      []string `json:"set"`
	Schedule *string  `json:"schedule"`
	Seed     uint64   `json:"seed"`
}

type fields map[string]any

// call asks a program, and reads the answer as a page does.
func call[A any](t testing.TB, p *play.Program, name string, request any) (a A) {
	t.Helper()
	q, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	answer := p.Call(name, q)
	if strings.HasPrefix(string(answer), `{"error"`) {
		t.Fatalf("%s %.300s: %.600s", name, q, answer)
	}
	if err := json.Unmarshal(answer, &a); err != nil {
		t.Fatalf("%s: %v in %.300s", name, err, answer)
	}
	return a
}

// failure returns the error that a call answers.
func failure(t testing.TB, p *play.Program, name, request string) (message string, line, column int) {
	t.Helper()
	var a struct {
		Error struct {
			Message      string
			Line, Column int
		}
	}
	answer := p.Call(name, []byte(request))
	if err := json.Unmarshal(answer, &a); err != nil {
		t.Fatalf("%s %.300s: %v in %.300s", name, request, err, answer)
	}
	if strings.Contains(a.Error.Message, "defect") {
		t.Errorf("%s %.300s: %s", name, request, a.Error.Message)
	}
	return a.Error.Message, a.Error.Line, a.Error.Column
}

type run struct {
	Problems []struct {
		Where, Message string
		Line, Column   int
	}
	Hash, Verdict, Command, Needs, YAML, Timeline, Sequence, Schedule string
	Promises                                                          []struct{ Name, Verdict, Expected, Short, Story string }
	Faults                                                            []struct {
		Line            int
		Text            string
		Struck, Movable bool
		From            int64
		To              *int64
		Y, Height       float64
		WhyNot          string `json:"why_not"`
	}
	Events []struct {
		T          int64
		Host, Text string
		Over       bool
	}
}

// all lists the scenarios that are tried: every ninth, from another one on for each test; in long proofs all.
func all(first int) (ids []string) {
	for i, id := range scenarios.IDs() {
		if simtest.Long || (i+first)%9 == 0 {
			ids = append(ids, id)
		}
	}
	return ids
}

func TestEveryScenarioIsOpenedAndRun(t *testing.T) {
	p := &play.Program{Version: "0.0.0"}
	about := call[struct {
		Scenarios []struct {
			ID string
		}
	}](t, p, "about", fields{})
	if len(about.Scenarios) != len(scenarios.IDs()) {
		t.Errorf("it knows %d scenarios of %d", len(about.Scenarios), len(scenarios.IDs()))
	}
	ids := append(all(0), "sql/paused", "sql/optimistic")
	for _, x := range about.Scenarios {
		if !slices.Contains(ids, x.ID) {
			continue
		}
		s := setup{Scenario: x.ID, Seed: 1}
		opened := call[struct {
			YAML     string
			Settings []struct{ Path, Value, Default string }
		}](t, p, "open", fields{"setup": s})
		if len(opened.Settings) < 20 || opened.YAML == "" {
			t.Errorf("%s is opened with %d settings", x.ID, len(opened.Settings))
		}
		for _, k := range opened.Settings {
			if k.Value != k.Default {
				t.Errorf("%s: %s is %s, and %s without settings, of which there are none", x.ID, k.Path, k.Value, k.Default)
			}
		}
		checkRun(t, p, s)
	}
}

// checkRun runs a setup by every call about a run, and compares the answers with the command's.
func checkRun(t *testing.T, p *play.Program, s setup) {
	t.Helper()
	r := call[run](t, p, "run", fields{"setup": s})
	known, _ := scenarios.Find(s.Scenario)
	want := scenarios.Run(known.Universes().At(s.Seed), s.Seed)
	if r.Hash != want.Hash() || r.Verdict != want.Verdict.String() || r.Schedule != want.Scenario.Faults.String() {
		t.Errorf("%s has the hash %s and the verdict %s, want %s and %s", s.Scenario, r.Hash, r.Verdict, want.Hash(), want.Verdict)
	}
	if again, err := scenarios.Parse("x.yaml", []byte(r.YAML)); err != nil {
		t.Errorf("%s as a file: %v", s.Scenario, err)
	} else if h := scenarios.Run(again.Universes().At(s.Seed), s.Seed).Hash(); h != r.Hash {
		t.Errorf("%s as a file has another hash", s.Scenario)
	}
	if report := call[struct{ Text string }](t, p, "report", fields{"setup": s}); !strings.Contains(report.Text, r.Command) {
		t.Errorf("the report of %s has no command %s", s.Scenario, r.Command)
	}
	var from, to int64 // which the timeline shows
	at := strings.Index(r.Timeline, "data-from=")
	if _, err := fmt.Sscanf(r.Timeline[max(at, 0):], "data-from=\"%d\" data-to=\"%d\"", &from, &to); err != nil {
		t.Errorf("%s: the timeline is %.300s: %v", s.Scenario, r.Timeline, err)
	}
	if len(r.Events) == 0 {
		t.Errorf("%s: the timeline has no events", s.Scenario)
	}
	for i, f := range r.Faults {
		if f.Struck && f.Height == 0 && f.From >= from && f.From <= to {
			t.Errorf("%s: the timeline has no place for %s", s.Scenario, f.Text)
		}
		if f.Movable && f.Struck && i < 3 {
			call[fields](t, p, "move", fields{"setup": s, "line": f.Line, "from": f.From + 1_000_000, "to": f.To})
		}
	}
	for _, share := range []int64{0, 1, 2, 3} {
		at := from + (to-from)*share/3
		state := call[struct{ Nodes, Clients, Storage []fields }](t, p, "state", fields{"setup": s, "t": at})
		if len(state.Clients) != want.Scenario.Clients || len(state.Storage) != 2 {
			t.Errorf("%s has %d clients at %d", s.Scenario, len(state.Clients), at)
		}
	}
}

func TestSeedsCountTheSameInPieces(t *testing.T) {
	p := &play.Program{}
	s := setup{Scenario: "redlock/any"}
	whole := call[fields](t, p, "many", fields{"setup": s, "first": 1, "runs": 90})
	first := call[fields](t, p, "many", fields{"setup": s, "first": 1, "runs": 30})
	both := call[fields](t, p, "many", fields{"setup": s, "first": 31, "runs": 60, "counts": first})
	if fmt.Sprint(whole) != fmt.Sprint(both) {
		t.Errorf("in one they are\n%v, and in two\n%v", whole, both)
	}
	if planned := fmt.Sprint(call[fields](t, p, "many", fields{"setup": setup{Scenario: "kleppmann/gc-pause"}, "first": 1, "runs": 20})); !strings.Contains(planned, "shown by one run, the same in 20 seeds") {
		t.Errorf("runs in which all is planned are a sample: %s", planned)
	}
}

func TestFuzzViolationShrinksTheSameInSteps(t *testing.T) {
	p := &play.Program{}
	found := call[struct {
		Tried int
		Found *struct {
			Seed     uint64
			Property string
			Setup    setup
		}
	}](t, p, "fuzz", fields{"setup": setup{Scenario: "redlock/any"}, "property": "quorum", "first": 1, "runs": 2000})
	if found.Found == nil || found.Tried != int(found.Found.Seed) {
		t.Fatalf("it found nothing, or not the first: %+v", found)
	}
	breaks := func(s setup) bool {
		r := call[run](t, p, "run", fields{"setup": s})
		return slices.ContainsFunc(r.Promises, func(x struct{ Name, Verdict, Expected, Short, Story string }) bool {
			return x.Name == "quorum" && x.Verdict == "violated" && x.Story != ""
		})
	}
	if !breaks(found.Found.Setup) {
		t.Error("what it found does not break it")
	}
	type shrunk struct {
		Done  bool
		Setup setup
		Said  []string
		Runs  int
		At    fields
	}
	whole := call[shrunk](t, p, "shrink", fields{"setup": found.Found.Setup, "property": "quorum", "tries": 5000})
	part := shrunk{Setup: found.Found.Setup}
	calls := 0
	for q := (fields{"setup": part.Setup, "property": "quorum", "tries": 25}); !part.Done && calls < 500; calls++ {
		part = call[shrunk](t, p, "shrink", q)
		if !part.Done && !breaks(part.Setup) {
			t.Fatal("a step breaks it no longer")
		}
		q = fields{"setup": part.Setup, "property": "quorum", "tries": 25, "at": part.At, "runs": part.Runs}
	}
	if !whole.Done || !part.Done || calls < 3 || whole.Setup.YAML != part.Setup.YAML || whole.Setup.Seed != part.Setup.Seed {
		t.Errorf("in one it took %d runs, and in %d calls %d:\n%s\n%s", whole.Runs, calls, part.Runs, whole.Setup.YAML, part.Setup.YAML)
	}
	if !breaks(whole.Setup) || len(whole.Said) == 0 {
		t.Errorf("what is left does not break it, or nothing was said: %q", whole.Said)
	}
}

// What is found in any scenario can be opened, and shrunk, even if a fault hits and changes nothing.
func TestFuzzViolationOfAnyScenarioCanBeOpened(t *testing.T) {
	p := &play.Program{}
	found := 0
	for _, id := range append(all(5), "distlock/power-loss-stalled", "redlock/small", "zookeeper/any") {
		var answer struct {
			Found *struct {
				Property string
				Setup    setup
			}
		}
		q, _ := json.Marshal(fields{"setup": setup{Scenario: id}, "property": "", "first": 1, "runs": 30})
		if err := json.Unmarshal(p.Call("fuzz", q), &answer); err != nil {
			t.Fatal(err)
		}
		if answer.Found == nil {
			continue
		}
		found++
		name, s := answer.Found.Property, answer.Found.Setup
		for range 2 {
			r := call[run](t, p, "run", fields{"setup": s})
			if !slices.ContainsFunc(r.Promises, func(x struct{ Name, Verdict, Expected, Short, Story string }) bool {
				return x.Name == name && x.Verdict == "violated"
			}) {
				t.Errorf("%s: what was found does not break %s: %v", id, name, r.Problems)
				break
			}
			s = call[struct{ Setup setup }](t, p, "shrink", fields{"setup": s, "property": name, "tries": 10}).Setup
		}
	}
	if found < 10 {
		t.Errorf("in %d scenarios something was found", found)
	}
}

func TestDraggedFaultHitsThere(t *testing.T) {
	p := &play.Program{}
	text := "# two faults\n\nwhen c1 read pause c1 for 15s # the pause\nat 2s for 1s slow c1>n1 by 5ms"
	s := setup{Scenario: "kleppmann/gc-pause", Schedule: &text, Seed: 1, Set: []string{"fault.2.by=7ms", "work.recheck=false"}}
	moved := call[struct {
		Schedule string
		Set      []string
	}](t, p, "move", fields{"setup": s, "line": 4, "from": int64(3_100_000_123), "to": int64(4_600_000_000)})
	want := "# two faults\n\nwhen c1 read pause c1 for 15s # the pause\nat 3.1s for 1.5s slow c1>n1 by 7ms"
	if moved.Schedule != want || !slices.Equal(moved.Set, []string{"work.recheck=false"}) {
		t.Errorf("the schedule is\n%s\nwith %q, want\n%s", moved.Schedule, moved.Set, want)
	}
	s.Schedule, s.Set = &moved.Schedule, moved.Set
	r := call[run](t, p, "run", fields{"setup": s})
	if f := r.Faults[1]; f.Line != 4 || f.From != 3_100_000_000 || f.To == nil || *f.To != 4_600_000_000 {
		t.Errorf("it strikes so: %+v", f)
	}
	s.Set = []string{"fault.2.for=2s"}
	if opened := call[struct{ Schedule string }](t, p, "open", fields{"setup": s}); opened.Schedule != strings.Replace(want, "1.5s", "2s", 1) {
		t.Errorf("with a setting of a fault the schedule is\n%s", opened.Schedule)
	}
	s.Set = nil
	before := r.Faults[0]
	pause := call[struct{ Schedule string }](t, p, "move", fields{"setup": s, "line": 3, "from": before.From + 500_000_000, "to": nil})
	if !strings.Contains(pause.Schedule, "when c1 read +500ms pause c1 for 15s # the pause\n") {
		t.Errorf("a fault at a mark is moved to\n%s", pause.Schedule)
	}
}

func TestStateAgreesWithTheStory(t *testing.T) {
	p := &play.Program{}
	s := setup{Scenario: "kleppmann/gc-pause", Seed: 1}
	state := func(at int64) string { return fmt.Sprint(call[fields](t, p, "state", fields{"setup": s, "t": at})) }
	for at, wants := range map[int64][]string{
		1_000_000_000:  {"believes:holds the lock (token 33) since 0.003101 s", "trouble:stands still", "owner:c1", "valid:true", "faults:[pause c1]"},
		10_650_000_000: {"believes:holds the lock (token 34) since 10.648979 s", "owner:c2", "valid:false"},
		15_007_000_000: {"map[name:plain version:2 writer:c1]", "map[name:fenced version:1 writer:c2]"},
	} {
		for _, want := range wants {
			if got := state(at); !strings.Contains(got, want) {
				t.Errorf("at %d it does not say %q:\n%s", at, want, got)
			}
		}
	}
}

// A pause is the trouble of the host that it hits, and a hold the belief of its client; no other host has them.
func TestHostStatesAreSeparate(t *testing.T) {
	type host struct {
		Name, Trouble, Believes string
		Valid                   bool
	}
	p := &play.Program{}
	a := call[struct{ Nodes, Clients []host }](t, p, "state", fields{"setup": setup{Scenario: "kleppmann/gc-pause", Seed: 1}, "t": 1_000_000_000})
	for _, h := range slices.Concat(a.Nodes, a.Clients) {
		struck := h.Name == "c1"
		if (h.Trouble == "stands still") != struck || !struck && h.Trouble != "" || (h.Believes != "") != struck || h.Valid != struck {
			t.Errorf("%+v", h)
		}
	}
	if len(a.Nodes) == 0 || len(a.Clients) < 2 {
		t.Errorf("%+v", a)
	}
}

// An extension makes a hold valid for longer.
func TestAnExtendedHoldIsValid(t *testing.T) {
	p := &play.Program{}
	for _, c := range []struct {
		scenario string
		at       int64
		want     bool
	}{
		{"distlock/extend-last", 9_000_000_000, true}, {"distlock/extend-last", 11_000_000_000, true}, // from 3.0 to 12.9 s
		{"distlock/extend-failed", 15_000_000_000, true}, // from 6.3 to 16.2 s
	} {
		a := call[struct {
			Clients []struct {
				Believes, Doing string
				Valid           bool
			}
		}](t, p, "state",
			fields{"setup": setup{Scenario: c.scenario, Seed: 1}, "t": c.at})
		if got := a.Clients[0]; got.Believes == "" || got.Valid != c.want {
			t.Errorf("%s at %d: %+v, want %v", c.scenario, c.at, got, c.want)
		}
	}
}

// Seeds may be as large as the integers that JavaScript has exactly, and a call may ask for the most runs.
func TestLargestSeedsAreAllowed(t *testing.T) {
	p := &play.Program{}
	s := setup{Scenario: "kleppmann/gc-pause"}
	const last = 1<<53 - 1
	for _, c := range []struct {
		first uint64
		runs  int
		ok    bool
	}{{last, 1, true}, {last - 1, 2, true}, {last, 2, false}, {last + 1, 1, false}, {1, 10_001, false}, {1, 0, false}} {
		answer := p.Call("many", fmt.Appendf(nil, `{"setup": {"scenario": %q}, "first": %d, "runs": %d}`, s.Scenario, c.first, c.runs))
		if is := strings.HasPrefix(string(answer), `{"error"`); is == c.ok {
			t.Errorf("%d runs from seed %d: %.200s", c.runs, c.first, answer)
		}
	}
}

// Where a slider ends follows from the scenario, so that it stays while it is moved; and only some settings come first.
func TestASliderStaysWhileItIsMoved(t *testing.T) {
	type opened struct {
		Settings []struct {
			Path        string
			Least, Most int64
			Main        bool
		}
	}
	p := &play.Program{}
	is := call[opened](t, p, "open", fields{"setup": setup{Scenario: "kleppmann/gc-pause"}})
	moved := call[opened](t, p, "open", fields{"setup": setup{Scenario: "kleppmann/gc-pause", Set: []string{"lock.ttl=25s", "clients=7"}}})
	if !slices.Equal(is.Settings, moved.Settings) {
		t.Errorf("%+v\nand moved\n%+v", is.Settings, moved.Settings)
	}
	main := map[string]bool{"lock.ttl": true, "fault.1.for": true, "fault.1.on": false, "steps": false, "horizon": false}
	for _, x := range is.Settings {
		if want, known := main[x.Path]; known && x.Main != want {
			t.Errorf("%s comes first: %v", x.Path, x.Main)
		}
	}
}

func TestTheCommandMakesTheSameRun(t *testing.T) {
	p := &play.Program{}
	s := setup{Scenario: "kleppmann/gc-pause", Seed: 7, Set: []string{"lock.ttl=5s", "pause.for=8s"}}
	r := call[run](t, p, "run", fields{"setup": s})
	if want := (shell.Run{Program: "lockstorm", Named: s.Scenario, Seed: 7, Set: s.Set}).String(); r.Command != want || r.Needs != "" {
		t.Errorf("the command is %s, want %s", r.Command, want)
	}
	text := "at 1s for 5s pause c1\n"
	s.Schedule = &text
	r = call[run](t, p, "run", fields{"setup": s})
	if r.Command != "lockstorm run scenario.yaml --seed 7" || r.Needs != "scenario.yaml" {
		t.Errorf("the command is %s, of the file %q", r.Command, r.Needs)
	}
	if again := call[run](t, p, "run", fields{"setup": setup{YAML: r.YAML, Seed: 7}}); again.Hash != r.Hash {
		t.Error("the file has another run")
	}
}

func TestAnswersDoNotDependOnEarlierRequests(t *testing.T) {
	used := &play.Program{Version: "1"}
	for _, id := range all(3)[:4] {
		for _, name := range []string{"run", "report", "decide", "open"} {
			q, _ := json.Marshal(fields{"setup": setup{Scenario: id, Seed: 3}})
			used.Call("many", []byte(`{"setup":{"scenario":"redlock/any"},"first":1,"runs":3}`))
			if a, b := used.Call(name, q), (&play.Program{Version: "1"}).Call(name, q); string(a) != string(b) {
				t.Errorf("%s of %s differs", name, id)
			}
		}
	}
}
