package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
)

// A reader who doubts a stored campaign can make it again, and gets the same rows, or which blocks differ and where.
func TestCampaignIsReplayedBlockByBlock(t *testing.T) {
	t.Chdir(t.TempDir())
	mustRun(t, 1, "run", "redlock/any", "--runs", "120", "--store", "kept", "-q")
	if out := mustRun(t, 0, "replay", "kept", "-q"); !strings.HasPrefix(out, "Replayed: all ") || !strings.Contains(out, "row for row") {
		t.Errorf("it prints %q", out)
	}
	blocks, err := filepath.Glob("kept/block-*")
	if err != nil || len(blocks) < 4 {
		t.Fatalf("%d blocks: %v", len(blocks), err)
	}
	copied, err := os.ReadFile(blocks[1])
	for _, err := range []error{err, os.WriteFile(blocks[2], copied, 0o644), os.WriteFile(blocks[3], []byte("no block"), 0o644)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	out, _, code := lockstorm("replay", "kept")
	for _, want := range []string{"2 are not the same", filepath.Base(blocks[2]) + ":1: the line is another one now", filepath.Base(blocks[3])} {
		if code != cli.NotAsExpected || !strings.Contains(out, want) {
			t.Errorf("exit %d, and it does not print %q:\n%s", code, want, out)
		}
	}
	for _, name := range blocks[2:4] {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
	if out, _, code := lockstorm("replay", "kept", "--format", "json"); code != cli.Unknown || !strings.Contains(out, `"missing": [`) {
		t.Errorf("exit %d with two blocks missing:\n%s", code, out)
	}
}
