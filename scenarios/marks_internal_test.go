package scenarios

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A mark that the code passes and the list lacks could not be waited for; one that is passed nowhere never comes.
func TestMarksListsEveryMarkThatClientsPass(t *testing.T) {
	passed, pattern := map[string]bool{}, regexp.MustCompile(`\.Mark\("([^"]+)"\)`)
	for _, folder := range []string{".", "locks"} {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatal(files, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range pattern.FindAllStringSubmatch(string(text), -1) {
				passed[m[1]] = passed[m[1]] || !strings.HasSuffix(file, "_test.go")
			}
		}
	}
	for mark, is := range passed {
		if is && !slices.Contains(allMarks, mark) {
			t.Errorf("clients pass %s, and the list lacks it", mark)
		}
	}
	for _, mark := range allMarks {
		if !passed[mark] {
			t.Errorf("no client passes %s", mark)
		}
	}
}
