package worker

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// TestMain lets the test's executable be a worker process. One that is mortal ends like a program that panics where it
// would answer the row of seed 3.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == Command {
		if err := Serve(os.Stdin, mortal{}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

type mortal struct{}

func (mortal) Write(b []byte) (int, error) {
	if os.Getenv("WORK_MORTAL") != "" && bytes.Contains(b, []byte(`"Seed":3,`)) {
		fmt.Fprintln(os.Stderr, "panic: no such thing")
		os.Exit(2)
	}
	return os.Stdout.Write(b)
}

// rowsOfProcess returns the rows of a job as a process makes them, and what is noted meanwhile.
func rowsOfProcess(job *campaign.Job) (all []campaign.Row, notes string) {
	p := New(job, func(text string) { notes += text })
	defer p.Close()
	for block := range job.Blocks() {
		all = append(all, p.Make(block)...)
	}
	return all, notes
}

func TestRowsOfAnotherProcessAreEqual(t *testing.T) {
	s, _ := scenarios.Find("redlock/any")
	job := &campaign.Job{Kind: "fuzz", Scenario: &s, Cells: []campaign.Cell{{}, {{Key: "lock.ttl", Value: "1s"}}}, First: 1, Runs: 5, Size: 3}
	want := job.All(1, nil)
	if got, notes := rowsOfProcess(job); !reflect.DeepEqual(got, want) || notes != "" {
		t.Errorf("%s\n%v, want\n%v", notes, got, want)
	}
	t.Setenv("WORK_MORTAL", "1")
	got, notes := rowsOfProcess(job)
	if len(got) != len(want) || !strings.Contains(notes, "seed 3 ended its process") || !strings.Contains(notes, "panic: no such thing") {
		t.Fatalf("%d rows, %s", len(got), notes)
	}
	for i := range got {
		switch r := got[i]; {
		case r.Seed == 3 && (r.Verdict != scenarios.Unknown || r.Unknown != campaign.All() || r.Violated != 0 || len(r.Figures) != len(want[i].Figures)):
			t.Errorf("the run that ended its process: %v", r)
		case r.Seed != 3 && !reflect.DeepEqual(r, want[i]):
			t.Errorf("%v, want %v", r, want[i])
		}
	}
}

func TestProcessThatCanNotStartIsAnError(t *testing.T) {
	s := scenarios.Base() // it has no title, which no file lacks
	job := &campaign.Job{Kind: "fuzz", Scenario: &s, Cells: []campaign.Cell{{}}, First: 1, Runs: 1, Size: 1}
	defer func() {
		if p := recover(); p == nil || !strings.Contains(fmt.Sprint(p), "a worker process can't begin") {
			t.Errorf("it panics with %v", p)
		}
	}()
	rowsOfProcess(job)
}
