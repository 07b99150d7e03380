package command

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/reports/reportstest"
	"github.com/lockstorm/lockstorm/scenarios/campaign/study"
)

// example is a command in the README, and what it prints: text in a fence, Markdown without one.
var example = regexp.MustCompile("(?s)<!-- lockstorm ([^\n]*) -->\n(.*?)<!-- end -->")

// current returns the example as it should be. A table takes minutes to make whole, so without the long proofs it is made
// of few runs: its figures are others then, but it must have the same rows.
func current(t *testing.T, block string) string {
	t.Helper()
	part := example.FindStringSubmatch(block)
	command, head, cut := strings.Cut(part[1], " | head -")
	args := strings.Fields(command)
	brief := strings.HasSuffix(part[1], " --format markdown") && !long && !*reportstest.Update
	if brief {
		if args = append(args, "--runs", "2"); args[0] == "forecast" {
			args = append(args, "--more", "0")
		}
	}
	out, errs, code := lockstorm(args...)
	finds := brief || strings.HasPrefix(part[1], "check ") || strings.HasPrefix(part[1], "fuzz redlock/any ") // which are there to find something
	if code != cli.AsExpected && (code != cli.NotAsExpected || !finds) {
		t.Errorf("lockstorm %s: exit %d\n%s%s", part[1], code, out, errs)
	}
	if brief {
		if got, want := firstCells(out), firstCells(part[2]); len(got) < 3 || !slices.Equal(got, want) {
			t.Errorf("lockstorm %s: its rows are\n%s\nand the page has\n%s", part[1], strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		return block
	}
	if cut {
		n, err := strconv.Atoi(head)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.SplitAfter(out, "\n")
		out = strings.Join(lines[:min(n, len(lines))], "")
	}
	before, after := "\n", "\n"
	if strings.HasPrefix(part[2], "```text\n") {
		before, after = "```text\n", "```\n"
	}
	if !cut { // the README says it before
		after += "\n" + made(part[1]) + "\n"
	}
	return "<!-- lockstorm " + part[1] + " -->\n" + before + strings.TrimRight(out, "\n") + "\n" + after + "<!-- end -->"
}

// studies are what some commands are as studies.
var studies = map[string]string{"matrix": "matrix", "efficiency": "efficiency", "calibrate": "calibration", "bound": "bounds", "sweep": "pause-map"}

// made names the command that makes an example, for whoever reads the page.
func made(command string) string {
	text := "Made by `lockstorm " + command + "`"
	if name, is := studies[strings.Fields(command)[0]]; is {
		text += "; the like as a study: `lockstorm study " + name + "`"
	}
	return text + "."
}

// Whoever reads a page sees which command makes a table, and as which study.
func TestEachTableOfAPageNamesItsCommand(t *testing.T) {
	for _, page := range pages {
		text, err := os.ReadFile(filepath.Join("../../..", page.file))
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range example.FindAllStringSubmatch(string(text), -1) {
			if want := made(part[1]); !strings.Contains(part[1], " | head -") && !strings.HasSuffix(part[2], "\n"+want+"\n") {
				t.Errorf("%s: the example does not end with %q", page.file, want)
			}
		}
	}
	for command, name := range studies {
		if _, is := study.Text(name); !is {
			t.Errorf("%s: there is no study %s", command, name)
		}
	}
}

// firstCells returns the first cell of each row of the tables in Markdown.
func firstCells(text string) (cells []string) {
	for line := range strings.Lines(text) {
		if cell := strings.SplitN(line, " |", 2); strings.HasPrefix(line, "| ") && len(cell) == 2 {
			cells = append(cells, cell[0])
		}
	}
	return cells
}

// The README stays short enough to be read.
func TestTheReadmeIsShort(t *testing.T) {
	text, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if lines, words := strings.Count(string(text), "\n"), len(strings.Fields(string(text))); lines > 200 || words > 2000 {
		t.Errorf("README.md has %d lines and %d words; want at most 200 and 2000", lines, words)
	}
}

// pages are the README and those that it leads to, with how many examples each has.
var pages = []struct {
	file     string
	examples int
}{
	{"README.md", 1},
	{"scenarios/README.md", 3},
	{"scenarios/claims.md", 1},
	{"scenarios/mutants.md", 1},
	{"scenarios/campaign/README.md", 5},
	{"scenarios/campaign/matrix.md", 1},
	{"scenarios/campaign/forecast/README.md", 3},
	{"checker/README.md", 2},
}

// The pages show what their commands print; this keeps them true. Rewrite them with go test ./cmd/internal/command -update.
func TestThePagesShowWhatTheirCommandsPrint(t *testing.T) {
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir() // for the store; the files that commands name are found as from the root of the repository
	if err := os.Symlink(filepath.Join(root, "cmd"), filepath.Join(dir, "cmd")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for _, page := range pages {
		file := filepath.Join(root, page.file)
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		want := example.ReplaceAllStringFunc(string(text), func(block string) string {
			found++
			return current(t, block)
		})
		if found != page.examples {
			t.Errorf("%s has %d examples, want %d", page.file, found, page.examples)
		}
		switch {
		case want == string(text):
		case !*reportstest.Update:
			t.Errorf("the examples of %s are not current: run go test ./cmd/internal/command -update", page.file)
		default:
			if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// The page on judging shows the history that it judges.
func TestThePageOnJudgingShowsTheHistoryThatItJudges(t *testing.T) {
	readme, err := os.ReadFile("../../../checker/README.md")
	if err != nil {
		t.Fatal(err)
	}
	history, err := os.ReadFile("testdata/history.edn")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readme), "```clojure\n"+string(history)+"```\n") {
		t.Error("checker/README.md shows another history than testdata/history.edn")
	}
}
