package store

import (
	"maps"
	"os"
	"path/filepath"
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
