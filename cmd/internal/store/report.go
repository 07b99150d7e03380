package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/reports"
)

// LedgerFile lists the files of a directory that a report made, each with its SHA-256, as sha256sum writes it. A file
// that is not in it, or has changed since, is not ours, and no report replaces it.
const LedgerFile = "report.sha256"

// A ledger holds lines of "SHA-256, two spaces, name". A name may be in it twice while a report is written.
type ledger map[string]bool

func line(name string, content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:]) + "  " + name
}

// readLedger returns the ledger of a directory; an empty one if it has none.
func readLedger(dir string) (ledger, error) {
	text, err := os.ReadFile(filepath.Join(dir, LedgerFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	l := ledger{}
	for one := range strings.Lines(string(text)) {
		l[strings.TrimSuffix(one, "\n")] = true
	}
	return l, nil
}

// WriteReport writes a report's files into a directory. It replaces what an earlier report made there, and nothing
// else. The ledger is written first, so that after an interruption the next report knows what this one had written.
func WriteReport(dir string, files []reports.File) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, f := range files {
		if sub := path.Dir(f.Name); sub != "." {
			if err := folder(filepath.Join(dir, sub)); err != nil {
				return err
			}
		}
	}
	old, err := readLedger(dir)
	if err != nil {
		return err
	}
	var lines []string
	for _, f := range files {
		if err := old.checkFree(dir, f); err != nil {
			return err
		}
		lines = append(lines, line(f.Name, f.Content))
	}
	if err := keepLedger(dir, slices.AppendSeq(slices.Clone(lines), maps.Keys(old))); err != nil {
		return err
	}
	for _, f := range files {
		if err := Replace(filepath.Join(dir, filepath.FromSlash(f.Name)), f.Content); err != nil {
			return err
		}
	}
	return keepLedger(dir, lines)
}

func keepLedger(dir string, lines []string) error {
	slices.Sort(lines)
	return Replace(filepath.Join(dir, LedgerFile), []byte(strings.Join(slices.Compact(lines), "\n")+"\n"))
}

// folder makes a directory of the report. It rejects a link there, because it may lead anywhere.
func folder(name string) error {
	if err := os.MkdirAll(name, 0o755); err != nil {
		return err
	}
	if i, err := os.Lstat(name); err != nil || !i.IsDir() {
		return fmt.Errorf("%s exists and is not a directory", name)
	}
	return nil
}

// checkFree returns an error unless a file may be written: there is none, or a report made it, or it is the same.
func (l ledger) checkFree(dir string, f reports.File) error {
	name := filepath.Join(dir, filepath.FromSlash(f.Name))
	i, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !i.Mode().IsRegular():
		return fmt.Errorf("%s exists and is not a file", name)
	}
	content, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if !l[line(f.Name, content)] && !bytes.Equal(content, f.Content) {
		return fmt.Errorf("%s exists and was not written by a report; move it away", name)
	}
	return nil
}
