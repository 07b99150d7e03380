package reports

import (
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/reports/internal/wording"
)

// A table of many columns is read by its heads: no word of them is cut, and long names make room for them.
func TestANarrowTableKeepsTheWordsOfItsHeads(t *testing.T) {
	table := Table{Columns: Numbers("lock", "none", "delay, loss", "partition"), Narrow: true}
	table.Add("redlock", "0", "<1", "100 a")
	table.Add("redlock, tokens from its own nodes", "17", "0", "0")
	const want = `                            delay,
  lock                 none   loss partition
  redlock                 0     <1     100 a
  redlock, tokens        17      0         0
    from its own nodes
`
	if got := table.Text(Screen{}); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	const tight = `                            delay, parti-
  lock                 none   loss   tion
`
	if got := table.Text(Screen{Width: 42}); !strings.HasPrefix(got, tight) {
		t.Errorf("where there is no room for them:\n%s\nwant\n%s", got, tight)
	}
}

// Where there is no room for a table, each row is a sentence. A head with a comma is not taken for two.
func TestHeadsOfASentenceAreSeparate(t *testing.T) {
	wide := strings.Repeat("x", wording.LineWidth)
	for head, want := range map[string]string{
		"loss": "  a\n    none 0, loss 1, " + wide[:20], "delay, loss": "  a\n    none 0 · delay, loss 1 · " + wide[:20],
	} {
		table := Table{Columns: Columns("lock", "none", head, wide)}
		table.Add("a", "0", "1", "2")
		if got := strings.ReplaceAll(table.Text(Screen{}), "\n    x", " x"); !strings.HasPrefix(got, want) {
			t.Errorf("%q; want %q", got, want)
		}
	}
}
