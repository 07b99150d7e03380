package paper

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"debug/buildinfo"
	_ "embed" // for the readme
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/reports"
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
	packed, err := m.pack()
	if err != nil {
		return "", err
	}
	words := strings.NewReplacer("{version}", m.Version, "{items}", list(all), "{go}", strings.TrimPrefix(runtime.Version(), "go"))
	files := []reports.File{
		{Name: "README.md", Content: []byte(words.Replace(readme))},
		{Name: "environment.json", Content: reports.JSON(m.environment())},
		{Name: "items.json", Content: reports.JSON(all)},
		{Name: "differences.txt", Content: differences(all)},
		{Name: sourceFile, Content: packed},
	}
	for _, name := range []string{"CITATION.cff", "LICENSE"} {
		text, err := os.ReadFile(filepath.Join(m.Sources, name))
		if err == nil {
			files = append(files, reports.File{Name: name, Content: text})
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
	}
	for _, r := range all {
		names = append(names, r.Files...)
	}
	slices.Sort(names)
	for _, f := range append(files, reports.File{Name: timesFile, Content: reports.JSON(times)}) {
		if err := m.write(f.Name, f.Content); err != nil {
			return "", err
		}
	}
	sums, err := m.sums(names)
	if err == nil {
		err = m.write(sumsFile, sums)
	}
	if err != nil {
		return "", err
	}
	file := filepath.Clean(m.Dir) + ".zip"
	zipped, err := m.zip(append(names, sumsFile, timesFile))
	if err == nil {
		err = m.Write(file, zipped)
	}
	return file, err
}

func (m *Remake) write(name string, text []byte) error {
	return m.Write(filepath.Join(m.Dir, filepath.FromSlash(name)), text)
}

// differences has the first lines of each result that is not as it should be.
func differences(all []Result) []byte {
	var text bytes.Buffer
	for _, r := range all {
		if r.Difference != "" {
			fmt.Fprintf(&text, "%s, %s: %s\n", r.Name, r.State, r.Difference)
		}
	}
	return text.Bytes()
}

// list is a line for each item.
func list(all []Result) string {
	var text strings.Builder
	for _, r := range all {
		where := cmp.Or(r.File, r.Page)
		if where != "" {
			where = ", in " + where
		}
		commands := strings.ReplaceAll(strings.Join(r.Command, " "), " && ", "`, then `"+r.Program+" ")
		fmt.Fprintf(&text, "- `%s`%s: `%s %s`\n", r.Name, where, r.Program, commands)
	}
	return text.String()
}

func (m *Remake) environment() Environment {
	e := Environment{Version: m.Version, Build: m.Build, Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH,
		CPUs: runtime.NumCPU(), Runs: m.Runs, Modules: []string{}, Settings: []string{}}
	if info, err := buildinfo.ReadFile(m.program(full)); err == nil {
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

// Sources lists the files of a repository: those that git knows. Where there is no git, it lists all but what is no source
// or in the folder of the output.
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
		case d.Type().IsRegular() && here != out+".zip":
			all = append(all, name)
		}
		return nil
	})
	slices.Sort(all)
	return all, err
}

// pack returns the sources as an archive with the same bytes wherever they are the same.
func (m *Remake) pack() ([]byte, error) {
	names, err := Sources(m.Sources, m.Dir)
	if err != nil {
		return nil, err
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	t := tar.NewWriter(z)
	for _, name := range names {
		file := filepath.Join(m.Sources, filepath.FromSlash(name))
		info, err := os.Stat(file)
		if err != nil {
			return nil, err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		head := tar.Header{Name: "lockstorm-" + m.Version + "/" + name, Mode: 0o644, Size: int64(len(text)), ModTime: epoch,
			Format: tar.FormatPAX}
		if info.Mode()&0o100 != 0 {
			head.Mode = 0o755
		}
		if err := t.WriteHeader(&head); err != nil {
			return nil, err
		}
		if _, err := t.Write(text); err != nil {
			return nil, err
		}
	}
	err = errors.Join(t.Close(), z.Close())
	return packed.Bytes(), err
}

// epoch is when all files of an archive are of: the first day that a zip knows.
var epoch = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// sums returns the SHA-256 of each file, as sha256sum --check reads it.
func (m *Remake) sums(names []string) ([]byte, error) {
	var text bytes.Buffer
	for _, name := range names {
		file, err := os.ReadFile(filepath.Join(m.Dir, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&text, "%x  %s\n", sha256.Sum256(file), name)
	}
	return text.Bytes(), nil
}

// zip returns files in one, below the name of their folder.
func (m *Remake) zip(names []string) ([]byte, error) {
	var zipped bytes.Buffer
	z := zip.NewWriter(&zipped)
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(m.Dir, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: path.Join(filepath.Base(m.Dir), name), Method: zip.Deflate, Modified: epoch})
		if err == nil {
			_, err = w.Write(text)
		}
		if err != nil {
			return nil, err
		}
	}
	err := z.Close()
	return zipped.Bytes(), err
}
