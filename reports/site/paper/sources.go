package paper

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Sources lists the files of a repository: those that git knows. Without git, it lists every file except in the folders
// that tools and runs leave, and in the folder of the output.
func Sources(dir, but string) (all []string, err error) {
	if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
		if out, err := exec.Command("git", "-C", dir, "ls-files", "-z", "--cached").Output(); err == nil {
			for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
				if info, err := os.Lstat(filepath.Join(dir, name)); err == nil && info.Mode().IsRegular() {
					all = append(all, name)
				}
			}
			slices.Sort(all)
			return all, nil
		}
	}
	out, err := filepath.Abs(but)
	if err != nil {
		return nil, err
	}
	err = filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		here, err := filepath.Abs(file)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, file)
		switch name = filepath.ToSlash(name); {
		case err != nil:
			return err
		case d.IsDir() && (here == out || passed(name)):
			return fs.SkipDir
		case d.Type().IsRegular():
			all = append(all, name)
		}
		return nil
	})
	slices.Sort(all)
	return all, err
}
