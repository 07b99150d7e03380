package onerun_test

import (
	"fmt"
	"strings"

	"github.com/lockstorm/lockstorm/reports/internal/layout"
	"github.com/lockstorm/lockstorm/reports/internal/onerun"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A report is a pure function of a result: as text for a terminal, as a picture for a paper.
func Example() {
	s, _ := scenarios.Find("kleppmann/pause-before-reply")
	if err := s.Check(); err != nil {
		fmt.Println(err)
	}
	r := scenarios.Run(s, 1)
	text := onerun.Document(r, onerun.Making{Command: "lockstorm run kleppmann/pause-before-reply --seed 1"}, true).Text(layout.Screen{})
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "PASS") || strings.HasPrefix(line, "  happened") {
			fmt.Print(line)
		}
	}
	// Output:
	// happened  fault-struck, acquired-by-two, contended, refused-too-late
	// PASS: kleppmann/pause-before-reply, seed 1: as expected, all ten promises hold.
}
