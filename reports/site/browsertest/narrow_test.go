package browsertest_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/site/browsertest"
)

// A claim of a whole sentence pushes no column out of its page, and on a narrow page no name covers its neighbour.
func TestTablesStayWithinTheirPage(t *testing.T) {
	d := &reports.Document{Title: "Tables"}
	claims := &reports.Table{Columns: reports.Columns("claim", "tested by", "measured", "finding")}
	claims.Add(strings.Repeat("a claim of many words ", 6), "kleppmann/asynchronous-row-lock", strings.Repeat("measured ", 20), strings.Repeat("found ", 60))
	suite := &reports.Table{Columns: reports.Columns("verdict", "scenario", "as expected", "what it shows")}
	suite.Columns[3].Kind = "wordy"
	suite.Add("pass", "kleppmann/asynchronous-row-lock", "100 of 100", "The clocks of a row lock run far apart, and no update is lost.")
	d.Table("", claims)
	d.Table("", suite)
	b := browsertest.Browse(t)
	b.Open([]byte(d.HTML()))
	const over = `[...document.querySelectorAll("td,th")].filter(e => e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0).map(e => e.textContent)`
	for _, width := range []int64{400, 1280} {
		b.Do(chromedp.EmulateViewport(width, 800))
		if wide := browsertest.Ask[int64](b, `document.documentElement.scrollWidth`); wide > width {
			t.Errorf("on %d pixels the page is %d wide", width, wide)
		}
		for _, cell := range browsertest.Ask[[]string](b, over) {
			t.Errorf("on %d pixels %q goes beyond its cell", width, cell)
		}
	}
	b.Quiet("tables")
}
