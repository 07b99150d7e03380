package command

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// The line of DuckDB in help and page turns a table into Parquet, with all of its rows. The test needs DuckDB.
func TestDuckDBConvertsATableToParquet(t *testing.T) {
	const line = `duckdb -c "COPY (FROM 'rows.csv') TO 'rows.parquet'"`
	const counts = `duckdb -c "FROM 'rows.csv' SELECT belief, count(*) GROUP BY ALL"`
	help, page := mustRun(t, 0, "help", "export"), fileText(t, "../../../scenarios/campaign/deploy/README.md")
	if !strings.Contains(help, line) || !strings.Contains(page, "    "+counts+"\n    "+line+"\n") {
		t.Error(help)
	}
	need.Program(t, "no Parquet is made", "duckdb")
	t.Chdir(t.TempDir())
	mustRun(t, 0, "run", "kleppmann/gc-pause", "--runs", "70", "--store", "rows")
	write(t, "rows.csv", mustRun(t, 0, "export", "--csv", "rows"))
	if out, err := exec.Command("sh", "-c", counts+" && "+line).CombinedOutput(); err != nil || !strings.Contains(string(out), "70") {
		t.Fatalf("%v: %s", err, out)
	}
	out, err := exec.Command("duckdb", "-noheader", "-list", "-c", "SELECT count(*), count(DISTINCT seed) FROM 'rows.parquet'").CombinedOutput()
	if want := "70|70"; err != nil || strings.TrimSpace(string(out)) != want {
		t.Errorf("%v: %s, want %s", err, out, want)
	}
}
