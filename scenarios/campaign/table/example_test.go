package table_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/archive"
	"github.com/lockstorm/lockstorm/scenarios/campaign/table"
)

// Rows go into an archive, and the archive becomes a table for other programs.
func Example() {
	dir, err := os.MkdirTemp("", "rows")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)

	s, _ := scenarios.Find("kleppmann/gc-pause")
	job := campaign.Job{Kind: "rows", Scenario: &s, Cells: []campaign.Cell{nil}, First: 1, Runs: 3, Size: 2}
	if err := job.Check(); err != nil {
		fmt.Println(err)
	}
	if err := (&archive.Work{Job: &job, Dir: dir, Lockstorm: "1", Workers: 1}).Do(); err != nil {
		fmt.Println(err)
	}
	a, err := archive.Open(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	rows, err := table.New(a)
	if err != nil {
		fmt.Println(err)
		return
	}
	var csv bytes.Buffer
	if err := rows.CSV(&csv); err != nil {
		fmt.Println(err)
	}
	for line := range strings.Lines(csv.String()) {
		columns := strings.Split(line, ",")
		fmt.Println(columns[2], columns[3], columns[4])
	}
	// Output:
	// seed verdict belief
	// 1 pass violated
	// 2 pass violated
	// 3 pass violated
}
