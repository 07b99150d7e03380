package browse

import (
	"fmt"
	"slices"

	"github.com/lockstorm/lockstorm/reports/internal/layout"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// campaignPage is what the page of a campaign shows.
type campaignPage struct {
	Campaign
	Title, At, Seeds, Report, Rows string
	Counts                         []shareLine // of the one cell
	Columns                        []string    // of several cells: the properties that are violated somewhere
	Lines                          []cellLine
	Left                           int // cells that are not shown
	Grids                          []grid
	FilesThere, FoundThere         []file
}

type shareLine struct {
	Name, Claim string
	stats.Count
}

// A grid is what became of one property in a matrix: a row for each lock, a column for each class of faults.
type grid struct {
	Name string
	Rows []gridRow
}

type gridRow struct {
	Lock  string
	Cells []gridCell
}

type gridCell struct {
	Text  string // in per cent
	Says  string
	Class string
}

type cellLine struct {
	Name, Runs string
	Shares     []string
}

// CampaignPage returns the page of one campaign.
func CampaignPage(c Campaign) []byte {
	p := campaignPage{
		Campaign: c, Title: c.title(), At: layout.Plain(c.Place), Seeds: c.seeds(),
		FilesThere: files(c.Place, c.Files), FoundThere: files(c.Place, c.Found), Report: reportAddress(c.Place, c.Files),
	}
	switch {
	case c.Wrong != "":
	case c.Of == 0:
		p.Rows = "No rows were kept."
	case c.Blocks == c.Of:
		p.Rows = "All rows are there."
	default:
		p.Rows = fmt.Sprintf("%s of %s blocks of rows are there.", layout.Grouped(c.Blocks), layout.Grouped(c.Of))
	}
	switch {
	case !c.Counted:
	case len(c.Tallies) == 1:
		p.shares()
	case len(c.Locks)*len(c.Faults) == len(c.Tallies) && len(c.Tallies) > 0:
		p.grids()
	default:
		p.cells()
	}
	return render("campaign", p)
}

func (c *Campaign) title() string {
	if c.Kind == "" {
		return layout.Plain(c.Place)
	}
	return c.Kind + " of " + c.Scenario
}

// shares fills in the table of a campaign of one cell. A run of which nothing is known supports no claim.
func (p *campaignPage) shares() {
	t := p.Tallies[0]
	for i, name := range p.counted() {
		if !p.lacks(&t, i) {
			p.Counts = append(p.Counts, shareLine{layout.Plain(name), t.Counts[i].Claim(layout.Grouped), t.Counts[i]})
		}
	}
}

// counted names what is counted: the properties, and the views of a black box.
func (c *Campaign) counted() []string {
	all := slices.Clone(c.Properties)
	for _, name := range c.Views {
		all = append(all, scenarios.BlackBox+"."+name)
	}
	return all
}

// lacks reports whether the i-th of what is counted is a view that the runs of a cell do not have: it is unknown in all of them.
func (c *Campaign) lacks(t *Tally, i int) bool {
	return i >= len(c.Properties) && t.Counts[i].Unknown == t.Runs
}

// cells fills in the table of a campaign of several cells.
func (p *campaignPage) cells() {
	var columns []int
	for i, name := range p.counted() {
		for _, t := range p.Tallies {
			if t.Counts[i].Violated > 0 {
				columns, p.Columns = append(columns, i), append(p.Columns, layout.Plain(name))
				break
			}
		}
	}
	for i, name := range p.Settings {
		t := p.Tallies[i]
		line := cellLine{Name: name, Runs: layout.Grouped(t.Runs)}
		for _, k := range columns {
			if p.lacks(&t, k) {
				line.Shares = append(line.Shares, "")
				continue
			}
			line.Shares = append(line.Shares, share(t.Counts[k]))
		}
		p.Lines = append(p.Lines, line)
	}
	p.Left = p.Cells - len(p.Lines)
}

// grids fills in the tables of a matrix, for each property that is violated somewhere.
func (p *campaignPage) grids() {
	for k, name := range p.counted() {
		g, broken := grid{Name: layout.Plain(name)}, false
		for i, lock := range p.Locks {
			row := gridRow{Lock: lock}
			for j, faults := range p.Faults {
				t := &p.Tallies[i*len(p.Faults)+j]
				broken = broken || t.Counts[k].Violated > 0
				if p.lacks(t, k) {
					row.Cells = append(row.Cells, gridCell{})
					continue
				}
				row.Cells = append(row.Cells, tile(t.Counts[k], lock+", "+faults))
			}
			g.Rows = append(g.Rows, row)
		}
		if broken {
			p.Grids = append(p.Grids, g)
		}
	}
}

func tile(n stats.Count, where string) gridCell {
	c := gridCell{Text: n.PerCent(0), Says: where + ": " + n.Claim(layout.Grouped)}
	if n.Unknown > 0 {
		c.Text, c.Class = c.Text+"?", "unknown"
	}
	if n.Violated > 0 {
		c.Class = "violated"
	}
	return c
}

func share(n stats.Count) string {
	return fmt.Sprintf("%s (%s)", layout.Grouped(n.Violated), n.Exact().Text(1))
}
