package paper

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/reports"
)

// A Remake makes items again.
type Remake struct {
	Sources string // the repository
	Dir     string // where all goes
	Runs    int    // so few runs, to try it out; 0 for as many as the pages say
	Program string // the executable; empty to build lockstorm and lockstorm-full of the sources
	Build   string // names the executables: what another build made is made anew
	Version string
	Has     func(command, flag string) bool      // whether a command of the program has a flag
	Write   func(file string, text []byte) error // writes a file whole or not at all, in a folder that is made if need be
	Log     io.Writer
}

// A State is what became of an item.
type State string

// The states.
const (
	Same    State = "same"    // as it is committed, byte for byte
	Differs State = "differs" // from what is committed
	New     State = "made"    // there is nothing committed to compare it with
	Tried   State = "tried"   // with other numbers of runs than the page has, so it is no comparison
	Failed  State = "failed"  // its command ended with an error, or says itself that it is not as it should be
	Left    State = "left"    // not made
)

// A Result is what became of an item. It has no measured times.
type Result struct {
	Item
	Ran        []string `json:"ran,omitempty"` // the command lines
	State      State    `json:"state"`
	Exit       int      `json:"exit"`
	Files      []string `json:"files,omitempty"` // by their names in the archive
	SHA256     string   `json:"sha256,omitempty"`
	Difference string   `json:"difference,omitempty"` // its first lines, or what the command said
}

// Times are how long an item took.
type Times struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`      // by the clock on the wall
	Cores   float64 `json:"core_seconds"` // of all cores
}

// A record is kept of each item that is made, so that a killed run goes on behind it.
type record struct {
	Build  string `json:"build"`
	Runs   int    `json:"runs"`
	Result Result `json:"result"`
	Times  Times  `json:"times"`
}

func (m *Remake) scratch(name string) string { return filepath.Join(m.Dir, "work", name) }

// program returns the executable of a program.
func (m *Remake) program(name string) string {
	if m.Program != "" {
		return m.Program
	}
	return m.scratch(name + ".exe") // Windows wants the ending, and others take it
}

// Begin builds the programs, unless there is one, and names their build. Make comes after it.
func (m *Remake) Begin() error {
	sum := sha256.New()
	for _, name := range []string{lockstorm, full} {
		if m.Program == "" {
			c := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-o", m.program(name), ".")
			c.Dir = filepath.Join(m.Sources, "cmd", name)
			if said, err := c.CombinedOutput(); err != nil {
				return fmt.Errorf("%s can't be built of %s: %w\n%s", name, m.Sources, err, bytes.TrimSpace(said))
			}
		}
		text, err := os.ReadFile(m.program(name))
		if err != nil {
			return err
		}
		sum.Write(text)
	}
	m.Build = hex.EncodeToString(sum.Sum(nil))[:12]
	return nil
}

// Make makes the items that are not yet made, one after the other. It returns also those that were left when ctx ended.
func (m *Remake) Make(ctx context.Context, items []Item) (all []Result, times []Times, err error) {
	for n, i := range items {
		r, kept := m.kept(&i)
		switch {
		case kept:
			fmt.Fprintf(m.Log, "%d/%d %s: %s, made before\n", n+1, len(items), i.Name, r.Result.State)
		case ctx.Err() != nil:
			all = append(all, Result{Item: i, State: Left})
			continue
		default:
			if r, err = m.make(ctx, &i); err != nil {
				return nil, nil, fmt.Errorf("%s: %w", i.Name, err)
			}
			fmt.Fprintf(m.Log, "%d/%d %s: %s, %.1f s, %.1f core-seconds\n", n+1, len(items), i.Name, r.Result.State, r.Times.Seconds,
				r.Times.Cores)
		}
		r.Result.Item = i
		all = append(all, r.Result)
		if r.Result.State != Left {
			times = append(times, r.Times)
		}
	}
	return all, times, nil
}

// kept returns the record of an item that this build has made, with its files.
func (m *Remake) kept(i *Item) (r record, is bool) {
	text, err := os.ReadFile(m.scratch(i.Name) + ".json")
	if err != nil || json.Unmarshal(text, &r) != nil {
		return r, false
	}
	same := r.Build == m.Build && r.Runs == m.Runs && slices.Equal(r.Result.Command, i.Command) && r.Result.State != Failed
	if !same {
		return r, false
	}
	sum, err := m.sum(r.Result.Files)
	return r, err == nil && sum == r.Result.SHA256 && m.compare(i, &r.Result) == nil
}

// make makes an item in a folder of its own, and keeps what it made and the record.
func (m *Remake) make(ctx context.Context, i *Item) (r record, err error) {
	r = record{Build: m.Build, Runs: m.Runs, Result: Result{Item: *i}, Times: Times{Name: i.Name}}
	dir := m.scratch(i.Name)
	if err := m.begin(dir); err != nil {
		return r, err
	}
	var out []byte
	for command := range strings.SplitSeq(strings.Join(i.Command, "\x00"), "\x00&&\x00") {
		args := strings.Split(command, "\x00")
		if err := m.lend(dir, args); err != nil {
			return r, err
		}
		args = m.adapted(dir, args)
		r.Result.Ran = append(r.Result.Ran, i.Program+" "+strings.Join(args, " "))
		var said string
		if out, said, err = m.run(ctx, dir, m.program(i.Program), args, &r); err != nil {
			return r, err
		}
		switch {
		case ctx.Err() != nil:
			r.Result.State = Left
			return r, nil
		case r.Result.Exit != 0 && (r.Result.Exit != 1 || i.Kind != Example): // an example may show what fails
			r.Result.State, r.Result.Difference = Failed, said
			return r, m.keep(&r)
		}
	}
	if err := m.collect(i, dir, out, &r.Result); err != nil {
		return r, err
	}
	if err := m.compare(i, &r.Result); err != nil {
		return r, err
	}
	return r, m.keep(&r)
}

// begin makes the folder of an item. What another build left in it goes.
func (m *Remake) begin(dir string) error {
	ours := m.Build + " " + strconv.Itoa(m.Runs)
	if old, err := os.ReadFile(dir + ".build"); err != nil || string(old) != ours {
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return m.Write(dir+".build", []byte(ours))
}

func (m *Remake) keep(r *record) error {
	return m.Write(m.scratch(r.Times.Name)+".json", reports.JSON(r))
}

// run runs a command, and adds what it took. It returns what that printed, and the last that it said of errors.
func (m *Remake) run(ctx context.Context, dir, program string, args []string, r *record) (out []byte, said string, err error) {
	c := exec.CommandContext(ctx, program, args...)
	c.Dir, c.WaitDelay = dir, 10*time.Second
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	var o, e bytes.Buffer
	c.Stdout, c.Stderr = &o, &e
	tie(c)
	runtime.LockOSThread()
	begin := time.Now()
	err = c.Run()
	runtime.UnlockOSThread()
	r.Times.Seconds += time.Since(begin).Seconds()
	if s := c.ProcessState; s != nil {
		r.Times.Cores += (s.UserTime() + s.SystemTime()).Seconds()
		r.Result.Exit = s.ExitCode()
	}
	if ended := new(exec.ExitError); errors.As(err, &ended) {
		fmt.Fprintln(&e, ended) // such as that it was killed
	} else if err != nil && ctx.Err() == nil {
		return nil, "", err
	}
	lines := strings.Split(strings.TrimSpace(e.String()), "\n")
	return o.Bytes(), strings.Join(lines[max(0, len(lines)-5):], "\n"), nil
}

// lend puts copies of the repository's files that a command names into its folder.
func (m *Remake) lend(dir string, args []string) error {
	for _, a := range args {
		info, err := os.Stat(filepath.Join(m.Sources, a))
		if strings.HasPrefix(a, "-") || !strings.Contains(a, "/") || err != nil || !info.Mode().IsRegular() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(m.Sources, a))
		if err != nil {
			return err
		}
		if err := m.Write(filepath.Join(dir, a), text); err != nil {
			return err
		}
	}
	return nil
}

// adapted returns a command that goes on with the rows that it kept, shows no progress, and makes few runs if few are wanted.
func (m *Remake) adapted(dir string, args []string) []string {
	args = slices.Clone(args)
	has := func(flag string) bool { return m.Has(args[0], flag) }
	if (args[0] == "sweep" || args[0] == "study" && len(args) > 1 && args[1] != "bounds") && !slices.Contains(args, "--store") {
		args = append(args, "--store", "rows")
	}
	if at := slices.Index(args, "--store"); at > 0 && has("resume") {
		if _, err := os.Stat(filepath.Join(dir, args[at+1])); err == nil {
			args = append(args, "--resume")
		}
	}
	if has("progress") && !slices.Contains(args, "--quiet") {
		args = append(args, "--progress", "none")
	}
	if m.Runs > 0 && has("runs") && args[0] != "run" {
		args = append(args, "--runs", strconv.Itoa(m.Runs))
		if has("more") {
			args = append(args, "--more", "0")
		}
	}
	return args
}

// collect puts what an item made into results.
func (m *Remake) collect(i *Item, dir string, out []byte, r *Result) error {
	put := func(name string, text []byte) error {
		r.Files = append(r.Files, name)
		return m.write(name, text)
	}
	var err error
	switch i.Kind {
	case Figure:
		var text []byte
		if text, err = drawn(dir, filepath.Base(i.File), out); err == nil {
			err = put("results/"+i.Name+".svg", text)
		}
	case Example:
		err = put("results/"+i.Name+ending(i.Command), out)
	case Data:
		var text []byte
		if text, err = written(dir, filepath.Base(i.File)); text == nil { // it was printed
			text = out
		}
		err = errors.Join(err, put("results/"+i.Name+".csv", text))
	case Document:
		if text, err := os.ReadFile(filepath.Join(dir, i.Name+".html")); err == nil {
			out = text
		}
		err = put("results/"+i.Name+".html", out)
	case Study:
		if err = put("results/"+i.Name+".md", out); err == nil {
			err = figures(filepath.Join(dir, "figures"), func(name string, text []byte) error {
				return put("results/"+i.Name+"/"+name, text)
			})
		}
	}
	if err != nil {
		return err
	}
	r.SHA256, err = m.sum(r.Files)
	return err
}

func figures(dir string, put func(name string, text []byte) error) error {
	all, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range all {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		if err := put(e.Name(), text); err != nil {
			return err
		}
	}
	return nil
}

func ending(command []string) string {
	if slices.Contains(command, "markdown") {
		return ".md"
	}
	return ".txt"
}

// written returns the file of a name that a command wrote, whose name may have more before it; nil, if there is none.
func written(dir, name string) (text []byte, err error) {
	err = filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err == nil && text == nil && d.Type().IsRegular() && (d.Name() == name || strings.HasSuffix(name, "."+d.Name())) {
			text, err = os.ReadFile(file)
		}
		return err
	})
	return text, err
}

// drawn returns a picture: the file of that name, or the one in the page that was printed.
func drawn(dir, name string, out []byte) ([]byte, error) {
	if text, err := written(dir, name); text != nil || err != nil {
		return text, err
	}
	from, to := bytes.Index(out, []byte("<svg")), bytes.Index(out, []byte("</svg>"))
	if from < 0 || to < from {
		return nil, fmt.Errorf("its command made no picture %s", name)
	}
	return append(bytes.Clone(out[from:to+len("</svg>")]), '\n'), nil
}

// sum returns the SHA-256 of files, with their names.
func (m *Remake) sum(files []string) (string, error) {
	h := sha256.New()
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(m.Dir, filepath.FromSlash(name)))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s %d\n%s", name, len(text), text)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
