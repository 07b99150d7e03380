package browsertest_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/lockstorm/lockstorm/reports/reportstest"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/reports/site/browsertest"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

func htmlOf(r *scenarios.Result, m runs.Making) []byte {
	return []byte(runs.Document(r, m, true).HTML())
}

func pageOf(t *testing.T, id string, set ...string) []byte {
	return htmlOf(scenarios.Run(*reportstest.Scenario(t, id, set...), 1), runs.Making{Version: "0.0.0", Command: "lockstorm run " + id})
}

// seen returns the flags of properties whose violation is visible without scrolling: the window in the timeline, and
// above it a flag with its name.
const seen = `(() => {
  const there = e => { const b = e.getBoundingClientRect(); return b.width >= 1 && b.left >= 0 && b.top >= 0 && b.right <= innerWidth && b.bottom <= innerHeight; };
  const windows = [...document.querySelectorAll("#lanes rect.band[data-f]")].filter(there).map(e => e.dataset.f + "-" + e.dataset.t);
  const flags = [...document.querySelectorAll("#lanes text.bad[data-f]")].filter(there).filter(e => windows.includes(e.dataset.f + "-" + e.dataset.t));
  return flags.map(e => e.textContent).sort();
})()`

func TestAPageIsQuietAndLegibleInABrowser(t *testing.T) {
	b := browsertest.Browse(t)
	for _, c := range []struct{ id, violated string }{
		{"kleppmann/gc-pause", "An update was lost; Two clients acted as holder at the same time"},
		{"kleppmann/clock-jump", "A valid lock lost its majority; An update was lost; Two clients acted as holder at the same time and the lock was valid for two clients at the same time"},
		{"kleppmann/delayed-write", "An update was lost"}, {"distlock/split-vote", ""},
		{"fencing/counter-loss", "A fencing token did not rise; An update was lost and an update was lost despite fencing; Two clients acted as holder at the same time"},
	} {
		page := pageOf(t, c.id)
		for _, theme := range []string{"light", "dark"} {
			b.Theme(theme)
			b.Open(page)
			for _, text := range browsertest.Ask[[]string](b, browsertest.Faint) {
				t.Errorf("%s, %s: too faint: %s", c.id, theme, text)
			}
			if got := strings.Join(browsertest.Ask[[]string](b, seen), "; "); got != c.violated {
				t.Errorf("%s, %s: without scrolling are seen the violations of %q, want %q", c.id, theme, got, c.violated)
			}
			low := browsertest.Ask[float64](b, `Math.max(0, ...[...document.querySelectorAll("#lanes .lane")].map(e => e.getBoundingClientRect().bottom))`)
			if low > 830 || low < 100 {
				t.Errorf("%s, %s: the lanes end at %.0f of 830 pixels", c.id, theme, low)
			}
			if dark := browsertest.Ask[bool](b, `matchMedia("(prefers-color-scheme: dark)").matches`); dark != (theme == "dark") {
				t.Errorf("%s: the theme is not %s", c.id, theme)
			}
		}
		b.Do(chromedp.EmulateViewport(400, 800))
		if wide := browsertest.Ask[int](b, `document.documentElement.scrollWidth`); wide > 400 {
			t.Errorf("%s: on a phone the page is %d pixels wide", c.id, wide)
		}
		b.Do(chromedp.EmulateViewport(1280, 800))
		b.Quiet(c.id)
	}
}

// These tests hear what they listen for: a page that does all of it wrong is reported.
func TestAPageThatMisbehavesIsNoticed(t *testing.T) {
	b := browsertest.Browse(t)
	page := `<!DOCTYPE html><body style="background:#fff"><p style="color:#999">faint</p><img src="http://127.0.0.1:1/x.png"><script>console.log("hello"); nowhere();</script>
<svg width="300" height="900">` + strings.Repeat(`<text x="5" y="50">far</text>`, 25) + `<rect width="100" height="40" fill="#0072b2" fill-opacity=".9"/><text x="5" y="20" fill="#333">dark</text></svg>
<div id="lanes"><svg width="300" height="900"><rect class="band" data-f="1" data-t="2" y="850" width="9" height="9"/><text class="bad" data-f="1" data-t="2" y="20">belief violated</text></svg></div>`
	b.Open([]byte(page))
	browsertest.Ask[any](b, `new Promise(done => setTimeout(done, 300))`)
	said := strings.Join(browsertest.Ask[[]string](b, browsertest.Faint), "\n")
	if !strings.Contains(said, "P faint 2.85") || !strings.Contains(said, "svg dark on 25,128,186") || strings.Contains(said, "far") {
		t.Errorf("of faint texts it says\n%s", said)
	}
	if got := browsertest.Ask[[]string](b, seen); len(got) != 0 {
		t.Errorf("it sees %v, and that is below the edge", got)
	}
	b.Mu.Lock()
	heard := strings.Join(b.Faults, "\n")
	b.Mu.Unlock()
	for _, want := range []string{"it asks for http://127.0.0.1:1/x.png", "it writes to the console", "it throws: Uncaught", "the browser complains: Failed to load resource"} {
		if !strings.Contains(heard, want) {
			t.Errorf("nobody heard that %s:\n%s", want, heard)
		}
	}
}

func TestAPageZoomsStepsAndFilters(t *testing.T) {
	b := browsertest.Browse(t)
	b.Open(pageOf(t, "kleppmann/gc-pause"))
	click := func(what string) {
		browsertest.Ask[any](b, `document.querySelector("button[data-do=`+what+`]").click()`)
	}
	width := `+[...document.querySelectorAll("#lanes .lane[data-lane=c2] rect.k1")].find(e => e.dataset.f && e.style.display !== "none").getAttribute("width")`
	before := browsertest.Ask[float64](b, width)
	click("window")
	if after := browsertest.Ask[float64](b, width); before > 10 || after < 300 {
		t.Errorf("the hold of c2 is %f pixels wide, and zoomed %f", before, after)
	}
	click("all")
	if again := browsertest.Ask[float64](b, width); again > before+0.1 || again < before-0.1 {
		t.Errorf("back again it is %f pixels wide, and was %f", again, before)
	}
	click("next")
	click("next")
	if said := browsertest.Ask[string](b, `document.getElementById("read").textContent`); said != "9.898004\u00a0s  c1's validity ends, by its own clock" {
		t.Errorf("the second moment is %q", said)
	}
	browsertest.Ask[any](b, `(() => { const f = document.getElementById("f-op"); f.value = "write"; f.dispatchEvent(new Event("input")); })()`)
	if shown := browsertest.Ask[string](b, `document.getElementById("f-count").textContent`); shown != "4 of 16 rows" {
		t.Errorf("of the history are shown %s", shown)
	}
	browsertest.Ask[any](b, `document.getElementById("lanes").dispatchEvent(new KeyboardEvent("keydown", {key: "+"}))`)
	if zoomed := browsertest.Ask[bool](b, `document.getElementById("lanes").classList.contains("zoomed")`); !zoomed {
		t.Error("the key + does not zoom")
	}
	b.Quiet("gc-pause")
}

func TestAPageNeedsNoScripts(t *testing.T) {
	b := browsertest.Browse(t)
	b.Call(func() error {
		_, err := chromedp.Call(b.Ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		return err
	})
	b.Open(pageOf(t, "kleppmann/clock-jump"))
	if rows, tools := browsertest.Ask[int](b, `document.querySelectorAll("#history tbody tr").length`), browsertest.Ask[int](b,
		`[...document.querySelectorAll(".tools")].filter(e => e.offsetHeight > 0).length`); rows != 16 || tools != 0 {
		t.Errorf("%d lines of history, and %d bars of buttons that do nothing", rows, tools)
	}
	b.Quiet("clock-jump")
}

func TestALargePageOpensAndIsNotTooLarge(t *testing.T) {
	b := browsertest.Browse(t)
	page := pageOf(t, "kleppmann/gc-pause", "clients=3", "work.cycles=4200", "horizon=100h", "steps=100000000")
	b.Open(page)
	browsertest.Ask[any](b, `document.querySelector("button[data-do=window]").click()`)
	elements := browsertest.Ask[int](b, `document.querySelectorAll("*").length`)
	t.Logf("%d bytes, %d elements", len(page), elements)
	if len(page) > 5_000_000 || elements > 50_000 {
		t.Errorf("a page of %d bytes has %d elements", len(page), elements)
	}
	b.Quiet("a large page")
}

func TestHostileNamesAreHarmlessInABrowser(t *testing.T) {
	b := browsertest.Browse(t)
	s := reportstest.Scenario(t, "kleppmann/gc-pause")
	s.ID = `</title></style></script><script>document.title="owned"</script><img src=x onerror="document.title='owned'">`
	s.Title, s.About = s.ID, s.ID
	b.Open(htmlOf(scenarios.Run(*s, 1), runs.Making{Command: s.ID, Settings: []string{s.ID}}))
	if title, images := browsertest.Ask[string](b, `document.title`), browsertest.Ask[int](b, `document.querySelectorAll("img").length`); title == "owned" || images > 0 {
		t.Errorf("the page is called %q and has %d images", title, images)
	}
	b.Quiet("a hostile name")
}

// A text is as long in Helvetica, or in a font of the same widths, as it says: so a picture looks the same where
// nothing fits texts into their length, as librsvg does not.
func TestTextLengthMatchesItsFont(t *testing.T) {
	b := browsertest.Browse(t)
	b.Open(pageOf(t, "kleppmann/clock-jump"))
	const unlike = `(() => {
  const probe = document.createElement("canvas").getContext("2d"), wide = f => { probe.font = "40px " + f; return probe.measureText("millimetres WAVE").width; };
  if (wide("'Liberation Sans'") === wide("'No Such Font'") && wide("Arial") === wide("'No Such Font'")) { return ["no font"]; }
  const bad = [];
  document.querySelectorAll("svg text[textLength]").forEach(e => {
    if (/[^ -~]/.test(e.textContent)) { return; }
    const says = Number(e.getAttribute("textLength"));
    e.removeAttribute("textLength");
    const is = e.getComputedTextLength();
    if (Math.abs(is - says) > 0.015 * says + 0.3) { bad.push(e.getAttribute("class") + " " + e.textContent + ": " + is + ", and says " + says); }
  });
  return bad;
})()`
	bad := browsertest.Ask[[]string](b, unlike)
	if slices.Equal(bad, []string{"no font"}) {
		need.Possible(t, "no text is measured", errors.New("no font has the widths of Helvetica (Debian: fonts-liberation)"))
	}
	for _, text := range bad {
		t.Errorf("in the font that it names a text is as long as: %s", text)
	}
}

// On a screen that is too small for the timeline it begins at the violation, with the names of its lanes in sight.
func TestSmallScreenTimelineShowsViolationAndLaneNames(t *testing.T) {
	b := browsertest.Browse(t)
	b.Do(chromedp.EmulateViewport(400, 1000))
	b.Open(pageOf(t, "kleppmann/gc-pause"))
	const sight = `(e => { const b = e.getBoundingClientRect(), l = document.getElementById("lanes").getBoundingClientRect();
		return b.left >= l.left - 1 && b.left < l.right - 20 && b.right > l.left + 20; })`
	b.Do(chromedp.Sleep(200 * time.Millisecond)) // the names follow when the browser has scrolled
	for _, what := range []string{".names text", "rect.band[data-f]", "text.bad[data-f]"} {
		if !browsertest.Ask[bool](b, sight+`(document.querySelector("#lanes `+what+`"))`) {
			t.Errorf("%s is out of sight", what)
		}
	}
	b.Quiet("on 400 pixels")
}
