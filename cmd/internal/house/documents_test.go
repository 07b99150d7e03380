package house

import (
	"archive/zip"
	"bytes"
	"flag"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm"
)

var update = flag.Bool("update", false, "write documents.zip anew")

// Every page of the repository comes with the program: those of this module, and a copy of those of the others.
func TestTheProgramHasEveryPage(t *testing.T) {
	copied := map[string]string{}
	zipped, err := lockstorm.Documents.ReadFile("documents.zip")
	if err != nil {
		t.Fatal(err)
	}
	archive, err := zip.NewReader(bytes.NewReader(zipped), int64(len(zipped)))
	if err != nil && !*update {
		t.Fatal(err)
	}
	if err == nil {
		for _, f := range archive.File {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			copied[f.Name] = string(text)
		}
	}
	var others []string
	for _, name := range pages(t) {
		if text, err := lockstorm.Documents.ReadFile(name); err == nil {
			if string(text) != read(t, name) {
				t.Errorf("%s is not what is embedded", name)
			}
			continue
		}
		if !isOfAnotherModule(name) {
			t.Errorf("%s is not embedded: name it in documents.go", name)
			continue
		}
		others = append(others, name)
		if !*update && copied[name] != read(t, name) {
			t.Errorf("documents.zip has another %s: run go test ./cmd/internal/house -run EveryPage -update", name)
		}
		delete(copied, name)
	}
	for name := range copied {
		if !*update {
			t.Errorf("documents.zip has %s, which is gone: run go test ./cmd/internal/house -run EveryPage -update", name)
		}
	}
	if *update {
		write(t, others)
	}
}

// pages returns the names of all pages, sorted.
func pages(t *testing.T) (names []string) {
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == ".github" || d.Name() == "testdata" || d.Name() == "store" || d.Name() == "node_modules"):
			return fs.SkipDir
		case filepath.Ext(file) == ".md":
			names = append(names, filepath.ToSlash(file))
		}
		return nil
	})
	if err != nil || len(names) < 20 {
		t.Fatal(names, err)
	}
	slices.Sort(names)
	return names
}

func write(t *testing.T, names []string) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range names {
		f, err := w.Create(name) // without a time, so that equal pages make equal bytes
		if err == nil {
			_, err = io.Copy(f, strings.NewReader(read(t, name)))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("documents.zip", b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
