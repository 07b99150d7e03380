package command

import (
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/lockstorm/lockstorm/reports/site/browsertest"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// faintCampaign returns the texts that are too faint, as faint does for a run's page. The letters in figures are
// outlines. Letters in an ink lie on the page's ground.
const faintCampaign = `(() => {
  const parse = c => (c.match(/[\d.]+/g) || []).map(Number);
  const light = c => { const f = parse(c).slice(0, 3).map(v => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * f[0] + 0.7152 * f[1] + 0.0722 * f[2]; };
  const ratio = (a, b) => { const x = light(a), y = light(b); return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05); };
  const ground = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor, p = parse(c); if (p.length === 3 || p[3] > 0) { return c; } } return "rgb(255,255,255)"; };
  const bad = [];
  document.querySelectorAll("body *").forEach(e => {
    if (e.closest("svg") || ![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())) { return; }
    const r = ratio(getComputedStyle(e).color, ground(e));
    if (r < 4.5) { bad.push(e.tagName + " " + e.textContent.slice(0, 30) + " " + r.toFixed(2)); }
  });
  const letters = [...document.querySelectorAll("svg.pl path.f-ink, svg.pl path.f-soft")];
  letters.forEach(e => { const r = ratio(getComputedStyle(e).fill, ground(e)); if (r < 4.5) { bad.push("letters in " + e.closest("svg").id + " " + r.toFixed(2)); } });
  const inks = [...document.querySelectorAll("svg.pl path[class^=s-c]")];
  inks.forEach(e => { const r = ratio(getComputedStyle(e).stroke, ground(e)); if (r < 1.9) { bad.push("a line in " + e.closest("svg").id + " " + r.toFixed(2)); } });
  return [letters.length > 10 ? "" : "no figures", ...bad].filter(x => x);
})()`

// The figures on the page of a sweep can be read.
func TestSweepPageIsLegibleInABrowser(t *testing.T) {
	b := browsertest.Browse(t)
	for name, axes := range map[string][]string{"an axis": {"pause.for=1s,2s,3s,10s"}, "two axes": {"pause.for=1s,2s,3s,10s", "lock.ttl=1s,2s"}} {
		args := []string{"sweep", "kleppmann/gc-pause", "--runs", "4", "--format", "html", "--quiet"}
		for _, axis := range axes {
			args = append(args, "--axis", axis)
		}
		page := []byte(mustRun(t, 0, args...))
		for _, theme := range []string{"light", "dark"} {
			b.Theme(theme)
			b.Open(page)
			for _, text := range browsertest.Ask[[]string](b, faintCampaign) {
				t.Errorf("%s, %s: too faint: %s", name, theme, text)
			}
		}
		for _, width := range []int64{400, 1280} {
			b.Do(chromedp.EmulateViewport(width, 800))
			if wide := browsertest.Ask[int64](b, `document.documentElement.scrollWidth`); wide > width {
				t.Errorf("%s: on %d pixels the page is %d wide", name, width, wide)
			}
			const broken = `[...document.querySelectorAll("#command .word")].filter(e => e.getBoundingClientRect().height > 30).map(e => e.textContent)`
			if words := browsertest.Ask[[]string](b, broken); len(words) > 0 {
				t.Errorf("%s: on %d pixels the command is broken within %q", name, width, words)
			}
		}
		b.Quiet(name)
	}
}

// The document of the debate fits a phone. Of so few runs it has its alarm, too.
func TestDebateIsQuietAndLegibleInABrowser(t *testing.T) {
	need.Long(t) // the debate has many runs
	b := browsertest.Browse(t)
	file := filepath.Join(t.TempDir(), "debate.html")
	mustRun(t, 1, "debate", "--runs", "1", "--out", file, "--quiet")
	page := []byte(fileText(t, file))
	for _, theme := range []string{"light", "dark"} {
		b.Theme(theme)
		b.Open(page)
		for _, text := range browsertest.Ask[[]string](b, browsertest.Faint) {
			t.Errorf("%s: too faint: %s", theme, text)
		}
	}
	b.Do(chromedp.EmulateViewport(400, 800))
	if wide := browsertest.Ask[int](b, `document.documentElement.scrollWidth`); wide > 400 {
		t.Errorf("on a phone the page is %d pixels wide", wide)
	}
	b.Quiet("the debate")
}

// findings has what axe-core finds in the page, as it is, and in the states of the playground.
const findings = `(async () => {
  const found = new Set(), $ = (id) => document.getElementById(id);
  const look = async (state) => {
    for (const v of (await axe.run({ resultTypes: ["violations"] })).violations) {
      found.add(state + v.id + ": " + v.nodes[0].html.slice(0, 200));
    }
  };
  const until = async (is) => { for (let i = 0; i < 600 && !is(); i++) { await new Promise((done) => setTimeout(done, 50)); } };
  await look("");
  if (!$("thousand")) { return [...found]; }
  await until(() => !$("thousand").disabled);
  for (const e of document.querySelectorAll("details")) { e.open = true; }
  document.querySelector(".chip").click();
  await look("a card: ");
  $("pick").click();
  await look("the catalogue: ");
  $("catalogue").close();
  $("begin").click();
  await until(() => $("h-tour"));
  await look("the tour: ");
  return [...found];
})()`

// No page of the site has anything that axe-core finds wrong.
func TestAxeFindsNothingOnTheSite(t *testing.T) {
	need.Long(t) // it makes the site, and opens each page four times
	source, err := os.ReadFile(os.Getenv("LOCKSTORM_AXE"))
	if err != nil {
		err = fmt.Errorf("LOCKSTORM_AXE names no axe.min.js of axe-core, a package of npm: %w", err)
	}
	need.Possible(t, "axe-core sees no page", err)
	b := browsertest.Browse(t)
	site := t.TempDir()
	mustRun(t, 0, "site", site, "--runs", "3", "--force")
	server := httptest.NewServer(http.FileServer(http.Dir(site)))
	defer server.Close()
	b.Site = server.URL + "/"
	pages := 0
	err = filepath.WalkDir(site, func(name string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".html" {
			return err
		}
		pages++
		page := filepath.ToSlash(name[len(site):])
		for _, theme := range []string{"light", "dark"} {
			b.Theme(theme)
			for _, width := range []int64{1280, 400} {
				b.Do(chromedp.EmulateViewport(width, 800), chromedp.Navigate(server.URL+page))
				browsertest.Ask[any](b, string(source)+"\n;0")
				for _, found := range browsertest.Ask[[]string](b, findings, chromedp.EvalAwaitPromise) {
					t.Errorf("%s, %s, %d pixels: %s", page, theme, width, found)
				}
			}
		}
		return nil
	})
	if err != nil || pages < 50 {
		t.Errorf("%d pages: %v", pages, err)
	}
}
