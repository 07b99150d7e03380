package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/scenarios"
)

// store keeps a result in dir/<scenario>/<seed>. The files are written into a temporary directory, which then takes its
// name: there is never half a result under it.
func store(dir string, r *scenarios.Result, m reports.Making) error {
	home := filepath.Join(dir, filepath.FromSlash(r.Scenario.ID), strconv.FormatUint(r.Seed, 10))
	if err := os.MkdirAll(filepath.Dir(home), 0o755); err != nil {
		return storeError(dir, err)
	}
	temporary, err := os.MkdirTemp(dir, ".writing-")
	if err != nil {
		return storeError(dir, err)
	}
	defer os.RemoveAll(temporary) // it is gone already if all went well
	for _, f := range reports.Files(r, m) {
		if err := os.WriteFile(filepath.Join(temporary, f.Name), f.Content, 0o644); err != nil {
			return storeError(dir, err)
		}
	}
	if err := swap(temporary, home); err != nil {
		return storeError(dir, err)
	}
	if err := latest(dir, home); err != nil {
		return storeError(dir, err)
	}
	return nil
}

// swap puts the new directory in the place of the old one, if there is one.
func swap(temporary, home string) error {
	if err := os.Chmod(temporary, 0o755); err != nil { // MkdirTemp lets nobody else in
		return err
	}
	old := temporary + "-old"
	if err := os.Rename(home, old); err != nil && !os.IsNotExist(err) {
		return err
	}
	defer os.RemoveAll(old)
	return os.Rename(temporary, home)
}

// latest points dir/latest at the result.
func latest(dir, home string) error {
	target, err := filepath.Rel(dir, home)
	if err != nil {
		return err
	}
	link := filepath.Join(dir, ".latest-"+strconv.Itoa(os.Getpid()))
	if err := os.Symlink(target, link); err != nil {
		return err
	}
	return os.Rename(link, filepath.Join(dir, "latest"))
}

// probe finds out whether the store can be written to, before long work is done for it.
func probe(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return storeError(dir, err)
	}
	temporary, err := os.MkdirTemp(dir, ".writing-")
	if err != nil {
		return storeError(dir, err)
	}
	return os.Remove(temporary)
}

func storeError(dir string, err error) error {
	return fmt.Errorf("the store %s can't be written: %w; choose another with --store DIR, or none with --no-store", dir, err)
}
