package serve_test

import (
	"bufio"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/reports/site/serve"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
)

// secret is the content of files that are not for the visitor.
const secret = "the-secret-of-the-host"

func put(t testing.TB, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// keep keeps a run as lockstorm run does. Settings that are changed are part of the name of its directory.
func keep(t testing.TB, dir, id string, seed uint64, set ...string) {
	t.Helper()
	s, ok := scenarios.Find(id)
	if !ok {
		t.Fatalf("there is no scenario %s", id)
	}
	for _, change := range set {
		if err := s.Set(change); err != nil {
			t.Fatal(err)
		}
	}
	r, m := scenarios.Run(s, seed), runs.Making{Version: "0.0.0", Command: "lockstorm run " + id, Settings: set}
	home := filepath.Join(dir, filepath.FromSlash(id), strings.Join(append([]string{strconv.FormatUint(seed, 10)}, set...), "-"))
	for _, f := range runs.Kept(r, m) {
		put(t, filepath.Join(home, f.Name), string(f.Content))
	}
}

// A site is a store that is being served.
type site struct {
	testing.TB
	dir string
	*httptest.Server
}

func open(t testing.TB, dir string) *site {
	t.Helper()
	s, err := serve.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s.Handler(true))
	t.Cleanup(func() {
		server.Close()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return &site{t, dir, server}
}

// get asks for a target as it is written, and returns the answer.
func (s *site) get(target string, headers ...string) (*http.Response, string) {
	s.Helper()
	return s.ask(http.MethodGet, target, headers...)
}

func (s *site) ask(method, target string, headers ...string) (*http.Response, string) {
	s.Helper()
	c, err := net.Dial("tcp", s.Listener.Addr().String())
	if err != nil {
		s.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	_ = c.SetDeadline(time.Now().Add(time.Minute)) // an answer that never comes is a failure
	if len(headers) == 0 {
		headers = []string{"Host: localhost"}
	}
	fmt.Fprintf(c, "%s %s HTTP/1.1\r\n%s\r\nConnection: close\r\n\r\n", method, target, strings.Join(headers, "\r\n"))
	answer, err := http.ReadResponse(bufio.NewReader(c), &http.Request{Method: method})
	if err != nil {
		s.Fatalf("%s %.100q: %v", method, target, err)
	}
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		s.Fatalf("%s %.100q: %v", method, target, err)
	}
	return answer, string(body)
}

// page asks for a page that must be there.
func (s *site) page(target string) string {
	s.Helper()
	answer, body := s.get(target)
	if answer.StatusCode != http.StatusOK {
		s.Errorf("%.100q: %s", target, answer.Status)
	}
	return body
}

func wantText(t testing.TB, page string, all ...string) {
	t.Helper()
	page = strings.ReplaceAll(page, "\u00a0", " ")
	for _, want := range all {
		if !strings.Contains(page, want) {
			t.Errorf("it does not say %q:\n%.3000s", want, page)
		}
	}
}

func TestRunsAreListedAndShown(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, "kleppmann/gc-pause", 1)
	keep(t, dir, "kleppmann/clock-jump", 7)
	s := open(t, dir)
	wantText(t, s.page("/"), "2 runs, 0 campaigns.", `href="kleppmann/gc-pause/1/report.html"`, `href="kleppmann/clock-jump/7/report.html"`,
		`href="/kleppmann/gc-pause/1/"`, "belief, storage")
	wantText(t, s.page("/kleppmann/gc-pause/1/report.html"), "kleppmann/gc-pause, seed 1")
	wantText(t, s.page("/kleppmann/gc-pause/1/"), `href="/kleppmann/gc-pause/1/history.jsonl"`, "what every host did, in true time")
}

func TestNewRunIsListed(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir)
	wantText(t, s.page("/"), "There are no runs here.")
	keep(t, dir, "kleppmann/gc-pause", 1)
	wantText(t, s.page("/"), "1 run, 0 campaigns.", "<td>pass</td>")
	put(t, filepath.Join(dir, "kleppmann/gc-pause/1/result.json"), `{"schema_version":1,"scenario":"other","verdict":"fail"}`)
	wantText(t, s.page("/"), "1 run, 0 campaigns.", "<td>fail</td>")
}

func TestLargeStoreListsItsFirstRuns(t *testing.T) {
	dir := t.TempDir()
	for i := range 2500 {
		put(t, filepath.Join(dir, "x", strconv.Itoa(i), "result.json"), fmt.Sprintf(`{"schema_version":1,"scenario":"x","seed":%d,"verdict":"pass"}`, i))
	}
	page := open(t, dir).page("/")
	wantText(t, page, "2500 runs, 0 campaigns.", "500 more runs are not listed.")
	if n := strings.Count(page, "<td>pass</td>"); n != 2000 {
		t.Errorf("%d runs are listed", n)
	}
}

func TestStoreCanBeARunOrACampaign(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, "kleppmann/gc-pause", 1)
	s := open(t, filepath.Join(dir, "kleppmann", "gc-pause", "1"))
	wantText(t, s.page("/"), "1 run, 0 campaigns.", `href="report.html"`, `href="/trace.jsonl"`)
	s.page("/report.html")
	rows(t, filepath.Join(dir, "hunt"), 20, 10)
	wantText(t, open(t, filepath.Join(dir, "hunt")).page("/"), "rows of kleppmann/gc-pause", `href="/block-000001.jsonl.gz"`)
}

// rows makes a campaign of a number of runs.
func rows(t testing.TB, dir string, runs, size int) {
	t.Helper()
	archived(t, dir, &campaign.Job{Kind: "rows", Cells: []campaign.Cell{nil}, First: 1, Runs: runs, Size: size}, "kleppmann/gc-pause")
}

// archived does the work of a job, with a scenario of the catalogue.
func archived(t testing.TB, dir string, job *campaign.Job, id string) {
	t.Helper()
	s, _ := scenarios.Find(id)
	job.Scenario = &s
	if err := job.Check(); err != nil {
		t.Fatal(err)
	}
	if err := (&archive.Work{Job: job, Dir: dir, Lockstorm: "0.0.0", Workers: 1}).Do(); err != nil {
		t.Fatal(err)
	}
}

func TestCampaignAndItsCounterexamplesAreServed(t *testing.T) {
	dir := t.TempDir()
	rows(t, filepath.Join(dir, "hunt"), 20, 10)
	scenario, err := os.ReadFile(filepath.Join(dir, "hunt", "scenario.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "hunt", "found", "belief-pause.yaml"), string(scenario))
	put(t, filepath.Join(dir, "hunt", "figures", "share.csv"), "a,b\n")
	put(t, filepath.Join(dir, "hunt", "counterexamples", "belief-pause.yaml"), string(scenario))
	put(t, filepath.Join(dir, "hunt", "counterexamples", "belief-pause.html"), "<p>a run")
	put(t, filepath.Join(dir, "hunt", "report.html"), "<p>a report")
	put(t, filepath.Join(dir, "redlock", "any", "found", "quorum-jump.yaml"), "title: x")
	s := open(t, dir)
	wantText(t, s.page("/"), "0 runs, 2 campaigns.", `href="hunt/report.html"`, "rows of kleppmann/gc-pause", `href="hunt/found/belief-pause.yaml"`,
		`href="redlock/any/"`)
	wantText(t, s.page("/hunt/"), `href="/hunt/report.html"`, `href="/hunt/found/belief-pause.yaml"`, `href="/hunt/figures/share.csv"`,
		`href="/hunt/counterexamples/belief-pause.html"`)
	wantText(t, s.page("/redlock/any/"), `href="/redlock/any/found/quorum-jump.yaml"`)
	for _, file := range []string{"hunt/found/belief-pause.yaml", "hunt/figures/share.csv",
		"hunt/counterexamples/belief-pause.yaml", "hunt/counterexamples/belief-pause.html", "hunt/block-000001.jsonl.gz", "hunt/manifest.json"} {
		s.page("/" + file)
	}
	if err := os.Remove(filepath.Join(dir, "hunt", "report.html")); err != nil {
		t.Fatal(err)
	}
	wantText(t, s.page("/"), `href="hunt/"`)
}

func TestDamagedCampaignRevealsNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "store")
	rows(t, filepath.Join(dir, "hunt"), 20, 10)
	outside := filepath.Join(dir, "..", "outside")
	put(t, outside, secret)
	for _, name := range []string{"block-000000.jsonl.gz", "scenario.yaml", "manifest.json"} {
		_ = os.Remove(filepath.Join(dir, "hunt", name))
		if err := os.Symlink(outside, filepath.Join(dir, "hunt", name)); err != nil {
			t.Fatal(err)
		}
	}
	s := open(t, dir)
	for _, target := range []string{"/", "/hunt/", "/hunt/block-000000.jsonl.gz", "/hunt/scenario.yaml", "/hunt/manifest.json"} {
		if answer, page := s.get(target); strings.Contains(page, secret) {
			t.Errorf("%s: %s gives away what is outside:\n%s", target, answer.Status, page)
		}
	}
}

// A store by an enemy: each run's name, or what is in it, is an attempt at something.
func hostile(t testing.TB) (dir string) {
	dir = filepath.Join(t.TempDir(), "store")
	result := func(scenario string) string {
		text, err := json.Marshal(runs.Run{SchemaVersion: 1, Scenario: scenario, Verdict: "pass",
			Settings: []string{scenario}, Command: scenario, Hash: scenario, Lockstorm: scenario,
			Properties: []runs.Property{{Name: scenario, Expect: "holds", Verdict: scenario, Witness: &runs.Witness{Sentence: scenario}}},
			Sometimes:  []runs.Happened{{Name: scenario, Verdict: scenario}}, Figures: []runs.Figure{{Name: scenario, Unit: scenario, Value: new(int64)}}})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	script := `<script>document.title="owned"</script>`
	for _, name := range []string{script[:8] + "x" + `"onmouseover="alert(1)`, "new\nline", "right\u202eto\u2066left", "latin\xff1", "a?b#c&d=e%2e%2e%2f", "javascript:alert(1)", "{{.}}", "'quo`te", "spa ce", "...", "CON", `back\slash`} {
		put(t, filepath.Join(dir, name, "1", "result.json"), result(name))
		put(t, filepath.Join(dir, name, "1", "report.html"), "<title>mine</title>"+script)
	}
	for name, text := range map[string]string{
		"script/1": result(script), "escape/1": result("../../../etc/passwd"), "long/1": result(strings.Repeat("<x>\u202e", 150_000)), "half/1": result("half")[:60],
		"newer/1": `{"schema_version":2,"scenario":{"id":"x"}}`, "older/1": `{}`, "list/1": `[1,2]`, "types/1": `{"schema_version":1,"scenario":7}`, "empty/1": ``,
		"deep/1": strings.Repeat("[", 100_000), "null/1": "null", "many/1": `{"schema_version":1,"settings":["` + strings.Repeat(`a","`, 300_000) + `"]}`,
		"gone/1/history.jsonl": "x", "notes/manifest.json/x": "",
	} {
		if filepath.Base(name) == "1" {
			name += "/result.json"
		}
		put(t, filepath.Join(dir, name), text)
	}
	outside := filepath.Join(filepath.Dir(dir), "outside")
	put(t, filepath.Join(outside, "result.json"), strings.Replace(result(secret), secret, secret, 1))
	put(t, filepath.Join(outside, "report.html"), secret)
	put(t, filepath.Join(dir, "ours", "1", "result.json"), result("ours"))
	put(t, filepath.Join(dir, "ours", "1", "id_rsa"), secret)
	put(t, filepath.Join(dir, ".hidden", "1", "result.json"), result(secret))
	put(t, filepath.Join(dir, "huge", "1", "result.json"), "{")
	for _, err := range []error{
		os.Truncate(filepath.Join(dir, "huge", "1", "result.json"), 2<<30), // it takes no room on the disk
		os.Symlink(outside, filepath.Join(dir, "out")),
		os.Symlink("../outside", filepath.Join(dir, "up")),
		os.Symlink(filepath.Join(outside, "report.html"), filepath.Join(dir, "ours", "1", "report.html")),
		os.Symlink("loop", filepath.Join(dir, "loop")),
		os.Symlink("ours/1", filepath.Join(dir, "latest")),
		os.Mkdir(filepath.Join(dir, "link"), 0o755),
		os.Symlink(filepath.Join(outside, "result.json"), filepath.Join(dir, "link", "result.json")),
		os.Mkdir(filepath.Join(dir, "pipe"), 0o755),
		makePipe(filepath.Join(dir, "pipe", "result.json")),
		os.MkdirAll(filepath.Join(dir, "folder", "result.json"), 0o755),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestForeignFilesAreNeverServed(t *testing.T) {
	s := open(t, hostile(t))
	for _, target := range []string{
		"/../outside/result.json", "/../../outside/result.json", "/../outside/result.json", "/%2e%2e/outside/result.json",
		"/..%2foutside%2fresult.json", "/%2e%2e%2foutside/report.html", "/ours/../../outside/report.html", `/..\outside\report.html`,
		"/..%5coutside%5creport.html", "//etc/passwd", "/" + filepath.ToSlash(filepath.Join(s.dir, "..", "outside", "report.html")),
		"/out/result.json", "/out/report.html", "/up/report.html", "/ours/1/report.html", "/link/result.json", "/loop/result.json",
		"/ours/1/id_rsa", "/ours/1/id_rsa%00.json", "/ours/1/../1/id_rsa", "/.hidden/1/result.json", "/ours/", "/ours/1", "/nothing/",
		"/pipe/result.json", "/folder/result.json", "/%00", "/%ff/result.json", "/" + strings.Repeat("a/", 10_000) + "result.json", "/" + strings.Repeat("a", 20_000),
		"/out/", "/up/", "/loop/", "/.hidden/1/", "/../outside/", "/%2e%2e/outside/", "/link/", "/pipe/", "/./", "//",
		"/.git/config", "/etc/passwd", "/style.css/../../outside/report.html", "/style.css/x", "/nothing", "//outside", "/%2e%2e/outside/report.html", "http://elsewhere/up/report.html",
	} {
		answer, body := s.get(target)
		if answer.StatusCode < 400 || strings.Contains(body, secret) || strings.Contains(body, "root:") {
			t.Errorf("%.100q: %s\n%.300s", target, answer.Status, body)
		}
		guarded(t, target, answer)
	}
	wantText(t, s.page("/latest/result.json"), "ours") // a link that stays in the store is one
	for _, target := range []string{"/", "/latest/"} {
		if page := s.page(target); strings.Contains(page, secret) {
			t.Errorf("%s gives the secret away", target)
		}
	}
}

var link = regexp.MustCompile(`(?:href|src)="([^"]*)"`)

func TestHostileNamesAreHarmlessAndTheirLinksWork(t *testing.T) {
	s := open(t, hostile(t))
	list := s.page("/")
	wantText(t, list, "unexpected end of JSON input", "has schema version 2, and this Lockstorm reads version 1",
		"it has no schema_version", "it has more than 16777 kB", "it is not a regular file", "cannot unmarshal number into Go struct field Run.scenario")
	seen := map[string]bool{}
	for todo := []string{"/"}; len(todo) > 0; todo = todo[1:] {
		target, method := todo[0], http.MethodGet
		if strings.HasPrefix(target, "/huge/1/result") {
			method = http.MethodHead
		}
		answer, page := s.ask(method, target)
		if answer.StatusCode != http.StatusOK {
			t.Errorf("%q: %s, though a page leads to it", target, answer.Status)
		}
		guarded(t, target, answer)
		if !strings.HasSuffix(target, "/") {
			continue // a stored file
		}
		if len(page) > 100_000 {
			t.Errorf("%q is a page of %d bytes", target, len(page))
		}
		for _, bad := range []string{"<script", "javascript:alert(1)\"", " onmouseover=", "\u202e", "\u2066", "\xff", "<x>"} {
			if strings.Contains(page, bad) {
				t.Errorf("%q holds %q", target, bad)
			}
		}
		for _, m := range link.FindAllStringSubmatch(page, -1) {
			at := strings.SplitN(html.UnescapeString(m[1]), "#", 2)[0]
			if at == "" || strings.HasPrefix(at, "data:") { // it leads down the page, or is a picture in it
				continue
			}
			if !strings.HasPrefix(at, "/") && target == "/" {
				at = "/" + strings.TrimPrefix(at, "./")
			}
			if !strings.HasPrefix(at, "/") || strings.HasPrefix(at, "//") {
				t.Errorf("%q leads to %q", target, at)
			} else if !seen[at] {
				seen[at], todo = true, append(todo, at)
			}
		}
	}
	if len(seen) < 40 {
		t.Errorf("only %d links were tried", len(seen))
	}
}

// guarded sees to it that an answer carries its guards.
func guarded(t testing.TB, target string, answer *http.Response) {
	t.Helper()
	policy := answer.Header.Get("Content-Security-Policy")
	for _, want := range []string{"default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"} {
		if !strings.Contains(policy, want) {
			t.Errorf("%.100q: the policy is %q, without %s", target, policy, want)
		}
	}
	if strings.Contains(policy, "script-src 'unsafe") || strings.Contains(policy, "*") || strings.Contains(policy, "http") {
		t.Errorf("%.100q: the policy is %q", target, policy)
	}
	for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cross-Origin-Resource-Policy": "same-origin",
		"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Embedder-Policy": "require-corp", "X-Frame-Options": "DENY"} {
		if got := answer.Header.Get(name); got != want {
			t.Errorf("%.100q: %s is %q, want %q", target, name, got, want)
		}
	}
	if answer.Header.Get("Content-Type") == "" {
		t.Errorf("%.100q has no Content-Type", target)
	}
}

func TestAResultOfTwoGigabytesTakesLittleMemory(t *testing.T) {
	s := open(t, hostile(t))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	s.page("/")
	runtime.ReadMemStats(&after)
	if got := (after.TotalAlloc - before.TotalAlloc) >> 20; got > 100 {
		t.Errorf("a page took %d MiB", got)
	}
}

func TestStoredPageRunsOnlyOurScriptInASandbox(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, "kleppmann/gc-pause", 1)
	s := open(t, dir)
	answer, page := s.get("/kleppmann/gc-pause/1/report.html")
	policy := answer.Header.Get("Content-Security-Policy")
	script := regexp.MustCompile(`(?s)<script>(.*?)</script>`).FindStringSubmatch(page)
	if script == nil {
		t.Fatal("the page has no script")
	}
	sum := sha256.Sum256([]byte(script[1]))
	wantText(t, policy, "sandbox allow-scripts allow-downloads;", "script-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"';", "form-action 'none'")
	if strings.Contains(policy, "allow-same-origin") || strings.Contains(policy, "allow-top-navigation") {
		t.Errorf("the sandbox is open: %s", policy)
	}
}

func TestFilesHaveTheTypesThatBrowsersShow(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, "kleppmann/gc-pause", 1)
	rows(t, filepath.Join(dir, "hunt"), 2, 2)
	s := open(t, dir)
	for file, want := range map[string]string{
		"kleppmann/gc-pause/1/result.json": "application/json", "kleppmann/gc-pause/1/history.edn": "text/plain; charset=utf-8",
		"kleppmann/gc-pause/1/history.jsonl": "text/plain; charset=utf-8", "kleppmann/gc-pause/1/scenario.yaml": "text/plain; charset=utf-8",
		"kleppmann/gc-pause/1/report.html": "text/html; charset=utf-8", "hunt/block-000000.jsonl.gz": "application/gzip",
	} {
		answer, body := s.get("/" + file)
		stored, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil || answer.Header.Get("Content-Type") != want || body != string(stored) {
			t.Errorf("%s: %s, %d bytes; want %s, %d bytes", file, answer.Header.Get("Content-Type"), len(body), want, len(stored))
		}
	}
	if answer, _ := s.get("/hunt/block-000000.jsonl.gz"); answer.Header.Get("Content-Disposition") != "attachment" {
		t.Error("a block is not saved but shown")
	}
}

func TestOnlyLocalHostNamesAreAnswered(t *testing.T) {
	s := open(t, t.TempDir())
	for host, want := range map[string]int{
		"localhost": 200, "localhost:8080": 200, "LOCALHOST": 200, "127.0.0.1": 200, "127.0.0.1:1": 200, "127.9.9.9:80": 200, "[::1]": 200, "[::1]:80": 200,
		"evil.example": 421, "evil.example:80": 421, "127.0.0.1.evil.example": 421, "localhost.evil.example": 421, "10.0.0.1": 421, "[::2]:80": 421, "0.0.0.0": 421, "": 421,
	} {
		answer, _ := s.get("/", "Host: "+host)
		if answer.StatusCode != want {
			t.Errorf("Host %q: %s, want %d", host, answer.Status, want)
		}
		guarded(t, host, answer)
	}
	store, err := serve.Open(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	answer := httptest.NewRecorder() // one that others can reach may have any name
	store.Handler(false).ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "http://build-host.example/", nil))
	if answer.Code != http.StatusOK {
		t.Errorf("without loopback: %d", answer.Code)
	}
}

func TestNothingCanBeChanged(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, "kleppmann/gc-pause", 1)
	s, before := open(t, dir), state(t, dir)
	for _, method := range []string{"POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"} {
		answer, _ := s.ask(method, "/kleppmann/gc-pause/1/result.json")
		if answer.StatusCode != http.StatusMethodNotAllowed || answer.Header.Get("Allow") != "GET, HEAD" {
			t.Errorf("%s: %s", method, answer.Status)
		}
		guarded(t, method, answer)
	}
	if answer, body := s.ask(http.MethodHead, "/"); answer.StatusCode != http.StatusOK || body != "" {
		t.Errorf("HEAD: %s, %d bytes", answer.Status, len(body))
	}
	for _, target := range []string{"/", "/kleppmann/gc-pause/1/"} {
		s.page(target)
	}
	if after := state(t, dir); !slices.Equal(before, after) {
		t.Errorf("the store was\n%s, and is\n%s", before, after)
	}
}

// state returns all names, sizes and times of a directory.
func state(t testing.TB, dir string) (all []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		about, err := e.Info()
		if err != nil {
			return err
		}
		all = append(all, fmt.Sprint(name, about.Size(), about.Mode(), about.ModTime()))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestInvalidStoreIsNamed(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "file"), "x")
	for name, want := range map[string]string{"nowhere": "there is no store ", "file": "is not a directory; name a store"} {
		if _, err := serve.Open(filepath.Join(dir, name)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %q", name, err, want)
		}
	}
}

// The system lists the names in a directory in any order.
func TestCampaignsAreListedByName(t *testing.T) {
	dir := t.TempDir()
	names := []string{"m", "b", "q", "a", "z", "k", "c", "x"}
	for _, name := range names {
		put(t, filepath.Join(dir, name, "found", "quorum-jump.yaml"), "id: x\n")
	}
	var got []string
	for _, m := range regexp.MustCompile(`href="([a-z])/"`).FindAllStringSubmatch(open(t, dir).page("/"), -1) {
		got = append(got, m[1])
	}
	if slices.Sort(names); !slices.Equal(got, names) {
		t.Errorf("they are listed as %q, want %q", got, names)
	}
}

// An exploration is no broken campaign: it has no rows, and says what shows what it found.
func TestExplorationDescribesItself(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "small", "manifest.json"),
		`{"schema_version": 1, "lockstorm": "0.1.0", "kind": "explore", "scenario": "redlock/small", "command": "lockstorm explore redlock/small"}`)
	put(t, filepath.Join(dir, "small", "scenario.yaml"), "title: x")
	s := open(t, dir)
	wantText(t, s.page("/"), "explore of redlock/small")
}
