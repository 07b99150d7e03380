package runs_test

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/codec"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/reportstest"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// keys returns the keys of a JSON object in their order.
func keys(t *testing.T, object []byte) (names []string) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(object))
	if token, err := d.Token(); err != nil || token != json.Delim('{') {
		t.Fatalf("no object: %s", object)
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, name.(string))
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			t.Fatal(err)
		}
	}
	return names
}

func TestRunJSONHasThePromisedShape(t *testing.T) {
	s := reportstest.Scenario(t, "kleppmann/gc-pause", "fencing.source=none")
	r := scenarios.Run(*s, 7)
	text := reports.JSON(runs.Describe(r, runs.Making{Version: "1.2.3", Settings: []string{"fencing.source=none"}, Command: "lockstorm <run>"}))
	want := "schema_version lockstorm scenario seed settings tokens_from verdict properties sometimes black_box figures bounds end end_ns steps hash source scenario_sha256 command"
	if got := strings.Join(keys(t, text), " "); got != want {
		t.Errorf("its keys are %s, want %s", got, want)
	}
	if text[len(text)-1] != '\n' || bytes.Contains(text, []byte(`null,`)) {
		t.Errorf("it ends in %q, or has a null in place of a list", text[len(text)-1])
	}
	var run struct {
		runs.Run
		Properties []json.RawMessage `json:"properties"`
	}
	if err := json.Unmarshal(text, &run); err != nil {
		t.Fatal(err)
	}
	if run.SchemaVersion != 1 || run.Lockstorm != "1.2.3" || run.Scenario != s.ID || run.Seed != 7 || run.Verdict != "fail" ||
		run.End != "finished" || run.EndNanos != int64(r.Evidence.End) || run.Steps != r.Steps || run.Hash != r.Hash() {
		t.Errorf("%+v", run.Run)
	}
	if got := strings.Join(keys(t, run.Properties[0]), " "); got != "name expect verdict witness" {
		t.Errorf("a property's keys are %s", got)
	}
	checkProperties(t, r, text)
}

// checkProperties holds the properties of a run as JSON against its findings.
func checkProperties(t *testing.T, r *scenarios.Result, text []byte) {
	t.Helper()
	var run runs.Run
	if err := json.Unmarshal(text, &run); err != nil {
		t.Fatal(err)
	}
	if tokens := run.Properties[5]; tokens.Name != "tokens" || tokens.Verdict != "not tested" || tokens.Why != "no client got a fencing token" {
		t.Errorf("without any token they are %+v", tokens)
	}
	for i, f := range r.Findings {
		p := run.Properties[i]
		if p.Name != f.Property || p.Verdict != r.Evidence.Word(f) || p.Why != r.Evidence.Vacuous(f) || p.Expect != r.Scenario.Expected(f.Property).String() {
			t.Errorf("%+v is described as %+v", f, p)
		}
		if (p.Witness != nil) != (f.Verdict == checker.Violated) {
			t.Errorf("%s %s has the witness %+v", p.Name, p.Verdict, p.Witness)
		}
		if w := p.Witness; w != nil && (w.Kind != "two holders" && f.Property == "belief" || w.Kind == "" || w.Sentence != r.Evidence.Explain(f) || w.FromNanos != int64(f.Witness.From) ||
			w.ToNanos != int64(f.Witness.To) || w.Fault != "pause c1") {
			t.Errorf("%s has the witness %+v", p.Name, w)
		}
	}
	want := []runs.Happened{{Name: "fault-struck", Verdict: "happened"}, {Name: "acquired-by-two", Verdict: "happened"},
		{Name: "contended", Verdict: "happened"}, {Name: "expired-while-held", Verdict: "happened"},
		{Name: "stale-write-refused", Verdict: "never happened"}}
	if !slices.Equal(run.Sometimes, want) {
		t.Errorf("sometimes: %+v", run.Sometimes)
	}
}

// An interval without an end ends with the run: 2⁶³-1 does not survive readers that count in floating point.
func TestNoNumberIsTooLargeForJSON(t *testing.T) {
	s := reportstest.Scenario(t, "kleppmann/gc-pause")
	r := &scenarios.Result{
		Scenario: s,
		Evidence: &checker.Evidence{Clients: 2, End: 5, Holds: []checker.Hold{{Client: 0}, {Client: 1}}},
		Findings: []checker.Finding{{Property: "belief", Verdict: checker.Violated,
			Witness: checker.Witness{Second: 1, From: 3, To: clock.Forever, Strike: -1}}},
	}
	w := runs.Describe(r, runs.Making{}).Properties[0].Witness
	if w.FromNanos != 3 || w.ToNanos != 5 || w.Fault != "" {
		t.Errorf("%+v", w)
	}
}

func TestARunCutShortSaysSo(t *testing.T) {
	run := runs.Describe(scenarios.Run(*reportstest.Scenario(t, "kleppmann/gc-pause", "horizon=3s"), 1), runs.Making{})
	if bytes.Contains(reports.JSON(run), []byte(`"settings": null`)) {
		t.Error("no settings are null, and should be an empty list")
	}
	if run.Verdict != "unknown" || run.End != "time horizon reached" || run.Properties[0].Verdict != "unknown" || run.Properties[0].Witness != nil {
		t.Errorf("%+v", run)
	}
	if run.Sometimes[1].Verdict != "not known to have happened" {
		t.Errorf("%+v", run.Sometimes)
	}
}

func TestManyRunsAsJSON(t *testing.T) {
	s := reportstest.Scenario(t, "kleppmann/pause-before-reply", "lock.validity_check=false")
	m := campaign.Plan{Scenario: s, First: 5, Runs: 3, Workers: 2}.Run()
	text := reports.JSON(m)
	want := "schema_version lockstorm scenario seed runs settings tokens_from verdict pass fail unknown properties black_box sometimes unexpected kept"
	if got := strings.Join(keys(t, text), " "); got != want {
		t.Errorf("its keys are %s, want %s", got, want)
	}
	if !slices.Equal(m.Unexpected, []uint64{5, 6, 7}) || m.Runs != 3 || m.Fail != 3 || m.Pass+m.Unknown != 0 || m.Verdict != scenarios.Fail || m.Seed != 5 {
		t.Errorf("%+v", m)
	}
	if got, want := m.Properties[0], (campaign.Frequency{Name: "belief", Expect: checker.Holds, Count: stats.Count{Violated: 3, Runs: 3}}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got, want := m.Sometimes[3], (campaign.Frequency{Name: "refused-too-late", Expect: checker.Holds, Count: stats.Count{Violated: 3, Runs: 3}}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if empty := reports.JSON(campaign.NewTally(reportstest.Scenario(t, "kleppmann/gc-pause"), 1)); bytes.Contains(empty, []byte("null")) {
		t.Errorf("an empty campaign has nulls: %s", empty)
	}
}

func TestResultFilesHaveTheRightContent(t *testing.T) {
	r := scenarios.Run(*reportstest.Scenario(t, "kleppmann/clock-jump"), 1)
	m := runs.Making{Version: "1", Command: "again"}
	want := map[string]string{
		"result.json": string(reports.JSON(runs.Describe(r, m))), "trace.jsonl": string(r.TraceJSONL()),
		"history.jsonl": string(r.HistoryJSONL()), "history.edn": string(codec.AppendEDN(nil, r.Evidence.History, r.Evidence.Strikes)),
		"scenario.yaml": string(r.Scenario.YAML()), "report.txt": textOf(reports.Screen{}, r, m), "schedule.txt": "at 0s partition c1 | n4 n5\nat 0s partition c2 | n1 n2\nwhen c1 acquired jump n3 +11s\n",
	}
	files := runs.Files(r, m)
	for _, f := range files {
		if string(f.Content) != want[f.Name] {
			t.Errorf("%s holds\n%s", f.Name, f.Content)
		}
	}
	if len(files) != len(want) {
		t.Errorf("there are %d files", len(files))
	}
}
