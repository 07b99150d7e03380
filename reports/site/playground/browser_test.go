package playground_test

import (
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/site/browsertest"
	"github.com/lockstorm/lockstorm/reports/site/play"
	"github.com/lockstorm/lockstorm/reports/site/playground"
)

// This substitute for the worker asks the same program over HTTP, natively: these tests are about the page. The tests
// of the engine show that WebAssembly answers the same.
const standIn = `self.onmessage = ({ data }) => {
  if (data.exec) { self.postMessage({ ready: true }); return; }
  const x = new XMLHttpRequest();
  x.open("POST", "/call/" + data.name, false);
  x.send(data.request);
  self.postMessage({ id: data.id, answer: x.responseText });
};`

// A reader is a browser with the page in it.
type reader struct {
	*browsertest.Reader
	URL string
}

// glossary returns the page whose words the playground explains.
func glossary(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../../scenarios/glossary.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// serve returns the address of a site that is the page alone, under the policy that it asks for. With engine, it has the real
// worker, and that engine.
func serve(t *testing.T, engine, exec []byte) string {
	d := playground.Page("1.2.3", glossary(t))
	d.Frame = &reports.Frame{Sheet: "style.css", Icon: "icon.svg"}
	all := map[string][]byte{"playground.html": []byte(d.HTML()), "style.css": []byte(d.Sheet()),
		"icon.svg": []byte(`<svg xmlns="http://www.w3.org/2000/svg"/>`)}
	for _, f := range playground.Files("1.2.3", engine, exec) {
		all[f.Name] = f.Content
	}
	if engine == nil {
		all["playground/worker.js"] = []byte(standIn)
	}
	var one sync.Mutex
	program := play.Program{Version: "1.2.3"}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, "/")
		if call, is := strings.CutPrefix(name, "call/"); is {
			request, _ := io.ReadAll(r.Body)
			one.Lock()
			defer one.Unlock()
			_, _ = w.Write(program.Call(call, request))
			return
		}
		content, known := all[name]
		if !known || len(content) == 0 {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
		if path.Ext(name) == ".html" {
			w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'self' "+reports.Hashed(d.Style)+"; img-src data: 'self'; script-src "+
				playground.Scripts+" "+reports.Hashed(d.Script)+"; base-uri 'none'; form-action 'none'")
		}
		_, _ = w.Write(content)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// open opens the page in a browser, or skips the test where there is none.
func open(t *testing.T, link string) *reader {
	t.Helper()
	b := browsertest.Browse(t)
	r := &reader{b, serve(t, nil, nil)}
	r.Site = r.URL + "/"
	r.visit(link)
	return r
}

// visit opens the page of a link again, and waits until it has run what the link asks for.
func (r *reader) visit(link string) {
	r.Helper()
	r.Do(chromedp.Navigate("about:blank"), chromedp.Navigate(r.URL+"/playground.html"+link))
	r.until(`document.getElementById("load").textContent.startsWith("Each change") && !document.body.classList.contains("linked")`)
	r.settle()
}

// until waits for an expression to become true. A busy machine has as long as it needs.
func (r *reader) until(expression string) {
	r.Helper()
	for range 1500 {
		if browsertest.Ask[bool](r.Reader, "Boolean("+expression+")") {
			return
		}
		time.Sleep(40 * time.Millisecond)
	}
	r.Fatalf("it never becomes true that %s; the page says: %s", expression, r.text("problem")+" "+r.text("load"))
}

// settle waits until the page has run and shown what was asked for, and the link says so.
func (r *reader) settle() {
	r.Helper()
	r.until(`!document.querySelector("#verdict[aria-busy]")`)
}

func (r *reader) text(id string) string {
	r.Helper()
	return browsertest.Ask[string](r.Reader, fmt.Sprintf(`document.getElementById(%q).textContent`, id))
}

// set writes into a field, as a reader does.
func (r *reader) set(selector, value string) {
	r.Helper()
	browsertest.Ask[any](r.Reader, fmt.Sprintf(`(e => { e.value = %q; e.dispatchEvent(new Event("input", { bubbles: true })); e.dispatchEvent(new Event("change", { bubbles: true })); })(document.querySelector(%q))`,
		value, selector))
	r.settle()
}

func (r *reader) click(selector string) {
	r.Helper()
	browsertest.Ask[any](r.Reader, fmt.Sprintf(`document.querySelector(%q).click()`, selector))
}

func (r *reader) says(id, want string) {
	r.Helper()
	if got := r.text(id); !strings.Contains(got, want) {
		r.Errorf("%s is %q, and should have %q", id, got, want)
	}
}

// A user's path: open the page, shorten the pause until nothing breaks, make it longer until storage breaks again,
// share the link, open it again.
func TestMovingThePauseBreaksStorageAndCanBeShared(t *testing.T) {
	r := open(t, "")
	r.says("verdict", "An update was lost. c1 overwrites an update of c2")
	r.says("lead", "How long is client c1 paused?")
	if other := browsertest.Ask[string](r.Reader, `document.querySelector("#pair article:last-child .differs .chip").textContent`); other != "No lost update holds" {
		t.Errorf("beside it, what differs is %q", other)
	}
	r.set(`[id="set-fault.1.for"]`, "4s")
	r.says("verdict", "No update was lost. With this change no update is lost. Before, one was.")
	r.says("command", "lockstorm run kleppmann/gc-pause --seed 1 --set work.work=1s --set fault.1.for=4s")

	grip := browsertest.Ask[[]float64](r.Reader, `(b => [b.x + b.width / 2, b.y + b.height / 2])(document.querySelector(".mark .grip").getBoundingClientRect())`)
	r.Do(chromedp.DragAndDropXY(grip[0], grip[1], grip[0]+30, grip[1], 6)) // the axis grows as the pause does
	r.settle()
	if schedule := browsertest.Ask[string](r.Reader, `document.getElementById("schedule").value`); schedule == "when c1 read pause c1 for 4s\n" || !strings.HasPrefix(schedule, "when c1 read pause c1 for ") {
		t.Errorf("the schedule is %q", schedule)
	}
	browsertest.Ask[any](r.Reader, `document.querySelector(".mark").focus()`)
	for range 400 {
		r.Do(chromedp.KeyEvent(kb.ArrowRight, chromedp.KeyModifiers(chromedp.ModifierShift)))
		if strings.HasPrefix(r.text("verdict"), "An update was lost.") {
			break
		}
	}
	r.settle()
	r.says("verdict", "An update was lost.")

	r.set("#seed", "7")
	r.set("#beside", "work.recheck=true")
	outcome := func() string {
		return browsertest.Ask[string](r.Reader, `document.querySelector("#verdict p").textContent`)
	}
	verdict, hash, link := outcome(), r.text("hash"), browsertest.Ask[string](r.Reader, `location.hash`)
	for _, part := range []string{"run=kleppmann/gc-pause", "seed=7", "schedule=when+c1+read+pause", "beside=work.recheck=true"} {
		if !strings.Contains(link, part) {
			t.Errorf("the link %s has no %s", link, part)
		}
	}
	r.visit(link)
	if outcome() != verdict || r.text("hash") != hash {
		t.Errorf("opened again, it says %s, %s; it was %s, %s", outcome(), r.text("hash"), verdict, hash)
	}
	r.Quiet("a person's path")
}

// A finger that moves a fault does not scroll the page, though a narrow screen shows only a part of the timeline.
func TestAFaultIsDraggedByAFinger(t *testing.T) {
	r := open(t, "")
	r.Do(chromedp.EmulateViewport(400, 800))
	r.visit("")
	touched := func(kind input.DispatchTouchEventType, points ...*input.TouchPoint) {
		r.Call(func() error {
			_, err := chromedp.Call(r.Ctx, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: append([]*input.TouchPoint{}, points...)})
			return err
		})
	}
	browsertest.Ask[any](r.Reader, `document.getElementById("lanes").scrollIntoView(), 0`)
	y := browsertest.Ask[float64](r.Reader, `(b => b.y + b.height / 2)(document.querySelector(".mark .body").getBoundingClientRect())`)
	const scrolled = `document.getElementById("lanes").scrollLeft`
	before := browsertest.Ask[float64](r.Reader, scrolled)
	touched("touchStart", &input.TouchPoint{X: 150, Y: y})
	for x := 160.0; x <= 210; x += 10 {
		touched("touchMove", &input.TouchPoint{X: x, Y: y})
	}
	touched("touchEnd")
	r.settle()
	schedule := browsertest.Ask[string](r.Reader, `document.getElementById("schedule").value`)
	// How far it goes depends on whether the axis has grown meanwhile.
	if after := browsertest.Ask[float64](r.Reader, scrolled); after != before || !strings.HasPrefix(schedule, "when c1 read +") {
		t.Errorf("from %g it is scrolled to %g, and the schedule is %q", before, after, schedule)
	}
	r.Quiet("a finger")
}

// press presses keys, one after the other.
func (r *reader) press(keys ...string) {
	for _, k := range keys {
		r.Do(chromedp.KeyEvent(k))
	}
}

func TestPlaygroundWorksByKeyboard(t *testing.T) {
	r := open(t, "")
	focus := func(id string) {
		r.Helper()
		for range 80 {
			r.press(kb.Tab)
			if browsertest.Ask[string](r.Reader, `document.activeElement.id || document.activeElement.dataset.line || ""`) == id {
				if shown := browsertest.Ask[bool](r.Reader, `(e => e.closest("svg") ? getComputedStyle(e.firstChild).strokeWidth === "4px" : getComputedStyle(e).outlineStyle !== "none")(document.activeElement)`); !shown {
					t.Errorf("nothing shows that %s has the focus", id)
				}
				return
			}
		}
		t.Fatalf("no Tab leads to %s", id)
	}
	focus("pick")
	r.press(kb.Enter)
	r.until(`document.activeElement.id === "search"`)
	r.press("kleppmann/clock-jump", kb.Enter)
	r.until(`document.getElementById("name").textContent === "kleppmann/clock-jump"`)
	r.settle()
	r.says("title", "clock")
	focus("lanes")
	before := r.text("read")
	r.press(kb.ArrowRight)
	r.until(fmt.Sprintf(`document.getElementById("read").textContent !== %q`, before))
	r.press("+")
	r.until(`document.getElementById("lanes").classList.contains("zoomed")`)
	r.press("0")
	r.until(`!document.getElementById("lanes").classList.contains("zoomed")`)
	schedule := `document.getElementById("schedule").value`
	was := browsertest.Ask[string](r.Reader, schedule)
	focus("1")
	r.press(kb.ArrowRight)
	r.until(fmt.Sprintf(`%s !== %q`, schedule, was))
	r.Quiet("by keys")
}

func TestThePlaygroundIsLegibleAndFitsInBothThemes(t *testing.T) {
	r := open(t, "")
	browsertest.Ask[any](r.Reader, `document.querySelectorAll("details").forEach(d => d.open = true)`)
	r.until(`document.getElementById("file").shadowRoot && document.getElementById("text").textContent.length > 100`)
	for _, theme := range []string{"light", "dark"} {
		r.Theme(theme)
		for _, state := range []string{"", `document.getElementById("catalogue").showModal()`} {
			browsertest.Ask[any](r.Reader, state+";0")
			for _, text := range browsertest.Ask[[]string](r.Reader, browsertest.Faint) {
				t.Errorf("%s: too faint: %s", theme, text)
			}
		}
		browsertest.Ask[any](r.Reader, `document.getElementById("catalogue").close()`)
	}
	for _, width := range []int64{400, 1280} {
		r.Do(chromedp.EmulateViewport(width, 800))
		r.settle()
		if wide := browsertest.Ask[int64](r.Reader, `document.documentElement.scrollWidth`); wide > width {
			t.Errorf("at %d pixels the page is %d wide", width, wide)
		}
		if bare := browsertest.Ask[[]string](r.Reader, `[...document.querySelectorAll("input,select,textarea,button")].filter(
			e => !e.labels?.length && !e.ariaLabel && !e.textContent.trim()).map(e => e.outerHTML)`); len(bare) > 0 {
			t.Errorf("without a label: %q", bare)
		}
	}
	r.Quiet("both themes")
}

func TestNothingJumpsWhileThePageLoads(t *testing.T) {
	r := open(t, "")
	for _, width := range []int64{1280, 400} {
		r.Do(chromedp.EmulateViewport(width, 800))
		r.visit("")
		browsertest.Ask[any](r.Reader, `new PerformanceObserver(l => { window.shifts = l.getEntries().map(e => e.value); }).observe({ type: "layout-shift", buffered: true }), 0`)
		time.Sleep(300 * time.Millisecond) // without a shift, the observer hears nothing
		sum := browsertest.Ask[float64](r.Reader, `(window.shifts || []).reduce((a, b) => a + b, 0)`)
		t.Logf("at %d pixels the layout shifts by %.4f", width, sum)
		if sum > 0.01 {
			t.Errorf("at %d pixels the layout shifts by %.4f while the page loads", width, sum)
		}
	}
}

// What a scenario says, and what a link says, is text.
func TestHostileNamesAreHarmlessOnThePlayground(t *testing.T) {
	r := open(t, "")
	const evil = `</title></svg></script><script>document.title="owned"</script><img src=x onerror=document.title='owned'><a href="javascript:document.title='owned'">x</a>`
	browsertest.Ask[any](r.Reader, `document.getElementById("filebox").open = true`)
	r.until(`document.getElementById("file").shadowRoot`)
	yaml := strings.NewReplacer(`title: A client is paused`, `title: '`+strings.ReplaceAll(evil, "'", "''")+`' #`, "about: |-\n  c1", "about: |-\n  "+evil+"\n  c1").
		Replace(opened(t, "kleppmann/gc-pause"))
	r.write(yaml)
	r.says("title", evil)
	r.says("verdict", "An update was lost.")
	link := browsertest.Ask[string](r.Reader, `location.hash`)
	r.visit(link)
	r.says("title", evil)
	for _, hostile := range []string{"#run=" + evil, "#run=kleppmann/gc-pause&set=" + evil, "#run=kleppmann/gc-pause&schedule=" + evil, "#file=" + evil, "#run=kleppmann/gc-pause&beside=" + evil,
		"#run=kleppmann/gc-pause&seed=" + evil + "&at=" + evil} {
		r.visit(escaped(hostile))
	}
	if found := browsertest.Ask[int](r.Reader, `document.querySelectorAll("main img, main script, main a, svg a, svg image").length`); found > 0 {
		t.Errorf("%d elements were made of texts", found)
	}
	if title := browsertest.Ask[string](r.Reader, `document.title`); title != "Playground · Lockstorm" {
		t.Errorf("the page is called %q", title)
	}
	r.Quiet("hostile names")
}

// escaped returns a link whose values are escaped as in an address.
func escaped(link string) string {
	parts := strings.SplitN(strings.TrimPrefix(link, "#"), "&", 3)
	for i, p := range parts {
		key, value, _ := strings.Cut(p, "=")
		parts[i] = key + "=" + strings.NewReplacer("%2F", "/").Replace(url.QueryEscape(value))
	}
	return "#" + strings.Join(parts, "&")
}

// opened returns the file of a scenario, as the page has it in its editor.
func opened(t *testing.T, scenario string) string {
	t.Helper()
	var answer struct{ YAML string }
	request := `{"setup":{"scenario":"` + scenario + `","set":[],"schedule":null,"seed":1}}`
	if err := json.Unmarshal((&play.Program{}).Call("open", []byte(request)), &answer); err != nil {
		t.Fatal(err)
	}
	return answer.YAML
}

// write pastes a text into the editor, in place of its whole content.
func (r *reader) write(text string) {
	r.Helper()
	browsertest.Ask[any](r.Reader, `document.getElementById("file").shadowRoot.querySelector(".cm-content").focus()`)
	r.Do(chromedp.KeyEvent("a", chromedp.KeyModifiers(chromedp.ModifierCtrl)))
	browsertest.Ask[any](r.Reader, fmt.Sprintf(`(data => { data.setData("text/plain", %q);
		document.getElementById("file").shadowRoot.querySelector(".cm-content").dispatchEvent(
			new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true })); })(new DataTransfer())`, text))
	r.settle()
}

func TestErrorsAppearWhereTheyAre(t *testing.T) {
	r := open(t, "")
	r.set("#schedule", "at 1s pause c1 for 2s\nat 2s paus c9 for 1s\n")
	r.says("problem", "This can't be run: Line 2, column 7 of the schedule: ")
	if !browsertest.Ask[bool](r.Reader, `document.body.classList.contains("stale") && document.getElementById("schedule").ariaInvalid === "true"`) {
		t.Error("neither the picture nor the schedule shows that it is wrong")
	}
	r.set("#schedule", "at 1s pause c1 for 2s\n")
	r.says("problem", "")
	r.says("verdict", "No update was lost.")
	r.click("#reset")
	r.settle()
	r.set(`[id="set-lock.ttl"]`, "a while")
	r.says("problem", "lock.ttl")
	if !browsertest.Ask[bool](r.Reader, `Boolean(document.querySelector('[data-path="lock.ttl"] [aria-invalid]'))`) {
		t.Error("the control does not show that it is wrong")
	}
	r.click("#reset")
	r.settle()
	browsertest.Ask[any](r.Reader, `document.getElementById("filebox").open = true`)
	r.until(`document.getElementById("file").shadowRoot`)
	r.write(strings.Replace(opened(t, "kleppmann/gc-pause"), "\nsteps: 5000000", "\nsteps: many", 1))
	r.says("problem", `Line `)
	r.until(`document.getElementById("file").shadowRoot.querySelector(".cm-lintRange-error")`)
	if marked := browsertest.Ask[string](r.Reader, `document.getElementById("file").shadowRoot.querySelector(".cm-lintRange-error").textContent`); marked != "many" {
		t.Errorf("what is marked is %q", marked)
	}
	r.write(strings.Replace(opened(t, "kleppmann/gc-pause"), "pause c1 for 15s", "pause c1 for 1s", 1))
	r.says("verdict", "No update was lost.")
	r.says("name", "a file of your own")
	r.write("title: x\nsource: y\nnodes: many\n")
	r.visit(browsertest.Ask[string](r.Reader, `location.hash`))
	browsertest.Ask[any](r.Reader, `document.getElementById("filebox").open = true`)
	r.until(`document.getElementById("file").shadowRoot?.querySelector(".cm-lintRange-error")?.textContent === "many"`)
	r.Quiet("what is wrong")
}

// A schedule that a user writes overrides any slider, and the file that the page saves is what it runs.
func TestTheScheduleAsWrittenIsRunAndSaved(t *testing.T) {
	r := open(t, "")
	r.set(`[id="set-fault.1.for"]`, "4s")
	r.says("verdict", "No update was lost.")
	r.set("#schedule", "# long enough\nwhen c1 read pause c1 for 14s\n")
	r.says("verdict", "An update was lost.")
	value := func(selector string) string {
		return browsertest.Ask[string](r.Reader, fmt.Sprintf(`document.querySelector(%q).value`, selector))
	}
	if got := value(`[id="set-fault.1.for"]`); got != "14s" {
		t.Errorf("the setting of the fault is %s", got)
	}
	browsertest.Ask[any](r.Reader, `document.getElementById("filebox").open = true`)
	r.until(`document.getElementById("file").shadowRoot`)
	saved := func(want string) {
		t.Helper()
		file := browsertest.Ask[string](r.Reader, `(() => { const make = URL.createObjectURL; let file; URL.createObjectURL = b => { file = b; return make(b); };
			document.getElementById("save").click(); URL.createObjectURL = make; return file.text(); })()`, chromedp.EvalAwaitPromise)
		if !strings.Contains(file, want) {
			t.Errorf("the file that is saved has no %q:\n%s", want, file)
		}
	}
	saved("when c1 read pause c1 for 14s")
	r.set(`[id="set-fault.1.for"]`, "3s")
	r.says("verdict", "No update was lost.")
	if got := value("#schedule"); got != "# long enough\nwhen c1 read pause c1 for 3s\n" {
		t.Errorf("the schedule is %q", got)
	}
	saved("when c1 read pause c1 for 3s")
	r.Quiet("a schedule")
}

func TestManySeedsAreCountedAndAViolationIsShrunkAndOpened(t *testing.T) {
	r := open(t, "#run=redlock/any&seed=1")
	r.click("#thousand")
	r.until(`document.getElementById("manysaid").textContent === "1,000 of 1,000 runs."`)
	if rows := browsertest.Ask[int](r.Reader, `document.querySelectorAll("#counts tbody tr").length`); rows < 10 {
		t.Errorf("%d promises are counted", rows)
	}
	r.set("#seed", "7")
	if rows := browsertest.Ask[int](r.Reader, `document.querySelectorAll("#counts tbody tr").length`); rows < 10 {
		t.Error("with another seed the counts are gone, which are of all seeds")
	}
	r.click("#fuzz")
	r.until(`document.getElementById("manysaid").textContent.includes("shrunk in")`)
	property := browsertest.Ask[string](r.Reader, `document.querySelector("#counts .violated").textContent`)
	r.click("#counts .tools button")
	r.settle()
	if !strings.Contains(r.text("stories"), property) {
		t.Errorf("what was found says %q, and the page has %s", property, r.text("stories"))
	}
	r.says("name", "a file of your own")
	r.click("#thousand")
	r.until(`document.querySelectorAll("#counts tbody tr").length > 0`)
	r.click("#stop")
	r.until(`document.getElementById("stop").disabled`)
	r.Quiet("many seeds")
}

func TestPageWithoutSimulatorSaysWhy(t *testing.T) {
	b := browsertest.Browse(t)
	r := &reader{b, serve(t, []byte{}, []byte("self.Go = function () {};"))}
	r.Do(chromedp.Navigate(r.URL + "/playground.html"))
	r.until(`document.getElementById("load").classList.contains("unknown")`)
	r.says("load", "The simulator could not be loaded (the server answers 404")
	r.says("verdict", "An update was lost.")

	b.Open([]byte(playground.Page("1.2.3", glossary(t)).HTML()))
	r.says("load", "This page was opened as a file")
	r.says("verdict", "An update was lost.")
}

// bars counts what the timeline shows.
const bars = `[...document.querySelectorAll("#lanes svg [data-f]")].filter(e => e.style.display !== "none").length`

// A close-up of a violation must not leave the picture empty when a change moves the violation.
func TestTheTimelineIsNotEmptyWhenARunBecomesShorterThanItsCloseUp(t *testing.T) {
	r := open(t, "#run=kleppmann/gc-pause&seed=1")
	for _, pause := range []string{"1s", "14s", "40s"} {
		r.set(`[id="set-fault.1.for"]`, "15s")
		r.click("#broken")
		if !browsertest.Ask[bool](r.Reader, `document.getElementById("lanes").classList.contains("zoomed")`) {
			t.Error("the violation is not shown from near")
		}
		r.set(`[id="set-fault.1.for"]`, pause)
		if n := browsertest.Ask[int](r.Reader, bars); n < 10 {
			t.Errorf("with a pause of %s, %d bars are left", pause, n)
		}
	}
	r.Quiet("a close-up")
}

// A link's scenario has its name while the simulator loads, and no other scenario's.
func TestALinkNamesItsScenarioWhileTheSimulatorLoads(t *testing.T) {
	b := browsertest.Browse(t)
	r := &reader{b, serve(t, []byte{}, []byte("self.Go = function () {};"))}
	r.Do(chromedp.Navigate(r.URL + "/playground.html#run=kleppmann/clock-jump&seed=7"))
	r.until(`document.getElementById("name").textContent === "kleppmann/clock-jump"`)
	r.says("title", "One node's clock jumps forward")
	if seed := browsertest.Ask[string](r.Reader, `document.getElementById("seed").value`); seed != "7" {
		t.Errorf("the seed is %s", seed)
	}
}

func TestBackUndoesOneChange(t *testing.T) {
	r := open(t, "")
	length := func() string {
		return browsertest.Ask[string](r.Reader, `document.querySelector('[id="set-fault.1.for"]').value`)
	}
	for _, pause := range []string{"4s", "20s"} {
		r.set(`[id="set-fault.1.for"]`, pause)
	}
	for i, step := range []struct{ history, want string }{{"back", "4s"}, {"back", "15s"}, {"forward", "4s"}} {
		browsertest.Ask[any](r.Reader, "history."+step.history+"(), 0")
		r.until(fmt.Sprintf(`document.querySelector('[id="set-fault.1.for"]').value === %q`, step.want))
		r.settle()
		if lost := strings.HasPrefix(r.text("verdict"), "An update was lost."); lost != (step.want == "15s") {
			t.Errorf("step %d: with %s, it says %s", i, length(), r.text("verdict"))
		}
	}
	r.says("verdict", "Before, one was.")
	r.Quiet("undo")
}

// A pixel of the slider is less than a tenth of a second, so that the threshold can be found, and the lock's TTL is marked
// where it is on the slider. 0 is no length, so it is a box.
func TestTheMainSliderFindsTheThreshold(t *testing.T) {
	r := open(t, "")
	const slider = `document.querySelector("#lead input[type=range]")`
	wide := browsertest.Ask[float64](r.Reader, slider+`.getBoundingClientRect().width`)
	if wide < 1000 {
		t.Errorf("of 1,280 pixels it has %g", wide)
	}
	at := func(place float64) (text string) {
		browsertest.Ask[any](r.Reader, fmt.Sprintf(`(e => { e.value = %g; e.dispatchEvent(new Event("input")); e.dispatchEvent(new Event("change")); })(%s)`, place, slider))
		r.settle()
		return browsertest.Ask[string](r.Reader, `document.querySelector("#lead input[type=text]").value`)
	}
	if one, two := at(300), at(301); one != "9.02s" || two != "9.05s" {
		t.Errorf("one step further, %s becomes %s", one, two)
	}
	mark := browsertest.Ask[float64](r.Reader, `Number(document.querySelector("#lead .mark").style.getPropertyValue("--at"))`)
	if text := at(1000 * mark); text != "10s" {
		t.Errorf("at the mark of the TTL, the pause is %s", text)
	}
	r.click("#lead .zero input")
	r.settle()
	r.says("command", "--set fault.1.for=0s")
	r.click("#lead .zero input")
	r.settle()
	r.says("command", "--set fault.1.for=15s")
	r.Quiet("the main slider")
}

// Each step of the tour shows what its title says, and what a reader changes can be undone.
func TestTheTourShowsWhatItSays(t *testing.T) {
	r := open(t, "")
	r.click("#begin")
	row := 0.0
	for i, step := range []struct{ title, verdict, chip string }{
		{"It works", "No update was lost.", "One acting holder holds"},
		{"A pause loses an update", "An update was lost.", "One acting holder violated"},
		{"A second look at the clock helps", "No update was lost.", "One acting holder violated"},
		{"A late write beats it", "An update was lost.", "One acting holder holds"},
		{"Fencing saves the data, if reads carry tokens", "An update was lost.", "No lost update with fencing holds"},
		{"A clock jumps", "An update was lost.", "One valid lock violated"},
		{"Clients that start together need no partition", "An update was lost.", "One valid lock violated"},
	} {
		r.until(fmt.Sprintf(`document.getElementById("h-tour")?.textContent === "Step %d of 7: %s"`, i+1, step.title))
		r.settle()
		r.says("verdict", step.verdict)
		r.says("chips", step.chip)
		if link := browsertest.Ask[string](r.Reader, `location.hash`); !strings.HasSuffix(link, fmt.Sprintf("&tour=%d", i+1)) {
			t.Errorf("the link of step %d is %s", i+1, link)
		}
		if at := browsertest.Ask[float64](r.Reader, `document.getElementById("play").getBoundingClientRect().top - document.getElementById("tour").getBoundingClientRect().top`); i == 0 {
			row = at
		} else if at != row {
			t.Errorf("at step %d the row of Play is %.0f pixels lower than at the first", i+1, at-row)
		}
		if browsertest.Ask[bool](r.Reader, `document.getElementById("title").checkVisibility({ visibilityProperty: true })`) {
			t.Errorf("step %d has the title of the scenario as written: %s", i+1, r.text("title"))
		}
		if pair := r.text("pair"); i == 4 && !strings.Contains(pair, "even where storage checks fencing tokens") || i == 6 && !strings.Contains(pair, "With this change no update is lost.") {
			t.Errorf("next to step %d is %s", i+1, pair)
		}
		if i < 6 {
			r.click("#tour .first")
		}
	}
	// A reader who is faster than the simulator is told no change that is none.
	browsertest.Ask[any](r.Reader, `(async () => {
		document.querySelector("#tour .tools button").click();
		while (!document.querySelector("#tour .first")) { await new Promise((done) => setTimeout(done)); }
		document.querySelector("#tour .first").click();
	})()`, chromedp.EvalAwaitPromise)
	r.until(`document.getElementById("h-tour").textContent.startsWith("Step 7")`)
	r.settle()
	if says := r.text("verdict"); strings.Contains(says, "change") {
		t.Errorf("after two fast clicks, the page says %s", says)
	}
	r.set(`[id="set-fault.6.by"]`, "1s")
	r.says("verdict", "No update was lost. With this change no update is lost. Before, one was.")
	r.click("#reset")
	r.settle()
	r.says("verdict", "An update was lost.")
	browsertest.Ask[any](r.Reader, `[...document.querySelectorAll("#tour button")].at(-1).click()`)
	r.until(`document.getElementById("tour").hidden && document.activeElement.id === "begin"`)
	r.Quiet("the tour")
}

// A promise opens by a key too: its question, its answer in this run, and its instant.
func TestAPromiseOpensItsQuestionItsAnswerAndItsInstant(t *testing.T) {
	r := open(t, "")
	browsertest.Ask[any](r.Reader, `[...document.querySelectorAll("#chips .chip")].find(e => e.textContent.startsWith("No lost update")).focus()`)
	r.press(kb.Enter)
	const card = `document.querySelector("#chips .meaning:popover-open")`
	r.until(card)
	text := browsertest.Ask[string](r.Reader, card+`.textContent`)
	for _, part := range []string{"Is an update lost if storage accepts every write?", "An update was lost.", "was overwritten at", "In files: storage"} {
		if !strings.Contains(text, part) {
			t.Errorf("the card has no %q: %s", part, text)
		}
	}
	r.press(kb.Tab, kb.Enter)
	r.until(`document.getElementById("read").textContent.startsWith("At 11.65")`)
	r.settle()
	for _, width := range []int64{1280, 400} { // by a pointer, too
		r.Do(chromedp.EmulateViewport(width, 800))
		chip := browsertest.Ask[[]float64](r.Reader, `(e => { e.scrollIntoView({ block: "center" }); const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })(document.querySelector("#chips .chip"))`)
		r.Do(chromedp.MouseClickXY(chip[0], chip[1]))
		r.until(card)
		if box := browsertest.Ask[[]float64](r.Reader, `(b => [b.left, b.right, b.top, b.bottom])(`+card+`.getBoundingClientRect())`); box[0] < 0 || box[1] > float64(width) || box[1]-box[0] < 300 || box[2] < 0 || box[3] > 800 {
			t.Errorf("in a width of %d the card has the edges %v", width, box)
		}
		r.press(kb.Escape)
		r.until("!" + card)
	}
	r.Quiet("a promise")
}

// In another page, what is seen fits into 400 pixels, and it works.
func TestAnEmbeddedRunFitsItsFrame(t *testing.T) {
	r := open(t, "")
	for _, width := range []int64{700, 1000, 400} {
		r.Do(chromedp.EmulateViewport(width, 400))
		r.visit("#run=kleppmann/gc-pause&seed=1&set=work.work=1s&embed=1")
		if high := browsertest.Ask[float64](r.Reader, `document.querySelector("#lanes .names").getBoundingClientRect().bottom`); high > 400 || high < 150 {
			t.Errorf("in %d pixels its lanes end at %g of 400", width, high)
		}
		if more := browsertest.Ask[[]string](r.Reader, `["intro", "read", "settings", "chips", "command"].filter(id => document.getElementById(id).checkVisibility())`); len(more) > 0 {
			t.Errorf("%q are in it", more)
		}
		r.says("verdict", "An update was lost.")
		r.set(`[id="set-fault.1.for"]`, "4s")
		r.says("verdict", "No update was lost.")
	}
	r.Quiet("embedded")
}

func TestThePictureIsSavedAsItIsShown(t *testing.T) {
	r := open(t, "")
	r.click("#broken")
	const save = `(() => { const make = URL.createObjectURL; return new Promise(done => { URL.createObjectURL = b => { done(%s); URL.createObjectURL = make; return make(b); };
		document.getElementById(%q).click(); }); })()`
	text := browsertest.Ask[string](r.Reader, fmt.Sprintf(save, "b.text()", "svg"), chromedp.EvalAwaitPromise)
	for _, part := range []string{`xmlns="http://www.w3.org/2000/svg"`, "<style", ".ls text", "token 34", "prefers-color-scheme"} {
		if !strings.Contains(text, part) {
			t.Errorf("the picture has no %s", part)
		}
	}
	if inside := strings.Contains(text, ">0s<"); inside {
		t.Error("it shows the beginning of the run, which is out of sight")
	}
	painted := browsertest.Ask[[]int](r.Reader, fmt.Sprintf(save, `createImageBitmap(b).then(i => { const c = new OffscreenCanvas(i.width, i.height).getContext("2d"); c.drawImage(i, 0, 0);
		const all = new Set(new Uint32Array(c.getImageData(0, 0, i.width, i.height).data.buffer)); return [i.width, all.size]; })`, "png"), chromedp.EvalAwaitPromise)
	if len(painted) < 2 || painted[0] < 2000 || painted[1] < 20 {
		t.Errorf("as PNG it has a width of %v and so many colours", painted)
	}
	if yaml := browsertest.Ask[string](r.Reader, fmt.Sprintf(save, "b.text()", "yaml"), chromedp.EvalAwaitPromise); !strings.Contains(yaml, "pause c1 for 15s") {
		t.Errorf("as YAML it is %s", yaml)
	}
	r.Quiet("saving")
}

// A run plays up to where a promise breaks; asked again, it plays on to the end.
func TestARunPlaysAndStopsAtTheViolation(t *testing.T) {
	r := open(t, "")
	browsertest.Ask[any](r.Reader, `document.getElementById("speed").options[0].value = "0.4", 0`)
	r.set("#speed", "0.4")
	// On a busy machine the run may be over before this test looks: the page itself notes that there was a veil.
	browsertest.Ask[any](r.Reader, `new MutationObserver(() => { veiled ||= Boolean(document.querySelector(".veil")); }).observe(
		document.getElementById("lanes"), { childList: true, subtree: true }), globalThis.veiled = false`)
	r.click("#play")
	r.until(`veiled && !document.querySelector(".veil")`)
	r.says("read", "At 10.649 s")
	// The first frame of a busy machine may be of before the click.
	browsertest.Ask[any](r.Reader, `globalThis.requestAnimationFrame = (f) => setTimeout(() => f(performance.now() - 50), 20), 0`)
	r.click("#play")
	r.until(`document.getElementById("read").textContent.startsWith("At 16.0")`)
	r.until(`!document.querySelector(".veil")`)
	r.says("play", "Play")
	r.Quiet("playing")
}

// A click adds a fault at the instant that is shown, where it can be moved; Back takes it away.
func TestAFaultIsAddedByAClick(t *testing.T) {
	r := open(t, "")
	for i, words := range []string{"pause c1 for 3s", "jump n1 +11s", "crash n1 for 3s", "cut c1>n1 for 3s"} {
		r.click(fmt.Sprintf("#palette button:nth-of-type(%d)", i+1))
		r.until(`document.activeElement.classList.contains("mark")`)
		r.settle()
		if schedule := browsertest.Ask[string](r.Reader, `document.getElementById("schedule").value`); !strings.HasPrefix(schedule, "when c1 read pause c1 for 15s\nat 10.65s "+words+"\n") || r.text("problem") != "" {
			t.Errorf("the schedule is %q; %s", schedule, r.text("problem"))
		}
		if i == 0 {
			r.Do(chromedp.KeyEvent(kb.ArrowRight))
			r.settle()
			if schedule := browsertest.Ask[string](r.Reader, `document.getElementById("schedule").value`); strings.Contains(schedule, "at 10.65s") {
				t.Errorf("a key leaves it where it was: %q", schedule)
			}
		}
		r.visit("")
	}
	r.Quiet("a palette")
}

// Each of these runs has a curve: a pause, a jump, a late release, a run of a search, and one of more than 6,000 steps.
func TestDecisionsOfManyKindsAreShown(t *testing.T) {
	r := open(t, "")
	for link, want := range map[string]string{
		"#run=kleppmann/clock-jump&seed=1":                               `by the fault "jump n3 +11s"`,
		"#run=distlock/late-release&seed=1&set=lock.fresh_token%3Dfalse": `by the fault "slow c1>nodes=n1,n2,n3,n4,n5 by 3s"`,
		"#run=record/late-release&seed=1&set=lock.free%3Ddelete":         `by the end of the fault "hold c1>n1"`,
		"#run=redlock/any&seed=51":                                       "Decided ",
		"#run=fencing/counter-unavailable&seed=1":                        `by the fault "restart n5"`,
	} {
		r.visit(link)
		r.click("#decide")
		r.until(`document.querySelector("#lanes .names").textContent.includes("would break")`)
		r.says("decided", want)
	}
	r.Quiet("many decisions")
}

// A click asks when it was decided; the answer has a lane under the timeline, and the next change takes both away.
func TestTheDecisionIsShownOnDemand(t *testing.T) {
	r := open(t, "")
	const lane = `document.querySelector("#lanes .names").textContent.includes("would break")`
	if browsertest.Ask[bool](r.Reader, lane) || r.text("decided") != "" {
		t.Error("nothing was asked, and the decision is there")
	}
	r.click("#decide")
	r.until(lane)
	r.says("decided", "“No lost update” was broken. Decided at 0.003519 s, ")
	r.says("decided", `by the fault "pause c1": an update was lost in 100 of 100 runs continued from there with other delays, and in 0 of 100 from just before, without that fault.`)
	r.Do(chromedp.KeyEvent(kb.Tab))
	if n := browsertest.Ask[int](r.Reader, `document.querySelectorAll("#lanes .mark").length`); n != 1 {
		t.Errorf("over it, %d faults have handles", n)
	}
	r.set(`[id="set-fault.1.for"]`, "14s")
	if browsertest.Ask[bool](r.Reader, lane) || r.text("decided") != "" {
		t.Error("the run has changed, and the decision is still there")
	}
	r.set(`[id="set-fault.1.for"]`, "4s")
	if browsertest.Ask[bool](r.Reader, `document.getElementById("decide").checkVisibility({ visibilityProperty: true }) && document.querySelectorAll("#chips .violated").length === 0`) {
		t.Error("nothing breaks, and it offers to say when that was decided")
	}
	r.Quiet("a decision")
}
