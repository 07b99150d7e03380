package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// A Go that Go has fetched, as a module asked for it, lies in the cache of modules, where an overlay may replace no
// file.
func TestAnOverlayReplacesFilesOfAGoThatGoFetched(t *testing.T) {
	root, err := output("", nil, "go", "env", "GOROOT")
	if err != nil {
		t.Fatal(err)
	}
	cache, dir := t.TempDir(), t.TempDir()
	fetched := filepath.Join(cache, "toolchain")
	if err := os.Symlink(root, fetched); err != nil {
		need.Possible(t, "no Go is behind a link", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module engine\n\ngo 1.26\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOMODCACHE", cache)
	t.Setenv("GOROOT", fetched)
	tools, err := toolsFor(dir)
	if err != nil {
		t.Fatal(err)
	}
	list, err := overlay(tools.root, dir)
	if err != nil {
		t.Fatal(err)
	}
	files, err := output(dir, tools.environment, filepath.Join(tools.root, "bin", "go"), "list", "-overlay", list,
		"-f", "{{.GoFiles}}", "crypto/tls")
	if err != nil || len(strings.Fields(files)) != 1 {
		t.Errorf("crypto/tls has the files %s: %v", files, err)
	}
}

// What is missing is named, with what would be right.
func TestWithoutGoOrAPlaceForItTheErrorSaysWhatIsMissing(t *testing.T) {
	for want, set := range map[string][]string{
		"there is no Go on the PATH to build it: install Go 1.26 or later": {"PATH=" + t.TempDir()},
		"there is nowhere for Go to keep modules: set HOME, or GOPATH and GOCACHE": {
			"HOME=", "GOPATH=", "GOMODCACHE=", "GOCACHE=" + t.TempDir()},
		"name a directory that can be written in TMPDIR": {"TMPDIR=" + filepath.Join(t.TempDir(), "none")},
	} {
		t.Run(want, func(t *testing.T) {
			for _, s := range set {
				name, value, _ := strings.Cut(s, "=")
				t.Setenv(name, value)
			}
			if _, err := Build(Source{Dir: "../../.."}); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("it says %v", err)
			}
		})
	}
}

// Go's linker fails at nothing where the disk is full.
func TestAPartOfAnEngineIsRefused(t *testing.T) {
	file := "\x00asm\x01\x00\x00\x00" + "\x00\x02go" + "\x0a\x81\x01" + strings.Repeat("c", 129) + "\x0b\x03abc"
	if !whole([]byte(file)) {
		t.Error("a whole one is refused")
	}
	for n := range len(file) {
		if whole([]byte(file[:n])) {
			t.Errorf("%d of %d bytes are whole", n, len(file))
		}
	}
}
