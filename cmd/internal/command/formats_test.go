package command

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

// These print no result, but a file of one form, a page for a browser, or words.
var ofOneForm = []string{"completion", "export", "help", "new", "schedule", "version"}

func TestEveryResultHasEveryFormat(t *testing.T) {
	for _, c := range newRoot().Commands() {
		if c.DisableFlagParsing { // it moved
			continue
		}
		if has := c.Flags().Lookup("format") != nil; has == slices.Contains(ofOneForm, c.Name()) {
			t.Errorf("%s has --format: %t", c.Name(), has)
		}
	}
}

// As text these print lines instead of a table. In other formats they print a table.
func TestLinesOfTextAreATableInOtherFormats(t *testing.T) {
	t.Chdir(t.TempDir())
	mustRun(t, 0, "run", "baseline/fault-free", "--store", "runs")
	if err := os.WriteFile("mine.yaml", []byte(mustRun(t, 0, "new", "kleppmann/gc-pause")), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, text, heads, cell string }{
		{"arithmetic redlock --draws 50", "  holds      quorums-meet\n", "law,outcome,flaw,scenario,seed", "quorums-meet"},
		{"report runs/latest", "runs/latest/timeline.svg\n", "file,bytes", "runs/latest/timeline.svg"},
		{"validate mine.yaml", "mine.yaml is sound: ", "file,scenario", "mine.yaml"},
	} {
		args := strings.Fields(c.args)
		if out := mustRun(t, 0, args...); !strings.Contains(out, c.text) || strings.Contains(out, c.heads) {
			t.Errorf("%s prints\n%s", c.args, out)
		}
		if out := mustRun(t, 0, append(args, "--format", "csv")...); !strings.HasPrefix(out, c.heads+"\n") || !strings.Contains(out, c.cell) {
			t.Errorf("%s prints as CSV\n%s", c.args, out)
		}
		if out := mustRun(t, 0, append(args, "--format", "json")...); !json.Valid([]byte(out)) || !strings.Contains(out, c.cell) {
			t.Errorf("%s prints as JSON\n%s", c.args, out)
		}
		for _, format := range []string{"markdown", "html"} {
			if out := mustRun(t, 0, append(args, "--format", format)...); !strings.Contains(out, c.cell) || strings.Contains(out, c.text) {
				t.Errorf("%s prints as %s\n%s", c.args, format, out)
			}
		}
	}
}
