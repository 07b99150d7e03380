package reports_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A reader is a browser with a page of ours in it. It takes note of all that goes wrong, and of what is asked for outside.
type reader struct {
	*testing.T
	ctx    context.Context
	mu     sync.Mutex
	faults []string
}

// browse opens a browser, or skips the test where there is none.
func browse(t *testing.T) *reader {
	t.Helper()
	names := []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}
	if !slices.ContainsFunc(names, func(n string) bool { _, err := exec.LookPath(n); return err == nil }) {
		t.Skipf("skipped for want of a browser: it takes one of %s; on Debian: apt-get install chromium", strings.Join(names, ", "))
	}
	options := []chromedp.ExecAllocatorOption{chromedp.Headless, chromedp.DisableGPU, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck}
	if os.Getuid() == 0 { // the sandbox of Chromium refuses root
		options = append(options, chromedp.NoSandbox)
	}
	home, end := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(end)
	ctx, done := chromedp.NewContext(home)
	t.Cleanup(done)
	b := &reader{T: t, ctx: ctx}
	b.do(chromedp.EmulateViewport(1280, 800))
	if err := chromedp.Listen(ctx, b.hear); err != nil {
		t.Fatal(err)
	}
	b.call(func() error { _, err := chromedp.Call(ctx, log.Enable, struct{}{}); return err })
	return b
}

// hear takes note of what a page should not do.
func (b *reader) hear(ev any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := ev.(type) {
	case *runtime.EventConsoleAPICalled:
		b.faults = append(b.faults, fmt.Sprintf("it writes to the console: %v", e.Args))
	case *runtime.EventExceptionThrown:
		b.faults = append(b.faults, "it throws: "+e.ExceptionDetails.Text)
	case *log.EventEntryAdded:
		b.faults = append(b.faults, "the browser complains: "+e.Entry.Text)
	case *network.EventRequestWillBeSent:
		own := strings.HasPrefix(e.Request.URL, "data:") || strings.HasPrefix(e.Request.URL, "file://") && strings.HasSuffix(e.Request.URL, ".html")
		if !own {
			b.faults = append(b.faults, "it asks for "+e.Request.URL)
		}
	}
}

// quiet tells what went wrong so far.
func (b *reader) quiet(name string) {
	b.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, f := range b.faults {
		b.Errorf("%s: %s", name, f)
	}
	b.faults = nil
}

func (b *reader) call(do func() error) {
	b.Helper()
	if err := do(); err != nil {
		b.Fatal(err)
	}
}

func (b *reader) do(steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	b.call(func() error { return chromedp.Do(b.ctx, steps...) })
}

// ask gives what an expression of JavaScript comes to.
func ask[T any](b *reader, expression string) T {
	b.Helper()
	answer, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.Fatalf("%s: %v", expression, err)
	}
	return answer
}

// theme makes the browser prefer light or dark.
func (b *reader) theme(name string) {
	b.Helper()
	b.call(func() error {
		_, err := chromedp.Call(b.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}})
		return err
	})
}

// open writes a page to a file and opens it.
func (b *reader) open(page []byte) {
	b.Helper()
	file := filepath.Join(b.TempDir(), "report.html")
	if err := os.WriteFile(file, page, 0o644); err != nil {
		b.Fatal(err)
	}
	b.do(chromedp.Navigate("file://" + file))
}

func pageOf(t *testing.T, id string, set ...string) []byte {
	return reports.HTML(scenarios.Run(*scenario(t, id, set...), 1), reports.Making{Version: "0.0.0", Command: "lockstorm run " + id})
}

// faint gives the texts that are too faint: whose contrast with what lies under them is less than 4.5 to 1. What lies
// under a text of a picture is found by its place: all that was drawn before it and covers its middle or one of its ends,
// each blended with what is below. A halo, where a text has one, lies over all that.
const faint = `(() => {
  const parse = c => (c.match(/[\d.]+/g) || []).map(Number);
  const light = p => { const f = p.slice(0, 3).map(v => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * f[0] + 0.7152 * f[1] + 0.0722 * f[2]; };
  const ratio = (a, b) => { const x = light(a), y = light(b); return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05); };
  const over = (top, alpha, below) => [0, 1, 2].map(i => top[i] * alpha + below[i] * (1 - alpha));
  const ground = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor, p = parse(c); if (p.length === 3 || p[3] > 0) { return p; } } return [255, 255, 255]; };
  const bad = [];
  let looked = 0;
  document.querySelectorAll("body *").forEach(e => {
    if (e.closest("svg") || e.closest("[hidden]") || ![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())) { return; }
    const r = ratio(parse(getComputedStyle(e).color), ground(e));
    if (r < 4.5) { bad.push(e.tagName + " " + e.textContent.slice(0, 30) + " " + r.toFixed(2)); }
  });
  document.querySelectorAll("body svg").forEach(svg => {
    const page = ground(svg), drawn = [];
    svg.querySelectorAll("rect,circle,ellipse,path,polygon,text").forEach(e => {
      if (e.closest("defs")) { return; }
      const style = getComputedStyle(e), box = e.getBoundingClientRect();
      if (e.tagName !== "text") {
        if (style.fill !== "none" && !style.fill.startsWith("url") && style.display !== "none") { drawn.push([box, parse(style.fill), Number(style.fillOpacity)]); }
        return;
      }
      looked++;
      const y = (box.top + box.bottom) / 2;
      for (const x of [box.left + 1, (box.left + box.right) / 2, box.right - 1]) {
        let back = page;
        for (const [b, fill, alpha] of drawn) {
          if (b.left <= x && x <= b.right && b.top <= y && y <= b.bottom) { back = over(fill, alpha, back); }
        }
        if (style.paintOrder.startsWith("stroke") && style.stroke !== "none") { back = parse(style.stroke); }
        const r = ratio(parse(style.fill), back);
        if (r < 4.5) { bad.push("svg " + e.textContent + " on " + back.map(Math.round) + " " + r.toFixed(2)); break; }
      }
    });
  });
  return [looked > 20 ? "" : "no pictures", ...bad].filter(x => x);
})()`

// seen gives the properties whose violation can be seen as the page stands, without scrolling: the window in the
// timeline, and above it a flag with its name.
const seen = `(() => {
  const there = e => { const b = e.getBoundingClientRect(); return b.width >= 1 && b.left >= 0 && b.top >= 0 && b.right <= innerWidth && b.bottom <= innerHeight; };
  const windows = [...document.querySelectorAll("#lanes rect.band[data-f]")].filter(there).map(e => e.dataset.f + "-" + e.dataset.t);
  const flags = [...document.querySelectorAll("#lanes text.bad[data-f]")].filter(there).filter(e => windows.includes(e.dataset.f + "-" + e.dataset.t));
  return flags.map(e => e.textContent.replace(/ violated$/, "").split(/, | and /)).flat().sort();
})()`

func TestAPageIsQuietAndLegibleInABrowser(t *testing.T) {
	b := browse(t)
	for _, c := range []struct{ id, violated string }{
		{"kleppmann/gc-pause", "belief storage"}, {"kleppmann/clock-jump", "belief quorum storage validity"},
		{"kleppmann/delayed-write", "storage"}, {"distlock/split-vote", ""}, {"fencing/counter-loss", "belief fenced storage tokens"},
	} {
		page := pageOf(t, c.id)
		for _, theme := range []string{"light", "dark"} {
			b.theme(theme)
			b.open(page)
			for _, text := range ask[[]string](b, faint) {
				t.Errorf("%s, %s: too faint: %s", c.id, theme, text)
			}
			if got := strings.Join(ask[[]string](b, seen), " "); got != c.violated {
				t.Errorf("%s, %s: without scrolling are seen the violations of %q, want %q", c.id, theme, got, c.violated)
			}
			low := ask[float64](b, `Math.max(0, ...[...document.querySelectorAll("#lanes .lane")].map(e => e.getBoundingClientRect().bottom))`)
			if low > 800 || low < 100 {
				t.Errorf("%s, %s: the lanes end at %.0f of 800 pixels", c.id, theme, low)
			}
			if dark := ask[bool](b, `matchMedia("(prefers-color-scheme: dark)").matches`); dark != (theme == "dark") {
				t.Errorf("%s: the theme is not %s", c.id, theme)
			}
		}
		b.do(chromedp.EmulateViewport(400, 800))
		if wide := ask[int](b, `document.documentElement.scrollWidth`); wide > 400 {
			t.Errorf("%s: on a phone the page is %d pixels wide", c.id, wide)
		}
		b.do(chromedp.EmulateViewport(1280, 800))
		b.quiet(c.id)
	}
}

// What these tests listen for is heard: a page that does all of it wrong is told of.
func TestAPageThatMisbehavesIsNoticed(t *testing.T) {
	b := browse(t)
	page := `<!DOCTYPE html><body style="background:#fff"><p style="color:#999">faint</p><img src="http://127.0.0.1:1/x.png"><script>console.log("hello"); nowhere();</script>
<svg width="300" height="900">` + strings.Repeat(`<text x="5" y="50">far</text>`, 25) + `<rect width="100" height="40" fill="#0072b2" fill-opacity=".9"/><text x="5" y="20" fill="#333">dark</text></svg>
<div id="lanes"><svg width="300" height="900"><rect class="band" data-f="1" data-t="2" y="850" width="9" height="9"/><text class="bad" data-f="1" data-t="2" y="20">belief violated</text></svg></div>`
	b.open([]byte(page))
	ask[any](b, `new Promise(done => setTimeout(done, 300))`)
	said := strings.Join(ask[[]string](b, faint), "\n")
	if !strings.Contains(said, "P faint 2.85") || !strings.Contains(said, "svg dark on 25,128,186") || strings.Contains(said, "far") {
		t.Errorf("of faint texts it says\n%s", said)
	}
	if got := ask[[]string](b, seen); len(got) != 0 {
		t.Errorf("it sees %v, and that is below the edge", got)
	}
	b.mu.Lock()
	heard := strings.Join(b.faults, "\n")
	b.mu.Unlock()
	for _, want := range []string{"it asks for http://127.0.0.1:1/x.png", "it writes to the console", "it throws: Uncaught", "the browser complains: Failed to load resource"} {
		if !strings.Contains(heard, want) {
			t.Errorf("nobody heard that %s:\n%s", want, heard)
		}
	}
}

func TestAPageZoomsStepsAndFilters(t *testing.T) {
	b := browse(t)
	b.open(pageOf(t, "kleppmann/gc-pause"))
	click := func(what string) { ask[any](b, `document.querySelector("button[data-do=`+what+`]").click()`) }
	width := `+[...document.querySelectorAll("#lanes .lane[data-lane=c2] rect.k1")].find(e => e.dataset.f && e.style.display !== "none").getAttribute("width")`
	before := ask[float64](b, width)
	click("window")
	if after := ask[float64](b, width); before > 10 || after < 300 {
		t.Errorf("the hold of c2 is %f pixels wide, and zoomed %f", before, after)
	}
	click("all")
	if again := ask[float64](b, width); again > before+0.1 || again < before-0.1 {
		t.Errorf("back again it is %f pixels wide, and was %f", again, before)
	}
	click("next")
	click("next")
	if said := ask[string](b, `document.getElementById("read").textContent`); said != "0.003519s  fault: pause c1, for 15s" {
		t.Errorf("the second moment is %q", said)
	}
	ask[any](b, `(() => { const f = document.getElementById("f-op"); f.value = "write"; f.dispatchEvent(new Event("input")); })()`)
	if shown := ask[string](b, `document.getElementById("f-count").textContent`); shown != "4 of 16 rows" {
		t.Errorf("of the history are shown %s", shown)
	}
	ask[any](b, `document.getElementById("lanes").dispatchEvent(new KeyboardEvent("keydown", {key: "+"}))`)
	if zoomed := ask[bool](b, `document.getElementById("lanes").classList.contains("zoomed")`); !zoomed {
		t.Error("the key + does not zoom")
	}
	b.quiet("gc-pause")
}

func TestAPageNeedsNoScripts(t *testing.T) {
	b := browse(t)
	b.call(func() error {
		_, err := chromedp.Call(b.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		return err
	})
	b.open(pageOf(t, "kleppmann/clock-jump"))
	if rows, tools := ask[int](b, `document.querySelectorAll("#history tbody tr").length`), ask[int](b,
		`[...document.querySelectorAll(".tools")].filter(e => e.offsetHeight > 0).length`); rows != 16 || tools != 0 {
		t.Errorf("%d lines of history, and %d bars of buttons that do nothing", rows, tools)
	}
	b.quiet("clock-jump")
}

func TestALargePageOpensAndIsNotTooLarge(t *testing.T) {
	b := browse(t)
	page := pageOf(t, "kleppmann/gc-pause", "clients=3", "work.cycles=4200", "horizon=100h", "steps=100000000")
	b.open(page)
	ask[any](b, `document.querySelector("button[data-do=window]").click()`)
	elements := ask[int](b, `document.querySelectorAll("*").length`)
	t.Logf("%d bytes, %d elements", len(page), elements)
	if len(page) > 5_000_000 || elements > 50_000 {
		t.Errorf("a page of %d bytes has %d elements", len(page), elements)
	}
	b.quiet("a large page")
}

func TestHostileNamesDoNothingInABrowser(t *testing.T) {
	b := browse(t)
	s := scenario(t, "kleppmann/gc-pause")
	s.ID = `</title></style></script><script>document.title="owned"</script><img src=x onerror="document.title='owned'">`
	s.Title, s.About = s.ID, s.ID
	b.open(reports.HTML(scenarios.Run(*s, 1), reports.Making{Command: s.ID, Settings: []string{s.ID}}))
	if title, images := ask[string](b, `document.title`), ask[int](b, `document.querySelectorAll("img").length`); title == "owned" || images > 0 {
		t.Errorf("the page is called %q and has %d images", title, images)
	}
	b.quiet("a hostile name")
}

// A text is as long in Helvetica, or in a font of the same widths, as it says: so a picture looks the same where nothing
// fits texts into their length, as librsvg does not.
func TestATextIsAsLongAsItSaysInTheFontThatItNames(t *testing.T) {
	b := browse(t)
	b.open(pageOf(t, "kleppmann/clock-jump"))
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
	bad := ask[[]string](b, unlike)
	if slices.Equal(bad, []string{"no font"}) {
		t.Skip("skipped for want of a font with the widths of Helvetica; on Debian: apt-get install fonts-liberation")
	}
	for _, text := range bad {
		t.Errorf("in the font that it names a text is as long as: %s", text)
	}
}

// On a screen that is too small for the timeline it begins at the violation, with the names of its lanes in sight.
func TestOnASmallScreenATimelineShowsTheViolationAndWhoseLanesTheyAre(t *testing.T) {
	b := browse(t)
	b.do(chromedp.EmulateViewport(400, 1000))
	b.open(pageOf(t, "kleppmann/gc-pause"))
	const sight = `(e => { const b = e.getBoundingClientRect(), l = document.getElementById("lanes").getBoundingClientRect();
		return b.left >= l.left - 1 && b.left < l.right - 20 && b.right > l.left + 20; })`
	b.do(chromedp.Sleep(200 * time.Millisecond)) // the names follow when the browser has scrolled
	for _, what := range []string{".names text", "rect.band[data-f]", "text.bad[data-f]"} {
		if !ask[bool](b, sight+`(document.querySelector("#lanes `+what+`"))`) {
			t.Errorf("%s is out of sight", what)
		}
	}
	b.quiet("on 400 pixels")
}
