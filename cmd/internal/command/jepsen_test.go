package command

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

const jepsen = "../../../checker/jepsen"

// verdicts.csv has arguments, verdict and reason for each history that the page for Jepsen speaks of.
func TestJepsensHistoriesGetTheirVerdicts(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(jepsen, "verdicts.csv"))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, row := range rows[1:] {
		file, args, want, reason := row[0], strings.Fields(row[1]), row[2], row[3]
		seen[file] = true
		args = append([]string{"check", filepath.Join(jepsen, file), "--format", "json"}, args...)
		out, errs, code := lockstorm(args...)
		var c checkJSON
		if err := json.Unmarshal([]byte(out), &c); err != nil {
			t.Errorf("%s: %v\n%s%s", file, err, out, errs)
			continue
		}
		exit := map[string]int{"holds": cli.AsExpected, "violated": cli.NotAsExpected}[want]
		if m := c.Models[0]; code != exit || m.Verdict.String() != want || m.Reason != reason {
			t.Errorf("%s: exit %d, %s: %s\nwant %s: %s", strings.Join(args, " "), code, m.Verdict, m.Reason, want, reason)
		}
	}
	files, err := filepath.Glob(filepath.Join(jepsen, "histories", "*"))
	if err != nil || len(files) < 20 || len(files) != len(seen) {
		t.Errorf("%d histories, of which %d are judged; want the same number, 20 or more (%v)", len(files), len(seen), err)
	}
}

// Where there is a Clojure, Jepsen's checker is run on the same histories.
func TestJepsensCheckerReturnsItsVerdicts(t *testing.T) {
	const untried = "Jepsen's checker is not run"
	clojure, golang := need.Program(t, untried, "clojure"), need.Program(t, untried, "go")
	program := filepath.Join(t.TempDir(), "lockstorm.exe")
	if out, err := exec.Command(golang, "build", "-o", program, "github.com/lockstorm/lockstorm/cmd/lockstorm").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c := exec.Command(clojure, "-i", "test/jepsen/checker.clj", "-i", "src/lockstorm/checker.clj", "test/checker_test.clj", program)
	c.Dir = jepsen
	if out, err := c.CombinedOutput(); err != nil || !strings.Contains(string(out), "six checks passed") {
		t.Errorf("%v\n%s", err, out)
	}
}
