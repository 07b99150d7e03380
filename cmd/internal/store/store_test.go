package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFailedLinkIsOnlyNoted(t *testing.T) {
	dir := t.TempDir()
	home := filepath.Join(dir, "kleppmann", "gc-pause", "1")
	var errs strings.Builder
	linkLatest(&errs, dir, home, func(string, string) error { return errors.New("a privilege is missing") })
	if text := errs.String(); !strings.Contains(text, home) || !strings.Contains(text, "a privilege is missing") {
		t.Errorf("the note is %q", text)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
