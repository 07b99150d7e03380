package serve_test

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/lockstorm/lockstorm/reports/site/browsertest"
)

// A visitor is a browser that visits a site.
type visitor struct {
	*browsertest.Reader
	URL string // of the site
}

// visit opens a browser, or skips the test where there is none.
func visit(t *testing.T, dir string) *visitor {
	t.Helper()
	v := &visitor{browsertest.Browse(t), open(t, dir).URL}
	v.Site = v.URL + "/"
	return v
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
	for _, target := range []string{"/", "/kleppmann/gc-pause/1/", "/hunt/", "/kleppmann/gc-pause/1/report.html"} {
		for _, theme := range []string{"light", "dark"} {
			v.Theme(theme)
			v.Do(chromedp.Navigate(v.URL + target))
			for _, text := range browsertest.Ask[[]string](v.Reader, faint) {
				t.Errorf("%s, %s: too faint: %s", target, theme, text)
			}
			if broken := browsertest.Ask[int](v.Reader, `[...document.images].filter(i => !i.complete || !i.naturalWidth).length`); broken > 0 {
				t.Errorf("%s, %s: %d pictures are not shown", target, theme, broken)
			}
		}
		v.Do(chromedp.EmulateViewport(400, 800))
		if wide := browsertest.Ask[int](v.Reader, `document.documentElement.scrollWidth`); wide > 400 {
			t.Errorf("%s: on a phone the page is %d pixels wide", target, wide)
		}
		v.Do(chromedp.EmulateViewport(1280, 800))
		v.Quiet(target)
	}
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
	v.Do(chromedp.Navigate(v.URL + "/kleppmann/gc-pause/1/report.html"))
	browsertest.Ask[any](v.Reader, `document.querySelector("button[data-do=next]").click()`)
	if said := browsertest.Ask[string](v.Reader, `document.getElementById("read").textContent`); !strings.Contains(said, "s") {
		t.Errorf("the script of the report does not work: it says %q", said)
	}
	if origin := browsertest.Ask[string](v.Reader, `self.origin`); origin != "null" {
		t.Errorf("the report belongs to %s, and should to no site", origin)
	}
	v.Quiet("the report")
	for _, target := range []string{"/evil/1/report.html", "/evil/1/timeline.svg", "/evil/1/", "/"} {
		v.Do(chromedp.Navigate(v.URL + target))
		if title := browsertest.Ask[string](v.Reader, `document.title`); title == "owned" {
			t.Errorf("%s: a script of others runs", target)
		}
	}
	if n := asked.Load(); n > 0 {
		t.Errorf("a page of others asked %d times for what is elsewhere", n)
	}
}
