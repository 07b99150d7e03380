package findings_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// Each row of the record names a reproduction that the tests of this repository have, so CI or the nightly run runs it.
// A row that is not known upstream has a report for its maintainers, and the others have a number there. No cell is
// empty.
func TestEachRowOfTheRecordHasItsReproductionAndReport(t *testing.T) {
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	tests := declared(t, "*_test.go", "../litestream/*_test.go", "../../live/services/*_test.go")
	rows, known, reports := 0, 0, map[string]bool{}
	for line := range strings.Lines(string(page)) {
		cells := strings.Split(line, " | ")
		if len(cells) < 9 || !regexp.MustCompile(`\d`).MatchString(cells[0]) {
			continue
		}
		rows++
		if n := fmt.Sprint(rows); strings.Trim(strings.SplitN(cells[0], "](", 2)[0], "| [") != n {
			t.Errorf("row %s begins with %s", n, cells[0])
		}
		if name := strings.Trim(cells[6], "`"); !tests[name] {
			t.Errorf("row %d: there is no %s", rows, name)
		}
		for i, cell := range cells {
			if strings.TrimSpace(cell) == "" || i == 2 && !regexp.MustCompile(`\d\.\d`).MatchString(cell) {
				t.Errorf("row %d: cell %d is empty, or names no version: %s", rows, i, line)
			}
		}
		file := fmt.Sprintf("reports/%02d.txt", rows)
		switch upstream, status := cells[7], strings.TrimSuffix(cells[8], " |\n"); {
		case upstream == "not found":
			reports[file] = true
			checkReport(t, file)
			if !strings.Contains(status, "("+file+")") {
				t.Errorf("row %d does not link to %s", rows, file)
			}
		case regexp.MustCompile(`#\d+\]\(https://github.com/`).MatchString(upstream):
			known++
		default:
			t.Errorf("row %d: is it known upstream? %s", rows, upstream)
		}
	}
	if rows < 20 || known < 8 {
		t.Errorf("%d rows, %d known upstream", rows, known)
	}
	written, err := filepath.Glob("reports/*")
	if err != nil || len(written) != len(reports) {
		t.Errorf("%d reports are written, and the page has %d: %v", len(written), len(reports), err)
	}
}

// checkReport fails where a report lacks a part, or is longer than its maintainers would read.
func checkReport(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Error(err)
		return
	}
	for _, part := range []string{"\nHarm: ", "\nTest:\n", "\nCause: ", "\nSmallest fix: ", "\nYou may say: "} {
		if !strings.Contains(string(text), part) {
			t.Errorf("%s has no part that begins with %q", file, strings.TrimSpace(part))
		}
	}
	prose := regexp.MustCompile(`(?s)    import \(.*?\n    \)`).ReplaceAll(text, nil)
	if n := len(strings.Fields(string(prose))); n > 200 {
		t.Errorf("%s has %d words; maintainers read 200", file, n)
	}
}

// The test that a report shows its maintainers fails with their library as it is, and it compiles as it is printed.
func TestTheTestsOfReportsFail(t *testing.T) {
	need.Long(t)
	files, err := filepath.Glob("reports/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, code, _ := strings.Cut(string(text), "\nTest:\n\n")
		code, _, _ = strings.Cut(code, "\nCause: ")
		if !strings.HasPrefix(code, "    ") {
			continue // it names a test of this folder, which runs elsewhere
		}
		name := filepath.Join(t.TempDir(), "report_test.go")
		if err := os.WriteFile(name, []byte("package report\n\n"+code), 0o600); err != nil {
			t.Fatal(err)
		}
		tried++
		out, err := exec.Command("go", "test", "-vet=off", name).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "--- FAIL: Test ") {
			t.Errorf("%s: its test does not fail: %v\n%s", file, err, out)
		}
		t.Logf("%s: %s", file, out)
	}
	if tried < 10 {
		t.Errorf("%d reports have a test", tried)
	}
}

// declared returns the names of the tests in the files of these patterns.
func declared(t *testing.T, patterns ...string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		if err != nil || files == nil {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range regexp.MustCompile(`(?m)^func (Test\w+)\(t `).FindAllStringSubmatch(string(text), -1) {
				names[m[1]] = true
			}
		}
	}
	return names
}
