package command

import (
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
)

var (
	exampleLine = regexp.MustCompile(`(?m)^  lockstorm (.*)$`)
	quick       = regexp.MustCompile(`^(forecast environment |live --doctor|paper)`)
	// endless are examples that serve until they are stopped, that need a server or a library of the reader's, or that
	// write the site: other tests run these commands.
	endless = regexp.MustCompile(`^(serve|live|site)`)
	// cheaper are options that examples get here so that they take seconds.
	cheaper = []struct{ example, options string }{
		{"forecast redlock-", " --more 0 --runs 20"},
		{"forecast redlock -e cloud --advise", " --more 0 --runs 20"},
		{"forecast redlock ", " --more 0 --runs 20"},
		{"paper", " --sources sources"},
	}
)

// Each example of each help is a command line that its command takes, and the examples that end by themselves run. The
// dear ones run in the long tests only.
func TestEveryExampleOfTheHelpRuns(t *testing.T) {
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.Symlink(root, "sources"); err != nil {
		t.Fatal(err)
	}
	out := mustRun(t, 0, "forecast", "environment", "show", "cloud", "--file")
	write(t, "my.yaml", out)
	ran := 0
	for _, g := range groups() {
		for _, c := range g.Commands {
			for _, text := range append([]string{c.Long}, longOf(c)...) {
				for _, m := range exampleLine.FindAllStringSubmatch(text, -1) {
					line, _, _ := strings.Cut(m[1], " #")
					line, _, _ = strings.Cut(line, " > ")
					takes(t, c, strings.TrimSpace(line))
					if run(t, strings.TrimSpace(line)) {
						ran++
					}
				}
			}
		}
	}
	if ran < 6 || simtest.Long && ran < 12 {
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

// run carries out an example that ends by itself, and reports whether it did.
func run(t *testing.T, line string) bool {
	t.Helper()
	if !quick.MatchString(line) && (endless.MatchString(line) || !simtest.Long) {
		return false
	}
	for _, x := range cheaper {
		if strings.HasPrefix(line, x.example) {
			line = strings.Replace(line, " --more 20000", "", 1) + x.options
			break
		}
	}
	if _, errs, code := lockstorm(words(t, line)...); code == cli.BadInput || code == cli.OwnFault {
		t.Errorf("%s: exit %d: %s", line, code, errs)
	}
	return true
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
