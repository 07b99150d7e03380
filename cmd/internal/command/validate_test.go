package command

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios"
)

// written puts a text into a file of that name, in a new folder, and returns its path.
func written(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// typedIn puts a text on standard input.
func typedIn(t *testing.T, text string) {
	t.Helper()
	f, err := os.Open(written(t, "stdin", text))
	if err != nil {
		t.Fatal(err)
	}
	was := os.Stdin
	os.Stdin = f
	t.Cleanup(func() { os.Stdin = was; _ = f.Close() })
}

const (
	soundFile  = "title: A pause.\nclients: 2\nwork: {cycles: 1}\nschedule: |\n  when any acquired pause holder for 1ms\nsometimes: [fault-struck]\n"
	brokenFile = "title: a\nclients: two\nnodez: 3\nschedule: |\n  at 1s explode c1\n"
)

func TestEveryScenarioSurvivesItsNewFile(t *testing.T) {
	for i, id := range scenarios.IDs() {
		if !long && i%4 > 0 {
			continue
		}
		out, errs, code := lockstorm("new", id)
		if code != 0 || errs != "" || !strings.HasPrefix(out, "# yaml-language-server: $schema=scenario.schema.json\n") {
			t.Fatalf("new %s: exit %d\n%s%s", id, code, out, errs)
		}
		path := written(t, "my.yaml", out)
		if said := mustRun(t, 0, "validate", path); !strings.HasPrefix(said, path+" is sound: ") || strings.Count(said, "\n") != 1 {
			t.Errorf("%s: %s", id, said)
		}
		want, _ := scenarios.Find(id)
		got, err := scenarios.Open(path)
		if got.ID = want.ID; err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s does not come back: %v", id, err)
		}
	}
}

func TestFileIsRunAndTestedLikeACatalogueScenario(t *testing.T) {
	path, dir := written(t, "my.yaml", soundFile), t.TempDir()
	out, errs, code := lockstorm("run", path, "--store", dir, "--seed", "3")
	if code != 0 || errs != "" || !strings.Contains(out, "my, seed 3\n") || !strings.Contains(out, "PASS: nine promises hold.") || !strings.Contains(out, "run "+path+" --seed 3") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	if found := entries(t, filepath.Join(dir, "my", "3")); len(found) < 5 {
		t.Errorf("it leaves %v", found)
	}
	out, errs, code = lockstorm("test", path, "baseline/fault-free", "--runs", "3")
	if code != 0 || errs != "" || !strings.Contains(out, "2 of 2 scenarios as expected") {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
	wrong := written(t, "wrong.yaml", soundFile+"expect: {belief: violated}\n")
	for _, args := range [][]string{{"run", wrong, "--no-store"}, {"test", wrong, "--runs", "2"}} {
		if out := mustRun(t, 1, args...); !strings.Contains(out, "FAIL") {
			t.Error(out)
		}
	}
}

func TestFileCanComeFromStandardInput(t *testing.T) {
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"validate", "-"}, "- is sound: A pause.\n"},
		{[]string{"run", "-", "--no-store", "--quiet"}, "stdin"},
		{[]string{"test", "-", "--runs", "2"}, "1 of 1 scenario as expected"},
	} {
		typedIn(t, soundFile)
		if out := mustRun(t, 0, c.args...); !strings.Contains(out, c.says) {
			t.Errorf("%v: %s", c.args, out)
		}
	}
	typedIn(t, brokenFile)
	if _, errs, code := lockstorm("validate", "-"); code != 254 || !strings.Contains(errs, "stdin:2:10: found \"two\"") {
		t.Errorf("exit %d\n%s", code, errs)
	}
}

// What is wrong goes to standard error, and nothing to standard output.
func TestEveryCommandRejectsABrokenFile(t *testing.T) {
	path := written(t, "my.yaml", brokenFile)
	says := path + ":2:10: found \"two\"; want a whole number for clients\n" +
		path + ":3:1: there is no \"nodez\"; did you mean nodes?\n" +
		path + ":5:9: found \"explode\"; want one of pause,"
	for _, command := range []string{"validate", "run"} { // test has a failed case
		out, errs, code := lockstorm(command, path)
		if code != 254 || out != "" || !strings.Contains(errs, says) || !strings.HasPrefix(errs, "lockstorm: ") {
			t.Errorf("%s: exit %d\n%s%s\nwant %s", command, code, out, errs, says)
		}
	}
}

// Sound files are listed on standard output, next to the others.
func TestValidateReportsEachFile(t *testing.T) {
	sound, broken := written(t, "sound.yaml", soundFile), written(t, "broken.yml", "title: 5\n")
	out, errs, code := lockstorm("validate", broken, sound, broken)
	if code != 254 || out != sound+" is sound: A pause.\n" || strings.Count(errs, broken+":1:8: found \"5\"; want text for title; put it in quotes\n") != 2 {
		t.Errorf("exit %d\n%s%s", code, out, errs)
	}
}

func TestTheSchemaIsPrinted(t *testing.T) {
	out, errs, code := lockstorm("new", "--schema")
	if code != 0 || errs != "" || out != string(scenarios.Schema()) {
		t.Errorf("exit %d, %d bytes, %s", code, len(out), errs)
	}
}

func TestWrongUseOfFilesGetsOneLineErrors(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("folder.yaml", 0o700); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ command, says string }{
		{"run missing.yaml", "missing.yaml can't be read: no such file or directory"},
		{"test missing.yml", "missing.yml can't be read: no such file or directory"},
		{"validate missing.yaml", "missing.yaml can't be read: no such file or directory"},
		{"run folder.yaml", "folder.yaml can't be read: it is a directory"},
		{"test folder.yaml", "folder.yaml can't be read: it is a directory"},
		{"validate folder.yaml", "folder.yaml can't be read: it is a directory"},
		{"validate", "lockstorm validate takes one FILE or FOLDER or more"},
		{"validate kleppmann/gc-pause", "no file or folder is named kleppmann/gc-pause"},
		{"validate my.json", "no file or folder is named my.json"},
		{"new kleppman/gc-pause", `there is no scenario "kleppman/gc-pause"; did you mean kleppmann/gc-pause?`},
		{"new", "new: the ID is missing; lockstorm list names them, and --schema prints the schema"},
		{"new baseline/fault-free kleppmann/gc-pause", "lockstorm new takes one ID at most, not 2"},
		{"new my.yaml", `there is no scenario "my.yaml"; see lockstorm list`},
		{"run xyzzy", `there is no scenario "xyzzy"; see lockstorm list`},
		{"test xyzzy", `no scenario matches "xyzzy"`},
		{"new --schema more", `--schema: all scenarios have one schema; leave out more`},
	} {
		out, errs, code := lockstorm(strings.Fields(c.command)...)
		if code != 254 || out != "" || !strings.HasPrefix(errs, "lockstorm: ") || !strings.Contains(errs, c.says) || strings.Count(errs, "\n") != 1 {
			t.Errorf("lockstorm %s\nexit %d, want 254 and one line that says %q: %s%s", c.command, code, c.says, out, errs)
		}
	}
}

// A device has no end, and a file of ten megabytes no reader: neither is read whole.
func TestTooLongFileIsNotReadToItsEnd(t *testing.T) {
	path := written(t, "big.yaml", strings.Repeat("[", 10<<20))
	if _, errs, code := lockstorm("validate", path); code != 254 || !strings.Contains(errs, "big.yaml:1:1: the file has more than 65536 bytes") {
		t.Errorf("exit %d: %.200s", code, errs)
	}
}

// The files that the README and its page on files show are sound, and go as they expect with every seed.
func TestFilesOfThePagesRunAsExpected(t *testing.T) {
	readme, err := os.ReadFile("../../../README.md")
	page, bad := os.ReadFile("../../../scenarios/files.md")
	if err != nil || bad != nil {
		t.Fatal(err, bad)
	}
	readme = append(readme, page...)
	files := slices.DeleteFunc(strings.Split(string(readme), "```yaml\n")[1:], func(block string) bool {
		return !strings.Contains(strings.Split(block, "```")[0], "title:") // another tool's file
	})
	if len(files) < 3 {
		t.Errorf("it shows %d files", len(files))
	}
	for _, file := range files {
		text, _, _ := strings.Cut(file, "```")
		path := written(t, "my.yaml", text)
		mustRun(t, 0, "validate", path)
		if out, errs, code := lockstorm("test", path, "--runs", "50"); code != 0 {
			t.Errorf("exit %d\n%s%s\n%s", code, text, out, errs)
		}
	}
}
