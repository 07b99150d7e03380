package runs

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// A Run is a run as JSON, as --format json prints it and result.json has it.
type Run struct {
	SchemaVersion int                 `json:"schema_version"`
	Lockstorm     string              `json:"lockstorm"` // the version that made it
	Scenario      string              `json:"scenario"`
	Seed          uint64              `json:"seed"`
	Settings      []string            `json:"settings"`        // the changes of the scenario, as KEY=VALUE
	Drawn         []string            `json:"drawn,omitempty"` // what the seed chose of the settings that a search varies
	Tokens        string              `json:"tokens_from"`     // the source of fencing tokens; empty if there are none
	Verdict       string              `json:"verdict"`
	Properties    []Property          `json:"properties"`
	Sometimes     []Happened          `json:"sometimes"`
	BlackBox      []View              `json:"black_box,omitempty"` // the verdicts of a linearizability checker
	Figures       []Figure            `json:"figures"`
	Bounds        []campaign.Bound    `json:"bounds"`              // of the scenario, as computed and as measured
	Decisions     []campaign.Decision `json:"decisions,omitempty"` // when it was decided that promises broke
	End           string              `json:"end"`                 // why the run ended
	EndNanos      int64               `json:"end_ns"`
	Repeats       *Repeats            `json:"repeats,omitempty"` // of a run with guests that was repeated
	Failure       string              `json:"failure,omitempty"` // the failure of a guest, with stacks
	Live          []string            `json:"live,omitempty"`    // of a live run: its servers, and doubts about it
	Steps         int                 `json:"steps"`
	Hash          string              `json:"hash"`
	Source        string              `json:"source"`          // the ID or the file that the scenario came from
	ScenarioHash  string              `json:"scenario_sha256"` // of the scenario as it was run, which is scenario.yaml
	Command       string              `json:"command"`
}

// Repeats counts the repetitions of a run, those that broke the same promises, and those with exactly the same
// messages.
type Repeats struct {
	Of    int `json:"of"`
	Alike int `json:"alike"`
	Same  int `json:"same"`
}

// A Property is the verdict on one property.
type Property struct {
	Name    string   `json:"name"`
	Expect  string   `json:"expect"`
	Verdict string   `json:"verdict"`       // a checker.Verdict, or checker.Untested
	Why     string   `json:"why,omitempty"` // the run could not test it
	Witness *Witness `json:"witness"`
}

// AsExpected reports whether the verdict is the expected one. A promise that was not tested did not break.
func (p *Property) AsExpected() bool {
	return p.Verdict == p.Expect || p.Verdict == checker.Untested && p.Expect == checker.Holds.String()
}

// A Witness is the evidence that a property broke.
type Witness struct {
	Kind      string `json:"kind"`
	FromNanos int64  `json:"from_ns"`
	ToNanos   int64  `json:"to_ns"`           // the end of the run, if the interval has no end
	Fault     string `json:"fault,omitempty"` // the cause; if there are several, the last
	Sentence  string `json:"sentence"`
}

// Happened reports whether an event that the scenario requires happened.
type Happened struct {
	Name    string `json:"name"`
	Verdict string `json:"verdict"`
}

// A Making has the facts about a run beyond its result.
type Making struct {
	Version   string              // of Lockstorm
	Source    string              // the ID or the file of the scenario
	Settings  []string            // the changes of the scenario
	Command   string              // the command that repeats the run
	Whole     string              // the command that prints the whole text, for readers of the brief one; empty for none
	Page      string              // the address of the run in a playground; empty if there is none
	Edges     []campaign.Edge     // the scenario's measured bounds
	Decisions []campaign.Decision // when it was decided that promises broke

	Asked *scenarios.Scenario // with a search, from which the seed drew the scenario; nil without
}

// YAML returns the file of the scenario that was asked for.
func (m *Making) YAML(r *scenarios.Result) []byte {
	if m.Asked != nil {
		return m.Asked.YAML()
	}
	return r.Scenario.YAML()
}

// describe returns a result as JSON data.
func describe(r *scenarios.Result, m Making) Run {
	run := Run{
		SchemaVersion: checker.SchemaVersion, Lockstorm: m.Version, Scenario: r.Scenario.ID, Seed: r.Seed,
		Settings: append([]string{}, m.Settings...), Tokens: r.Scenario.TokensFrom(), Verdict: r.Verdict.String(),
		Properties: []Property{}, Sometimes: []Happened{}, BlackBox: describeViews(r),
		Figures: describeFigures(r.Evidence), Bounds: []campaign.Bound{}, Decisions: m.Decisions,
		End: r.End.String(), EndNanos: int64(r.Evidence.End), Steps: r.Steps, Hash: r.Hash(),
		Failure: wording.PlainLines(r.Failure), Live: r.Live, Source: m.Source, ScenarioHash: HashScenario(m.YAML(r)),
		Command: m.Command,
	}
	if m.Asked != nil {
		for _, c := range m.Asked.Search.Vary {
			if k, err := scenarios.Lookup(r.Scenario, c.Setting); err == nil {
				run.Drawn = append(run.Drawn, c.Setting+"="+k.Get(r.Scenario))
			}
		}
	}
	for _, e := range m.Edges {
		run.Bounds = append(run.Bounds, e.Bound)
	}
	if r.Repeats.Of > 0 {
		run.Repeats = &Repeats{r.Repeats.Of, r.Repeats.Alike, r.Repeats.Same}
	}
	for _, f := range r.Findings {
		run.Properties = append(run.Properties, Property{
			Name: f.Property, Expect: r.Scenario.Expected(f.Property).String(), Verdict: r.Evidence.Word(f),
			Why: r.Evidence.Vacuous(f), Witness: describeWitness(r.Evidence, f),
		})
	}
	for _, f := range r.Seen {
		run.Sometimes = append(run.Sometimes, Happened{Name: f.Property, Verdict: happened[f.Verdict]})
	}
	return run
}

// happened has the verdict on a required event.
var happened = [...]string{checker.Holds: "happened", checker.Unknown: "not known to have happened",
	checker.Violated: "never happened"}

// Parse reads the result in a file. It rejects a result of another schema version before it reads anything else.
func Parse(file string, text []byte) (run Run, err error) {
	var stored struct {
		SchemaVersion *int   `json:"schema_version"`
		Lockstorm     string `json:"lockstorm"`
	}
	err = json.Unmarshal(text, &stored)
	switch {
	case stored.SchemaVersion == nil && err == nil:
		return run, fmt.Errorf("%s is not a result: it has no schema_version", file)
	case stored.SchemaVersion != nil && *stored.SchemaVersion != checker.SchemaVersion:
		return run, fmt.Errorf("%s has schema version %d, and this Lockstorm reads version %d; take the Lockstorm that "+
			"stored it, version %s", file, *stored.SchemaVersion, checker.SchemaVersion, stored.Lockstorm)
	}
	if err := json.Unmarshal(text, &run); err != nil {
		return Run{}, fmt.Errorf("%s is not a result, or not all of one: %w", file, err)
	}
	return run, nil
}

// rows returns the verdicts as rows.
func (run *Run) rows() *reports.Table {
	t := &reports.Table{Columns: reports.Columns("property", "expected", "verdict", "from_ns", "to_ns")}
	for _, p := range run.Properties {
		from, to := "", ""
		if w := p.Witness; w != nil {
			from, to = strconv.FormatInt(w.FromNanos, 10), strconv.FormatInt(w.ToNanos, 10)
		}
		t.Add(p.Name, p.Expect, p.Verdict, from, to)
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
	if f.Witness.To == clock.Forever { // a number that readers with floating point would garble
		w.ToNanos = int64(max(f.Witness.From, e.End))
	}
	if named := e.Account(f).Strikes; len(named) > 0 {
		w.Fault = e.Strikes[slices.Max(named)].Fault
	}
	return w
}
