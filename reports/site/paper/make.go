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
	"strings"
	"time"
)

// A Remake makes items again.
type Remake struct {
	Sources string                               // the repository
	Dir     string                               // the folder for everything that is made
	Program string                               // the executable; empty to build lockstorm and lockstorm-full of the sources
	Write   func(file string, text []byte) error // writes a file whole or not at all, in a folder that is made if need be
	Out     io.Writer                            // receives a line for each item
}

// A State is the outcome of an item.
type State string

// The states.
const (
	Equal   State = "equal"   // as it is committed, byte for byte
	Differs State = "differs" // from what is committed
	Made    State = "made"    // there is nothing committed to compare it with
	Failed  State = "failed"  // its command ended with an error
)

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

// Make makes the items one after the other until ctx ends, and prints the state and the command of each. It returns how
// many have each state.
func (m *Remake) Make(ctx context.Context, items []Item) (map[State]int, error) {
	counts := map[State]int{}
	for _, i := range items {
		state, note, err := m.make(ctx, &i)
		if ctx.Err() != nil {
			return counts, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", i.Name, err)
		}
		counts[state]++
		fmt.Fprintf(m.Out, "%-7s  %s: %s %s\n%s", state, i.Name, i.Program, strings.Join(i.Command, " "), note)
	}
	return counts, nil
}

// make makes an item in its folder, keeps the result, and compares it with the committed one. The note is what differs, or
// what a command said that failed.
func (m *Remake) make(ctx context.Context, i *Item) (state State, note string, err error) {
	dir := m.scratch(i.Name)
	if err := errors.Join(os.RemoveAll(dir), os.MkdirAll(dir, 0o755)); err != nil {
		return "", "", err
	}
	var out, said bytes.Buffer
	for command := range strings.SplitSeq(strings.Join(i.Command, "\x00"), "\x00&&\x00") {
		args := strings.Split(command, "\x00")
		if err := m.lend(dir, args); err != nil {
			return "", "", err
		}
		out.Reset()
		c := exec.CommandContext(ctx, m.program(i.Program), args...)
		c.Dir, c.WaitDelay, c.Stdout, c.Stderr = dir, 10*time.Second, &out, &said
		c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
		err := c.Run()
		ended, is := errors.AsType[*exec.ExitError](err)
		if err != nil && !is {
			return "", "", err
		}
		if is && (ended.ExitCode() != 1 || i.Kind != Example) { // an example may show what fails
			return Failed, fmt.Sprintf("%s%v\n", said.String(), err), nil
		}
	}
	made, ending, err := result(i, dir, out.Bytes())
	if err == nil {
		err = m.Write(filepath.Join(m.Dir, "results", i.Name+ending), made)
	}
	want := i.snippet.Whole
	switch {
	case err != nil:
		return "", "", err
	case i.Kind == Example:
		made = []byte(i.snippet.With(string(made)))
	case i.File == "":
		return Made, "", nil
	default:
		text, err := os.ReadFile(filepath.Join(m.Sources, filepath.FromSlash(i.File)))
		if err != nil {
			return "", "", err
		}
		want = string(text)
	}
	if string(made) == want {
		return Equal, "", nil
	}
	return Differs, difference(want, string(made)), nil
}

// difference returns the first line in which a result differs from the committed one, from a little before the place: a
// minus precedes the committed line, a plus the new one.
func difference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	at := 0
	for at < len(a)-1 && at < len(b)-1 && a[at] == b[at] {
		at++
	}
	old, made := []rune(a[at]), []rune(b[at])
	from := 0
	for from < len(old) && from < len(made) && old[from] == made[from] {
		from++
	}
	from = max(0, from-100)
	return fmt.Sprintf("line %d; - is committed, + was made now\n-%.200s\n+%.200s\n", at+1, string(old[from:]), string(made[from:]))
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

// result returns what an item's command wrote to a file, or else what it printed, and the ending of its name.
func result(i *Item, dir string, out []byte) (text []byte, ending string, err error) {
	switch i.Kind {
	case Figure:
		text, err = pictureOf(dir, filepath.Base(i.File), out)
		return text, ".svg", err
	case Data:
		text, err = written(dir, filepath.Base(i.File))
		ending = ".csv"
	case Document:
		text, err = written(dir, i.Name+".html")
		ending = ".html"
	default:
		return out, ".txt", nil
	}
	if text == nil {
		text = out
	}
	return text, ending, err
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

// pictureOf returns a picture: the file of that name, or the one in the printed page.
func pictureOf(dir, name string, out []byte) ([]byte, error) {
	if text, err := written(dir, name); text != nil || err != nil {
		return text, err
	}
	from, to := bytes.Index(out, []byte("<svg")), bytes.Index(out, []byte("</svg>"))
	if from < 0 || to < from {
		return nil, fmt.Errorf("its command made no picture %s", name)
	}
	return append(bytes.Clone(out[from:to+len("</svg>")]), '\n'), nil
}
