package command

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/reports/reportstest"
	"github.com/lockstorm/lockstorm/reports/site/paper"
	"github.com/lockstorm/lockstorm/scenarios/campaign/study"
	"github.com/lockstorm/lockstorm/sim/simtest"
)

// current returns the example as it should be. A whole table takes minutes, so without the long proofs the test makes
// it from few runs: its figures differ then, but it must have the same rows.
func current(t *testing.T, block paper.Snippet) string {
	t.Helper()
	args := block.Args()
	brief := strings.HasSuffix(block.Command, " --format markdown") && !simtest.Long && !*reportstest.Update
	if brief && args[0] == "blackbox" { // which promises break in a few runs is another table; it has a separate test
		return block.Whole
	}
	if brief {
		if args = append(args, "--runs", "2"); args[0] == "forecast" {
			args = append(args, "--more", "0")
		}
	}
	out, errs, code := lockstorm(args...)
	finds := brief || args[0] == "check" || strings.HasPrefix(block.Command, "fuzz redlock/any ") // which are there to find something
	if code != cli.AsExpected && (code != cli.NotAsExpected || !finds) {
		t.Errorf("lockstorm %s: exit %d\n%s%s", block.Command, code, out, errs)
	}
	if brief {
		if got, want := firstCells(out), firstCells(block.Text); len(got) < 3 || !slices.Equal(got, want) {
			t.Errorf("lockstorm %s: its rows are\n%s\nand the page has\n%s", block.Command, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		return block.Whole
	}
	return block.With(out)
}

// pages are the pages that show what commands print, with their texts, by their names from the root. They are the
// pages that paper makes again.
func pages(t *testing.T) (names []string, texts map[string]string) {
	t.Helper()
	root := os.DirFS(filepath.Join("..", "..", "..", ".."))
	items, err := paper.Items(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	texts = map[string]string{}
	for _, i := range items {
		if i.Kind != paper.Example || texts[i.Page] != "" {
			continue
		}
		text, err := fs.ReadFile(root, i.Page)
		if err != nil {
			t.Fatal(err)
		}
		names, texts[i.Page] = append(names, i.Page), string(text)
	}
	if len(names) < 6 {
		t.Fatalf("only %v have examples", names)
	}
	return names, texts
}

// A reader of a page sees which command makes a table, and as which study.
func TestEachTableNamesItsCommand(t *testing.T) {
	names, texts := pages(t)
	for _, page := range names {
		blocks := paper.Snippets(texts[page])
		if begun := strings.Count(texts[page], "<!-- lockstorm"); begun != len(blocks) {
			t.Errorf("%s begins %d examples, and %d are whole", page, begun, len(blocks))
		}
		for _, b := range blocks {
			if want := b.Made(); !strings.Contains(b.Command, " | head -") && !strings.HasSuffix(b.Text, "\n"+want+"\n") {
				t.Errorf("%s: the example does not end with %q", page, want)
			}
		}
	}
	for command, name := range paper.Studies {
		if _, is := study.Text(name); !is {
			t.Errorf("%s: there is no study %s", command, name)
		}
	}
}

// Each CSV file that a page links to equals its command's output. Without the long proofs the slow ones are left out.
func TestEachCSVFileEqualsItsCommandsOutput(t *testing.T) {
	root := filepath.Join("..", "..", "..", "..")
	items, err := paper.Items(os.DirFS(root), nil)
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, i := range items {
		// a separate test covers the data of figures
		if i.Kind != paper.Data || slices.Contains(i.Command, "--figures") || i.Cost > 5 && !simtest.Long {
			continue
		}
		compared++
		got, errs, code := lockstorm(i.Command...)
		file := filepath.Join(root, i.File)
		switch {
		case code != 0:
			t.Errorf("%s: lockstorm %s: exit %d: %s", i.File, strings.Join(i.Command, " "), code, errs)
		case *reportstest.Update:
			write(t, file, got)
		case got != fileText(t, file):
			t.Errorf("%s is not what lockstorm %s prints: go -C cmd/lockstorm-full test ./internal/command -run EachCSV -update", i.File, strings.Join(i.Command, " "))
		}
	}
	if compared < 3 {
		t.Errorf("%d CSV files were compared", compared)
	}
}

// The page of claims has a line for each party, with the scenarios by what the finding about their claim begins with.
func TestClaimsAreSortedByTheirFindings(t *testing.T) {
	var rows strings.Builder
	for part := range strings.SplitSeq(fileText(t, "../../../../scenarios/claims.csv"), "\n\n") {
		table, err := csv.NewReader(strings.NewReader(part)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		by := map[string][]string{}
		for _, row := range table[1:] {
			finding, _, _ := strings.Cut(row[3], " ")
			by[finding] = append(by[finding], "`"+row[1]+"`")
		}
		party := strings.TrimPrefix(table[0][0], "claimed by ")
		fmt.Fprintf(&rows, "| %s | %s | %s | %s |\n", party, list(by["Holds"]), list(by["Not"]), list(by["Depends"]))
		if n := len(by["Holds"]) + len(by["Not"]) + len(by["Depends"]); n != len(table)-1 {
			t.Errorf("%s: %d of %d findings begin with a verdict", party, n, len(table)-1)
		}
	}
	if page := fileText(t, "../../../../scenarios/claims.md"); !strings.Contains(page, rows.String()+"\n") {
		t.Errorf("scenarios/claims.md should have the rows\n%s", rows.String())
	}
	mutants := strings.Count(fileText(t, "../../../../scenarios/mutants.csv"), "\n") - 1
	if want := fmt.Sprintf("All %d mutants break", mutants); !strings.Contains(fileText(t, "../../../../scenarios/mutants.md"), want) {
		t.Errorf("scenarios/mutants.md does not say %q", want)
	}
}

func list(names []string) string { return cmp.Or(strings.Join(names, ", "), "–") }

// firstCells returns the first cell of each row of the tables in Markdown.
func firstCells(text string) (cells []string) {
	for line := range strings.Lines(text) {
		if cell := strings.SplitN(line, " |", 2); strings.HasPrefix(line, "| ") && len(cell) == 2 {
			cells = append(cells, cell[0])
		}
	}
	return cells
}

// The pages show what their commands print. Without LOCKSTORM_LONG only README and the page of the checker are
// compared. Rewrite them with go -C cmd/lockstorm-full test ./internal/command -update.
func TestPagesShowTheOutputOfTheirCommands(t *testing.T) {
	names, texts := pages(t)
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir() // for the store; the files that commands name are found as from the root of the repository
	if err := os.Symlink(filepath.Join(root, "cmd"), filepath.Join(dir, "cmd")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for _, page := range names {
		if !simtest.Long && !*reportstest.Update && page != "README.md" && page != "checker/README.md" {
			continue
		}
		want := texts[page]
		for _, b := range paper.Snippets(want) {
			want = strings.Replace(want, b.Whole, current(t, b), 1)
		}
		switch {
		case want == texts[page]:
		case !*reportstest.Update:
			t.Errorf("the examples of %s are not current: run go -C cmd/lockstorm-full test ./internal/command -update", page)
		default:
			if err := os.WriteFile(filepath.Join(root, page), []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
