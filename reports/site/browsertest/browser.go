package browsertest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// A Reader is a browser with a page of ours in it. It notes every error on the page, and every request to the outside.
type Reader struct {
	*testing.T
	Ctx    context.Context
	Site   string // what the addresses begin with that may be asked for; files and data may be in any case
	Mu     sync.Mutex
	Faults []string
}

// Browse opens a browser, or skips the test where there is none.
func Browse(t *testing.T) *Reader {
	t.Helper()
	need.Program(t, "no page is opened in a browser", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
	options := []chromedp.ExecAllocatorOption{chromedp.Headless, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.NoDefaultBrowserCheck}
	if os.Getuid() == 0 { // the sandbox of Chromium rejects root
		options = append(options, chromedp.NoSandbox)
	}
	home, end := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(end)
	ctx, done := chromedp.NewContext(home)
	t.Cleanup(done)
	b := &Reader{T: t, Ctx: ctx}
	b.Do(chromedp.EmulateViewport(1280, 800))
	if err := chromedp.Listen(ctx, b.hear); err != nil {
		t.Fatal(err)
	}
	b.Call(func() error { _, err := chromedp.Call(ctx, log.Enable, struct{}{}); return err })
	return b
}

// hear takes note of what a page should not do.
func (b *Reader) hear(ev any) {
	b.Mu.Lock()
	defer b.Mu.Unlock()
	switch e := ev.(type) {
	case *runtime.EventConsoleAPICalled:
		b.Faults = append(b.Faults, fmt.Sprintf("it writes to the console: %v", e.Args))
	case *runtime.EventExceptionThrown:
		b.Faults = append(b.Faults, "it throws: "+e.ExceptionDetails.Text)
	case *log.EventEntryAdded:
		b.Faults = append(b.Faults, "the browser complains: "+e.Entry.Text)
	case *network.EventRequestWillBeSent:
		own := b.Site != "" && strings.HasPrefix(e.Request.URL, b.Site) || strings.HasPrefix(e.Request.URL, "data:") ||
			strings.HasPrefix(e.Request.URL, "file://") && strings.HasSuffix(e.Request.URL, ".html")
		if !own {
			b.Faults = append(b.Faults, "it asks for "+e.Request.URL)
		}
	}
}

// Quiet describes what went wrong so far.
func (b *Reader) Quiet(name string) {
	b.Helper()
	b.Mu.Lock()
	defer b.Mu.Unlock()
	for _, f := range b.Faults {
		b.Errorf("%s: %s", name, f)
	}
	b.Faults = nil
}

// Call ends the test if an action in the browser fails.
func (b *Reader) Call(do func() error) {
	b.Helper()
	if err := do(); err != nil {
		b.Fatal(err)
	}
}

// Do takes steps in the browser.
func (b *Reader) Do(steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	b.Call(func() error { return chromedp.Do(b.Ctx, steps...) })
}

// Ask returns the value of a JavaScript expression; with chromedp.EvalAwaitPromise, the value of its promise.
func Ask[T any](b *Reader, expression string, options ...chromedp.EvaluateOption) T {
	b.Helper()
	answer, err := chromedp.Run(b.Ctx, chromedp.Evaluate[T](expression, options...))
	if err != nil {
		b.Fatalf("%s: %v", expression, err)
	}
	return answer
}

// Theme makes the browser prefer light or dark.
func (b *Reader) Theme(name string) {
	b.Helper()
	b.Call(func() error {
		_, err := chromedp.Call(b.Ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}})
		return err
	})
}

// Open writes a page to a file and opens it.
func (b *Reader) Open(page []byte) {
	b.Helper()
	file := filepath.Join(b.TempDir(), "report.html")
	if err := os.WriteFile(file, page, 0o644); err != nil {
		b.Fatal(err)
	}
	b.Do(chromedp.Navigate("file://" + file))
}

// Faint returns the texts whose contrast with their background is less than 4.5 to 1. For a text of a picture, the
// background is found by its place: everything painted before it that covers its middle or one of its ends, each
// blended with what is below. If a text has a halo, that covers everything else.
const Faint = `(() => {
  const parse = c => (c.match(/[\d.]+/g) || []).map((v, i) => c.startsWith("color(") && i < 3 ? 255 * v : Number(v));
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
