package reports

import (
	"slices"

	"github.com/lockstorm/lockstorm/reports/internal/campaigns"
	"github.com/lockstorm/lockstorm/reports/internal/layout"
	"github.com/lockstorm/lockstorm/reports/internal/plot"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/explore"
)

// Least is where the least scenario of something that was found is kept, and the command that runs it.
type Least struct {
	Place   int // of what was found, among all of its kind
	File    string
	Command string
}

// Tally reports runs of one scenario on consecutive seeds, of which so many are kept.
func Tally(s *scenarios.Scenario, first uint64, t campaign.Tally, kept int, m Making) *Document {
	x := campaigns.NewTally(s, first, t)
	x.Settings, x.Lockstorm, x.Kept, x.Command = append(x.Settings, m.Settings...), m.Version, kept, m.Command
	return &Document{x.Document(), t.Worst}
}

// Hunt reports a search.
type Hunt struct {
	Scenario  *scenarios.Scenario
	Command   string // that makes it again
	Hunt      *campaign.Hunt
	ByDefault bool // the scenario says nothing of a search
	Kept      []Least
}

// Document returns the report in all formats.
func (h *Hunt) Document() *Document {
	x := campaigns.NewHunt(h.Scenario, h.Command, h.Hunt)
	x.Default = h.ByDefault
	for _, l := range h.Kept {
		x.Kept(l.Place, l.File, l.Command)
	}
	return &Document{x.Document(), x.Verdict()}
}

// Kills reports searches for mutants: what each search found.
type Kills struct {
	First   uint64
	Runs    int
	Grounds []campaign.Ground
	found   []found
}

type found struct {
	in   *campaign.MutantSearch
	find campaign.MutantFind
}

// Add takes note of what a search found.
func (k *Kills) Add(in *campaign.MutantSearch, find campaign.MutantFind) {
	k.found = append(k.found, found{in, find})
}

// Searched is how many mutants were searched for.
func (k *Kills) Searched() int { return len(k.found) }

// Document returns the report in all formats.
func (k *Kills) Document() *Document {
	x := campaigns.NewKills(k.First, k.Runs, k.Grounds)
	for _, f := range k.found {
		x.Add(f.in, f.find)
	}
	return &Document{x.Document(), x.Verdict()}
}

// Sweep reports how often properties break along settings. Command names the command that runs a seed with some settings; it is
// for the first run that broke something, and nil where there is none.
func Sweep(w *campaign.Sweep, g *campaign.Grid, m Making, command func(settings []string, seed uint64) string) *Document {
	s := campaigns.NewSweep(w, g.Spots)
	s.Lockstorm, s.Settings = m.Version, append(s.Settings, m.Settings...)
	for i := range g.Spots {
		if !g.Over(i) {
			s.Missing += w.Runs - g.Spots[i].Runs
		}
	}
	if cell, seed, found := s.FirstBroken(); found && !w.Scenario.Search.Drawn() {
		s.Command = command(cell.Settings, seed)
	}
	return &Document{doc: s.Document()}
}

// Exploration reports what was found among all schedules of a scenario.
func Exploration(s *scenarios.Scenario, command string, r *explore.Report, kept []Least) *Document {
	x := campaigns.NewExploration(s, command, r)
	for _, l := range kept {
		x.Kept(l.Place, l.File, l.Command)
	}
	return &Document{x.Document(), x.Verdict()}
}

// A Theorem reports which promises of locks break within which budget of faults.
type Theorem struct{ table campaigns.Theorem }

// Begin sets the version of Lockstorm, and the command that makes the report again.
func (t *Theorem) Begin(version, command string) {
	t.table = campaigns.Theorem{SchemaVersion: layout.SchemaVersion, Lockstorm: version, Command: command, Base: explore.TheoremBase}
}

// Add takes note of a lock: a cell for each of its budgets. Quote makes a word one of a command.
func (t *Theorem) Add(s *explore.Subject, cells []explore.Cell, quote func(string) string) error {
	return t.table.Add(s, cells, quote)
}

// Document returns the report in all formats.
func (t *Theorem) Document() *Document { return &Document{doc: t.table.Document()} }

// A Shrink reports how a run was shrunk.
type Shrink struct{ steps *campaigns.Shrink }

// Begin takes note of what is shrunk, and of how far an earlier call came: its runs, and whether that was all.
func (t *Shrink) Begin(named string, seed uint64, s *campaign.Shrinker, runs int, done bool) {
	t.steps = campaigns.NewShrink(named, seed, s, campaigns.Past{Runs: runs, Done: done})
	if !done {
		s.Tried = t.steps.Tried
	}
}

// End takes note of how it ended, where the least scenario is, and of the command that runs it.
func (t *Shrink) End(s *campaign.Shrinker, done bool, file, command string) {
	t.steps.End(s, done, file, command)
}

// Document returns the report in all formats.
func (t *Shrink) Document() *Document { return &Document{doc: t.steps.Document()} }

// A FigureLook is how the figures of a campaign are drawn into files. Its zero value is what is usual.
type FigureLook = plot.Rendering

// A Campaign reports rows that are kept: a page, its figures, and the ways to break a property that were found.
type Campaign struct {
	Survey    campaign.Survey
	Version   string            // of Lockstorm
	Build     string            // of Lockstorm, which made the rows
	Command   string            // that makes the same rows
	Hash      string            // of the scenario, as its manifest has it
	Missing   int               // blocks that are not made yet
	NotSought string            // why ways to break it were not looked for, or not all
	Labels    map[string]string // what a setting, a property or a figure is called
	ways      []campaigns.Way
	figures   []*plot.Picture
}

// Begin begins to count the rows of a job, with these figures of runs besides those that every report has.
func (c *Campaign) Begin(j *campaign.Job, figures []string) error {
	c.Survey = campaign.Survey{Job: j, Figures: slices.Clone(campaigns.ChartFigures)}
	for _, name := range figures {
		if !slices.Contains(c.Survey.Figures, name) {
			c.Survey.Figures = append(c.Survey.Figures, name)
		}
	}
	return c.Survey.Begin()
}

// AddWay adds a way to break a property, found in a cell: its least scenario in brief, where that is, what runs it, and where
// the page of its run is.
func (c *Campaign) AddWay(g *campaign.Signature, cell campaign.Cell, brief []byte, file, command, page string) {
	w := campaigns.NewWay(g, cell, brief)
	w.Path, w.Command, w.Page = file, command, page
	c.ways = append(c.ways, w)
}

// Ways is how many ways were added.
func (c *Campaign) Ways() int { return len(c.ways) }

// Draw draws the figures, and returns how many there are.
func (c *Campaign) Draw() int {
	c.figures = campaigns.Charts(&c.Survey, c.Labels)
	return len(c.figures)
}

// Files returns the figures that were drawn in all their forms, which so many workers make side by side, and the page.
func (c *Campaign) Files(look *FigureLook, workers int) []File {
	stored := campaigns.Stored{
		Survey: &c.Survey, Version: c.Version, Build: c.Build, Command: c.Command, Hash: c.Hash, Missing: c.Missing,
		Ways: c.ways, NotSought: c.NotSought, Figures: c.figures, Link: func(file string) string { return file },
	}
	forms := stored.FigureFiles(look)
	files := make([]File, len(forms))
	campaign.Parallel(workers, len(forms), func(i int) { files[i] = File{Name: forms[i].Name, Content: forms[i].Make()} })
	return append(files, File{Name: PageFile, Content: []byte(stored.Document().HTML())})
}
