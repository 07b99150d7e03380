package command

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/sim/simtest"
)

// before are the lines that make what the examples of a command name, before they run.
var before = map[string][]string{ // looked up, never ranged over
	"test": {"new kleppmann/gc-pause > my.yaml", "mkdir locks", "mkdir locks/redis",
		"new baseline/fault-free > locks/a.yaml",
		"new baseline/fault-free > locks/redis/a.yaml", "mkdir store"},
	"fuzz":    {"new redlock/any > my.yaml"},
	"shrink":  {"new kleppmann/clock-jump > my.yaml", "run kleppmann/gc-pause --set work.recheck=true"},
	"explore": {"new redlock/small > my.yaml"},
	"study":   {"study pause --show > my.yaml"},
	"export":  {"run redlock/any --runs 20 --store rows"},
	"report":  {},
	"new":     {},
	"validate": {"new kleppmann/gc-pause > my.yaml", "mkdir my-scenarios",
		"new baseline/fault-free > my-scenarios/a.yaml"},
	"check": {"run kleppmann/gc-pause"},
}

// dear are examples that take long although they run few seeds.
var dear = regexp.MustCompile(`^(debate|test( kleppmann| --.*)?$|study( --.*)?$|study matrix|sweep|` +
	`explore my.yaml( --deviations.*)?$|test '\*pause)`)

// cheap are flags that make an example longer, and the values that they have here.
var cheap = []struct {
	flag *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`--runs \d+`), "--runs 3"},
	{regexp.MustCompile(`--budget \d+`), "--budget 300"},
	{regexp.MustCompile(`--for \d+m`), "--for 300ms"},
}

// finds are the commands with examples that show a violation, which end with 1.
var finds = []string{"lockstorm", "run", "fuzz", "check", "shrink", "explore", "arithmetic"}

// few adds a number of runs to an example whose usual number is large.
func few(line string) string {
	if strings.Contains(line, "--runs") || strings.Contains(line, "--for") || strings.Contains(line, "--resume") {
		return line
	}
	for _, name := range []string{"test", "fuzz", "debate", "study pause", "study matrix", "study my.yaml", "sweep"} {
		if line == name || strings.HasPrefix(line, name+" ") && !strings.Contains(line, "--show") {
			return strings.Replace(line, name, name+" --runs 2", 1)
		}
	}
	return line
}

const (
	register = "{:index 0, :time 1, :process 0, :type :invoke, :f :cas, :value [0 1]}\n" +
		"{:index 1, :time 2, :process 0, :type :ok, :f :cas, :value [0 1]}\n"
	rules = "import sys\nfor line in sys.stdin:\n    w = line.split()\n" +
		"    print(int(w[1]) // 2 + 1 if w[0] == 'quorum' else 'unknown', flush=True)\n"
)

// Every example of every help does what it should, with few runs. The dear ones run in the long tests only.
func TestEveryExampleOfTheHelpRuns(t *testing.T) {
	history, err := os.ReadFile("testdata/history.edn")
	if err != nil {
		t.Fatal(err)
	}
	root, n := newRoot(), 0
	var examples func(c *cobra.Command)
	examples = func(c *cobra.Command) {
		if c.Example != "" {
			t.Run(c.Name(), func(t *testing.T) {
				t.Chdir(t.TempDir())
				for name, text := range map[string]string{ // order: the files are separate
					"history.edn": string(history), "register.edn": register, "rules.py": rules,
				} {
					if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				for _, line := range before[c.Name()] {
					if errs, code := shell(t, line); code == cli.BadInput || code == cli.OwnFault {
						t.Fatalf("%s: exit %d: %s", line, code, errs)
					}
				}
				adapt(t, c.Name())
				for line := range strings.Lines(c.Example) {
					line, known := strings.CutPrefix(strings.TrimSpace(line), cli.Name+" ")
					if !known || !simtest.Long && dear.MatchString(line) {
						continue
					}
					n++
					for _, x := range cheap {
						line = x.flag.ReplaceAllString(line, x.with)
					}
					line = strings.ReplaceAll(few(line), "/tmp/", "")
					errs, code := shell(t, line)
					unknown := code == 2 && strings.Contains(line, "--budget")
					if code != 0 && !unknown && (code != 1 || !slices.Contains(finds, c.Name())) {
						t.Errorf("%s: exit %d: %s", line, code, errs)
					}
				}
			})
		}
		for _, sub := range c.Commands() {
			examples(sub)
		}
	}
	examples(root)
	if n < 30 {
		t.Errorf("only %d examples ran", n)
	}
}

// adapt makes a file suit examples: an exploration with one attempt, and a history with reads.
func adapt(t *testing.T, command string) {
	t.Helper()
	var from, to, old string
	switch command {
	case "explore":
		from, to, old = "my.yaml", "my.yaml", "acquired-by-two"
	case "check":
		from, to, old = "store/latest/history.edn", "history.edn", "not in it"
	default:
		return
	}
	text, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, []byte(strings.ReplaceAll(string(text), ", "+old, "")), 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// shell carries out a line of an example: a command of this program, whose output may go to a file, or mkdir.
func shell(t *testing.T, line string) (errs string, code int) {
	t.Helper()
	if dir, is := strings.CutPrefix(line, "mkdir "); is {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		return "", 0
	}
	command, file, redirected := strings.Cut(line, " > ")
	words, err := exec.Command("sh", "-c", `for w in `+command+`; do printf '%s\n' "$w"; done`).Output()
	if err != nil {
		t.Fatal(err)
	}
	var o, e bytes.Buffer
	code = Run(strings.Split(strings.TrimSuffix(string(words), "\n"), "\n"), &o, &e)
	if redirected {
		if err := os.WriteFile(file, o.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return e.String(), code
}
