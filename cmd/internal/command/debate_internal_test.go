package command

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/lockstorm/lockstorm/cmd/internal/work"
	"github.com/lockstorm/lockstorm/scenarios"
)

// The rows that a store has kept are those that are made, and a damaged store is an error.
func TestADebateReadsTheRowsThatItHasKept(t *testing.T) {
	s, _ := scenarios.Find("kleppmann/gc-pause")
	job := work.Job("debate", &s, nil, 1, 60)
	job.Cells = append(job.Cells, nil)
	h := usualDebate()
	h.Workers, h.shown = 1, work.NewProgress(os.Stderr, work.ModeFor(os.Stderr, true), 0)
	made, err := h.all(job)
	if err != nil || len(made) != 60 {
		t.Fatal(len(made), err)
	}
	h.Store = t.TempDir()
	for range 2 {
		if got, err := h.all(job); err != nil || !reflect.DeepEqual(got, made) {
			t.Errorf("with a store there are %d rows, which differ: %v", len(got), err)
		}
	}
	blocks, _ := filepath.Glob(filepath.Join(h.Store, "*", "*", "block-*"))
	if len(blocks) != job.Blocks() {
		t.Fatalf("the store has %v", blocks)
	}
	if err := os.Truncate(blocks[0], 20); err != nil {
		t.Fatal(err)
	}
	if _, err := h.all(job); err == nil {
		t.Error("the rows of a damaged block were made again, so the rows that were kept are not read")
	}
}
