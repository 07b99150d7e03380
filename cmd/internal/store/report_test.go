package store

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/reportstest"
)

func TestReportOverwritesOnlyReports(t *testing.T) {
	files := []reports.File{{Name: "report.html", Content: []byte("page")}, {Name: "figures/survival.csv", Content: []byte("1,2")}}
	for _, spoilt := range []struct {
		name  string
		spoil func(dir string) error
		want  string // "" where it may be written
	}{
		{"nothing there", func(string) error { return nil }, ""},
		{"a report", func(dir string) error { return WriteReport(dir, files) }, ""},
		{"another report", func(dir string) error {
			return WriteReport(dir, []reports.File{{Name: "report.html", Content: []byte("old")}})
		}, ""},
		{"a page of somebody", func(dir string) error { return os.WriteFile(filepath.Join(dir, "report.html"), []byte("mine"), 0o644) }, "report.html exists and was not written by a report"},
		{"a link", func(dir string) error { return os.Symlink("/dev/null", filepath.Join(dir, "report.html")) }, "report.html exists and is not a file"},
		{"a link as a directory", func(dir string) error { return os.Symlink(os.TempDir(), filepath.Join(dir, "figures")) }, "figures exists and is not a directory"},
		{"a file as a directory", func(dir string) error { return os.WriteFile(filepath.Join(dir, "figures"), nil, 0o644) }, "figures"},
		{"an edited figure", func(dir string) error {
			if err := WriteReport(dir, files); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(dir, "figures", "survival.csv"), []byte("mine"), 0o644)
		}, "survival.csv exists and was not written by a report"},
	} {
		dir := t.TempDir()
		if err := spoilt.spoil(dir); err != nil {
			t.Fatal(err)
		}
		before := reportstest.Tree(t, dir)
		err := WriteReport(dir, files)
		after := reportstest.Tree(t, dir)
		if spoilt.want == "" {
			if err != nil || after["report.html"] != "page" || after["figures/survival.csv"] != "1,2" || len(after) != 3 {
				t.Errorf("%s: %v, and %d files", spoilt.name, err, len(after))
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), spoilt.want) {
			t.Errorf("%s: %v", spoilt.name, err)
		}
		if !maps.Equal(before, after) {
			t.Errorf("%s: something was written", spoilt.name)
		}
	}
}

// A report removes the files of an earlier report that it no longer writes. A user's file next to it stays, even if a
// list that the user wrote names it.
func TestObsoleteFigureIsRemoved(t *testing.T) {
	dir := t.TempDir()
	mine := []byte("mine")
	for _, name := range []string{"figures/note.txt", "manifest.json"} {
		if err := Write(filepath.Join(dir, filepath.FromSlash(name)), mine); err != nil {
			t.Fatal(err)
		}
	}
	one, two := reports.File{Name: "figures/one.svg", Content: []byte("1")}, reports.File{Name: "figures/two.svg", Content: []byte("2")}
	for _, files := range [][]reports.File{{one, two}, {two}} {
		if err := WriteReport(dir, files); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"figures/note.txt", "figures/two.svg", "manifest.json", LedgerFile}
	if got := slices.Sorted(maps.Keys(reportstest.Tree(t, dir))); !slices.Equal(got, want) {
		t.Errorf("%v; want %v", got, want)
	}
	var lines string
	for _, name := range []string{"manifest.json", "figures/../manifest.json", "../" + filepath.Base(dir) + "/manifest.json", "/etc/passwd"} {
		lines += line(name, mine) + "\n"
	}
	if err := os.WriteFile(filepath.Join(dir, LedgerFile), []byte(lines), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := WriteReport(dir, []reports.File{two}); err != nil || reportstest.Tree(t, dir)["manifest.json"] != "mine" {
		t.Errorf("%v; a list that somebody wrote has taken the manifest away", err)
	}
}
