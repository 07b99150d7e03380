package paper

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/reports"
)

// A Remake makes items again.
type Remake struct {
	Sources string                               // the repository
	Dir     string                               // the folder for everything that is made
	Runs    int                                  // this many runs, to try it out; 0 for as many as the pages say
	Program string                               // the executable; empty to build lockstorm and lockstorm-full of the sources
	Has     func(command, flag string) bool      // whether a command of the program has a flag
	Write   func(file string, text []byte) error // writes a file whole or not at all, in a folder that is made if need be
	Log     io.Writer
}

// A State is the outcome of an item.
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

// A Result is an item with its outcome.
type Result struct {
	Item
	Ran        []string `json:"ran,omitempty"` // the command lines
	State      State    `json:"state"`
	Exit       int      `json:"exit"`
	Files      []string `json:"files,omitempty"`      // in the folder
	Difference string   `json:"difference,omitempty"` // its first lines, or what the command said
	Seconds    float64  `json:"seconds"`              // by the clock on the wall
	Cores      float64  `json:"core_seconds"`         // of all cores
}

func (m *Remake) scratch(name string) string { return filepath.Join(m.Dir, "work", name) }

// program returns the executable of a program.
func (m *Remake) program(name string) string {
	if m.Program != "" {
		return m.Program
	}
	return m.scratch(name + ".exe") // Windows wants the ending, and others take it
}

// Begin builds the programs, unless there is one. Make comes after it.
func (m *Remake) Begin() error {
	if m.Program != "" {
		_, err := os.Stat(m.Program)
		return err
	}
	for _, name := range []string{lockstorm, full} {
		c := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-o", m.program(name), ".")
		c.Dir = filepath.Join(m.Sources, "cmd", name)
		if said, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("%s can't be built of %s: %w\n%s", name, m.Sources, err, bytes.TrimSpace(said))
		}
	}
	return nil
}

// Make makes the items one after the other. It also returns the items that were left when ctx ended.
func (m *Remake) Make(ctx context.Context, items []Item) (all []Result, err error) {
	for n, i := range items {
		r := Result{Item: i, State: Left}
		if ctx.Err() == nil {
			if err := m.make(ctx, &r); err != nil {
				return nil, fmt.Errorf("%s: %w", i.Name, err)
			}
			fmt.Fprintf(m.Log, "%d/%d %s: %s, %.1f s, %.1f core-seconds\n", n+1, len(items), i.Name, r.State, r.Seconds, r.Cores)
		}
		all = append(all, r)
	}
	return all, nil
}

// make makes an item in its folder, and keeps the result.
func (m *Remake) make(ctx context.Context, r *Result) error {
	dir := m.scratch(r.Name)
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755)); err != nil {
		return err
	}
	var out []byte
	for command := range strings.SplitSeq(strings.Join(r.Command, "\x00"), "\x00&&\x00") {
		args := strings.Split(command, "\x00")
		if err := m.lend(dir, args); err != nil {
			return err
		}
		args = m.adapted(args)
		r.Ran = append(r.Ran, r.Program+" "+strings.Join(args, " "))
		var said string
		var err error
		if out, said, err = m.run(ctx, dir, args, r); err != nil || ctx.Err() != nil {
			return err
		}
		if r.Exit != 0 && (r.Exit != 1 || r.Kind != Example) { // an example may show what fails
			r.State, r.Difference = Failed, said
			return nil
		}
	}
	files, err := collect(&r.Item, dir, out)
	if err != nil {
		return err
	}
	for _, f := range files {
		r.Files = append(r.Files, f.Name)
		if err := m.Write(filepath.Join(m.Dir, filepath.FromSlash(f.Name)), f.Content); err != nil {
			return err
		}
	}
	return m.compare(r, string(files[0].Content))
}

// run runs a command, and adds its cost. It returns the output, and the last error message.
func (m *Remake) run(ctx context.Context, dir string, args []string, r *Result) (out []byte, said string, err error) {
	c := exec.CommandContext(ctx, m.program(r.Program), args...)
	c.Dir, c.WaitDelay = dir, 10*time.Second
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	var o, e bytes.Buffer
	c.Stdout, c.Stderr = &o, &e
	begin := time.Now()
	err = c.Run()
	r.Seconds += time.Since(begin).Seconds()
	if s := c.ProcessState; s != nil {
		r.Cores += (s.UserTime() + s.SystemTime()).Seconds()
		r.Exit = s.ExitCode()
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

// adapted returns a command that shows no progress, and makes few runs if few are wanted.
func (m *Remake) adapted(args []string) []string {
	args = slices.Clone(args)
	has := func(flag string) bool { return m.Has(args[0], flag) }
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

// collect returns the files that an item made. The first is compared with the committed one.
func collect(i *Item, dir string, out []byte) (all []reports.File, err error) {
	name, text := "results/"+i.Name, out
	switch i.Kind {
	case Figure:
		name += ".svg"
		text, err = drawn(dir, filepath.Base(i.File), out)
	case Example:
		name += ".txt"
		if slices.Contains(i.Command, "markdown") {
			name = strings.TrimSuffix(name, ".txt") + ".md"
		}
	case Data:
		name += ".csv"
		text, err = written(dir, filepath.Base(i.File))
	case Document:
		text, err = written(dir, i.Name+".html")
		name += ".html"
	case Study:
		name += ".md"
	}
	if text == nil && err == nil { // it was printed
		text = out
	}
	all = []reports.File{{Name: name, Content: text}}
	if i.Kind != Study || err != nil {
		return all, err
	}
	figures := filepath.Join(dir, "figures")
	drawn, err := os.ReadDir(figures)
	if errors.Is(err, fs.ErrNotExist) { // it has none
		return all, nil
	}
	for _, e := range drawn {
		text, err := os.ReadFile(filepath.Join(figures, e.Name()))
		if err != nil {
			return nil, err
		}
		all = append(all, reports.File{Name: "results/" + i.Name + "/" + e.Name(), Content: text})
	}
	return all, err
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

// drawn returns a picture: the file of that name, or the one in the printed page.
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
