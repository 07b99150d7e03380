package command

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/scenarios/live"
)

// Kept verdicts are what a table is made of, in a file: a line that says of which table, and one for each cell as soon as its
// runs are made. So a process that is killed loses the runs under way, and no more.
type keptVerdicts struct {
	file  string // empty: nothing is kept
	cells int
	was   map[int]live.Verdicts // by cell
	err   error
}

// A keptTable is the first line.
type keptTable struct {
	Lockstorm string `json:"lockstorm"`
	Table     string `json:"table"` // the SHA-256 of all that says which runs are made
	Cells     int    `json:"cells"`
}

// A keptCell is each line below.
type keptCell struct {
	Cell     int    `json:"cell"`
	Scenario string `json:"scenario"`
	live.Verdicts
}

// tableOf says of which table the runs are.
func (q *liveCommand) tableOf(each []live.Trial) keptTable {
	sum := sha256.New()
	fmt.Fprintln(sum, q.Seed, q.Runs)
	for i := range each {
		o := each[i].Options
		fmt.Fprintln(sum, o.Programs, o.Servers, o.Adapter, o.Scale, o.Widen, o.Margin, o.Attempts, string(each[i].Scenario.Brief()))
	}
	return keptTable{cli.Version, fmt.Sprintf("%x", sum.Sum(nil)), len(each)}
}

// keepVerdicts opens the file for a table, and reads it if it is to go on with it.
func (q *liveCommand) keepVerdicts(each []live.Trial, errs io.Writer) (*keptVerdicts, error) {
	k := &keptVerdicts{cells: len(each), was: map[int]live.Verdicts{}}
	if q.noStore {
		return k, nil
	}
	k.file = filepath.Join(q.store, "live", "verdicts.jsonl")
	head, _ := json.Marshal(q.tableOf(each))
	text, err := os.ReadFile(k.file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, store.Error(q.store, err)
	}
	first, lines, _ := bytes.Cut(text, []byte("\n"))
	same, whole := bytes.Equal(first, head), len(first)+1
	for line := range bytes.Lines(lines) {
		var c keptCell
		if json.Unmarshal(line, &c) != nil || line[len(line)-1] != '\n' { // it was being written
			break
		}
		k.was[c.Cell] = c.Verdicts
		whole += len(line)
	}
	var of keptTable
	switch {
	case q.resume && same:
		if !q.Quiet {
			fmt.Fprintf(errs, "%d of %d are kept in %s\n", len(k.was), k.cells, k.file)
		}
		err = os.Truncate(k.file, int64(whole))
	case q.resume && len(first) > 0:
		return nil, fmt.Errorf("--resume: %s is of another table: of other scenarios, locks, seeds or settings; remove it, or "+
			"give another --store", k.file)
	case json.Unmarshal(first, &of) == nil && len(k.was) < of.Cells:
		return nil, fmt.Errorf("%s has %d of %d results of a table that was not finished: go on with --resume, or remove it",
			k.file, len(k.was), of.Cells)
	default:
		clear(k.was)
		err = store.Write(k.file, append(head, '\n'))
	}
	if err != nil {
		return nil, store.Error(q.store, err)
	}
	return k, nil
}
