package draw_test

import (
	"fmt"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/draw"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A run in which a client pauses while it holds the lock: its timeline for a terminal, and the files of a report.
func Example() {
	s, _ := scenarios.Find("kleppmann/gc-pause")
	r := scenarios.Run(s, 1)
	fmt.Print(draw.Timeline(reports.Screen{}, draw.NewScene(r)))
	for _, f := range draw.Files(r) {
		fmt.Println(f.Name)
	}
	// Output:
	// true time  |0s        |2s        |4s         |6s        |8s         |10s       |12s        |14s
	//   violated                                                                # belief
	//                                                                           ######## storage ########
	//   c1         ========================================================!!!!!!!!!!!!!!!!!!!!!!!!!!!!!!.
	//              ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~ paused 15s ~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
	//   c2         .....-.....-.......-......-......-.........-..........-.....-=.........................
	//   n1 to n5   1111111111111111111111111111111111111111111111111111111111...2.........................
	//   s          .............................................................w.......................x.
	//   # broken, - tries, = holds, ! no longer valid, 1 = key of c1 …, w write, x write that fenced storage rejected, ~
	//   fault; one column = 200ms.
	// timeline.svg
	// sequence.svg
}
