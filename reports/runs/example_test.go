package runs_test

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A report is a pure function of a result: as text for a terminal, as a picture for a paper.
func Example() {
	s, _ := scenarios.Find("kleppmann/pause-before-reply")
	if err := s.Check(); err != nil {
		fmt.Println(err)
	}
	r := scenarios.Run(s, 1)
	text := runs.Document(r, runs.Making{Command: "lockstorm run kleppmann/pause-before-reply --seed 1"}, true).Text(reports.Screen{})
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "PASS") || strings.HasPrefix(line, "  happened") {
			fmt.Print(line)
		}
	}
	// Output:
	// happened  every fault took effect (fault-struck), two clients acquired the lock (acquired-by-two),
	// PASS: kleppmann/pause-before-reply, seed 1: nine promises hold. Not tested, because no client asked for an extension: No hidden gap (continuity).
}

// The pictures of a run in which a client pauses while it holds the lock.
func ExampleTimeline() {
	s, _ := scenarios.Find("kleppmann/gc-pause")
	r := scenarios.Run(s, 1)
	for _, picture := range [][]byte{runs.Timeline(r), runs.Sequence(r)} {
		title, _, _ := bytes.Cut(picture[bytes.Index(picture, []byte("title")):], []byte("\n"))
		fmt.Printf("%s\n", title)
	}
	// Output:
	// title id="timeline-t">Timeline of kleppmann/gc-pause, seed 1</title>
	// title id="sequence-t">Sequence diagram: An update was lost: kleppmann/gc-pause, seed 1</title>
}
