package campaigns

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// A Hunt is a search for violations as JSON: what fuzz --format json prints.
type Hunt struct {
	SchemaVersion int         `json:"schema_version"`
	Scenario      string      `json:"scenario"`
	Tokens        string      `json:"tokens_from"` // where fencing tokens come from; empty where there are none
	Runs          int         `json:"runs"`
	Properties    []Share     `json:"properties"` // those that were looked at
	Signatures    []Signature `json:"signatures"`

	Seed    uint64   `json:"-"` // the first
	Command string   `json:"-"` // what repeats it
	Faults  []string `json:"-"` // what might go wrong
	Lines   []string `json:"-"` // lines of a schedule of which words are drawn, too: for the text alone
	Default bool     `json:"-"` // because the scenario says nothing of a search
	Within  string   `json:"-"` // the time within which faults struck
	Note    string   `json:"-"` // where tokens come from, as a sentence
}

// A Share is how many runs broke a property, and between which shares of all runs that must lie, at 95 %.
type Share struct {
	Name   string `json:"name"`
	Broken int    `json:"violated"` // as in Count, of which JSON has no more
	// float: the ends of an interval are shares; nothing is decided by them
	Low float64 `json:"low"`
	// float: as above
	High float64 `json:"high"`

	Expect   checker.Verdict `json:"-"` // the scenario says it
	Count    stats.Count     `json:"-"` // the interval is its; runs of which it is not known may all have broken it, or none
	Unshrunk int             `json:"-"` // violated runs that belong to no signature: those that the signatures' runs leave
}

// A Signature is one way to break a property.
type Signature struct {
	Property  string   `json:"property"`
	Kinds     []string `json:"kinds"`
	Runs      int      `json:"runs"`
	FirstSeed uint64   `json:"first_seed"`
	Schedule  []string `json:"schedule"` // of the least scenario
	File      string   `json:"file"`

	Shrinking `json:"-"` // the file says it
}

// A Shrinking is how the least scenario of a signature was come by, and what it has.
type Shrinking struct {
	From    int // faults before shrinking
	Tries   int // runs that shrinking took
	Shrunk  bool
	Clients int
	Cycles  int
	Command string // what runs the file
}

// NewHunt describes what was found.
func NewHunt(s *scenarios.Scenario, command string, h *campaign.Hunt) Hunt {
	hunt := Hunt{
		SchemaVersion: reports.SchemaVersion, Scenario: s.ID, Tokens: s.TokensFrom(), Runs: h.Runs,
		Properties: []Share{}, Signatures: []Signature{},
		Seed: h.Job.First, Command: command, Faults: s.Search.Faults, Lines: s.Search.Draw, Within: s.Search.Within.String(),
		Note: s.ProofNote(),
	}
	for i, name := range scenarios.Judged() {
		if h.Watched.Has(i) {
			hunt.Properties = append(hunt.Properties, shareOf(s, name, h, i))
		}
	}
	for i := range h.Signatures {
		hunt.Signatures = append(hunt.Signatures, signature(&h.Signatures[i]))
	}
	return hunt
}

func shareOf(s *scenarios.Scenario, name string, h *campaign.Hunt, i int) Share {
	n := h.Counts[i]
	in := n.Exact()
	return Share{
		Name: name, Broken: n.Violated, Low: stats.Round(in.Low), High: stats.Round(in.High),
		Expect: s.Expected(name), Count: n, Unshrunk: h.Unshrunk[i],
	}
}

func signature(g *campaign.Signature) Signature {
	least := &g.Least.Least
	s := Signature{
		Property: g.Property, Kinds: g.Kinds.Words(), Runs: g.Runs, FirstSeed: g.First, Schedule: []string{},
		Shrinking: Shrinking{
			From: g.From, Tries: g.Least.Runs, Shrunk: g.Shrunk, Clients: least.Clients, Cycles: least.Work.Cycles,
		},
	}
	for _, f := range least.Faults {
		s.Schedule = append(s.Schedule, f.String())
	}
	return s
}

// Kept records in which file a signature's least scenario is, and what runs it.
func (h *Hunt) Kept(i int, file, command string) {
	h.Signatures[i].File, h.Signatures[i].Command = file, command
}

// Verdict is Fail if a property broke that the scenario expects to hold, and Unknown if one of them may have.
func (h *Hunt) Verdict() (v scenarios.Verdict) {
	for _, p := range h.Properties {
		switch {
		case p.Expect != checker.Holds:
		case p.Count.Violated > 0:
			return scenarios.Fail
		case p.Count.Unknown > 0:
			v = scenarios.Unknown
		}
	}
	return v
}

// huntSummary returns one line that says what was found.
func huntSummary(h Hunt) string {
	var broken []string
	for _, p := range h.Properties {
		if p.Count.Violated > 0 {
			broken = append(broken, p.Name)
		}
	}
	found := "nothing broke"
	if len(broken) > 0 {
		n := len(h.Signatures)
		found = fmt.Sprintf("%s broke, in %s", wording.List(broken), wording.Count(n, "way", "ways"))
	}
	v := h.Verdict()
	return fmt.Sprintf("%s: %s, %s from seed %d: %s.", strings.ToUpper(v.String()), h.Scenario, h.counted(), h.Seed, found)
}

// Document describes what was searched and found.
func (h *Hunt) Document() *reports.Document {
	d := &reports.Document{Data: h, Summary: huntSummary(*h)}
	d.Headline(fmt.Sprintf("%s, %s from seed %d", h.Scenario, h.counted(), h.Seed))
	d.Note(h.drawn())
	d.Note(h.Note)
	d.Table("", h.shares())
	for i := range h.Signatures {
		g := &h.Signatures[i]
		head, seen, shrunk := g.text(h.Runs)
		found{head, seen, shrunk, g.Schedule, g.Command}.add(d)
	}
	var names []string
	for _, p := range h.Properties {
		names = append(names, p.Name)
	}
	d.Glosses(0, names...)
	d.Verdict(d.Summary)
	d.Command("Repeat it:", h.Command)
	return d
}

// counted returns how many runs there were.
func (h *Hunt) counted() string { return wording.Count(h.Runs, "run", "runs") }

// drawn describes what might go wrong.
func (h *Hunt) drawn() string {
	switch {
	case len(h.Lines) > 0 && len(h.Faults) == 0:
		return "Drawn are: " + strings.Join(h.Lines, "; ") + "."
	case len(h.Faults) == 0:
		return "No faults are drawn."
	case h.Default:
		return fmt.Sprintf("The scenario has no search of its own; so faults of %s strike in the first %s.", drawnKinds(h.Faults),
			h.Within)
	}
	return fmt.Sprintf("Faults of %s strike in the first %s.", drawnKinds(h.Faults), h.Within)
}

// drawnKinds lists what a search draws from. A signature names kinds, so a class of several is listed with its kinds.
func drawnKinds(words []string) string {
	all := make([]string, len(words))
	for i, word := range words {
		all[i] = word
		if kinds, err := faults.KindsOf(words[i : i+1]); err == nil && len(kinds) > 1 {
			names := make([]string, len(kinds))
			for k := range kinds {
				names[k] = kinds[k].Name
			}
			all[i] = fmt.Sprintf("class %s (%s)", word, strings.Join(names, ", "))
		}
	}
	return wording.List(all)
}

func (h *Hunt) shares() *reports.Table {
	t := &reports.Table{Columns: reports.Columns("property", "violated", "")}
	for _, p := range h.Properties {
		note := wording.DiffersIf(p.Count.Violated > 0 && p.Expect == checker.Holds)
		if p.Unshrunk > 0 {
			note = strings.TrimSpace(note + fmt.Sprintf("  (%d not shrunk)", p.Unshrunk))
		}
		t.Add(p.Name, p.Count.Claim(strconv.Itoa), note)
	}
	return t
}

// text describes a signature: what it is, in how many of the runs it was seen, and what is left of it.
func (g *Signature) text(runs int) (head, seen, shrunk string) {
	kinds := "no fault"
	if len(g.Kinds) > 0 {
		kinds = wording.List(g.Kinds)
	}
	end := ""
	if !g.Shrunk {
		end = "; there may be more to take away"
	}
	return g.Property + " breaks under " + kinds,
		fmt.Sprintf("in %s runs, first with seed %d", wording.Share(g.Runs, runs), g.FirstSeed),
		fmt.Sprintf("Shrunk from %s to %d in %d runs%s; %s, %s each.", wording.Count(g.From, "fault", "faults"), len(g.Schedule),
			g.Tries, end, wording.Count(g.Clients, "client", "clients"), wording.Count(g.Cycles, "cycle", "cycles"))
}

// A found is a schedule that breaks a property.
type found struct {
	head, seen, shrunk string // the last two may be empty
	schedule           []string
	command            string // that shows it; "" if it was not kept
}

// add describes it: to a text as lines, and to a page in sentences, with the schedule alone in a box.
func (f found) add(d *reports.Document) {
	lines, words := f.head, ""
	if f.seen != "" {
		lines, words = lines+": "+f.seen+"\n  "+f.shrunk, wording.Capital(f.seen)+". "+f.shrunk
	}
	lines += "\n"
	for _, fault := range f.schedule {
		lines += "    " + fault + "\n"
	}
	d.Add(reports.Block{Kind: "lines", In: reports.Terminal | reports.Marked, Words: reports.Words(lines)})
	d.Add(reports.Block{Kind: "topic", In: reports.Page, Words: reports.Words(f.head)})
	if words != "" {
		d.Add(reports.Block{In: reports.Page, Words: reports.Words(words)})
	}
	if len(f.schedule) > 0 {
		d.Add(reports.Block{Kind: "lines", In: reports.Page, Words: reports.Words(strings.Join(f.schedule, "\n"))})
	}
	if f.command != "" {
		d.Add(reports.Block{Kind: "command", In: reports.Terminal | reports.Marked, Words: reports.Words("  See it:"), Command: f.command, Close: true})
		d.Add(reports.Block{In: reports.Page,
			Words: []reports.Span{{Text: "See it: "}, {Text: f.command, Look: "code"}}})
	}
}
