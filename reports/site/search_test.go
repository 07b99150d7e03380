package site

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/site/browsertest"
)

// A search lists the page that is about its word first, then sections of guides, and generated tables and the
// changelog last.
func TestSearchListsGuidesFirst(t *testing.T) {
	dir := t.TempDir()
	for name, content := range made(t, Site{Documents: []reports.File{ // order: they are independent
		{Name: "CHANGELOG.md", Content: []byte("# Changelog\n\n## Fencing now\n\nFencing, fencing, fencing.\n")},
		{Name: "grid.md", Content: []byte("# A grid\n\n## Fencing, counted\n\n<!-- lockstorm explore -->\n" +
			"| fencing | fencing |\n| --- | --- |\n| fencing | fencing |\n<!-- end -->\n")},
		{Name: "guide.md", Content: []byte("# A guide\n\n## Fencing\n\nWords.\n")},
		{Name: "zebra.md", Content: []byte("# Fencing\n\nWords.\n")},
	}}) {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b := browsertest.Browse(t)
	b.Do(chromedp.Navigate("file://" + filepath.ToSlash(filepath.Join(dir, searchFile)) + "?q=fencing"))
	found := browsertest.Ask[[]string](b, `[...document.querySelectorAll(".hits a")].map(a => a.getAttribute("href"))`)
	found = slices.DeleteFunc(found, func(to string) bool {
		known := []string{"zebra.html", "guide.html#fencing", "grid.html#fencing-counted",
			"CHANGELOG.html#fencing-now"}
		return !slices.Contains(known, to)
	})
	if len(found) != 4 || found[0] != "zebra.html" || found[1] != "guide.html#fencing" {
		t.Errorf("found are, in this order, %q", found)
	}
}
