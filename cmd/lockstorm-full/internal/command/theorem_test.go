package command

import (
	"encoding/csv"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/reports/reportstest"
	"github.com/lockstorm/lockstorm/reports/site/theorem"
	"github.com/lockstorm/lockstorm/sim/simtest"
)

const theoremPage, theoremData = "../../../../scenarios/campaign/explore/theorem.md", "../../../../scenarios/campaign/explore/theorem.csv"

// The page of the table and the data of its cells equal the command's output: always for a few locks, and for all as a
// long proof. With -update they are made again.
func TestTheoremPageEqualsTheCommandsOutput(t *testing.T) {
	if simtest.Long {
		for file, format := range map[string]string{theoremPage: "markdown", theoremData: "csv"} {
			whole := mustRun(t, 0, "theorem", "--format", format, "-q")
			if *reportstest.Update {
				write(t, file, whole)
			}
			if text := fileText(t, file); text != whole {
				t.Errorf("%s is not current: LOCKSTORM_LONG=1 go -C cmd/lockstorm-full test ./internal/command -run Theorem -update makes it again", file)
			}
		}
		return
	}
	data := fileText(t, theoremData)
	for _, lock := range []string{"redlock, renewed", "failover", "sql-row-lock"} {
		out := mustRun(t, 0, "theorem", "--lock", lock, "--format", "csv", "-q")
		if _, cells, _ := strings.Cut(out, "\n"); !strings.Contains(data, cells) {
			t.Errorf("%s has other cells of %s than\n%s", theoremData, lock, cells)
		}
	}
	all, err := theorem.Subjects("*")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(data)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	page := fileText(t, theoremPage)
	for i := range all {
		if !strings.Contains(page, "\n| "+all[i].Name+" | ") {
			t.Errorf("the page has no %s", all[i].Name)
		}
		for _, b := range all[i].Budgets() {
			if rows = rows[1:]; len(rows) == 0 || rows[0][0] != all[i].Name || rows[0][1] != b.String() {
				t.Fatalf("%s has no %s of %s, or not in its place", theoremData, b.String(), all[i].Name)
			}
		}
	}
}

func TestTheoremRejectsBadInput(t *testing.T) {
	for want, flags := range map[string][]string{
		`no lock of the table matches "fencd"`:                {"--lock", "fencd"},
		`"[" is not a pattern`:                                {"--lock", "["},
		`"xml" is not one of text, markdown, html, json, csv`: {"--format", "xml"},
		`theorem takes no argument`:                           {"redlock/small"},
	} {
		if _, errs, code := lockstorm(with([]string{"theorem"}, flags...)...); code != 254 || !strings.Contains(errs, want) {
			t.Errorf("%s: %d %s; want %s", flags, code, errs, want)
		}
	}
}

func TestShellCompletesLocks(t *testing.T) {
	if out := mustRun(t, 0, "__complete", "theorem", "--lock", "redlock,"); !strings.Contains(out, "redlock, no disk\t") {
		t.Error(out)
	}
}
