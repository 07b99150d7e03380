package theorem_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/lockstorm/lockstorm/reports/site/browsertest"
)

func TestTheTheoremsPageIsQuietAndLegibleInABrowser(t *testing.T) {
	b := browsertest.Browse(t)
	page := []byte(theoremOf(t, "redlock", "sql-row-lock").Document().HTML())
	const open = `[...document.querySelectorAll("details")].map(e => { e.open = true }).length`
	for _, theme := range []string{"light", "dark"} {
		b.Theme(theme)
		b.Open(page)
		if n := browsertest.Ask[int](b, open); n != 2 {
			t.Errorf("%s: the cells of %d locks can be opened; want 2", theme, n)
		}
		for _, text := range browsertest.Ask[[]string](b, strings.Replace(browsertest.Faint, "looked > 20", "true", 1)) {
			t.Errorf("%s: too faint: %s", theme, text)
		}
		for _, width := range []int64{400, 1280} {
			b.Do(chromedp.EmulateViewport(width, 800))
			if wide := browsertest.Ask[int64](b, `document.documentElement.scrollWidth`); wide > width {
				t.Errorf("%s: on %d pixels the page is %d wide", theme, width, wide)
			}
		}
	}
	b.Quiet("the theorem")
}
