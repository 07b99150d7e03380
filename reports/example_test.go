package reports_test

import (
	"bytes"
	"fmt"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/scenarios"
)

// The pictures of a run in which a client pauses while it holds the lock.
func ExampleTimeline() {
	s, _ := scenarios.Find("kleppmann/gc-pause")
	r := scenarios.Run(s, 1)
	for _, picture := range [][]byte{reports.Timeline(r), reports.Sequence(r), reports.Mermaid(r)} {
		title, _, _ := bytes.Cut(picture[bytes.Index(picture, []byte("title")):], []byte("\n"))
		fmt.Printf("%s\n", title)
	}
	// Output:
	// title id="timeline-t">Timeline of kleppmann/gc-pause, seed 1</title>
	// title id="sequence-t">Sequence diagram: storage is violated: kleppmann/gc-pause, seed 1</title>
	// title: "storage is violated: kleppmann/gc-pause, seed 1"
}
