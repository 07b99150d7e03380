package command

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/sim/simtest"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

var (
	exampleLine = regexp.MustCompile(`(?m)^  lockstorm (.*)$`)
	quick       = regexp.MustCompile(`^(forecast environment |live --doctor|live kleppmann/gc-pause( --scale.*)?$|paper|serve|` +
		`site public$)`)
	// cheaper are options that examples get here so that they take seconds.
	cheaper = []struct{ example, options string }{
		{"forecast redlock-", " --more 0 --runs 20"},
		{"forecast redlock -e cloud --advise", " --more 0 --runs 20"},
		{"forecast redlock ", " --more 0 --runs 20"},
		{"live --lock", " --for 1ms"},
		{"live 'distlock/*'", " --for 1ms --attempts 1"},
		{"live --agree", " --runs 1"},
		{"paper", " --sources sources"},
		{"site", " --sources sources"},
	}
)

// node is a lock in JavaScript, which leaves the work to the one in Python.
const node = `require("child_process").spawn("python3", ["mylock.py"], {stdio: "inherit"})`

// Each example of each help is a command line that its command takes, and it runs. The dear ones run in the long tests
// only. A live run needs its servers, and the language of its adapter.
func TestEveryExampleOfTheHelpRuns(t *testing.T) {
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	lock := read(t, "testdata/plain.py")
	home := t.TempDir()
	t.Chdir(home)
	t.Setenv("HOME", home) // where an example has its redis-server
	if err := os.Symlink(root, "sources"); err != nil {
		t.Fatal(err)
	}
	out := mustRun(t, 0, "forecast", "environment", "show", "cloud", "--file")
	for file, text := range map[string]string{ // order: the files are separate
		"my.yaml": out, "adapter.py": lock, "mylock.py": lock, "mylock.js": node,
	} {
		write(t, file, text)
	}
	for _, store := range []string{"store", "hunt"} {
		mustRun(t, 0, "run", "kleppmann/gc-pause", "--store", store, "--quiet")
	}
	ran := 0
	for _, g := range groups() {
		for _, c := range g.Commands {
			for _, text := range append([]string{c.Long}, longOf(c)...) {
				for _, m := range exampleLine.FindAllStringSubmatch(text, -1) {
					line, _, _ := strings.Cut(m[1], " #")
					line, _, _ = strings.Cut(line, " > ")
					line = strings.TrimSpace(line)
					takes(t, c, line)
					if quick.MatchString(line) || simtest.Long {
						ran++
						t.Run(line, func(t *testing.T) { run(t, line) })
					}
				}
			}
		}
	}
	if ran < 12 || simtest.Long && ran < 24 {
		t.Errorf("only %d examples ran", ran)
	}
}

// longOf returns what the help says of the commands below one.
func longOf(c *cobra.Command) (all []string) {
	for _, sub := range c.Commands() {
		all = append(append(all, sub.Long), longOf(sub)...)
	}
	return all
}

// takes reports an error if the command or one below it does not take a line.
func takes(t *testing.T, c *cobra.Command, line string) {
	t.Helper()
	args := words(t, line)[1:]
	for len(args) > 0 {
		i := slices.IndexFunc(c.Commands(), func(sub *cobra.Command) bool { return sub.Name() == args[0] })
		if i < 0 {
			break
		}
		c, args = c.Commands()[i], args[1:]
	}
	if err := c.ParseFlags(args); err != nil {
		t.Errorf("%s: %v", line, err)
	} else if err := c.ValidateArgs(c.Flags().Args()); err != nil {
		t.Errorf("%s: %v", line, err)
	}
}

// run carries out an example.
func run(t *testing.T, line string) {
	t.Helper()
	if strings.HasPrefix(line, "serve") {
		open(t, line)
		return
	}
	if strings.HasPrefix(line, "live ") && !strings.Contains(line, "--doctor") {
		equip(t, line)
	}
	for _, x := range cheaper {
		if strings.HasPrefix(line, x.example) {
			line = strings.Replace(line, " --more 20000", "", 1) + x.options
			break
		}
	}
	if strings.HasPrefix(line, "site") && !simtest.Long {
		line += " --runs 0 --no-playground"
	}
	if out, errs, code := lockstorm(words(t, line)...); code == cli.BadInput || code == cli.OwnFault {
		t.Errorf("%s: exit %d: %s", line, code, errs)
	} else if out == "" {
		t.Errorf("%s: it prints nothing, but for %s", line, errs)
	}
}

// open looks at what serve shows, on a free port because another process may use the named one.
func open(t *testing.T, line string) {
	t.Helper()
	need.Loopback(t, "nothing is served")
	s := served(t, words(t, strings.Replace(line, ":8080", ":0", 1))[1:]...)
	answer, err := http.Get(s.url)
	if err != nil {
		t.Fatal(err)
	}
	page, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	if err != nil || answer.StatusCode != http.StatusOK || !strings.Contains(string(page), "kleppmann/gc-pause") {
		t.Errorf("%s: %s, %v\n%s", line, answer.Status, err, page)
	}
	s.end(t, os.Interrupt)
}

// equip skips a live example whose programs are missing, and puts redis-server where the example has it.
func equip(t *testing.T, line string) {
	t.Helper()
	need.Loopback(t, "nothing is run live")
	needRedis(t)
	if strings.Contains(line, "python3 ") || strings.Contains(line, "node ") {
		need.Program(t, "no lock in Python is run live", "python3")
	}
	if strings.Contains(line, "node ") {
		need.Program(t, "no lock in JavaScript is run live", "node")
	}
	if strings.Contains(line, "~/redis/src/") {
		err := os.MkdirAll("redis/src", 0o700)
		if err == nil {
			err = os.Symlink(need.Program(t, "nothing is run live on Redis", "redis-server"), "redis/src/redis-server")
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// words splits a line as a shell does.
func words(t *testing.T, line string) []string {
	t.Helper()
	out, err := exec.Command("sh", "-c", `for w in `+line+`; do printf '%s\n' "$w"; done`).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
}
