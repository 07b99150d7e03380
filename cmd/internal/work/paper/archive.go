package paper

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"
)

// Names of files in the archive. All but the times have the same bytes where results and machine are the same.
const (
	sumsFile   = "SHA256SUMS"
	timesFile  = "times.json"
	sourceFile = "sources.tar.gz"
)

//go:embed readme.txt
var readme string

// An Environment is where an archive was made.
type Environment struct {
	Version  string   `json:"lockstorm"`
	Build    string   `json:"build"`
	Go       string   `json:"go"`
	OS       string   `json:"os"`
	Arch     string   `json:"arch"`
	CPUs     int      `json:"cpus"`
	Runs     int      `json:"runs,omitempty"`  // so few in place of those that the pages say
	Changed  bool     `json:"sources_changed"` // since the commit
	Commit   string   `json:"commit,omitempty"`
	Modules  []string `json:"modules"`
	Settings []string `json:"build_settings"`
}

// Archive writes what a referee needs beside the results: sources, environment, checksums, how to cite, the licence and a page
// that says how all of it is made. Then it puts everything into one file, whose name it returns.
func (m *Remake) Archive(all []Result, times []Times) (string, error) {
	files, err := sources(m.Sources, m.Dir)
	if err != nil {
		return "", err
	}
	if err := m.pack(files); err != nil {
		return "", err
	}
	names := []string{"README.md", "environment.json", "items.json", "differences.txt", sourceFile}
	for _, name := range []string{"CITATION.cff", "LICENSE"} {
		text, err := os.ReadFile(filepath.Join(m.Sources, name))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		if err := m.write(name, text); err != nil {
			return "", err
		}
		names = append(names, name)
	}
	var differences strings.Builder
	for _, r := range all {
		names = append(names, r.Files...)
		if r.Difference != "" {
			fmt.Fprintf(&differences, "%s, %s: %s\n", r.Name, r.State, r.Difference)
		}
	}
	words := strings.NewReplacer("{version}", m.Version, "{items}", list(all), "{go}", strings.TrimPrefix(runtime.Version(), "go"))
	head := words.Replace(readme)
	for name, text := range map[string]any{ // order: each is a file of its own
		"README.md": head, "environment.json": m.environment(), "items.json": all, "differences.txt": differences.String(),
		timesFile: times,
	} {
		bytes, is := text.(string)
		if !is {
			out, err := json.MarshalIndent(text, "", "  ")
			if err != nil {
				return "", err
			}
			bytes = string(out) + "\n"
		}
		if err := m.write(name, []byte(bytes)); err != nil {
			return "", err
		}
	}
	slices.Sort(names)
	if err := m.sums(names); err != nil {
		return "", err
	}
	return m.zip(append(names, sumsFile, timesFile))
}

func (m *Remake) write(name string, text []byte) error {
	return os.WriteFile(filepath.Join(m.Dir, filepath.FromSlash(name)), text, 0o644)
}

// list is a line for each item.
func list(all []Result) string {
	var text strings.Builder
	for _, r := range all {
		where := r.Page
		if r.File != "" {
			where = r.File
		}
		if where != "" {
			where = ", in " + where
		}
		commands := strings.ReplaceAll(strings.Join(r.Command, " "), " && ", "`, then `lockstorm ")
		fmt.Fprintf(&text, "- `%s`%s: `lockstorm %s`\n", r.Name, where, commands)
	}
	return text.String()
}

func (m *Remake) environment() Environment {
	e := Environment{Version: m.Version, Build: m.Build, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
		CPUs: runtime.NumCPU(), Runs: m.Runs, Modules: []string{}, Settings: []string{}}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			e.Modules = append(e.Modules, d.Path+" "+d.Version+" "+d.Sum)
		}
		for _, s := range info.Settings {
			e.Settings = append(e.Settings, s.Key+"="+s.Value)
		}
	}
	git := func(args ...string) string {
		out, err := exec.Command("git", append([]string{"-C", m.Sources}, args...)...).Output()
		if err != nil {
			return ""
		}
		return strings.TrimSpace(string(out))
	}
	if _, err := os.Stat(filepath.Join(m.Sources, ".git")); err == nil {
		e.Commit, e.Changed = git("rev-parse", "HEAD"), git("status", "--porcelain") != ""
	}
	return e
}

// sources lists the files of a repository: those that git knows, or all but what is no source, where there is no git.
func sources(dir, but string) (all []string, err error) {
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
		case d.Type().IsRegular() && here != out+".zip":
			all = append(all, name)
		}
		return nil
	})
	slices.Sort(all)
	return all, err
}

// pack writes the sources as an archive with the same bytes wherever they are the same.
func (m *Remake) pack(files []string) (err error) {
	f, err := os.Create(filepath.Join(m.Dir, sourceFile))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	z := gzip.NewWriter(f)
	t := tar.NewWriter(z)
	for _, name := range files {
		file := filepath.Join(m.Sources, filepath.FromSlash(name))
		info, err := os.Stat(file)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		mode := int64(0o644)
		if info.Mode()&0o100 != 0 {
			mode = 0o755
		}
		head := tar.Header{Name: "lockstorm-" + m.Version + "/" + name, Mode: mode, Size: int64(len(text)), ModTime: epoch,
			Format: tar.FormatPAX}
		if err := t.WriteHeader(&head); err != nil {
			return err
		}
		if _, err := t.Write(text); err != nil {
			return err
		}
	}
	return errors.Join(t.Close(), z.Close())
}

// epoch is when all files of an archive are of: the first day that a zip knows.
var epoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// sums writes the SHA-256 of each file, as sha256sum --check reads it.
func (m *Remake) sums(names []string) error {
	var text strings.Builder
	for _, name := range names {
		file, err := os.ReadFile(filepath.Join(m.Dir, filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		fmt.Fprintf(&text, "%x  %s\n", sha256.Sum256(file), name)
	}
	return m.write(sumsFile, []byte(text.String()))
}

// zip puts files into one, beside the folder.
func (m *Remake) zip(names []string) (file string, err error) {
	file = filepath.Clean(m.Dir) + ".zip"
	f, err := os.Create(file)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	z := zip.NewWriter(f)
	for _, name := range names {
		text, err := os.Open(filepath.Join(m.Dir, filepath.FromSlash(name)))
		if err != nil {
			return "", err
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: path.Join(filepath.Base(m.Dir), name), Method: zip.Deflate, Modified: epoch})
		if err == nil {
			_, err = io.Copy(w, text)
		}
		if err := errors.Join(err, text.Close()); err != nil {
			return "", err
		}
	}
	return file, z.Close()
}
