package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
)

// Keep keeps a result in its own directory within dir, and returns that directory. It writes the files into a temporary
// directory and renames that, so that a stored result is always complete.
func Keep(dir string, r *scenarios.Result, m runs.Making) (home string, err error) {
	home = homeOf(dir, r, m)
	if err := keepIn(dir, home, append(runs.Kept(r, m),
		reports.File{Name: BuildFile, Content: []byte(cli.Build() + "\n")})); err != nil {
		return "", Error(dir, err)
	}
	return home, nil
}

// homeOf returns where a result goes: <scenario>/<seed>. With changed settings, or if another scenario's result is
// there, it is <scenario>/<seed>-<the first digits of the scenario's SHA-256>. So a result replaces only one of the
// same run.
func homeOf(dir string, r *scenarios.Result, m runs.Making) string {
	home := filepath.Join(dir, Place(r.Scenario.ID), strconv.FormatUint(r.Seed, 10))
	hash := runs.HashScenario(m.YAML(r))
	if len(m.Settings) > 0 || isOfAnother(home, hash) {
		home += "-" + hash[:8]
	}
	return home
}

// isOfAnother reports whether a directory holds the result of a scenario with another hash. It is false for an
// unreadable one.
func isOfAnother(home, hash string) bool {
	var stored struct {
		Hash string `json:"scenario_sha256"`
	}
	text, err := os.ReadFile(filepath.Join(home, runs.ResultFile))
	return err == nil && json.Unmarshal(text, &stored) == nil && stored.Hash != "" && stored.Hash != hash
}

// Place returns the directory of a scenario's results within the store. A scenario may have any name. One that would
// lead out of the store, or that means something else there, gets an underscore before it.
func Place(id string) string {
	if id == "" || id[0] == '.' || id == "latest" || !filepath.IsLocal(filepath.FromSlash(id)) {
		id = "_" + strings.ReplaceAll(id, "/", "_")
	}
	return filepath.FromSlash(id)
}

func keepIn(dir, home string, files []reports.File) error {
	if err := os.MkdirAll(filepath.Dir(home), 0o755); err != nil {
		return err
	}
	if i, err := os.Lstat(home); err == nil && (!i.IsDir() || external(home, i)) {
		return fmt.Errorf("%s exists and is not a stored result", home)
	}
	temporary, err := os.MkdirTemp(dir, ".writing-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary) // it is gone already if all went well
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(temporary, f.Name), f.Content, 0o644); err != nil {
			return err
		}
	}
	return swap(temporary, home)
}

// external reports whether a directory holds something other than a result. It does not if another process has
// meanwhile renamed it, to put its own result there.
func external(home string, before os.FileInfo) bool {
	found, err := os.ReadDir(home)
	result := func(e os.DirEntry) bool { return e.Name() == "result.json" }
	if err != nil || len(found) == 0 || slices.ContainsFunc(found, result) {
		return false
	}
	after, err := os.Lstat(home)
	return err == nil && os.SameFile(before, after)
}

// swap replaces the old directory, if there is one, by the new one. Another process may do the same at the same time:
// then one of the two results stays. They are equal unless their settings differ.
func swap(temporary, home string) error {
	if err := os.Chmod(temporary, 0o755); err != nil { // MkdirTemp lets no other user in
		return err
	}
	old := temporary + "-old"
	var err error
	for range 10 {
		if err := os.Rename(home, old); err != nil && !os.IsNotExist(err) {
			return err
		}
		if err = os.Rename(temporary, home); err == nil {
			return os.RemoveAll(old)
		}
		if os.Rename(old, home) != nil { // another process has put a result there, so the old one can go
			os.RemoveAll(old)
		}
	}
	return err
}

// A linker makes a symbolic link, as os.Symlink does.
type linker func(target, link string) error

// LinkLatest points the store's link latest to a result. The result is stored without it, so a link that can't be made
// is only noted: Windows allows links to administrators and developers alone. Without a stored result, home is empty.
func LinkLatest(errs io.Writer, dir, home string) { linkLatest(errs, dir, home, os.Symlink) }

func linkLatest(errs io.Writer, dir, home string, link linker) {
	if home == "" {
		return
	}
	latest := filepath.Join(dir, "latest")
	if err := replaceLink(latest, home, link); err != nil {
		fmt.Fprintf(errs, cli.Name+": the result is stored in %s, but %s does not lead to it: %v\n", home, latest, err)
	}
}

// replaceLink makes a link under a temporary name and renames it. It replaces only a link.
func replaceLink(latest, home string, link linker) error {
	if i, err := os.Lstat(latest); err == nil && i.Mode()&os.ModeSymlink == 0 {
		return errors.New("it exists and is not the link that Lockstorm creates")
	}
	target, err := filepath.Rel(filepath.Dir(latest), home)
	if err != nil {
		return err
	}
	scratch, err := os.MkdirTemp(filepath.Dir(latest), ".writing-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	temporary := filepath.Join(scratch, "latest")
	if err := link(target, temporary); err != nil {
		return err
	}
	return os.Rename(temporary, latest)
}

// Probe returns an error if the store can't be written. It is called before long work.
func Probe(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	temporary, err := os.MkdirTemp(dir, ".writing-")
	if err != nil {
		return err
	}
	return os.Remove(temporary)
}

// Error describes what to do when the store can't be written.
func Error(dir string, err error) error {
	return fmt.Errorf("the store %s can't be written: %w; choose another with --store DIR, or none with --no-store",
		dir, err)
}
