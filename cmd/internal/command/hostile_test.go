package command

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
)

// harmless fails if a text would steer a terminal, or turn the direction of a line.
func harmless(t *testing.T, what, text string) {
	t.Helper()
	if i := strings.IndexFunc(text, func(r rune) bool { return r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r)) }); i >= 0 {
		t.Errorf("%s holds %q", what, text[max(0, i-20):min(len(text), i+20)])
	}
}

// A scenario's title and its file's name can be any text. They are shown, and do nothing.
func TestHostileTitlesAndFileNamesAreHarmless(t *testing.T) {
	long := strings.Repeat("x", 100)
	for name, title := range map[string]string{
		"<script>alert(1)<.yaml":  `</title></style><script>document.title="owned"</script>`,
		"\u202egnp.yaml":          "right \u202eto left",
		"\x1b]0;owned\x07.yaml":   "right \u2067to left",
		"$(touch owned) `id`.yml": "$(touch owned) `touch owned`\n--\n# heading",
		"長い名前🔒.yaml":              "広い " + strings.Repeat("文字", 48),
		"long.yaml":               long,
	} {
		t.Chdir(t.TempDir())
		quoted, err := json.Marshal(title) // which YAML reads too
		if err != nil {
			t.Fatal(err)
		}
		write(t, name, strings.Replace(mine, "The holder is cut off for twelve seconds.", string(quoted), 1))
		for _, args := range [][]string{
			{"validate", name}, {"run", name}, {"run", name, "--quiet"}, {"run", name, "--runs", "2"}, {"run", name, "--format", "markdown"},
			{"test", name, "--runs", "2"}, {"test", name, "--runs", "2", "--format", "markdown"}, {"replay", "store/latest"}, {"report", "store/latest", "--out", "drawn"},
		} {
			harmless(t, fmt.Sprintf("%q", args), mustRun(t, 0, args...))
		}
		page := contents(t, "drawn")["report.html"]
		if page == "" || strings.Count(page, "<script") != 1 || strings.Contains(page, "\u202e") || strings.Contains(page, "\x1b") {
			t.Errorf("%q: the page holds more than it should", name)
		}
		harmless(t, name+": report.txt", contents(t, "store/latest")["report.txt"])
		if found := entries(t, "."); len(found) != 3 || slices.Contains(found, "owned") {
			t.Errorf("%q: it left %q", name, found)
		}
		if _, errs, code := lockstorm("run", name, "--set", title+"=1"); code != cli.BadInput || len(errs) > 21_000 {
			t.Errorf("exit %d, and %d bytes are told", code, len(errs))
		} else {
			harmless(t, "the error", strings.TrimSuffix(errs, "\n"))
		}
	}
}

// A title that controls a terminal, or has no end, is rejected.
func TestControlCharactersAndEndlessTitlesAreRejected(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "my.yaml", strings.Replace(mine, "The holder is cut off for twelve seconds.", `"\x1b[2J\x1b[31mred\x07"`, 1))
	for _, args := range [][]string{{"run", "my.yaml"}, {"validate", "my.yaml"}} {
		out, errs, code := lockstorm(args...)
		if want := "lockstorm: my.yaml:1:8: found the text \"\\x1b[2J\\x1b[31mred\\a\"; want text for title, without control characters\n"; code != cli.BadInput || out != "" || errs != want {
			t.Errorf("%v: exit %d, want 254 and %q: %s%s", args, code, want, out, errs)
		}
	}
	harmless(t, "test", strings.TrimSuffix(mustRun(t, 1, "test", "my.yaml"), "\n"))
	write(t, "my.yaml", strings.Replace(mine, "The holder is cut off for twelve seconds.", strings.Repeat("x", 1<<19), 1))
	if _, errs, code := lockstorm("run", "my.yaml"); code != cli.BadInput || errs != "lockstorm: my.yaml:1:1: the file has more than 65536 bytes; no scenario needs that many\n" {
		t.Errorf("half a megabyte: exit %d: %s", code, errs)
	}
}

// Anyone may have written a stored result. Its names and paths lead nowhere, and a result that differs from a repeated
// run is rejected.
func TestHostileResultIsRejectedOrHarmless(t *testing.T) {
	t.Chdir(t.TempDir())
	mustRun(t, 0, "run", "kleppmann/gc-pause")
	home := filepath.Join("store", "kleppmann", "gc-pause", "1")
	result := contents(t, home)["result.json"]
	const other = "result.json has the hash of another run than its scenario and seed; if it was not changed, this is a bug in Lockstorm: please report it"
	for _, c := range []struct{ name, field, value, report, replay string }{
		{"the way out", "scenario", "../../../owned", "", "result.json differs"},
		{"a script", "scenario", "<script>alert(1)</script>", "", "result.json differs"},
		{"a megabyte", "scenario", strings.Repeat("a", 1<<20), "", "result.json differs"},
		{"right to left", "scenario", "\u202egnp.exe", "", "result.json differs"},
		{"another hash", "hash", "\x1b[2J", other, "result.json differs"},
		{"another source", "source", "$(touch owned)\x1b[2J", "", "result.json differs"},
		{"another version", "lockstorm", "\x1b[2J\u202e9", "", ""},
	} {
		changed := map[string]any{}
		if err := json.Unmarshal([]byte(result), &changed); err != nil {
			t.Fatal(err)
		}
		changed[c.field] = c.value
		text, err := json.Marshal(changed)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(home, "result.json"), string(text))
		os.RemoveAll("out")
		said, errs, code := lockstorm("report", home, "--out", "out")
		if c.report == "" && (code != 0 || len(entries(t, "out")) != len(drawnFiles)) || c.report != "" && (code != cli.BadInput || !strings.Contains(errs, c.report)) {
			t.Errorf("%s: report: exit %d, want %q: %s", c.name, code, c.report, errs)
		}
		harmless(t, c.name+": report", said+errs)
		said, errs, code = lockstorm("replay", home)
		if c.replay == "" && (code != 0 || !strings.Contains(strings.Join(strings.Fields(said), " "), "it was made by another version of the program, \ufffd[2J\ufffd9 of build")) ||
			c.replay != "" && (code != cli.BadInput || !strings.Contains(errs, c.replay)) {
			t.Errorf("%s: replay: exit %d, want %q: %s", c.name, code, c.replay, errs)
		}
		harmless(t, c.name+": replay", said+errs)
		if c.report != "" {
			continue
		}
		if page := contents(t, "out")["report.html"]; strings.Count(page, "<script") != 1 || len(page) > 1_000_000 {
			t.Errorf("%s: the page has %d bytes and %d scripts", c.name, len(page), strings.Count(page, "<script"))
		}
	}
	if found := strings.Join(entries(t, "."), " "); found != "out store" {
		t.Errorf("it left %q", found)
	}
}

// A result that was half copied, or comes from a later Lockstorm, is rejected with the reason, and nothing is written.
func TestHalfWrittenStoreAndNewerSchemaAreRejected(t *testing.T) {
	t.Chdir(t.TempDir())
	mustRun(t, 0, "run", "kleppmann/gc-pause")
	home := filepath.Join("store", "kleppmann", "gc-pause", "1")
	before := contents(t, home)
	result := before["result.json"]
	newer := strings.Replace(result, `"schema_version": 1`, `"schema_version": 2`, 1)
	for _, c := range []struct{ file, text, report, replay string }{
		{"result.json", "", "result.json is not a result, or not all of one: unexpected end of JSON input", ""},
		{"result.json", result[:len(result)/2], "is not a result, or not all of one: unexpected end of JSON input", ""},
		{"result.json", "{}", "result.json is not a result: it has no schema_version", ""},
		{"result.json", "[1]", "result.json is not a result, or not all of one", ""},
		{"result.json", strings.Replace(result, `"seed": 1`, `"seed": "one"`, 1), "is not a result, or not all of one", ""},
		{"result.json", newer, "has schema version 2, and this Lockstorm reads version 1; take the Lockstorm that stored it, version " + cli.Version, ""},
		{"result.json", strings.Replace(newer, `"seed": 1`, `"seed": {"first": 1}`, 1), "has schema version 2", ""},
		{"scenario.yaml", "", "scenario.yaml", ""},
		{"scenario.yaml", before["scenario.yaml"][:900], "scenario.yaml", ""},
		{"history.jsonl", before["history.jsonl"][:400], "", "history.jsonl differs"},
		{"trace.jsonl", "", "", "trace.jsonl differs"},
		{"report.txt", before["report.txt"][:400], "", "report.txt differs"},
	} {
		file := filepath.Join(home, c.file)
		write(t, file, c.text)
		if c.replay == "" {
			c.replay = c.report
		}
		said, errs, code := lockstorm("report", home, "--out", "out")
		if c.report != "" && (code != cli.BadInput || said != "" || !strings.Contains(errs, c.report) || strings.Count(errs, "\n") != 1) {
			t.Errorf("%s of %d bytes: report: exit %d, want %q: %s%s", c.file, len(c.text), code, c.report, said, errs)
		}
		if _, err := os.Stat("out"); c.report != "" && err == nil {
			t.Errorf("%s of %d bytes: a report was written", c.file, len(c.text))
		}
		os.RemoveAll("out")
		if _, errs, code := lockstorm("replay", home); code != cli.BadInput || !strings.Contains(errs, c.replay) {
			t.Errorf("%s of %d bytes: replay: exit %d, want %q: %s", c.file, len(c.text), code, c.replay, errs)
		}
		write(t, file, before[c.file])
	}
	mustRun(t, 0, "replay", home)
}

// The user did not ask for the default store. So if it can't be written, the report is printed and the verdict stays.
func TestUnstoredRunIsStillReported(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "fail.yaml", failing)
	write(t, "store", "a file")
	for args, want := range map[string]int{"run kleppmann/gc-pause": 0, "run fail.yaml": 1, "run kleppmann/gc-pause --runs 3": 0, "run fail.yaml --runs 3 -q": 1} {
		kept, _, _ := lockstorm(append(strings.Fields(args), "--no-store")...)
		out, errs, code := lockstorm(strings.Fields(args)...)
		if code != want || out != kept || !strings.HasPrefix(errs, "lockstorm: not kept: the store store can't be written: ") || strings.Count(errs, "\n") != 1 {
			t.Errorf("%s: exit %d, want %d: %s%swant\n%s", args, code, want, out, errs, kept)
		}
	}
}

// A file that Lockstorm did not write stays as it is. For a target that can't be written, the error says what to do.
func TestNothingIsOverwrittenAndUnwritableTargetsAreReported(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "file", "mine")
	if err := os.MkdirAll("store/kleppmann/gc-pause/1", 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, "store/kleppmann/gc-pause/1/thesis.txt", "mine")
	for _, c := range []struct{ args, says string }{
		{"run kleppmann/gc-pause --store store", "store/kleppmann/gc-pause/1 exists and is not a stored result; choose another with --store DIR, or none with --no-store"},
		{"run kleppmann/gc-pause --seed 2 --store file", "the store file can't be written: "},
		{"run kleppmann/gc-pause --seed 2 --store /dev/null/store", "the store /dev/null/store can't be written: "},
		{"run kleppmann/gc-pause --seed 2 --store /proc/store", "the store /proc/store can't be written: "},
		{"run kleppmann/gc-pause --runs 3 --store /proc/store", "the store /proc/store can't be written: "},
		{"report store/kleppmann/gc-pause/1", "store/kleppmann/gc-pause/1 is not a stored result"},
		{"replay store/kleppmann/gc-pause/1", "store/kleppmann/gc-pause/1 is not a stored result"},
	} {
		out, errs, code := lockstorm(strings.Fields(c.args)...)
		if code != cli.BadInput || out != "" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, c.says) {
			t.Errorf("%s: exit %d, want 254 and %q: %s%s", c.args, code, c.says, out, errs)
		}
	}
	if text := contents(t, "store/kleppmann/gc-pause/1")["thesis.txt"]; text != "mine" {
		t.Errorf("a file of somebody else is now %q", text)
	}
	if found := strings.Join(entries(t, "store"), " "); found != "kleppmann" {
		t.Errorf("the store holds %q", found)
	}
	mustRun(t, 0, "run", "kleppmann/gc-pause", "--seed", "2")
	for _, target := range []string{"file", "file/below", "/dev/null/x", "/proc/x"} {
		if _, errs, code := lockstorm("report", "store/latest", "--out", target); code != cli.BadInput || !strings.Contains(errs, "choose another directory with --out DIR") {
			t.Errorf("report --out %s: exit %d: %s", target, code, errs)
		}
	}
	if text, err := os.ReadFile("file"); err != nil || string(text) != "mine" {
		t.Errorf("the file holds %q, %v", text, err)
	}
}
