package serve

import (
	"encoding/json"
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/reports/site/internal/browse"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
	"github.com/lockstorm/lockstorm/scenarios/campaign/study"
)

// bounded is a Store as the archives see it: regular files of a bounded size, and nothing else.
type bounded struct{ *Store }

// Open opens a regular file.
func (b bounded) Open(name string) (fs.File, error) {
	f, _, err := b.open(name)
	return f, err
}

// ReadFile reads a regular file.
func (b bounded) ReadFile(name string) ([]byte, error) { return b.read(name, blockBytesMax) }

// campaign reads what a campaign is, and counts its rows if there are not more than so many.
func (s *Store) campaign(place string, most int) browse.Campaign {
	c := browse.Campaign{Place: place}
	_, _, err := s.open(path.Join(place, archive.ManifestFile))
	if errors.Is(err, fs.ErrNotExist) { // a search that kept what it found, and no rows
		c.Kind, c.Scenario = campaign.FuzzJob, wording.Plain(place)
		return c
	}
	a, err := archive.OpenIn(bounded{s}, place)
	if err != nil && s.explored(&c) {
		return c
	}
	if err != nil {
		c.Wrong = wording.Plain(strings.TrimPrefix(err.Error(), place+"/"))
		return c
	}
	describe(&c, &a.Manifest)
	c.Expects(a.Job.Scenario)
	compared(&c, a)
	return s.counted(a, c, most)
}

// compared names the rows and the columns of a study, if there is one.
func compared(c *browse.Campaign, a *archive.Archive) {
	text, err := a.Study()
	if err != nil || text == nil {
		return
	}
	x, err := study.Parse(archive.StudyFile, text)
	if err != nil { // its cells can be listed all the same
		return
	}
	for _, l := range x.Lines {
		c.Locks = append(c.Locks, wording.Plain(l.Name))
	}
	for _, value := range x.X.Points {
		c.Faults = append(c.Faults, wording.Plain(value))
	}
}

// explored describes an exploration, which has no rows, and reports whether it is one.
func (s *Store) explored(c *browse.Campaign) bool {
	var h struct {
		archive.Head
		Command string `json:"command"`
	}
	text, err := s.read(path.Join(c.Place, archive.ManifestFile), leastBytesMax)
	if err != nil || json.Unmarshal(text, &h) != nil || h.Kind != archive.Exploration {
		return false
	}
	c.Kind, c.Scenario, c.Lockstorm, c.ScenarioHash = h.Kind, wording.Plain(h.Scenario), wording.Plain(h.Lockstorm),
		wording.Plain(h.ScenarioHash)
	c.Note = "It has schedules in place of rows. To see what it found: " + wording.Plain(h.Command) + " --resume --store DIR"
	return true
}

func describe(c *browse.Campaign, m *archive.Manifest) {
	c.Kind, c.Scenario, c.Lockstorm, c.ScenarioHash = wording.Plain(m.Kind), wording.Plain(m.Scenario), wording.Plain(m.Lockstorm),
		m.ScenarioHash
	c.First, c.Runs, c.Cells = m.FirstSeed, m.Runs, len(m.Cells)
	for _, settings := range m.Cells[:min(len(m.Cells), browse.CellsMost)] {
		c.Settings = append(c.Settings, wording.Plain(settings.String()))
	}
	c.Properties, c.Views = m.Properties, m.Views
}

// counted counts the rows, unless that was done before, and no block has come since.
func (s *Store) counted(a *archive.Archive, c browse.Campaign, most int) browse.Campaign {
	c.Of, c.Blocks = a.Job.Blocks(), s.blocks(c.Place)
	s.mu.Lock()
	known, ok := s.tallies[c.Place]
	s.mu.Unlock()
	if ok && known.ScenarioHash == c.ScenarioHash && known.Blocks == c.Blocks && known.Of == c.Of &&
		(known.Counted || known.Wrong != "") {
		return known
	}
	if a.Manifest.BlockSize > most/max(c.Blocks, 1) || c.Of > entriesMax || c.Cells > cellsMax {
		return c
	}
	if err := count(a, &c); err != nil {
		c.Wrong = wording.Plain(err.Error())
	}
	s.mu.Lock()
	s.tallies[c.Place] = c
	s.mu.Unlock()
	return c
}

func (s *Store) blocks(place string) (n int) {
	entries, _ := s.entries(place)
	for _, e := range entries {
		if isBlock(e.Name()) {
			n++
		}
	}
	return n
}

// count counts the rows by cell, and by property and view.
func count(a *archive.Archive, c *browse.Campaign) error {
	c.Tallies = make([]browse.Tally, len(a.Manifest.Cells))
	for i := range c.Tallies {
		c.Tallies[i].Counts = make([]stats.Count, len(c.Properties)+len(c.Views))
	}
	err := a.Each(func(_ int, rows []campaign.Row) error {
		for i := range rows {
			add(&c.Tallies[rows[i].Cell], &rows[i])
		}
		return nil
	})
	c.Counted = err == nil
	return err
}

func add(t *browse.Tally, r *campaign.Row) {
	t.Runs++
	if r.Violated != 0 {
		t.Broken++
	}
	for i := range t.Counts {
		t.Counts[i].Add(r.Of(i))
	}
}

// page reads all of a campaign that a page of its own shows.
func (s *Store) page(place string) browse.Campaign {
	c := s.campaign(place, countedRowsMax)
	c.Files = s.files(place, campaignFiles)
	for _, room := range []string{"counterexamples", "figures"} {
		c.Files = append(c.Files, s.filesIn(place, room, browse.FilesMost)...)
	}
	c.Found = s.filesIn(place, "found", browse.FilesMost)
	for i := range c.Found {
		if least, err := s.scenario(path.Join(place, c.Found[i].Name), leastBytesMax); err == nil {
			c.Found[i].Holds = strings.ReplaceAll(strings.TrimSpace(least.Faults.String()), "\n", "; ")
		}
	}
	if c.Wrong == "" && c.Of > 0 && !c.Counted {
		c.Note = "The work is too large for its rows to be counted for a page. Make a table of them: lockstorm export --csv DIR"
	}
	return c
}
