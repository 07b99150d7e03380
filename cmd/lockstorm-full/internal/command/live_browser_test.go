package command

import (
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/reports/site/browsertest"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// The page of a live run says how it was made, and is as legible as any page.
func TestLiveRunPageIsQuietAndLegibleInABrowser(t *testing.T) {
	need.Loopback(t, "nothing is run live")
	needRedis(t)
	b := browsertest.Browse(t)
	dir := t.TempDir()
	out, errs, code := lockstorm("live", "kleppmann/crash-restart", "--store", dir, "--quiet")
	if code != cli.AsExpected && code != cli.Unknown { // a busy machine has no verdict
		t.Fatalf("exit %d\n%s%s", code, out, errs)
	}
	page := []byte(read(t, filepath.Join(dir, "live", "kleppmann", "crash-restart", "1", "report.html")))
	for _, theme := range []string{"light", "dark"} {
		b.Theme(theme)
		b.Open(page)
		if dark := browsertest.Ask[bool](b, `matchMedia("(prefers-color-scheme: dark)").matches`); dark != (theme == "dark") {
			t.Errorf("the theme is not %s", theme)
		}
		for _, text := range browsertest.Ask[[]string](b, browsertest.Faint) {
			t.Errorf("%s: too faint: %s", theme, text)
		}
		if !browsertest.Ask[bool](b, `document.body.innerText.includes("A live run on redis-server")`) {
			t.Errorf("%s: the page does not say that the run was live", theme)
		}
		b.Do(chromedp.EmulateViewport(400, 800))
		if wide := browsertest.Ask[int](b, `document.documentElement.scrollWidth`); wide > 400 {
			t.Errorf("%s: on a phone the page is %d pixels wide", theme, wide)
		}
		b.Do(chromedp.EmulateViewport(1280, 800))
	}
	b.Quiet("the page of a live run")
}
