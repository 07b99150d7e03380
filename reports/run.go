package reports

import (
	"encoding/json"

	"github.com/lockstorm/lockstorm/reports/internal/draw"
	"github.com/lockstorm/lockstorm/reports/internal/layout"
	"github.com/lockstorm/lockstorm/reports/internal/metrics"
	"github.com/lockstorm/lockstorm/reports/internal/onerun"
	"github.com/lockstorm/lockstorm/scenarios"
)

// PageFile is the file of a stored run or campaign that has its page.
const PageFile = onerun.PageFile

// Making describes how a run was made.
type Making = onerun.Making

// A Run is one run, to be reported.
type Run struct {
	Result *scenarios.Result
	Making Making
}

// Document returns the report of the run. Its text is the short one, unless the whole is asked for.
func (r Run) Document(whole bool) *Document {
	if !whole {
		r.Making.Whole = r.Making.Command + " --verbose"
	}
	return &Document{onerun.Document(r.Result, r.Making, whole), r.Result.Verdict}
}

// Brief returns the story of the run as a failed test tells it.
func (r Run) Brief(s Screen) string {
	return onerun.Document(r.Result, r.Making, false).Text(layout.Screen(s))
}

// Page returns the page of the run.
func (r Run) Page() []byte { return []byte(onerun.Document(r.Result, r.Making, true).HTML()) }

// Kept returns all files that a store keeps of the run.
func (r Run) Kept() []File { return onerun.Kept(r.Result, r.Making) }

// Pictures returns the page and the pictures of the run, and files for other tools.
func (r Run) Pictures() []File { return onerun.Pictures(r.Result, r.Making) }

// Stored is what a stored result says of its run, as far as it takes that to make the run again.
type Stored struct {
	Lockstorm    string // the version that made it
	Scenario     string
	ScenarioHash string
	Seed         uint64
	Settings     []string
	Source       string // the ID or the file that the scenario came from
	Command      string
	Hash         string
	Live         []string // of a live run: what it was made on
}

// UnmarshalJSON reads a whole result, so that one of which any part has a wrong type is refused.
func (s *Stored) UnmarshalJSON(text []byte) error {
	var r onerun.Run
	err := json.Unmarshal(text, &r)
	*s = Stored{r.Lockstorm, r.Scenario, r.ScenarioHash, r.Seed, r.Settings, r.Source, r.Command, r.Hash, r.Live}
	return err
}

// HashScenario returns the SHA-256 of a scenario's file, as results have it.
func HashScenario(text []byte) string { return onerun.HashScenario(text) }

// List describes scenarios, a line each.
func List(all []scenarios.Scenario) *Document { return &Document{doc: onerun.List(all)} }

// Settings describes what can be changed in a scenario, with the present values.
func (s Screen) Settings(x *scenarios.Scenario) string { return onerun.Settings(layout.Screen(s), x) }

// Metrics are the figures that people who run a lock put alerts on, summed over runs.
type Metrics = metrics.Metrics

// Timeline draws a run as SVG: a lane for each client, node and fault, in true time.
func Timeline(r *scenarios.Result) []byte { return draw.TimelineSVG(r) }

// Sequence draws as SVG how a run came to violate what it violates: its messages, slanted by true time.
func Sequence(r *scenarios.Result) []byte { return draw.SequenceSVG(r) }

// Mermaid returns the same sequence in the language of Mermaid, which many sites and editors draw.
func Mermaid(r *scenarios.Result) []byte { return draw.Mermaid(r) }
