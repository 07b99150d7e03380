package paper

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// compare compares a result with the committed one.
func (m *Remake) compare(r *Result, made string) error {
	want := r.snippet.Whole
	switch r.Kind {
	case Study, Document:
		if r.State = New; m.Runs > 0 {
			r.State = Tried
		}
		return nil
	case Example:
		made = r.snippet.With(made)
	default:
		text, err := os.ReadFile(filepath.Join(m.Sources, filepath.FromSlash(r.File)))
		if err != nil {
			return err
		}
		want = string(text)
	}
	switch {
	case m.Runs > 0 && strings.Contains(strings.Join(r.Ran, " "), " --runs "):
		r.State = Tried
	case made == want:
		r.State = Same
	default:
		r.State, r.Difference = Differs, difference(want, made)
	}
	return nil
}

// differenceMost is how many lines of a difference are shown of each side.
const differenceMost = 4

// difference returns the first lines in which a result differs from the committed one: a minus precedes committed
// lines, a plus precedes new ones.
func difference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	at := 0
	for at < len(a) && at < len(b) && a[at] == b[at] {
		at++
	}
	var text strings.Builder
	fmt.Fprintf(&text, "from line %d on; - is committed (%d lines), + was made now (%d lines)\n", at+1, len(a), len(b))
	for sign, lines := range []([]string){a[at:], b[at:]} {
		for _, line := range lines[:min(differenceMost, len(lines))] {
			if runes := []rune(line); len(runes) > 200 {
				line = string(runes[:200]) + "…"
			}
			text.WriteString([]string{"-", "+"}[sign] + line + "\n")
		}
	}
	return strings.TrimRight(text.String(), "\n")
}
