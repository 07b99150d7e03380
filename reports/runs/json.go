package runs

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// A Run is a run as JSON: what --format json prints, and what result.json holds.
type Run struct {
	SchemaVersion int        `json:"schema_version"`
	Lockstorm     string     `json:"lockstorm"` // the version that made it
	Scenario      string     `json:"scenario"`
	Seed          uint64     `json:"seed"`
	Settings      []string   `json:"settings"`    // what was changed in the scenario, as KEY=VALUE
	Tokens        string     `json:"tokens_from"` // where fencing tokens come from; empty where there are none
	Verdict       string     `json:"verdict"`
	Properties    []Property `json:"properties"`
	Sometimes     []Happened `json:"sometimes"`
	BlackBox      []View     `json:"black_box,omitempty"` // what a linearizability checker sees of the run
	Figures       []Figure   `json:"figures"`
	Bounds        []Bound    `json:"bounds"` // those of the scenario, as computed and as measured
	End           string     `json:"end"`    // why the run ended
	EndNanos      int64      `json:"end_ns"`
	Repeats       *Repeats   `json:"repeats,omitempty"` // how often a run with guests was repeated, if it was
	Failure       string     `json:"failure,omitempty"` // how a guest failed, with stacks
	Live          []string   `json:"live,omitempty"`    // of a live run: what it was made on, and what is in doubt
	Steps         int        `json:"steps"`
	Hash          string     `json:"hash"`
	Source        string     `json:"source"`          // the ID or the file that the scenario came from
	ScenarioHash  string     `json:"scenario_sha256"` // of the scenario as it was run, which is scenario.yaml
	Command       string     `json:"command"`
}

// Repeats is how often a run was repeated, how often the same promises broke then, and how often it was the same to the last
// message.
type Repeats struct {
	Of    int `json:"of"`
	Alike int `json:"alike"`
	Same  int `json:"same"`
}

// A Property is the verdict on one property.
type Property struct {
	Name    string   `json:"name"`
	Expect  string   `json:"expect"`
	Verdict string   `json:"verdict"`
	Witness *Witness `json:"witness"`
}

// A Witness is what broke a property.
type Witness struct {
	Kind      string `json:"kind"`
	FromNanos int64  `json:"from_ns"`
	ToNanos   int64  `json:"to_ns"`           // at the latest the end of the run, if the interval has no end of its own
	Fault     string `json:"fault,omitempty"` // the one behind it, and of several the last to strike
	Sentence  string `json:"sentence"`
}

// Happened reports whether a thing that the scenario owes happened.
type Happened struct {
	Name    string `json:"name"`
	Verdict string `json:"verdict"`
}

// A Making is how a run came about: what a Run says beyond its result.
type Making struct {
	Version  string          // of Lockstorm
	Source   string          // the ID or the file that the scenario came from
	Settings []string        // what was changed in the scenario
	Command  string          // what repeats it
	Whole    string          // what prints the whole text, for those who see the short one; empty for nothing
	Edges    []campaign.Edge // the scenario's bounds, as measured
	Beside   bool            // files stand beside the page, to which it can lead

	Asked *scenarios.Scenario // with a search, of which the seed drew the one that was run; nil for that itself
}

// YAML returns the scenario that was asked for, as a file.
func (m *Making) YAML(r *scenarios.Result) []byte {
	if m.Asked != nil {
		return m.Asked.YAML()
	}
	return r.Scenario.YAML()
}

// Describe returns a result as JSON data.
func Describe(r *scenarios.Result, m Making) Run {
	run := Run{
		SchemaVersion: reports.SchemaVersion, Lockstorm: m.Version, Scenario: r.Scenario.ID, Seed: r.Seed,
		Settings: append([]string{}, m.Settings...), Tokens: r.Scenario.TokensFrom(), Verdict: r.Verdict.String(),
		Properties: []Property{}, Sometimes: []Happened{}, BlackBox: describeViews(r), Figures: describeFigures(r.Evidence),
		Bounds: describeBounds(m.Edges),
		End:    r.End.String(), EndNanos: int64(r.Evidence.End), Steps: r.Steps, Hash: r.Hash(),
		Failure: wording.PlainLines(r.Failure), Live: r.Live, Source: m.Source, ScenarioHash: HashScenario(m.YAML(r)),
		Command: m.Command,
	}
	if r.Repeats.Of > 0 {
		run.Repeats = &Repeats{r.Repeats.Of, r.Repeats.Alike, r.Repeats.Same}
	}
	for _, f := range r.Findings {
		run.Properties = append(run.Properties, Property{
			Name: f.Property, Expect: r.Scenario.Expected(f.Property).String(), Verdict: f.Verdict.String(),
			Witness: describeWitness(r.Evidence, f),
		})
	}
	for _, f := range r.Seen {
		run.Sometimes = append(run.Sometimes, Happened{Name: f.Property, Verdict: happened(f.Verdict)})
	}
	return run
}

// rows returns the verdicts as rows.
func (run *Run) rows() *reports.Table {
	t := &reports.Table{Columns: reports.Columns("property", "expected", "verdict", "from_ns", "to_ns")}
	for _, p := range run.Properties {
		span := [2]string{}
		if w := p.Witness; w != nil {
			span = [2]string{strconv.FormatInt(w.FromNanos, 10), strconv.FormatInt(w.ToNanos, 10)}
		}
		t.Add(p.Name, p.Expect, p.Verdict, span[0], span[1])
	}
	for _, v := range run.BlackBox {
		want := ""
		if v.Expect != nil {
			want = v.Expect.String()
		}
		t.Add(scenarios.BlackBox+"."+v.Model, want, v.Verdict.String(), "", "")
	}
	return t
}

// HashScenario returns the SHA-256 of a scenario's text.
func HashScenario(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

func describeWitness(e *checker.Evidence, f checker.Finding) *Witness {
	if f.Verdict != checker.Violated {
		return nil
	}
	p, _ := checker.Lookup(f.Property)
	w := &Witness{
		Kind: p.Conflict, FromNanos: int64(f.Witness.From), ToNanos: int64(f.Witness.To),
		Sentence: e.Explain(f),
	}
	if f.Witness.To == clock.Forever { // which readers that count in floating point would garble
		w.ToNanos = int64(max(f.Witness.From, e.End))
	}
	if named := e.Account(f).Strikes; len(named) > 0 {
		w.Fault = e.Strikes[slices.Max(named)].Fault
	}
	return w
}
