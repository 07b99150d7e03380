package campaign

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// A Hunt looks through the rows of a job of one cell for violations, and sorts them by their signatures. It shrinks the first run
// of each.
//
// A run that broke a property belongs to the first known signature of that property whose kinds of faults all hit it.
// If no signature fits, the run is shrunk, and gets a new signature, unless another run has shrunk to the same one.
// Thus the result of a Hunt is a pure function of the rows in the order of their seeds, whatever the number of
// workers.
type Hunt struct {
	Job     *Job // must have passed Check
	Watched Set  // of scenarios.Judged: those that count
	Shrinks int  // how many runs are shrunk at most for each property; 0 for 12
	Most    int  // how many signatures to look for; 0 for no limit

	Scenario   scenarios.Scenario // of the cell; Begin sets it
	Runs       int                // how many rows it was shown
	Counts     []stats.Count      // of each of scenarios.Judged; those that are not watched have no runs
	Unshrunk   []int              // how many violations have no signature, because all Shrinks were used up
	Signatures []Signature

	universes *scenarios.Universes
	plain     scenarios.Scenario
	shrunk    []int
}

// A Signature is a way to break a property: the property, and the kinds of faults that broke it.
type Signature struct {
	Property string
	Kinds    Kinds      // in the smallest schedule
	Runs     int        // how many runs broke the property with faults of at least these kinds
	First    uint64     // the seed of the first of them
	From     int        // how many faults there were in that one
	Shrinker Shrinker   // has shrunk the first of them
	Shrunk   bool       // nothing more can be removed; else it used up its runs
	Decided  []Decision // on the smallest run; set with File
	File     string     // where its counterexample is kept; empty for nowhere
	Command  string     // runs that file
}

// Begin makes the Hunt ready for its first row.
func (h *Hunt) Begin() {
	s, err := h.Job.In(0)
	if err != nil {
		panic("campaign: " + err.Error()) // Check has been there
	}
	n := len(judged)
	h.Scenario, h.universes, h.plain = s, s.Universes(), s
	h.plain.Search = scenarios.Search{}
	h.Counts, h.Unshrunk, h.shrunk = make([]stats.Count, n), make([]int, n), make([]int, n)
	if h.Shrinks == 0 {
		h.Shrinks = 12
	}
}

// AddAll counts the next rows. It returns false if there is nothing more to find.
func (h *Hunt) AddAll(rows []Row) (more bool) {
	for i := range rows {
		if !h.add(&rows[i]) {
			return false
		}
	}
	return true
}

// add counts the next row, of the universe that its seed chooses. It returns false if there is nothing more to find.
func (h *Hunt) add(row *Row) (more bool) {
	h.Runs++
	for i := range judged {
		if !h.Watched.Has(i) {
			continue
		}
		v := row.Of(i)
		if h.Counts[i].Add(v); v == checker.Violated {
			h.sign(i, row)
		}
	}
	return h.Most == 0 || len(h.Signatures) < h.Most
}

func (h *Hunt) sign(property int, row *Row) {
	name := judged[property]
	for i := range h.Signatures {
		if g := &h.Signatures[i]; g.Property == name && g.Kinds&^row.Struck == 0 {
			g.Runs++
			return
		}
	}
	if h.shrunk[property] >= h.Shrinks {
		h.Unshrunk[property]++
		return
	}
	h.shrunk[property]++
	h.enter(h.shrink(name, row.Seed))
}

// shrink returns the signature of a run.
func (h *Hunt) shrink(property string, seed uint64) Signature {
	u := h.universes.At(seed)
	g := Signature{
		Property: property, Runs: 1, First: seed, From: len(u.Faults),
		Shrinker: Shrinker{Least: u, Seed: seed, Property: property, Plain: &h.plain},
	}
	g.Shrunk = g.Shrinker.Run()
	g.Shrinker.Prune()
	g.Kinds = KindsOf(g.Shrinker.Least.Faults)
	return g
}

// enter adds a signature, or counts it for an equal one that is known.
func (h *Hunt) enter(g Signature) {
	for i := range h.Signatures {
		if o := &h.Signatures[i]; o.Property == g.Property && o.Kinds == g.Kinds {
			o.Runs++
			return
		}
	}
	h.Signatures = append(h.Signatures, g)
}

// Verdict is Fail if a property broke that the scenario expects to hold, and Unknown if one of them may have.
func (h *Hunt) Verdict() (v scenarios.Verdict) {
	for i, name := range judged {
		switch n := h.Counts[i]; {
		case !h.Watched.Has(i) || h.Scenario.Expected(name) != checker.Holds:
		case n.Violated > 0:
			return scenarios.Fail
		case n.Unknown > 0:
			v = scenarios.Unknown
		}
	}
	return v
}

// MarshalJSON writes how often each property that was watched broke, and the signatures.
func (h *Hunt) MarshalJSON() ([]byte, error) {
	type share struct {
		Name     string `json:"name"`
		Violated int    `json:"violated"`
		stats.Interval
	}
	shares := []share{}
	for i, name := range judged {
		if n := h.Counts[i]; h.Watched.Has(i) {
			shares = append(shares, share{name, n.Violated, n.Exact().Rounded()})
		}
	}
	return json.Marshal(struct {
		SchemaVersion int         `json:"schema_version"`
		Scenario      string      `json:"scenario"`
		Tokens        string      `json:"tokens_from"` // where fencing tokens come from; empty where there are none
		Runs          int         `json:"runs"`
		Properties    []share     `json:"properties"`
		Signatures    []Signature `json:"signatures"`
	}{checker.SchemaVersion, h.Scenario.ID, h.Scenario.TokensFrom(), h.Runs, shares, slices.Concat([]Signature{}, h.Signatures)})
}

// MarshalJSON writes the signature with the schedule of its smallest scenario.
func (g Signature) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Property string   `json:"property"`
		Kinds    []string `json:"kinds"`
		Runs     int      `json:"runs"`
		First    uint64   `json:"first_seed"`
		Schedule []string `json:"schedule"`
		File     string   `json:"file"`
	}{g.Property, g.Kinds.Words(), g.Runs, g.First, g.Shrinker.Least.Faults.Lines(), g.File})
}

// Name names the signature, as its file is named.
func (g *Signature) Name() string {
	return strings.Join(append([]string{g.Property}, g.Kinds.Words()...), "-")
}

// Counterexample returns the smallest scenario as one that can be run. It expects what the run with its seed showed.
// The command is the one that found the run.
func (g *Signature) Counterexample(command string) scenarios.Scenario {
	s := g.Shrinker.Counterexample()
	s.ID = g.Name()
	s.About = "Found by " + command + " with seed " + strconv.FormatUint(g.First, 10) +
		", and shrunk in " + strconv.Itoa(g.Shrinker.Runs) + " runs. " + s.About
	return s
}

// Counterexample returns the smallest scenario, pruned, as one that can be run. It expects what the run with its seed
// showed.
func (s *Shrinker) Counterexample() scenarios.Scenario {
	pruned := *s
	pruned.Prune()
	c := bare(pruned.Least)
	c.Search, c.Claim, c.Source = scenarios.Search{}, scenarios.Claim{}, ""
	c.Sometimes = happenings()
	c.StateFaults()
	r := scenarios.Run(c, s.Seed)
	c.Expect, c.Sometimes = asFound(r), happened(r)
	if len(c.Faults) > 0 && !slices.Contains(c.Sometimes, struck) {
		c.Sometimes = append(c.Sometimes, struck) // a file must have it, though what hit is slight
	}
	if v := s.Property; strings.HasPrefix(v, scenarios.BlackBox+".") {
		c.Expect = append(c.Expect, scenarios.Expectation{Property: v, Verdict: r.VerdictOn(v)})
	}
	c.Title = s.Property + " breaks " + under(c.Faults) + "."
	c.About = "Run it with --seed " + strconv.FormatUint(s.Seed, 10) + ": what it expects is what happens then."
	if r.Repeats.Of > 0 {
		c.About += " It " + r.Repeats.String() + "."
	}
	return c
}

func happenings() (names []string) {
	for _, p := range checker.Sometimes {
		names = append(names, p.Name)
	}
	return names
}

// asFound expects what a run showed. A promise that it did not test is left out.
func asFound(r *scenarios.Result) (all []scenarios.Expectation) {
	for _, f := range r.Findings {
		if r.Evidence.Vacuous(f) != "" {
			continue
		}
		all = append(all, scenarios.Expectation{Property: f.Property, Verdict: f.Verdict})
	}
	return all
}

// happened returns what must happen in a counterexample: that faults hit and clients contended, or otherwise anything
// that happened.
func happened(r *scenarios.Result) (names []string) {
	var others []string
	for _, f := range r.Seen {
		switch {
		case f.Verdict != checker.Holds:
		case slices.Contains(owed, f.Property):
			names = append(names, f.Property)
		default:
			others = append(others, f.Property)
		}
	}
	if len(names) == 0 {
		return others
	}
	return names
}

// struck is what every file with faults must expect.
const struck = "fault-struck"

var owed = []string{struck, "contended", "acquired-by-two"}

// under names the kinds of faults that a schedule has.
func under(all faults.Schedule) string {
	words := KindsOf(all).Words()
	if len(words) == 0 {
		return "without any fault"
	}
	return "under " + strings.Join(words, " and ")
}
