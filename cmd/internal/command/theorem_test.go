package command

import (
	"os"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/reports/reportstest"
	"github.com/lockstorm/lockstorm/scenarios/campaign/explore"
)

const theoremPage = "../../../scenarios/campaign/explore/theorem.md"

// The page of the table is what the command prints: always for a few locks, whole as a long proof. With -update it is made again.
func TestTheTheoremsPageIsWhatTheCommandPrints(t *testing.T) {
	if long {
		whole := mustRun(t, 0, "explore", "--theorem", "--format", "markdown", "-q")
		if *reportstest.Update {
			write(t, theoremPage, whole)
		}
		if page := fileText(t, theoremPage); page != whole {
			t.Errorf("%s is not current: LOCKSTORM_LONG=1 go test ./cmd/internal/command -run Theorem -update makes it again", theoremPage)
		}
		return
	}
	page := fileText(t, theoremPage)
	for _, lock := range []string{"redlock, renewed", "failover", "sql-row-lock"} {
		out := mustRun(t, 0, "explore", "--theorem", "--lock", lock, "--format", "markdown", "-q")
		if _, section, _ := strings.Cut(out, "\n## "); !strings.Contains(page, "\n## "+section) {
			t.Errorf("the page has other cells of %s than\n## %s", lock, section)
		}
	}
	all, err := explore.Subjects("*")
	if err != nil {
		t.Fatal(err)
	}
	for i := range all {
		at := strings.Index(page, "\n## "+all[i].Name+"\n")
		if at < 0 {
			t.Fatalf("the page has no %s, or not in its place", all[i].Name)
		}
		page = page[at:]
		for _, b := range all[i].Budgets() {
			if !strings.Contains(page, "\n| "+b.String()+" | ") {
				t.Errorf("the page has no %s of %s", b.String(), all[i].Name)
			}
		}
	}
}

func fileText(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestWhatTheTheoremDoesNotTakeIsRefused(t *testing.T) {
	for want, flags := range map[string][]string{
		"--most: --theorem explores locks and bounds of its own":                                       {"--most", "2"},
		"--unbounded: --theorem explores locks and bounds":                                             {"--unbounded"},
		`no lock of the table matches "fencd"`:                                                         {"--lock", "fencd"},
		`"[" is no pattern`:                                                                            {"--lock", "["},
		`"xml" is not one of text, markdown, html, json, csv`:                                          {"--format", "xml"},
		`--theorem explores the locks of its own table, and no "redlock/small"; leave one of them out`: {"redlock/small"},
	} {
		if _, errs, code := lockstorm(with([]string{"explore", "--theorem"}, flags...)...); code != 254 || !strings.Contains(errs, want) {
			t.Errorf("%s: %d %s; want %s", flags, code, errs, want)
		}
	}
	if _, errs, code := lockstorm("explore", "redlock/small", "--lock", "fenced"); code != 254 || !strings.Contains(errs, "--lock goes with --theorem") {
		t.Errorf("%d %s", code, errs)
	}
}
