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
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
	"github.com/lockstorm/lockstorm/scenarios/campaign/table"
)

var update = flag.Bool("update", false, "rewrite the golden file")

// kept makes an archive of two cells, of which the second sets more, and one setting has the name of another column.
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

// asCSV gives the table as CSV.
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

func TestTheTableIsAsItWas(t *testing.T) {
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
	n := 0
	err = a.Each(func(_ int, rows []campaign.Row) error {
		for _, r := range rows {
			n++
			line := lines[n]
			want := map[string]string{
				"scenario": "redlock/any", "scenario_sha256": a.Manifest.ScenarioHash, "seed": fmt.Sprint(5 + (n-1)%6),
				"set.steps": []string{"400", "5000000"}[r.Cell], "lock.ttl": []string{"1s", "2s"}[r.Cell], "nodes": []string{"5", "3"}[r.Cell],
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
}

// Parquet and CSV are the same table, in the same order of columns and rows.
func TestParquetReadBackIsTheCSV(t *testing.T) {
	a := kept(t)
	made, err := table.New(a)
	if err != nil {
		t.Fatal(err)
	}
	var file, again bytes.Buffer
	if err := errors.Join(made.Parquet(&file), made.Parquet(&again)); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(file.Bytes(), again.Bytes()) {
		t.Error("the same table makes another file")
	}
	f, err := parquet.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range f.Schema().Fields() {
		names = append(names, c.Name())
	}
	got := [][]string{names}
	r := parquet.NewReader(f)
	buffer := make([]parquet.Row, 5)
	for {
		n, err := r.ReadRows(buffer)
		for _, row := range buffer[:n] {
			got = append(got, fields(row))
		}
		if err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	want, err := csv.NewReader(strings.NewReader(asCSV(t, a))).ReadAll()
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v\n%v\nwant\n%v", err, got, want)
	}
}

func fields(row parquet.Row) (all []string) {
	for _, v := range row {
		switch {
		case v.IsNull():
			all = append(all, "")
		case v.Kind() == parquet.Int64:
			all = append(all, strconv.FormatInt(v.Int64(), 10))
		default:
			all = append(all, v.String())
		}
	}
	return all
}

func TestATableOfADamagedBlockIsAnError(t *testing.T) {
	a := kept(t)
	if err := os.Truncate(filepath.Join(a.Dir, "block-000002.jsonl.zst"), 50); err != nil {
		t.Fatal(err)
	}
	made, err := table.New(a)
	if err != nil {
		t.Fatal(err)
	}
	for _, write := range []func(io.Writer) error{made.CSV, made.Parquet} {
		if err := write(io.Discard); !errors.As(err, new(*archive.Damage)) {
			t.Errorf("%v", err)
		}
	}
}
