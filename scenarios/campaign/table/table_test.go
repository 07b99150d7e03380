package table_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
	"github.com/lockstorm/lockstorm/scenarios/campaign/table"
)

var update = flag.Bool("update", false, "rewrite the golden file")

// kept makes an archive of two cells. The second sets more, and one setting has the name of another column.
func kept(t *testing.T) *archive.Archive {
	t.Helper()
	s, _ := scenarios.Find("redlock/any")
	j := &campaign.Job{Kind: "test", Scenario: &s, First: 5, Runs: 6, Size: 4,
		Cells: []campaign.Cell{{{Key: "steps", Value: "400"}}, {{Key: "lock.ttl", Value: "2s"}, {Key: "nodes", Value: "3"}}}}
	if err := j.Check(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := (&archive.Work{Job: j, Dir: dir, Lockstorm: "1", Resume: true, Workers: 2}).Do(); err != nil {
		t.Fatal(err)
	}
	a, err := archive.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// asCSV returns the table as CSV.
func asCSV(t *testing.T, a *archive.Archive) string {
	t.Helper()
	made, err := table.New(a)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := made.CSV(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestTableIsUnchanged(t *testing.T) {
	got := asCSV(t, kept(t))
	golden := filepath.Join("testdata", "rows.csv")
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || got != string(want) {
		t.Errorf("%v\n%s\nwant\n%s\nif that is meant: go test ./scenarios/campaign/table -update", err, got, want)
	}
}

// The table says of each row what the row says, and in its order.
func TestTheTableHasTheRowsInOrder(t *testing.T) {
	a := kept(t)
	lines, err := csv.NewReader(strings.NewReader(asCSV(t, a))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := map[string]int{}
	for i, name := range lines[0] {
		at[name] = i
	}
	if len(at) != len(lines[0]) {
		t.Fatalf("two columns have one name: %v", lines[0])
	}
	n, drawn := 0, map[string]bool{}
	err = a.Each(func(_ int, rows []campaign.Row) error {
		for _, r := range rows {
			n++
			line := lines[n]
			in, err := a.Job.In(r.Cell)
			if err != nil {
				t.Fatal(err)
			}
			made := in.Universes().At(r.Seed)
			drawn[fmt.Sprint(made.Nodes)] = true
			want := map[string]string{
				"scenario": "redlock/any", "scenario_sha256": a.Manifest.ScenarioHash, "seed": fmt.Sprint(5 + (n-1)%6),
				"set.steps": []string{"400", "5000000"}[r.Cell], "lock.ttl": made.Lock.TTL.String(), "nodes": fmt.Sprint(made.Nodes),
				"verdict": r.Verdict.String(), "steps": fmt.Sprint(r.Steps),
			}
			for i, f := range a.Manifest.Figures {
				if want[f.Name] = fmt.Sprint(r.Figures[i]); r.Figures[i] == campaign.Absent {
					want[f.Name] = ""
				}
			}
			for name, value := range want {
				if line[at[name]] != value {
					t.Errorf("row %d: %s is %q; want %q", n, name, line[at[name]], value)
				}
			}
		}
		return nil
	})
	if err != nil || n != 12 || len(lines) != 13 {
		t.Errorf("%d rows, %d lines: %v", n, len(lines), err)
	}
	if len(drawn) < 2 {
		t.Errorf("the search chose %v nodes; choose seeds with several numbers", drawn)
	}
}

func TestATableOfADamagedBlockIsAnError(t *testing.T) {
	a := kept(t)
	if err := os.Truncate(filepath.Join(a.Dir, "block-000002.jsonl.gz"), 50); err != nil {
		t.Fatal(err)
	}
	made, err := table.New(a)
	if err != nil {
		t.Fatal(err)
	}
	if err := made.CSV(io.Discard); !errors.As(err, new(*archive.Damage)) {
		t.Errorf("%v", err)
	}
}
