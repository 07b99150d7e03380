package site

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"html"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/shell"
	"github.com/lockstorm/lockstorm/reports/site/theorem"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// A tile is a cell of a grid of colours.
type tile struct {
	text, says, state string // state is the end of an address of the playground; empty for none
	tenths            int    // its colour; -1 for none
}

// grids puts grids of colours in place of the first table of a page of results, which is below them on demand.
func (b *builder) grids(p *page) error {
	i := slices.IndexFunc(p.Blocks, func(b reports.Block) bool { return b.Kind == "rows" })
	if i < 0 {
		return nil
	}
	var grids string
	var err error
	switch p.address {
	case "scenarios/campaign/matrix.html":
		grids, err = b.matrix(p.address)
	case "scenarios/campaign/explore/theorem.html":
		grids, err = b.theorem(p.address, p.Blocks[i].Table)
	}
	if grids != "" {
		colours := reports.Block{Kind: "markup", Image: grids, In: reports.Page}
		table := reports.Block{Kind: "details", Words: reports.Words("As a table")}
		table.Blocks = []reports.Block{p.Blocks[i]}
		p.Blocks = slices.Replace(p.Blocks, i, i+1, colours, table)
	}
	return err
}

// matrix has a grid for each promise: in what share of runs each class of faults broke it. A cell opens the first run
// that did.
func (b *builder) matrix(address string) (string, error) {
	const name = "scenarios/campaign/matrix.csv"
	file := slices.IndexFunc(b.Documents, func(f reports.File) bool { return f.Name == name })
	if file < 0 {
		return "", nil
	}
	rows, err := csv.NewReader(bytes.NewReader(b.Documents[file].Content)).ReadAll()
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	of := map[string][]string{} // by line, column and promise
	for _, r := range rows[1:] {
		of[r[0]+"/"+r[1]+"/"+r[9]] = r
	}
	base, _ := scenarios.Find("redlock/any")
	grids := ""
	for _, property := range []string{"storage", "belief", "validity", "fenced"} {
		promise, _ := checker.Lookup(property)
		heads, tiles := []string{}, [][]tile{}
		for _, v := range campaign.MatrixVariants() {
			line := []tile{{text: v.Name}}
			heads = heads[:0]
			for _, w := range campaign.Columns() {
				heads = append(heads, w.Name)
				r := of[v.Name+"/"+w.Name+"/"+property]
				if r == nil { // a lock that this program has and the table lacks
					continue
				}
				runs, _ := strconv.Atoi(r[2])
				broken, _ := strconv.Atoi(r[3])
				seed, _ := strconv.ParseUint(r[12], 10, 64)
				share, decimals := stats.Count{Runs: runs, Violated: broken}, 0
				if 10*broken < runs {
					decimals = 1
				}
				x := tile{text: share.PerCent(decimals), tenths: (9*broken + runs - 1) / runs}
				x.says = fmt.Sprintf("%s, %s: %s of %s runs break “%s”", v.Name, w.Name, r[3], r[2], promise.Plain)
				s, run := base, shell.Run{Named: base.ID, Seed: seed, Set: w.Under(v.Set)}
				if seed > 0 && s.Change(slices.Clone(run.Set)) == nil && !s.Hosted() {
					x.state = run.State()
				}
				line = append(line, x)
			}
			if len(line) > 1 {
				tiles = append(tiles, line)
			}
		}
		caption := promise.Plain + ": % of runs that break it; a number above 0 opens the first"
		grids += b.grid(address, caption, heads, tiles)
	}
	return grids, nil
}

// theorem has one grid, of the page's own table: which promises break within each budget. A cell opens a shortest
// schedule that breaks the worst of them.
func (b *builder) theorem(address string, t *reports.Table) (string, error) {
	subjects, err := theorem.Subjects("*")
	heads, tiles := []string{}, [][]tile{}
	for _, c := range t.Columns[1:] {
		heads = append(heads, c.Head)
	}
	for _, row := range t.Rows {
		line := []tile{{text: row[0].Text}}
		i := slices.IndexFunc(subjects, func(s theorem.Subject) bool { return s.Name == row[0].Text })
		for k, c := range row[1:] {
			x := tile{text: c.Text, tenths: -1}
			if c.Text == "–" {
				x.tenths = 0
			}
			if i >= 0 && strings.ContainsAny(c.Text, "BVQSFTCLR") {
				x.tenths = 2
				property, schedule, err := subjects[i].Least(heads[k])
				if err != nil {
					return "", err
				}
				if property == "" {
					line = append(line, x)
					continue
				}
				promise, _ := checker.Lookup(property)
				x.tenths = max(2, map[string]int{"belief": 5, "storage": 7, "fenced": 9}[property])
				x.says = fmt.Sprintf("%s, %s: some schedule breaks “%s”", row[0].Text, heads[k], promise.Plain)
				run := shell.Run{Named: theorem.Base, Seed: 1, Set: subjects[i].Settings()}
				x.state = run.State() + "&schedule=" + url.QueryEscape(schedule)
			}
			line = append(line, x)
		}
		tiles = append(tiles, line)
	}
	const caption = "Which promises break; letters open a shortest schedule that breaks the worst"
	return b.grid(address, caption, heads, tiles), err
}

// grid writes a grid as a table whose cells are coloured.
func (b *builder) grid(address, caption string, heads []string, rows [][]tile) string {
	var w strings.Builder
	fmt.Fprintf(&w, `<div class="tablewrap" tabindex="0" role="region" aria-label="%s, can be scrolled">
<table class="grid"><caption>%[1]s</caption><thead><tr><th scope="col">lock</th>`, html.EscapeString(caption))
	for _, head := range heads {
		fmt.Fprintf(&w, `<th scope="col">%s</th>`, html.EscapeString(head))
	}
	w.WriteString("</tr></thead><tbody>\n")
	for _, row := range rows {
		fmt.Fprintf(&w, `<tr><th scope="row">%s</th>`, html.EscapeString(row[0].text))
		for _, x := range row[1:] {
			text := html.EscapeString(x.text)
			if x.state != "" && b.has(playgroundFile) {
				to := relative(address, playgroundFile) + x.state
				text = fmt.Sprintf(`<a href="%s">%s</a>`, html.EscapeString(to), text)
			}
			fmt.Fprintf(&w, `<td class="t%d" title="%s">%s</td>`, x.tenths, html.EscapeString(x.says), text)
		}
		w.WriteString("</tr>\n")
	}
	return w.String() + "</tbody></table></div>\n"
}
