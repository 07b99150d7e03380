package paper

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// compare compares what was made with what is committed.
func (m *Remake) compare(i *Item, r *Result) error {
	r.State, r.Difference = New, ""
	if i.Kind == Study || i.Kind == Document {
		if m.Runs > 0 {
			r.State = Tried
		}
		return nil
	}
	made, err := os.ReadFile(filepath.Join(m.Dir, filepath.FromSlash(r.Files[0])))
	if err != nil {
		return err
	}
	got, want := string(made), i.snippet.Whole
	if i.Kind != Example {
		text, err := os.ReadFile(filepath.Join(m.Sources, filepath.FromSlash(i.File)))
		if err != nil {
			return err
		}
		want = string(text)
	} else {
		got = i.snippet.With(got)
	}
	switch {
	case m.Runs > 0 && scaled(r.Ran):
		r.State = Tried
	case got == want:
		r.State = Same
	default:
		r.State, r.Difference = Differs, difference(want, got)
	}
	return nil
}

// scaled reports whether a command was made to make few runs.
func scaled(commands []string) bool {
	for _, c := range commands {
		if strings.Contains(c, " --runs ") {
			return true
		}
	}
	return false
}

// differenceMost is how many lines of a difference are shown of each side.
const differenceMost = 4

// difference returns the first lines in which what was made differs from what is committed: a minus is before those that are
// committed, a plus before those that were made.
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
