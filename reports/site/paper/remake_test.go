package paper

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/scenarios/campaign/study"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// Everything that the pages show is made again, in a separate process each, and equals the committed file byte for
// byte. Studies that ship, the debate and the theorem have nothing committed, but must not fail.
func TestEachItemIsMadeAgain(t *testing.T) {
	need.Long(t)
	sources, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	items, err := Items(os.DirFS(sources), study.Names())
	m := remake{sources: sources, dir: t.TempDir()}
	if err = errors.Join(err, m.build()); err != nil {
		t.Fatal(err)
	}
	for _, i := range items {
		t.Run(i.Name, func(t *testing.T) {
			if state, note, err := m.make(t.Context(), &i); err != nil || state == differs || state == failed {
				t.Errorf("%s %s: %s, %v\n%s", i.Program, strings.Join(i.Command, " "), state, err, note)
			}
		})
	}
}

// A remake makes items again.
type remake struct {
	sources string // the repository
	dir     string // the folder for everything that is made
	program string // the executable; empty for lockstorm and lockstorm-full, built of the sources
}

// A state is the outcome of an item.
type state string

// The states.
const (
	equal   state = "equal"   // as it is committed, byte for byte
	differs state = "differs" // from what is committed
	made    state = "made"    // there is nothing committed to compare it with
	failed  state = "failed"  // its command ended with an error
)

func (m *remake) scratch(name string) string { return filepath.Join(m.dir, "work", name) }

// executable returns the file of a program.
func (m *remake) executable(name string) string {
	if m.program != "" {
		return m.program
	}
	return m.scratch(name + ".exe") // Windows wants the ending, and others take it
}

// build builds the programs.
func (m *remake) build() error {
	for _, name := range []string{lockstorm, full} {
		c := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-o", m.executable(name), ".")
		c.Dir = filepath.Join(m.sources, "cmd", name)
		if said, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("%s can't be built of %s: %w\n%s", name, m.sources, err, bytes.TrimSpace(said))
		}
	}
	return nil
}

// make makes an item in its folder, and compares it with the committed one. The note is what differs, or
// what a command said that failed.
func (m *remake) make(ctx context.Context, i *Item) (outcome state, note string, err error) {
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
		c := exec.CommandContext(ctx, m.executable(i.Program), args...)
		c.Dir, c.WaitDelay, c.Stdout, c.Stderr = dir, 10*time.Second, &out, &said
		c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
		err := c.Run()
		ended, is := errors.AsType[*exec.ExitError](err)
		if err != nil && !is {
			return "", "", err
		}
		if is && (ended.ExitCode() != 1 || i.Kind != Example) { // an example may show what fails
			return failed, fmt.Sprintf("%s%v\n", said.String(), err), nil
		}
	}
	got, err := result(i, dir, out.Bytes())
	want := i.snippet.Whole
	switch {
	case err != nil:
		return "", "", err
	case i.Kind == Example:
		got = []byte(i.snippet.With(string(got)))
	case i.File == "":
		return made, "", nil
	default:
		text, err := os.ReadFile(filepath.Join(m.sources, filepath.FromSlash(i.File)))
		if err != nil {
			return "", "", err
		}
		want = string(text)
	}
	if string(got) == want {
		return equal, "", nil
	}
	return differs, difference(want, string(got)), nil
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
func (m *remake) lend(dir string, args []string) error {
	for _, a := range args {
		info, err := os.Stat(filepath.Join(m.sources, a))
		if strings.HasPrefix(a, "-") || !strings.Contains(a, "/") || err != nil || !info.Mode().IsRegular() {
			continue
		}
		text, err := os.ReadFile(filepath.Join(m.sources, a))
		if err != nil {
			return err
		}
		if err := put(filepath.Join(dir, a), text); err != nil {
			return err
		}
	}
	return nil
}

// result returns what an item's command wrote to a file, or else what it printed.
func result(i *Item, dir string, out []byte) (text []byte, err error) {
	switch i.Kind {
	case Figure:
		return pictureOf(dir, filepath.Base(i.File), out)
	case Data:
		text, err = written(dir, filepath.Base(i.File))
	case Document:
		text, err = written(dir, i.Name+".html")
	default:
		return out, nil
	}
	if text == nil {
		text = out
	}
	return text, err
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
