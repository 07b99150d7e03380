package reports_test

import (
	"fmt"

	"github.com/lockstorm/lockstorm/reports"
)

// A report of your own: a table and a figure, written once, and read as text, as Markdown or as a page.
func Example() {
	waits := &reports.Table{Columns: reports.Numbers("lock", "runs", "longest wait")}
	waits.Add("redlock", "100", "1.2 s")
	waits.Add("mine", "100", "0.4 s")

	bars := reports.Figure{
		Text: func(reports.Screen) string { return "redlock ############\nmine    ####\n" },
		SVG: func() string {
			return `<svg viewBox="0 0 120 20"><rect width="120" height="8"/><rect y="10" width="40" height="8"/></svg>`
		},
	}

	d := &reports.Document{Title: "Waits"}
	d.Rich(reports.Span{Text: "mine", Look: "code"}, reports.Span{Text: " waits a third as long."})
	d.Table("The longest wait of 100 runs:", waits)
	d.Add(reports.Block{Kind: "picture", Label: "Longest waits", Drawn: bars})

	fmt.Println(d.Text(reports.Screen{}))
	fmt.Print(d.Markdown())
	// Output:
	// mine waits a third as long.
	//
	// The longest wait of 100 runs:
	//   lock     runs  longest wait
	//   redlock   100         1.2 s
	//   mine      100         0.4 s
	//
	// redlock ############
	// mine    ####
	//
	// `mine` waits a third as long.
	//
	// The longest wait of 100 runs:
	//
	// | lock | runs | longest wait |
	// | --- | --- | --- |
	// | redlock | 100 | 1.2 s |
	// | mine | 100 | 0.4 s |
	//
	// ```text
	// redlock ############
	// mine    ####
	// ```
}
