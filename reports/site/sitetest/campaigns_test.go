package sitetest_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/reports/reportstest"
	"github.com/lockstorm/lockstorm/reports/site/sitetest"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/explore"
)

// faintCampaign returns the texts that are too faint, as faint does for a run's page. The letters in figures are outlines:
// those of inks lie on the page's ground.
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
  return [letters.length > 30 && inks.length > 10 ? "" : "no figures", ...bad].filter(x => x);
})()`

// swept makes the page of four runs of each cell of a sweep, with a counterexample.
func swept(t *testing.T, axes ...string) []byte {
	t.Helper()
	sweep := &campaign.Sweep{Scenario: reportstest.Scenario(t, "kleppmann/gc-pause"), First: 1, Runs: 4}
	for _, text := range axes {
		a, err := campaign.ParseAxis(sweep.Scenario, text)
		if err != nil {
			t.Fatal(err)
		}
		sweep.Axes = append(sweep.Axes, a)
	}
	job := sweep.Job()
	c := campaigns.Campaign{Version: "0.0.0", Command: "lockstorm sweep kleppmann/gc-pause", Hash: strings.Repeat("ab", 32)}
	if err := c.Begin(job, nil); err != nil {
		t.Fatal(err)
	}
	c.Survey.AddAll(job.All(2, nil))
	least := campaign.Shrinker{Least: *sweep.Scenario, Seed: 7, Property: "belief"}
	c.AddWay(&campaign.Signature{Property: "belief", Runs: 3, First: 7, From: 4, Least: least, Shrunk: true}, job.Cells[1],
		sweep.Scenario.Brief(), "counterexamples/belief-pause.yaml", "lockstorm run counterexamples/belief-pause.yaml",
		"counterexamples/belief-pause.html")
	c.Draw()
	files := c.Files(&campaigns.FigureLook{}, 2)
	return files[len(files)-1].Content
}

func TestACampaignsPageIsQuietAndLegibleInABrowser(t *testing.T) {
	b := sitetest.Browse(t)
	for name, axes := range map[string][]string{"an axis": {"pause.for=1s,2s,3s,10s"}, "two axes": {"pause.for=1s,2s,3s,10s", "lock.ttl=1s,2s"}} {
		page := swept(t, axes...)
		for _, theme := range []string{"light", "dark"} {
			b.Theme(theme)
			b.Open(page)
			for _, text := range sitetest.Ask[[]string](b, faintCampaign) {
				t.Errorf("%s, %s: too faint: %s", name, theme, text)
			}
			if first := sitetest.Ask[float64](b, `document.querySelector("#h-claims").getBoundingClientRect().bottom`); first > 800 {
				t.Errorf("%s: what can be claimed begins at %.0f of 800 pixels", name, first)
			}
		}
		if images := sitetest.Ask[int](b, `[...document.querySelectorAll("svg image")].filter(e => e.getBoundingClientRect().width > 20).length`); (images > 0) != (len(axes) == 2) {
			t.Errorf("%s: %d images of maps", name, images)
		}
		for _, width := range []int64{400, 1280} {
			b.Do(chromedp.EmulateViewport(width, 800))
			if wide := sitetest.Ask[int64](b, `document.documentElement.scrollWidth`); wide > width {
				t.Errorf("%s: on %d pixels the page is %d wide", name, width, wide)
			}
			const broken = `[...document.querySelectorAll("#command .word")].filter(e => e.getBoundingClientRect().height > 30).map(e => e.textContent)`
			if words := sitetest.Ask[[]string](b, broken); len(words) > 0 {
				t.Errorf("%s: on %d pixels the command is broken within %q", name, width, words)
			}
		}
		b.Quiet(name)
	}
}

// theoremOf explores the budgets of some locks that are of one thing at most.
func theoremOf(t *testing.T, locks ...string) *campaigns.Theorem {
	t.Helper()
	table := &campaigns.Theorem{SchemaVersion: 1, Lockstorm: "9.9.9", Command: "lockstorm explore --theorem", Base: explore.TheoremBase}
	for _, name := range locks {
		all, err := explore.Subjects(name)
		if err != nil {
			t.Fatal(err)
		}
		s := &all[0]
		s.Most = 1
		var cells []explore.Cell
		for _, b := range s.Budgets() {
			c, err := s.Explore(b, 2, nil, func(int) {})
			if err != nil {
				t.Fatal(err)
			}
			cells = append(cells, c)
		}
		if err := table.Add(s, cells, func(w string) string { return "'" + w + "'" }); err != nil {
			t.Fatal(err)
		}
	}
	return table
}

func TestTheTheoremsPageIsQuietAndLegibleInABrowser(t *testing.T) {
	b := sitetest.Browse(t)
	page := []byte(theoremOf(t, "redlock", "sql-row-lock").Document().HTML())
	const open = `[...document.querySelectorAll("details")].map(e => { e.open = true }).length`
	faint := strings.Replace(faintCampaign, "letters.length > 30 && inks.length > 10", "true", 1)
	for _, theme := range []string{"light", "dark"} {
		b.Theme(theme)
		b.Open(page)
		if n := sitetest.Ask[int](b, open); n != 2 {
			t.Errorf("%s: the cells of %d locks can be opened; want 2", theme, n)
		}
		for _, text := range sitetest.Ask[[]string](b, faint) {
			t.Errorf("%s: too faint: %s", theme, text)
		}
		for _, width := range []int64{400, 1280} {
			b.Do(chromedp.EmulateViewport(width, 800))
			if wide := sitetest.Ask[int64](b, `document.documentElement.scrollWidth`); wide > width {
				t.Errorf("%s: on %d pixels the page is %d wide", theme, width, wide)
			}
		}
	}
	b.Quiet("the theorem")
}
