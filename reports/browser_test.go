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
	if testing.Short() || !slices.ContainsFunc(names, func(n string) bool { _, err := exec.LookPath(n); return err == nil }) {
		t.Skipf("skipped with -short, or for want of a browser: it takes one of %s; on Debian: apt-get install chromium", strings.Join(names, ", "))
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

// faint gives the texts that are too faint: whose contrast with what lies under them is less than 4.5 to 1. Text in a
// picture lies on a bar of its client, if it has the class that says so, and else on the ground.
const faint = `(() => {
  const parse = c => (c.match(/[\d.]+/g) || []).map(Number);
  const light = c => { const f = parse(c).slice(0, 3).map(v => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * f[0] + 0.7152 * f[1] + 0.0722 * f[2]; };
  const ratio = (a, b) => { const x = light(a), y = light(b); return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05); };
  const ground = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor, p = parse(c); if (p.length === 3 || p[3] > 0) { return c; } } return "rgb(255,255,255)"; };
  const fill = (svg, c) => { const e = svg.querySelector("." + c); return e && getComputedStyle(e).fill; };
  const bad = [];
  document.querySelectorAll("body *").forEach(e => {
    if (e.closest("svg") || e.closest("[hidden]") || ![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim())) { return; }
    const r = ratio(getComputedStyle(e).color, ground(e));
    if (r < 4.5) { bad.push(e.tagName + " " + e.textContent.slice(0, 30) + " " + r.toFixed(2)); }
  });
  document.querySelectorAll("svg text").forEach(e => {
    const svg = e.closest("svg"), on = [...e.classList].find(c => /^on./.test(c)), under = on ? "k" + on.slice(2) : e.classList.contains("offtext") ? "off" : "ground";
    const back = fill(svg, under), r = back ? ratio(getComputedStyle(e).fill, back) : 99;
    if (r < 4.5) { bad.push("svg " + e.textContent + " on " + under + " " + r.toFixed(2)); }
  });
  return [document.querySelectorAll("svg text").length > 20 ? "" : "no pictures", ...bad].filter(x => x);
})()`

func TestAPageIsQuietAndLegibleInABrowser(t *testing.T) {
	b := browse(t)
	for _, id := range []string{"kleppmann/gc-pause", "kleppmann/clock-jump", "kleppmann/delayed-write", "distlock/split-vote", "fencing/counter-loss"} {
		page := pageOf(t, id)
		for _, theme := range []string{"light", "dark"} {
			b.theme(theme)
			b.open(page)
			for _, text := range ask[[]string](b, faint) {
				t.Errorf("%s, %s: too faint: %s", id, theme, text)
			}
			low := ask[float64](b, `Math.max(0, ...[...document.querySelectorAll("#lanes .lane")].map(e => e.getBoundingClientRect().bottom))`)
			bands := ask[int](b, `document.querySelectorAll("#lanes .band[data-f]").length`)
			if low > 800 || low < 100 || (bands > 0) != strings.Contains(string(page), "is violated</h2>") {
				t.Errorf("%s, %s: the lanes end at %.0f of 800 pixels, with %d windows of violations", id, theme, low, bands)
			}
		}
		b.do(chromedp.EmulateViewport(400, 800))
		if wide := ask[int](b, `document.documentElement.scrollWidth`); wide > 400 {
			t.Errorf("%s: on a phone the page is %d pixels wide", id, wide)
		}
		b.do(chromedp.EmulateViewport(1280, 800))
		b.quiet(id)
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

func TestALargePageIsThereInTwoSeconds(t *testing.T) {
	b := browse(t)
	page := pageOf(t, "kleppmann/gc-pause", "clients=3", "work.cycles=4200", "horizon=100h", "steps=100000000")
	began := time.Now()
	b.open(page)
	ready := ask[float64](b, `performance.getEntriesByType("navigation")[0].domInteractive`)
	ask[any](b, `document.querySelector("button[data-do=window]").click()`)
	t.Logf("%d bytes; interactive after %.0f ms, zoomed after %s", len(page), ready, time.Since(began))
	if len(page) > 5_000_000 || ready > 2000 {
		t.Errorf("a page of %d bytes is interactive after %.0f ms", len(page), ready)
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
