package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// testdata/check has a file for each model with hand-written histories, each named after what it shows: in EDN and
// JSON, one op a line and in one vector, with tags and without, with indices and times and without, and with a nemesis
// in between.
func TestHandWrittenHistoriesGetTheExpectedVerdict(t *testing.T) {
	dir := t.TempDir()
	for _, m := range blackbox.Models {
		count := map[string]int{}
		for name, text := range handWritten(t, m.Name) {
			verdict, _, _ := strings.Cut(name, "/")
			count[verdict]++
			file := filepath.Join(dir, m.Name, name)
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			write(t, file, text)
			checkFile(t, m.Name, file, map[string]int{"legal": cli.AsExpected, "illegal": cli.NotAsExpected}[verdict])
		}
		if count["legal"] < 12 || count["illegal"] < 12 || len(count) != 2 {
			t.Errorf("%s: %v histories; want 12 of each verdict", m.Name, count)
		}
	}
}

// handWritten returns the histories of a model by name. The text of each follows a line "-- name --".
func handWritten(t *testing.T, model string) map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "check", model+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, one := range strings.Split("\n"+string(text), "\n-- ")[1:] {
		name, history, ok := strings.Cut(one, " --\n")
		if _, twice := all[name]; !ok || twice {
			t.Errorf("%s: %q is no name, or stands there twice", model, name)
		}
		all[name] = strings.TrimSuffix(history, "\n") + "\n"
	}
	return all
}

func checkFile(t *testing.T, model, file string, want int) {
	t.Helper()
	out, errs, code := lockstorm("check", file, "--model", model, "--clients", "3", "--least", "10ms", "--format", "json")
	var c checkJSON
	if err := json.Unmarshal([]byte(out), &c); err != nil || code != want {
		t.Errorf("%s: exit %d, want %d\n%s%s", file, code, want, out, errs)
		return
	}
	verdict := map[int]checker.Verdict{cli.AsExpected: checker.Holds, cli.NotAsExpected: checker.Violated}[want]
	if m := c.Models[0]; c.SchemaVersion != 1 || c.Verdict != verdict || c.Ops < 2 || len(c.Models) != 1 || m.Model != model || m.Verdict != verdict ||
		(m.Reason == "") != (want == cli.AsExpected) || (len(m.Window) == 0) != (want == cli.AsExpected) || m.Lock != "" ||
		(m.Confirmed == nil) != (want == cli.AsExpected) || want != cli.AsExpected && !*m.Confirmed {
		t.Errorf("%s: %s", file, out)
	}
}

// Without this check, the file of a model that is gone or misspelt would be skipped.
func TestEveryHistoryFileBelongsToAModel(t *testing.T) {
	found, err := os.ReadDir(filepath.Join("testdata", "check"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range found {
		if _, ok := blackbox.LookupModel(strings.TrimSuffix(e.Name(), ".txt")); !ok {
			t.Errorf("there is no model %s", e.Name())
		}
	}
}

func TestHistoryIsJudgedUnderSeveralModels(t *testing.T) {
	file := filepath.Join("testdata", "history.edn")
	out := mustRun(t, cli.NotAsExpected, "check", file, "--model", "mutex,fenced-mutex", "--model", "semaphore", "--clients", "2")
	for _, want := range []string{
		"8 ops of 2 processes; 1 op of no client was skipped", "mutex         violated", "semaphore     holds", "Not a valid mutex. Two holders at once",
		"acquired at index 4 and", "5:1          4      1        ok      acquire  fence 34", "These 4 ops alone have no legal order (porcupine agrees)",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("it does not say %q:\n%s", want, out)
		}
	}
	var c checkJSON
	out = mustRun(t, cli.NotAsExpected, "check", file, "--format", "json")
	if err := json.Unmarshal([]byte(out), &c); err != nil || c.Ops != 8 || c.Verdict != checker.Violated || len(c.Models) != 1 || c.Models[0].Model != "mutex" {
		t.Errorf("%s%v", out, err)
	}
	var keys map[string]any
	if err := json.Unmarshal([]byte(out), &keys); err != nil || len(keys) != 4 || len(keys["models"].([]any)[0].(map[string]any)) != 5 {
		t.Errorf("other keys than were promised: %s", out)
	}
}

func TestFormatFollowsFromTheFirstBytesNotTheName(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "history.edn"))
	if err != nil {
		t.Fatal(err)
	}
	for _, how := range []string{"", ".gz"} {
		name := filepath.Join(t.TempDir(), "history.txt")
		write(t, name, pack(t, string(text), how))
		mustRun(t, cli.NotAsExpected, "check", name)
		stdin(t, name)
		if out := mustRun(t, cli.NotAsExpected, "check", "-"); !strings.HasPrefix(out, "stdin: 8 ops") {
			t.Error(out)
		}
		mustRun(t, cli.NotAsExpected, "check", name, "--input", "edn")
	}
}

// stdin makes a file the standard input until the test ends.
func stdin(t *testing.T, name string) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	old := os.Stdin
	os.Stdin = f
	t.Cleanup(func() { os.Stdin = old; f.Close() })
}

// The flags say what the data lacks: each of these histories gets another verdict with another flag.
func TestFlagsAddWhatTheDataLacks(t *testing.T) {
	story := func(ops ...string) (text string) {
		for _, o := range ops {
			w := strings.Fields(o)
			text += "{:process " + w[0] + " :type :" + w[1] + " :f :" + w[2] + "}\n"
		}
		return text
	}
	twice := story("0 invoke acquire", "0 ok acquire", "0 invoke acquire", "0 ok acquire", "0 invoke acquire", "0 ok acquire")
	failed := story("0 invoke acquire", "0 ok acquire", "0 invoke release", "0 fail release", "1 invoke acquire", "1 ok acquire")
	doubt := story("0 invoke acquire", "0 ok acquire", "0 invoke release", "0 info release", "2 invoke release", "2 fail release")
	onward := story("0 invoke acquire", "0 ok acquire", "0 invoke read", "0 info read", "2 invoke release", "2 ok release")
	hard := story("0 invoke acquire", "0 ok acquire", "0 invoke release", "0 info release", "1 invoke acquire", "1 ok acquire")
	for _, c := range []struct {
		text, flags string
		want        int
		says        string
	}{
		{onward, "", 1, "released what it did not hold"},
		{onward, "--clients 2", 0, ""},
		{onward, "--clients 3", 1, ""},
		{story("0 invoke acquire", "2 invoke acquire", "0 ok acquire"), "--clients 2", 254,
			"3:1: process 0 closes its acquire, but its client has gone on as process 2"},
		{twice, "--model reentrant-mutex", 1, ""},
		{twice, "--model reentrant-mutex --limit 3", 0, ""},
		{twice, "--model semaphore", 1, ""},
		{twice, "--model semaphore --permits 3", 0, ""},
		{`{"process":0,"type":"invoke","f":"acquire","value":1}` + `{"process":0,"type":"ok","f":"acquire","value":1}`, "--model semaphore", 0, ""},
		{`{"process":0,"type":"invoke","f":"acquire","value":1}`, "--model mutex", 254, "found 1 as the value of this invoke"},
		{`{"process":0,"type":"invoke","f":"acquire","value":2}`, "--model mutex,semaphore", 254, "want 1, and a separate op for each permit"},
		{failed, "", 1, "Two holders"},
		{failed, "--failed-release holds", 1, "Two holders"},
		{failed, "--failed-release ends", 0, ""},
		{failed, "--failed-release ends --model lease,mutex", 0, ""},
		{doubt, "--failed-release ends", 0, ""},
		{doubt, "--failed-release ends --clients 2", 0, ""},
		{hard, "--model plain-mutex --steps 1", 2, "A search gave up after 1 steps"},
		{hard, "--model plain-mutex", 0, ""},
		{hard, "--model plain-mutex,mutex --steps 1", 2, ""},
	} {
		name := filepath.Join(t.TempDir(), "history")
		write(t, name, c.text)
		out, errs, code := lockstorm(append([]string{"check", name}, strings.Fields(c.flags)...)...)
		if code != c.want || !strings.Contains(out+errs, c.says) {
			t.Errorf("%s\n%s: exit %d, want %d and %q\n%s%s", c.text, c.flags, code, c.want, c.says, out, errs)
		}
	}
}

func TestTheModelsAreListed(t *testing.T) {
	out := strings.Join(strings.Fields(mustRun(t, 0, "check", "--list-models")), " ")
	for _, m := range blackbox.Models {
		if !strings.Contains(out, m.Name+" "+m.Says) {
			t.Errorf("it does not name %s:\n%s", m.Name, out)
		}
	}
}

// The histories that a run leaves, in both forms, get the same verdicts, and the run and check agree on two holders.
func TestStoredRunHistoriesAreJudgedAlike(t *testing.T) {
	dir := t.TempDir()
	mustRun(t, 0, "run", "kleppmann/gc-pause", "--store", dir)
	models := "mutex,fenced-mutex,lease,register,fenced-register"
	var verdicts [2]checkJSON
	for i, file := range []string{"history.edn", "history.jsonl"} {
		out := mustRun(t, 1, "check", filepath.Join(dir, "latest", file), "--clients", "2", "--model", models, "--format", "json")
		if err := json.Unmarshal([]byte(out), &verdicts[i]); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range []checker.Verdict{checker.Violated, checker.Violated, checker.Violated, checker.Holds, checker.Holds} {
		if edn, jsonl := verdicts[0].Models[i], verdicts[1].Models[i]; edn.Verdict != want || jsonl.Verdict != want {
			t.Errorf("%s: %s in EDN, %s in JSON lines; want %s", edn.Model, edn.Verdict, jsonl.Verdict, want)
		}
	}
}

func TestTheFlagsReachTheModel(t *testing.T) {
	q := checkCommand{clients: 3, limit: 4, permits: 5, steps: 6, memory: 7, least: 8}
	if err := q.add("semaphore"); err != nil {
		t.Fatal(err)
	}
	m := q.models[0]
	if m.Clients != 3 || m.Limit != 4 || m.Permits != 5 || m.Steps != 6 || m.Memory != 7<<20 || m.Least != 8 {
		t.Errorf("%+v", m)
	}
}

// Older Jepsen takes the time in each thread, so that the times of a file fall by a little. Then the order of the file
// counts.
func TestFallingTimesMatterOnlyToATimedLease(t *testing.T) {
	const text = "{:process 0 :type :invoke :f :acquire :time 500}\n{:process 0 :type :ok :f :acquire :time 9000}\n" +
		"{:process 1 :type :invoke :f :acquire :time 8000}\n{:process 1 :type :fail :f :acquire :time 8500}\n{:process 2 :type :invoke :f :acquire}\n"
	_, data := judgedAs(t, cli.AsExpected, text, "")
	want := "Times go back in 2 places, first at 3:45, by up to 1µs. The ops are not ordered by time."
	if len(data.Notes) != 1 || data.Notes[0] != want {
		t.Errorf("notes %q, want %q", data.Notes, want)
	}
	name := filepath.Join(t.TempDir(), "history")
	for _, c := range []struct{ text, says string }{
		{text, ":5:1: found an op without a time, which lease-timed goes by"},
		{text[:strings.LastIndex(text, "{")], ":3:45: found a time that falls, which lease-timed goes by: 2 do, by up to 1µs; want times that never fall, or the model lease"},
	} {
		write(t, name, c.text)
		out, errs, code := lockstorm("check", name, "--model", "lease-timed", "--least", "1s")
		if code != cli.BadInput || out != "" || !strings.Contains(errs, c.says) {
			t.Errorf("exit %d, want %d and %q: %s%s", code, cli.BadInput, c.says, out, errs)
		}
	}
}

// Two holders of one lock, each with its own number for an acquire, as in Hazelcast's tests: read as two locks, they
// would be legal. The same holds for a random token per hold, and for the owner, whose every acquire looked like
// another lock's.
func TestValueFlagSetsTheMeaningOfStrings(t *testing.T) {
	const acquire = "{:process 0 :type :invoke :f :acquire :value \"x\"}{:process 0 :type :ok :f :acquire :value \"x\"}" +
		"{:process 1 :type :invoke :f :acquire :value \"y\"}{:process 1 :type :ok :f :acquire :value \"y\"}"
	name := filepath.Join(t.TempDir(), "history")
	write(t, name, acquire)
	for _, c := range []struct {
		flags string
		want  int
		says  string
	}{
		{"", cli.BadInput, `1:1: found the value "x" in a single acquire`},
		{"--value lock", cli.AsExpected, "on 2 locks: x, y"},
		{"--value token", cli.NotAsExpected, `token "x", which acquired at index 1`},
		{"--value owner", cli.NotAsExpected, `owner "x", which acquired at index 1`},
		{"--value ignore", cli.NotAsExpected, "process 0, which acquired at index 1"},
	} {
		out, errs, code := lockstorm(append([]string{"check", name}, strings.Fields(c.flags)...)...)
		if code != c.want || !strings.Contains(strings.ReplaceAll(out, "\n", " ")+errs, c.says) {
			t.Errorf("%s: exit %d, want %d and %q\n%s%s", c.flags, code, c.want, c.says, out, errs)
		}
	}
}

// check writes what test does, a case for each model: JUnit, Markdown, and the annotations of GitHub's runner.
func TestCheckWritesReportsForPipelines(t *testing.T) {
	dir := t.TempDir()
	history, junit, summary := filepath.Join(dir, "history.edn"), filepath.Join(dir, "check.xml"), filepath.Join(dir, "summary.md")
	write(t, history, twoAtOnce)
	out := mustRun(t, cli.NotAsExpected, "check", history, "--model", "mutex,semaphore", "--format", "markdown", "--junit", junit)
	for _, want := range []string{"| model | verdict |\n", "| mutex | violated |\n", "**Not a valid** `mutex`. Two holders at once", "```text\n", "| semaphore | holds |\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("it does not say %q:\n%s", want, out)
		}
	}
	report, err := os.ReadFile(junit)
	if err != nil {
		t.Fatal(err)
	}
	printed := mustRun(t, cli.NotAsExpected, "check", history, "--model", "mutex,semaphore", "--junit", "-")
	for _, want := range []string{`<testsuite name="lockstorm check" tests="2" failures="1" errors="0"`, `name="mutex"`, `<failure message="Two holders at once`, `name="semaphore"`,
		"See it: lockstorm check " + history + " --model mutex"} {
		if !strings.Contains(string(report), want) || printed != string(report) {
			t.Errorf("it does not say %q:\n%s\n%s", want, report, printed)
		}
	}
	unknown := filepath.Join(dir, "unknown.edn")
	write(t, unknown, "{:process 0 :type :invoke :f :acquire}{:process 0 :type :ok :f :acquire}{:process 0 :type :invoke :f :release}{:process 0 :type :info :f :release}"+
		"{:process 1 :type :invoke :f :acquire}{:process 1 :type :ok :f :acquire}")
	if out := mustRun(t, cli.Unknown, "check", unknown, "--model", "plain-mutex", "--steps", "1", "--junit", "-"); !strings.Contains(out, `errors="1"`) || !strings.Contains(out, "<error message=") {
		t.Error(out)
	}
	t.Setenv("GITHUB_ACTIONS", "true")
	t.Setenv("GITHUB_STEP_SUMMARY", summary)
	if out := mustRun(t, cli.NotAsExpected, "check", history); !strings.Contains(out, "::error title=FAIL mutex of ") || !strings.Contains(out, "::Two holders at once") {
		t.Error(out)
	}
	if text, err := os.ReadFile(summary); err != nil || !strings.Contains(string(text), "| mutex | violated |") {
		t.Errorf("%v %s", err, text)
	}
}

// A file is sorted by its indices; the standard input, which can't be read again, is rejected.
func TestFileIsSortedByItsIndices(t *testing.T) {
	name := filepath.Join(t.TempDir(), "history.edn")
	write(t, name, "{:index 1 :process 0 :type :ok :f :acquire}{:index 0 :process 0 :type :invoke :f :acquire}")
	if out := mustRun(t, cli.AsExpected, "check", name); !strings.Contains(out, "The ops are ordered by index") {
		t.Error(out)
	}
	if _, errs, code := lockstorm("check", name, "--initial", "7"); code != cli.BadInput || !strings.Contains(errs, "only cas-register has an initial value") {
		t.Error(errs)
	}
}

// A token names the holder if a release repeats it, or a renewal where no release is there yet, so the beginning of a legal history is legal, and a
// renewal with a token that was never granted is not.
func TestTokenOfARenewalNamesTheHolder(t *testing.T) {
	op := func(process int, kind, f, value string) string {
		return fmt.Sprintf(`{"process":%d,"type":%q,"f":%q,"value":%s}`+"\n", process, kind, f, value)
	}
	acquired := op(0, "invoke", "acquire", "null") + op(0, "ok", "acquire", `{"token":"a1"}`)
	both := func(process int, f, token string) string {
		return op(process, "invoke", f, `{"token":"`+token+`"}`) + op(process, "ok", f, `{"token":"`+token+`"}`)
	}
	renewed := acquired + both(1, "renew", "a1")
	file := filepath.Join(t.TempDir(), "history.jsonl")
	for text, want := range map[string]int{
		renewed + both(1, "release", "a1"): cli.AsExpected,
		renewed:                            cli.AsExpected,
		acquired:                           cli.AsExpected,
		acquired + both(0, "renew", "zz"):  cli.NotAsExpected,
		acquired + both(0, "renew", "a1") + op(0, "invoke", "release", "null") + op(0, "ok", "release", "null"): cli.AsExpected,
		renewed + both(2, "renew", "b2"): cli.NotAsExpected,
	} {
		write(t, file, text)
		if out, errs, code := lockstorm("check", file, "--model", "mutex,lease"); code != want {
			t.Errorf("exit %d, want %d\n%s%s%s", code, want, text, out, errs)
		}
	}
}

// A search may draw the number of clients. What the seed chose is kept with the run, so its history is not refused.
func TestHistoryOfASearchIsJudgedWithTheDrawnClients(t *testing.T) {
	store := t.TempDir()
	for _, seed := range []string{"2", "3"} {
		mustRun(t, cli.AsExpected, "run", "redlock/any", "--seed", seed, "--store", store)
		home := filepath.Join(store, "redlock/any", seed)
		text, err := os.ReadFile(filepath.Join(home, "result.json"))
		if err != nil || !strings.Contains(string(text), `"clients=3"`) {
			t.Fatalf("%v\n%s", err, text)
		}
		for _, name := range []string{"history.jsonl", "history.edn"} {
			if _, errs, code := lockstorm("check", filepath.Join(home, name)); code != cli.AsExpected {
				t.Errorf("seed %s, %s: code %d\n%s", seed, name, code, errs)
			}
		}
	}
}

// The history of a stored run is judged with the number of clients in its scenario: a client that comes back under
// another number is no stranger. A copy elsewhere does not have that number, and a note says which flag to use.
func TestStoredRunIsCheckedWithItsNumberOfClients(t *testing.T) {
	store := t.TempDir()
	mustRun(t, cli.AsExpected, "run", "kleppmann/delayed-write", "--store", store)
	home := filepath.Join(store, "kleppmann/delayed-write/1")
	for _, name := range []string{"history.jsonl", "history.edn"} {
		file := filepath.Join(home, name)
		if out, errs, code := lockstorm("check", file); code != cli.AsExpected || strings.Contains(errs, "--clients") {
			t.Errorf("%s: exit %d\n%s%s", name, code, out, errs)
		}
		if out, errs, code := lockstorm("check", file, "--clients", "3"); code != cli.NotAsExpected {
			t.Errorf("%s of three clients: exit %d\n%s%s", name, code, out, errs)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		copied := filepath.Join(t.TempDir(), name)
		write(t, copied, string(text))
		if out, errs, code := lockstorm("check", copied); code != cli.NotAsExpected || !strings.Contains(errs, "--clients N") {
			t.Errorf("a copy of %s: exit %d\n%s%s", name, code, out, errs)
		}
	}
}

// In a folder, such as a store of Jepsen's, a history that shows nothing is unknown, and the others are judged all the same.
func TestAFolderOfHistoriesIsJudged(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for file, text := range map[string]string{
		"h/test/20261127T000000.000Z/history.edn": "{:process 0 :type :invoke :f :read :value nil}\n{:process 0 :type :ok :f :read :value 1}\n",
		"h/test/20261127T000000.000Z/results.edn": "{:valid? true}\n",

		"h/silent.edn":  "{:process 0 :type :invoke :f :write :value 1}\n{:process 0 :type :ok :f :write :value 1}\n",
		"h/nemesis.edn": "{:process :nemesis :type :info :f :kill :value nil}\n",
		"h/notes.txt":   "not a history",
		"b/bad.edn":     "{:process 0 :type :invoke :f :write",
		"b/wrong.edn":   "{:process 0 :type :invoke :f :read :error :late}\n{:process 0 :type :ok :f :read :value 2}\n",
	} {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, file, text)
	}
	args := []string{"--model", "cas-register", "--initial", "1", "--junit", "x.xml"}
	out, errs, code := lockstorm(append([]string{"check", "h"}, args...)...)
	if code != 2 || !strings.Contains(out, "Histories: 3. Hold: 1, violated: 0, unknown: 2, unreadable: 0.\n") ||
		!strings.Contains(errs, "h/silent.edn:1:1: found a history that shows nothing") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	if xml, err := os.ReadFile("x.xml"); err != nil || !strings.Contains(string(xml), `tests="3" failures="0" errors="2"`) {
		t.Errorf("%v\n%s", err, xml)
	}
	out, errs, code = lockstorm(append([]string{"check", "b"}, args...)...)
	if code != 254 || !strings.Contains(out, "Histories: 2. Hold: 0, violated: 1, unknown: 0, unreadable: 1.\n") || !strings.Contains(errs, "b/bad.edn:") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	if strings.Contains(out, ":late") {
		t.Errorf("an error is shown as the value of an invoke:\n%s", out)
	}
	if _, errs, code := lockstorm("check", "h", "--format", "json"); code != 254 || !strings.Contains(errs, "h is a folder") {
		t.Errorf("exit %d: %s", code, errs)
	}
}

// The page counts the histories of Knossos. They are not part of Lockstorm: LOCKSTORM_KNOSSOS names Knossos' folder
// data/cas-register.
func TestHistoriesOfKnossosAreCountedAsThePageSays(t *testing.T) {
	data := os.Getenv("LOCKSTORM_KNOSSOS")
	if data == "" {
		need.Possible(t, "Knossos' histories are not counted",
			errors.New("LOCKSTORM_KNOSSOS does not name the folder data/cas-register of Knossos"))
	}
	page, err := os.ReadFile("../../../checker/README.md")
	text := strings.Join(strings.Fields(string(page)), " ")
	if err != nil || !strings.Contains(text, "of the 120 in Knossos' `data/cas-register`, judged with `--initial 0`, 116 verdicts agree with Knossos, 7 of them violated. The other 4") {
		t.Error(err, "the page has other numbers")
	}
	for folder, want := range map[string]string{
		"good": "Histories: 113. Hold: 109, violated: 0, unknown: 4, unreadable: 0.\n",
		"bad":  "Histories: 7. Hold: 0, violated: 7, unknown: 0, unreadable: 0.\n",
	} {
		if out, errs, _ := lockstorm("check", filepath.Join(data, folder), "--model", "cas-register", "--initial", "0"); !strings.HasSuffix(out, want) {
			t.Errorf("%s: %s\nwant %s", folder, out+errs, want)
		}
	}
}

// A run that was kept, of a scenario whose search chose its settings, is judged as a folder.
func TestAKeptRunIsAFolderOfHistories(t *testing.T) {
	dir := t.TempDir()
	lockstorm("run", "redlock/any", "--seed", "3", "--store", dir)
	out, errs, code := lockstorm("check", dir)
	if code != 0 || !strings.Contains(out, "Histories: 2. Hold: 2, violated: 0, unknown: 0, unreadable: 0.\n") {
		t.Errorf("exit %d, %s\n%s", code, errs, out)
	}
}
