package command

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
)

var drawnFiles = []string{"report.html", "sequence.svg", "timeline.svg"}

func TestReportDrawsAStoredResult(t *testing.T) {
	t.Chdir(t.TempDir())
	mustRun(t, 0, "run", "kleppmann/clock-jump", "--seed", "4")
	home := filepath.Join("store", "kleppmann", "clock-jump", "4")
	before := contents(t, home)
	told := mustRun(t, 0, "report", "store/latest", "--out", "out/a")
	after, drawn := contents(t, home), contents(t, "out/a")
	if len(drawn) != len(drawnFiles) || len(after) != len(before) {
		t.Errorf("the report has %d files, and the store %d, where it had %d", len(drawn), len(after), len(before))
	}
	for _, name := range drawnFiles {
		if drawn[name] == "" || !strings.Contains(told, filepath.Join("out", "a", name)+"\n") {
			t.Errorf("%s has %d bytes, and it told\n%s", name, len(drawn[name]), told)
		}
	}
	for _, name := range []string{"report.html", "timeline.svg"} {
		if drawn[name] != before[name] {
			t.Errorf("%s is another than the one that run has kept", name)
		}
	}
	mustRun(t, 0, "report", home)
	mustRun(t, 0, "report", home)
	for name, text := range contents(t, home) {
		if text != before[name] && text != drawn[name] {
			t.Errorf("%s is another in the store", name)
		}
	}
	if all := entries(t, home); len(all) != len(before)+1 {
		t.Errorf("the store holds %q", all)
	}
	mustRun(t, 0, "replay", home)
}

func TestReportRejectsUnverifiableResults(t *testing.T) {
	t.Chdir(t.TempDir())
	mustRun(t, 0, "run", "kleppmann/gc-pause")
	home := filepath.Join("store", "kleppmann", "gc-pause", "1")
	result := contents(t, home)["result.json"]
	scenario := contents(t, home)["scenario.yaml"]
	for says, spoil := range map[string]func(){
		"is not a stored result": func() { os.Remove(filepath.Join(home, "result.json")) },
		"is not whole":           func() { os.Remove(filepath.Join(home, "scenario.yaml")) },
		"unexpected end":         func() { write(t, filepath.Join(home, "result.json"), result[:len(result)/2]) },
		"schema version 99":      func() { write(t, filepath.Join(home, "result.json"), strings.Replace(result, `n": 1`, `n": 99`, 1)) },
		"the hash of another run": func() {
			write(t, filepath.Join(home, "result.json"), strings.Replace(result, `"hash": "`, `"hash": "0`, 1))
		},
		"made by another version of the program, 0.0.1 of build " + cli.Build() + ", and this is " + cli.Named(): func() {
			write(t, filepath.Join(home, "result.json"), strings.Replace(strings.Replace(result, `"`+cli.Version+`"`, `"0.0.1"`, 1), `"hash": "`, `"hash": "0`, 1))
		},
		"changed since the run": func() { write(t, filepath.Join(home, "scenario.yaml"), scenario+"\n") },
	} {
		spoil()
		out, errs, code := lockstorm("report", home, "--out", "out")
		if code != cli.BadInput || !strings.Contains(errs, says) || out != "" || strings.Count(errs, "\n") != 1 {
			t.Errorf("exit %d, want 254 and %q: %s%s", code, says, out, errs)
		}
		write(t, filepath.Join(home, "result.json"), result)
		write(t, filepath.Join(home, "scenario.yaml"), scenario)
	}
	if _, err := os.Stat("out"); err == nil {
		t.Error("a report was written all the same")
	}
	for _, args := range [][]string{{"report"}, {"report", home, home}, {"report", home, "--out", ""}, {"report", "nowhere"}} {
		if _, errs, code := lockstorm(args...); code != cli.BadInput || strings.Count(errs, "\n") != 1 {
			t.Errorf("%q: exit %d: %s", args, code, errs)
		}
	}
}

func TestReportOverwritesOnlyFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	mustRun(t, 0, "run", "kleppmann/gc-pause")
	write(t, "mine.txt", "mine")
	for what, place := range map[string]func() error{
		"a directory": func() error { return os.MkdirAll(filepath.Join("out", "timeline.svg", "mine"), 0o755) },
		"a link":      func() error { return os.Symlink(filepath.Join("..", "mine.txt"), filepath.Join("out", "timeline.svg")) },
	} {
		os.RemoveAll("out")
		os.Mkdir("out", 0o755)
		if err := place(); err != nil {
			t.Fatal(err)
		}
		_, errs, code := lockstorm("report", "store/latest", "--out", "out")
		if code != cli.BadInput || !strings.Contains(errs, "timeline.svg exists and is not a file") || len(entries(t, "out")) != 1 {
			t.Errorf("%s in its place: exit %d, and there is %q: %s", what, code, entries(t, "out"), errs)
		}
	}
	if text, _ := os.ReadFile("mine.txt"); string(text) != "mine" {
		t.Errorf("a file that a link points at became %q", text)
	}
	if _, errs, code := lockstorm("report", "store/latest", "--out", "mine.txt"); code != cli.BadInput || !strings.Contains(errs, "--out DIR") {
		t.Errorf("exit %d: %s", code, errs)
	}
}

var image = regexp.MustCompile(`!\[[^]]+\]\((reports/pictures/gc-pause\.([^)]+))\)`)

// The README's picture equals the one in a report of its first command.
func TestReadmeShowsAPictureOfItsFirstRun(t *testing.T) {
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	mustRun(t, 0, "run", "kleppmann/gc-pause")
	mustRun(t, 0, "report", "store/latest")
	all := image.FindAllStringSubmatch(string(readme), -1)
	if len(all) != 1 {
		t.Errorf("the README shows %d pictures, want 1", len(all))
	}
	for _, m := range all {
		shown, err := os.ReadFile(filepath.Join(root, m[1]))
		if drawn, _ := os.ReadFile(filepath.Join("store", "latest", m[2])); err != nil || string(drawn) != string(shown) {
			t.Errorf("%s is not current: run go test ./reports/runs -update, and look at it: %v", m[1], err)
		}
	}
}
