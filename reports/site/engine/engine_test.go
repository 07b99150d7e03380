package engine_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/lockstorm/lockstorm/reports/site"
	"github.com/lockstorm/lockstorm/reports/site/browsertest"
	"github.com/lockstorm/lockstorm/reports/site/engine"
	"github.com/lockstorm/lockstorm/reports/site/play"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// asked are twenty scenarios, of each kind of lock and platform that a page can run, some with random faults, some
// with interpreted scripts.
var asked = []string{
	"kleppmann/gc-pause", "kleppmann/clock-jump", "kleppmann/crash-restart", "antirez/delayed-restart", "baseline/fault-free",
	"distlock/split-vote", "efficiency/dedup", "etcd/any", "etcd/leader-cut-off", "failover/any", "fencing/any",
	"fencing/from-a-service", "leases/fast-client", "printed/etcd-mutex", "redisson/any", "redisson-fair/any", "redisson-sentinel/any",
	"redlock/any", "session/jepsen-etcd", "sql/paused", "zookeeper/any",
}

// page loads the engine as a page does, and answers calls.
const page = `<!DOCTYPE html><meta charset="utf-8"><link rel="icon" href="data:,"><script src="wasm_exec.js"></script><script>
globalThis.ready = (async () => {
  const go = new Go();
  const body = (await fetch("engine.wasm.gz")).body.pipeThrough(new DecompressionStream("gzip"));
  const made = await WebAssembly.instantiate(await new Response(body).arrayBuffer(), go.importObject);
  go.run(made.instance);
  globalThis.memory = () => made.instance.exports.mem.buffer.byteLength;
  return typeof lockstorm.call;
})();
</script>`

// source is the input of the engine's build here, and built builds it, once for all tests.
func source(t *testing.T) engine.Source {
	t.Helper()
	here, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	return engine.Source{Dir: here, Named: "0.1.0"}
}

func built(t *testing.T) *engine.Engine {
	t.Helper()
	s := source(t)
	once.Do(func() { made, errMade = engine.Build(s) })
	if errMade != nil {
		t.Fatal(errMade)
	}
	return made
}

var (
	once    sync.Once
	made    *engine.Engine
	errMade error
)

// A run in a page is the run of the command, and its answer has the same bytes: hash, verdicts, stories and pictures.
func TestAPageHasTheRunsOfTheCommand(t *testing.T) {
	b := browsertest.Browse(t)
	source, made := source(t), built(t)
	t.Logf("%d bytes, compressed %d", made.Size, len(made.Wasm))
	if most := 4_700_000; len(made.Wasm) > most {
		t.Errorf("the engine has %d bytes, and a page has room for %d", len(made.Wasm), most)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/engine.wasm.gz":
			_, _ = w.Write(made.Wasm)
		case "/wasm_exec.js":
			w.Header().Set("Content-Type", "text/javascript")
			_, _ = w.Write(made.Support)
		default:
			_, _ = io.WriteString(w, page)
		}
	}))
	defer server.Close()
	b.Site = server.URL
	b.Do(chromedp.Navigate(server.URL))
	if kind := browsertest.Ask[string](b, `ready`, chromedp.EvalAwaitPromise); kind != "function" {
		t.Fatalf("lockstorm.call is a %s", kind)
	}
	native := play.Program{Version: source.Named}
	for i, id := range asked {
		setup := fmt.Sprintf(`{"setup":{"scenario":%q,"set":[],"schedule":null,"seed":%d}}`, id, i+1)
		for _, call := range []string{"run", "open", "report"} {
			want := string(native.Call(call, []byte(setup)))
			got := browsertest.Ask[string](b, fmt.Sprintf("lockstorm.call(%q, %q)", call, setup))
			if got != want || strings.HasPrefix(want, `{"error"`) {
				t.Errorf("%s of %s in a page is\n%.600s\nand in the command\n%.600s", call, id, got, want)
			}
		}
	}
	for call, request := range map[string]string{
		"about":   `{}`,
		"nothing": `{}`,
		"many":    `{"setup":{"scenario":"redlock/any"},"first":1,"runs":100}`,
		"fuzz":    `{"setup":{"scenario":"redlock/any"},"property":"storage","first":1,"runs":2000}`,
		"shrink":  `{"setup":{"scenario":"kleppmann/gc-pause","seed":1},"property":"storage","tries":40}`,
		"state":   `{"setup":{"scenario":"kleppmann/gc-pause","seed":1},"t":1000000000}`,
	} {
		want := string(native.Call(call, []byte(request)))
		if got := browsertest.Ask[string](b, fmt.Sprintf("lockstorm.call(%q, %q)", call, request)); got != want {
			t.Errorf("%s in a page is\n%.600s\nand in the command\n%.600s", call, got, want)
		}
	}
	b.Quiet("the engine")
	t.Log(browsertest.Ask[string](b, timed))
	for _, call := range []string{"many", "fuzz"} {
		began := time.Now()
		got := browsertest.Ask[string](b, fmt.Sprintf("lockstorm.call(%q, %q)", call, endless))
		held := browsertest.Ask[int](b, "memory()") >> 20
		t.Logf("%s of an endless file takes %v and %d MB", call, time.Since(began).Round(time.Millisecond), held)
		if !strings.Contains(got, "more than 300,000 events and steps") || held > 900 {
			t.Errorf("%s of an endless file holds %d MB and is %.300s", call, held, got)
		}
	}
}

// endless asks for runs that take no time and never end.
const endless = `{"setup":{"scenario":"baseline/fault-free","set":["work.cycles=1000000","network.latency=0s","work.work=0s","work.think=0s",` +
	`"work.stagger=0s","lock.kind=etcd"]},"first":1,"runs":40}`

// A user's path through the page of a site: open it, shorten the pause until storage holds, lengthen it until storage
// breaks, share the link, open it again. The page shows the run of the command that it prints.
func TestUserSeesStorageBreakInTheSiteAndSharesIt(t *testing.T) {
	b := browsertest.Browse(t)
	source, made := source(t), built(t)
	files, err := (&site.Site{Version: source.Named, Engine: made.Wasm, Support: made.Support}).Files()
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, f := range files {
			if "/"+f.Name == r.URL.Path {
				http.ServeContent(w, r, f.Name, time.Time{}, bytes.NewReader(f.Content))
				return
			}
		}
		http.NotFound(w, r)
	}))
	defer server.Close()
	b.Site = server.URL
	says := func(id string) string {
		t.Helper()
		return browsertest.Ask[string](b, fmt.Sprintf(`document.getElementById(%q).textContent`, id))
	}
	visit := func(link string) {
		t.Helper()
		b.Do(chromedp.Navigate("about:blank"), chromedp.Navigate(server.URL+"/playground.html"+link))
		browsertest.Ask[any](b, settled, chromedp.EvalAwaitPromise)
	}
	pause := func(length string) {
		t.Helper()
		browsertest.Ask[any](b, fmt.Sprintf(`(e => { e.value = %q; e.dispatchEvent(new Event("change")); })(document.getElementById("set-fault.1.for"))`, length))
		browsertest.Ask[any](b, settled, chromedp.EvalAwaitPromise)
	}
	visit("")
	pause("4s")
	if got := says("verdict"); !strings.HasPrefix(got, "No update was lost.") {
		t.Errorf("after a pause of 4s it says %s", got)
	}
	pause("12s")
	verdict, hash := says("verdict"), says("hash")
	native := (&play.Program{Version: source.Named}).Call("run",
		[]byte(`{"setup":{"scenario":"kleppmann/gc-pause","set":["work.work=1s","fault.1.for=12s"],"seed":1}}`))
	if !strings.HasPrefix(verdict, "An update was lost.") || !strings.Contains(string(native), `"hash":"`+hash+`"`) {
		t.Errorf("after a pause of 12s it says %s, and has the hash %s", verdict, hash)
	}
	if got, want := says("command"), "lockstorm run kleppmann/gc-pause --seed 1 --set work.work=1s --set fault.1.for=12s"; got != want {
		t.Errorf("the command is %s, want %s", got, want)
	}
	visit(browsertest.Ask[string](b, `location.hash`))
	verdict, _, _ = strings.Cut(verdict, ".")
	if !strings.HasPrefix(says("verdict"), verdict) || says("hash") != hash {
		t.Errorf("opened anew it says %s, with the hash %s; it was %s, %s", says("verdict"), says("hash"), verdict, hash)
	}
	b.Quiet("a person's path")
}

// settled waits until the page has run what it was asked for, and its link says so; or has said that it can't.
const settled = `new Promise(done => { const look = () => {
  const load = document.getElementById("load");
  const ready = load.textContent.startsWith("Each change") && !document.querySelector("#verdict[aria-busy],body.linked");
  if (ready || load.className === "unknown") { done(load.textContent); } else { setTimeout(look, 20); }
}; look(); })`

func TestTheEngineIsTheSameBytesEachTime(t *testing.T) {
	need.Long(t)
	if second, err := engine.Build(source(t)); err != nil || !bytes.Equal(built(t).Wasm, second.Wasm) {
		t.Errorf("the second time the engine is another (%v)", err)
	}
}

// timed says how long the first runs took, for the log alone: a machine may be busy.
const timed = `(() => {
  const all = [];
  for (let i = 1; i <= 30; i++) {
    const start = performance.now();
    lockstorm.call("run", JSON.stringify({setup: {scenario: "kleppmann/gc-pause", set: ["pause.for=" + (8 + i) + "s"], seed: 1}}));
    all.push(performance.now() - start);
  }
  all.sort((a, b) => a - b);
  return "a run of gc-pause with its pictures: median " + all[15].toFixed(1) + " ms, least " + all[0].toFixed(1) + " ms";
})()`
