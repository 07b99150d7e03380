package serve_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// A visitor is a browser that visits a site. It takes note of all that goes wrong, and of what is asked for elsewhere.
type visitor struct {
	*site
	ctx    context.Context
	mu     sync.Mutex
	faults []string
}

// visit opens a browser, or skips the test where there is none.
func visit(t *testing.T, dir string) *visitor {
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
	ctx, late := context.WithTimeout(ctx, 3*time.Minute)
	t.Cleanup(late)
	v := &visitor{site: open(t, dir), ctx: ctx}
	v.do(chromedp.EmulateViewport(1280, 800))
	if err := chromedp.Listen(ctx, v.hear); err != nil {
		t.Fatal(err)
	}
	v.call(func() error { _, err := chromedp.Call(ctx, log.Enable, struct{}{}); return err })
	return v
}

// hear takes note of what a page should not do.
func (v *visitor) hear(ev any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch e := ev.(type) {
	case *runtime.EventConsoleAPICalled:
		v.faults = append(v.faults, fmt.Sprintf("it writes to the console: %v", e.Args))
	case *runtime.EventExceptionThrown:
		v.faults = append(v.faults, "it throws: "+e.ExceptionDetails.Text)
	case *log.EventEntryAdded:
		v.faults = append(v.faults, "the browser complains: "+e.Entry.Text)
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, v.URL+"/") {
			v.faults = append(v.faults, "it asks for "+e.Request.URL)
		}
	}
}

// heard returns what went wrong so far.
func (v *visitor) heard() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	defer func() { v.faults = nil }()
	return v.faults
}

func (v *visitor) quiet(name string) {
	v.Helper()
	for _, f := range v.heard() {
		v.Errorf("%s: %s", name, f)
	}
}

func (v *visitor) call(do func() error) {
	v.Helper()
	if err := do(); err != nil {
		v.Fatal(err)
	}
}

func (v *visitor) do(steps ...chromedp.Action[chromedp.Void]) {
	v.Helper()
	v.call(func() error { return chromedp.Do(v.ctx, steps...) })
}

// tell returns what an expression of JavaScript comes to.
func tell[T any](v *visitor, expression string) T {
	v.Helper()
	answer, err := chromedp.Run(v.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		v.Fatalf("%s: %v", expression, err)
	}
	return answer
}

// theme makes the browser prefer light or dark.
func (v *visitor) theme(name string) {
	v.Helper()
	v.call(func() error {
		_, err := chromedp.Call(v.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}}})
		return err
	})
}

// faint returns the texts whose contrast with what lies under them is less than 4.5 to 1.
const faint = `(() => {
  const parse = c => (c.match(/[\d.]+/g) || []).map(Number);
  const light = c => { const f = parse(c).slice(0, 3).map(v => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; });
    return 0.2126 * f[0] + 0.7152 * f[1] + 0.0722 * f[2]; };
  const ratio = (a, b) => { const x = light(a), y = light(b); return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05); };
  const ground = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor, p = parse(c); if (p.length === 3 || p[3] > 0) { return c; } } return "rgb(255,255,255)"; };
  const texts = [...document.querySelectorAll("body *")].filter(e => !e.closest("option") && [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()));
  const bad = texts.filter(e => ratio(getComputedStyle(e).color, ground(e)) < 4.5).map(e => e.tagName + " " + e.textContent.slice(0, 30) + " " + ratio(getComputedStyle(e).color, ground(e)).toFixed(2));
  return [texts.length > 5 ? "" : "no texts", getComputedStyle(document.body).margin === "0px" ? "" : "no style", ...bad].filter(x => x);
})()`

// shelf is a store with runs of two scenarios and a campaign.
func shelf(t *testing.T) (dir string) {
	dir = filepath.Join(t.TempDir(), "store")
	keep(t, dir, "kleppmann/gc-pause", 1)
	keep(t, dir, "kleppmann/clock-jump", 1)
	rows(t, filepath.Join(dir, "hunt"), 20, 10)
	put(t, filepath.Join(dir, "half", "1", "result.json"), `{"schema_ver`)
	return dir
}

func TestThePagesAreQuietLegibleAndFitInABrowser(t *testing.T) {
	v := visit(t, shelf(t))
	for _, target := range []string{"/", "/?with=kleppmann/gc-pause/1&verdict=pass", "/run/kleppmann/gc-pause/1", "/run/half/1", "/campaign/hunt",
		"/compare?a=kleppmann/gc-pause/1&b=kleppmann/clock-jump/1", "/files/kleppmann/gc-pause/1/report.html"} {
		for _, theme := range []string{"light", "dark"} {
			v.theme(theme)
			v.do(chromedp.Navigate(v.URL + target))
			for _, text := range tell[[]string](v, faint) {
				t.Errorf("%s, %s: too faint: %s", target, theme, text)
			}
			if broken := tell[int](v, `[...document.images].filter(i => !i.complete || !i.naturalWidth).length`); broken > 0 {
				t.Errorf("%s, %s: %d pictures are not shown", target, theme, broken)
			}
		}
		v.do(chromedp.EmulateViewport(400, 800))
		if wide := tell[int](v, `document.documentElement.scrollWidth`); wide > 400 {
			t.Errorf("%s: on a phone the page is %d pixels wide", target, wide)
		}
		v.do(chromedp.EmulateViewport(1280, 800))
		v.quiet(target)
	}
}

// The cells of a matrix have long names: they must not run over the counts beside them.
func TestALongCellLeavesTheNextColumnAlone(t *testing.T) {
	dir := t.TempDir()
	cells := []campaign.Cell{nil, {{Key: "persistence", Value: "aof-always"},
		{Key: "search.faults", Value: "delay,loss,pause,suspend,crash,restart,jump,drift,partition"}}}
	archived(t, filepath.Join(dir, "matrix"), &campaign.Job{Kind: "sweep", Cells: cells, First: 1, Runs: 2, Size: 2}, "redlock/any")
	v := visit(t, dir)
	v.do(chromedp.EmulateViewport(400, 800), chromedp.Navigate(v.URL+"/campaign/matrix"))
	if over := tell[[]string](v, `[...document.querySelectorAll("th code")].filter(
		c => c.getBoundingClientRect().right > c.closest("th").getBoundingClientRect().right).map(c => c.textContent)`); len(over) > 0 {
		t.Errorf("over the next column run %q", over)
	}
	if cells := tell[int](v, `document.querySelectorAll("th code").length`); cells != 2 {
		t.Errorf("the page has %d cells", cells)
	}
}

func TestTheListIsUsedByKeysAlone(t *testing.T) {
	v := visit(t, shelf(t))
	v.do(chromedp.Navigate(v.URL + "/?text=kleppmann"))
	press := func(what, keys string) {
		v.Helper()
		at := `(e => e === document.body ? "" : (e.name || e.type || "") + (e.getAttribute("aria-label") || e.textContent.trim()).slice(0, 40))(document.activeElement)`
		for range 40 {
			if strings.Contains(tell[string](v, at), what) {
				if outline := tell[string](v, `getComputedStyle(document.activeElement).outlineStyle`); outline == "none" {
					t.Errorf("nothing shows that %q has the focus", what)
				}
				v.do(chromedp.KeyEvent(keys))
				return
			}
			v.do(chromedp.KeyEvent(kb.Tab))
		}
		t.Fatalf("no Tab leads to %q", what)
	}
	press("Skip to the content", kb.Tab)
	press("runkleppmann/clock-jump, seed 1", " ")
	press("runkleppmann/gc-pause, seed 1", " ")
	press("Compare the two", kb.Enter)
	for range 100 {
		if strings.HasPrefix(tell[string](v, `location.pathname`), "/compare") {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	v.do(chromedp.WaitReady("footer"))
	if title := tell[string](v, `document.querySelector("h1").textContent`); title != "Two runs side by side" {
		t.Errorf("two ticks lead to %q", title)
	}
	v.quiet("the list")
}

func TestTheReportWorksInItsSandboxAndAScriptOfOthersDoesNotRun(t *testing.T) {
	dir := shelf(t)
	var asked atomic.Int64
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer elsewhere.Close()
	put(t, filepath.Join(dir, "evil", "1", "result.json"), `{"schema_version":1,"scenario":"<img src=x onerror=document.title='owned'>"}`)
	put(t, filepath.Join(dir, "evil", "1", "report.html"), `<title>mine</title><script>document.title="owned"</script><img src=x onerror="document.title='owned'"><iframe src="/"></iframe>
		<img src="`+elsewhere.URL+`/image"><link rel="stylesheet" href="`+elsewhere.URL+`/style"><style>body{background:url(`+elsewhere.URL+`/ground)}</style>`)
	put(t, filepath.Join(dir, "evil", "1", "timeline.svg"), `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="document.title='owned'"><script>document.title="owned"</script><rect width="9" height="9"/></svg>`)
	v := visit(t, dir)
	v.do(chromedp.Navigate(v.URL + "/files/kleppmann/gc-pause/1/report.html"))
	tell[any](v, `document.querySelector("button[data-do=next]").click()`)
	if said := tell[string](v, `document.getElementById("read").textContent`); !strings.Contains(said, "s") {
		t.Errorf("the script of the report does not work: it says %q", said)
	}
	if origin := tell[string](v, `self.origin`); origin != "null" {
		t.Errorf("the report belongs to %s, and should to no site", origin)
	}
	v.quiet("the report")
	for _, target := range []string{"/files/evil/1/report.html", "/files/evil/1/timeline.svg", "/timeline/evil/1", "/run/evil/1", "/compare?a=evil/1&b=kleppmann/gc-pause/1", "/"} {
		v.do(chromedp.Navigate(v.URL + target))
		if title := tell[string](v, `document.title`); title == "owned" {
			t.Errorf("%s: a script of others runs", target)
		}
	}
	if n := asked.Load(); n > 0 {
		t.Errorf("a page of others asked %d times for what is elsewhere", n)
	}
}
