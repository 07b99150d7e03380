package command

import (
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/lockstorm/lockstorm/reports/site/browsertest"
	"github.com/lockstorm/lockstorm/sim/simtest"
)

// some are the pages that every run checks; the nightly run checks all.
var some = []string{"index.html", "README.html", "search.html", "pages.html", "scenarios/campaign/matrix.html",
	"reference/scenario-files.html", "scenarios/forecast/forecast.html"}

func TestSitePagesAreQuietLegibleAndFit(t *testing.T) {
	v := browsertest.Browse(t)
	dir := madeSite(t, "--runs", "0", "--no-playground")
	pages := some
	if simtest.Long {
		pages = slices.Sorted(maps.Keys(readSite(t, dir).pages))
	}
	v.Site = "file://" + dir + "/"
	for _, page := range pages {
		v.Do(chromedp.EmulateViewport(400, 800), chromedp.Navigate(v.Site+page))
		if wide := browsertest.Ask[int](v, `document.documentElement.scrollWidth`); wide > 400 {
			t.Errorf("%s: on a phone it is %d pixels wide", page, wide)
		}
		v.Do(chromedp.EmulateViewport(1280, 800))
		for _, theme := range []string{"light", "dark"} {
			v.Theme(theme)
			for _, text := range browsertest.Ask[[]string](v, browsertest.Faint) {
				if text != "no pictures" {
					t.Errorf("%s, %s: too faint: %s", page, theme, text)
				}
			}
		}
		if style := browsertest.Ask[string](v, `getComputedStyle(document.querySelector(".bar")).display`); style != "flex" {
			t.Errorf("%s has no style", page)
		}
		v.Quiet(page)
	}
}

// The search works by keys alone, from a server and from a disk.
func TestSiteSearchWorksByKeyboard(t *testing.T) {
	v := browsertest.Browse(t)
	dir := madeSite(t, "--runs", "0", "--no-playground")
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer server.Close()
	for _, v.Site = range []string{server.URL + "/", "file://" + dir + "/"} {
		v.Do(chromedp.Navigate(v.Site+"scenarios/claims.html"), chromedp.KeyEvent(kb.Tab))
		if at := browsertest.Ask[string](v, `document.activeElement.textContent`); at != "Skip to the content" {
			t.Errorf("the first Tab leads to %q", at)
		}
		v.Do(chromedp.KeyEvent(kb.Tab), chromedp.KeyEvent(kb.Tab)) // Lockstorm, and the search: the menu needs no link on a wide screen
		if at := browsertest.Ask[string](v, `document.activeElement.name`); at != "q" {
			t.Fatalf("the third Tab does not lead to the search, but to %q", at)
		}
		v.Do(chromedp.KeyEvent("faults kinds" + kb.Enter))
		until(v, `location.pathname.includes("search.html") && document.querySelectorAll(".hits li").length > 3`)
		if said := browsertest.Ask[string](v, `document.querySelector("[role=status]").textContent`); !strings.Contains(said, "sections:") {
			t.Errorf("it says %q", said)
		}
		marks := `[...document.querySelectorAll(".hits li:first-child mark")].map(m => m.textContent.toLowerCase())`
		for _, word := range []string{"faults", "kinds"} {
			if marked := browsertest.Ask[[]string](v, marks); !slices.Contains(marked, word) {
				t.Errorf("of what was found first stand out %q, and not %s", marked, word)
			}
		}
		browsertest.Ask[any](v, `document.querySelector(".hits a").focus()`)
		first := browsertest.Ask[string](v, `document.activeElement.href`)
		v.Do(chromedp.KeyEvent(kb.Enter))
		// a page that still loads would count as the next site's
		until(v, fmt.Sprintf(`location.href == %q && document.readyState == "complete"`, first))
		v.Quiet(v.Site)
	}
}

// until waits for what a browser does by itself. While it goes to another page it may have no answer.
func until(b *browsertest.Reader, expression string) {
	b.Helper()
	for range 3000 { // a minute, which only a busy machine needs
		if done, err := chromedp.Run(b.Ctx, chromedp.Evaluate[bool](expression)); err == nil && done {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	b.Fatalf("it does not come that %s", expression)
}
