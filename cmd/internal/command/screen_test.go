package command

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// onTerminal carries out a command line on a terminal with a number of columns, and returns what it printed there. It
// skips the test where the program script is missing, which makes terminals.
func onTerminal(t *testing.T, columns string, env []string, args ...string) string {
	t.Helper()
	const untried = "nothing is printed on a terminal"
	script := need.Program(t, untried, "script")
	if out, _ := exec.Command(script, "--version").Output(); !bytes.Contains(out, []byte("util-linux")) {
		need.Possible(t, untried, errors.New("this script is not util-linux's, which makes terminals"))
	}
	c := exec.Command(script, "-qec", "stty cols "+columns+"; "+os.Args[0]+" "+strings.Join(args, " "), os.DevNull)
	c.Env = append(os.Environ(), asCommand+"=1", "TERM=xterm", "COLUMNS=33", "NO_COLOR=", "SHELL=/bin/sh")
	c.Env = append(c.Env, env...)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.ReplaceAll(string(out), "\r\n", "\n")
}

var escape = regexp.MustCompile("\x1b\\[[0-9]*[mK]|\r")

func widest(text string) (most int) {
	for line := range strings.Lines(text) {
		for shown := range strings.SplitSeq(line, "\x1b[K") { // progress is erased before the text that follows
			most = max(most, len([]rune(strings.TrimSuffix(escape.ReplaceAllString(shown, ""), "\n"))))
		}
	}
	return most
}

func TestTerminalTextFitsAndIsColoured(t *testing.T) {
	t.Chdir(t.TempDir())
	dir := t.TempDir()
	for _, c := range []struct {
		columns     string
		env         []string
		args        string
		width, room int // it is no wider than width, and makes use of the room
		coloured    bool
	}{
		{"60", nil, "run kleppmann/gc-pause --no-store", 60, 55, true},
		{"100", nil, "run kleppmann/gc-pause --no-store --runs 3", 100, 50, true},
		{"300", nil, "run kleppmann/gc-pause --no-store --verbose", 118, 100, true},
		{"300", nil, "run kleppmann/gc-pause --no-store", 80, 75, true},
		{"60", []string{"NO_COLOR=1"}, "run kleppmann/gc-pause --no-store", 60, 55, false},
		{"60", []string{"TERM=dumb"}, "run kleppmann/gc-pause --no-store", 60, 55, false},
		{"60", []string{"NO_COLOR=1"}, "run kleppmann/gc-pause --no-store --color always", 60, 55, true},
		{"60", nil, "run kleppmann/gc-pause --no-store --color never", 60, 55, false},
		{"0", nil, "run kleppmann/gc-pause --no-store", 40, 35, true}, // it does not know, and COLUMNS says 33, which is too little
		{"0", []string{"COLUMNS=70"}, "run kleppmann/gc-pause --no-store", 70, 65, true},
		{"0", []string{"COLUMNS="}, "run kleppmann/gc-pause --no-store", 80, 75, true},
		{"50", nil, "test kleppmann --runs 2", 50, 45, true},
		{"50", nil, "list", 50, 45, true},
		{"80", nil, "fuzz kleppmann/gc-pause --runs 9 ; true", 80, 70, true},
		{"80", nil, "sweep kleppmann/gc-pause --axis pause.for=2s,12s --runs 2", 80, 70, false},
		{"80", nil, "explore redlock/small --budget 50 ; true", 80, 70, false},
		{"80", nil, "study together --runs 1", 80, 70, false},
		{"80", nil, "study", 80, 70, false},
		{"80", nil, "arithmetic redlock", 80, 70, false},
		{"80", nil, "check --list-models", 80, 70, false},
		{"80", nil, "run kleppmann/gc-pause --set lock.kind=none ; true", 80, 70, false},
	} {
		out := onTerminal(t, c.columns, c.env, strings.Fields(c.args)...)
		if w := widest(out); w > c.width || w < c.room || strings.Contains(out, "\x1b[3") != c.coloured && !strings.HasPrefix(c.args, "list") {
			t.Errorf("%s with %v on %s columns: the widest line has %d; want %d to %d, and colours: %t\n%s", c.args, c.env, c.columns, w, c.room, c.width, c.coloured, out)
		}
	}
	if left := entries(t, dir); len(left) > 0 {
		t.Errorf("it leaves %v", left)
	}
}

// Piped output has the same bytes whatever the terminal, and equals a file of the store.
func TestPipeIgnoresTheTerminal(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("COLUMNS", "50")
	t.Setenv("TERM", "dumb")
	narrow := mustRun(t, 0, "run", "kleppmann/clock-jump", "--store", dir, "--verbose")
	t.Setenv("COLUMNS", "200")
	t.Setenv("TERM", "xterm-256color")
	t.Setenv("NO_COLOR", "")
	if wide := mustRun(t, 0, "run", "kleppmann/clock-jump", "--no-store", "--verbose"); wide != narrow {
		t.Errorf("with another terminal it prints\n%s", wide)
	}
	if file := contents(t, dir+"/latest")["report.txt"]; file != narrow {
		t.Errorf("the file has\n%s", file)
	}
	coloured := mustRun(t, 0, "run", "kleppmann/clock-jump", "--no-store", "--verbose", "--color", "always")
	if !strings.Contains(coloured, "\x1b[31mviolated\x1b[0m") || escape.ReplaceAllString(coloured, "") != narrow {
		t.Errorf("in colour it prints\n%q", coloured)
	}
	piped := onTerminal(t, "60", nil, "run", "kleppmann/clock-jump", "--no-store", "--verbose", "|", "cat")
	if piped != narrow {
		t.Errorf("piped on a terminal it prints\n%s", piped)
	}
}

// On a terminal a run also says where it opens in a browser, if a site is known. A pipe has the same bytes as without.
func TestTerminalNamesThePlaygroundOfAKnownSite(t *testing.T) {
	t.Setenv("LOCKSTORM_SITE", "https://site.example/")
	args := []string{"run", "kleppmann/gc-pause", "--no-store", "--set", "work.recheck=true", "--seed", "3"}
	const page = "https://site.example/playground.html#run=kleppmann/gc-pause&seed=3&set=work.recheck=true\n"
	if out := mustRun(t, 1, args...); strings.Contains(out, "browser") {
		t.Errorf("a pipe has\n%s", out)
	}
	if out := onTerminal(t, "80", nil, append(args, ";", "true")...); !strings.Contains(out, "In a browser:\n  "+page) {
		t.Errorf("a terminal has\n%s", out)
	}
	if out := onTerminal(t, "80", nil, append(args, "--no-search", ";", "true")...); strings.Contains(out, "browser") {
		t.Errorf("a run that the playground lacks:\n%s", out)
	}
}

func TestProgressFitsTheTerminal(t *testing.T) {
	out := onTerminal(t, "30", nil, "run", "baseline/fault-free", "--no-store", "--runs", "600")
	for _, drawn := range strings.Split(strings.Split(out, "baseline/")[0], "\r") {
		if n := len(escape.ReplaceAllString(drawn, "")); n >= 30 {
			t.Errorf("progress of %d columns on a terminal of 30: %q", n, drawn)
		}
	}
}

// For a terminal of 80 columns the help of each command is folded, without a lost word.
func TestHelpFitsANarrowTerminal(t *testing.T) {
	plain := func(text string) string {
		return strings.Join(strings.Fields(strings.ReplaceAll(text, "\\\n", "\n")), " ")
	}
	for _, g := range groups() {
		for _, c := range append(g.Commands, newSchedule()) {
			explain(c)
			for _, whole := range []string{c.Long, c.Example} {
				text := cli.Fold(reports.Screen{Width: 80}, whole)
				if plain(text) != plain(whole) {
					t.Errorf("%s: words were lost or changed:\n%s", c.Name(), text)
				}
				for line := range strings.Lines(text) {
					if utf8.RuneCountInString(line) > 81 {
						t.Errorf("%s: %q is too long", c.Name(), line)
					}
				}
			}
		}
	}
}
