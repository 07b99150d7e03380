package environment_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios/forecast/environment"
)

var update = flag.Bool("update", false, "write testdata/read.golden anew")

// samples are logs that were made by the programs themselves (Go, a JVM 17, Redis 7.0, and last on a wtmp that utmpdump
// wrote), and for the others the forms that their manuals print.
var samples = [][2]string{
	{"gctrace", "gctrace.txt"}, {"jvm", "jvm-gc.log"}, {"chrony", "tracking.log"}, {"loopstats", "loopstats.txt"},
	{"redis-latency", "latency-history.txt"}, {"redis-latest", "latency-latest.txt"}, {"redis-info", "redis-info.txt"},
	{"ping", "ping.txt"},
	{"hdr", "hdr.txt"}, {"last", "last-reboot.txt"}, {"kubernetes", "events.json"},
}

func TestEachLogSaysWhatItKnowsAndWhatNot(t *testing.T) {
	t.Chdir("testdata")
	var b strings.Builder
	for _, s := range samples {
		text, err := environment.Read(s[0], []string{s[1]}, environment.Least/100)
		if err != nil {
			t.Error(err)
		}
		if !strings.Contains(text, "It can't know") {
			t.Errorf("%s: it does not say what it can't know", s[0])
		}
		b.WriteString(text + "\n")
	}
	if *update {
		if err := os.WriteFile("read.golden", []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("read.golden")
	if err != nil || b.String() != string(want) {
		t.Errorf("it reads otherwise than read.golden, which -update writes anew:\n%s", b.String())
	}
	if n := len(environment.Formats()); n != len(samples) {
		t.Errorf("%d formats, and samples of %d", n, len(samples))
	}
}

// What was read is part of an environment file that can be read.
func TestWhatIsReadIsPartOfAnEnvironment(t *testing.T) {
	for _, s := range samples {
		text, err := environment.Read(s[0], []string{filepath.Join("testdata", s[1])}, environment.Least/100)
		if err != nil {
			t.Fatal(err)
		}
		text = strings.Replace("title: read\nwork: {clients: 2, hold: 1s}\n"+text, "?/year", "1/year", 1)
		if _, err := environment.Parse("read.yaml", []byte(text)); err != nil {
			t.Errorf("%s: %v\n%s", s[0], err, text)
		}
	}
}

func TestALogOfAnotherProgramIsRefusedWithItsLine(t *testing.T) {
	for _, s := range samples {
		for _, other := range samples {
			if other[0] == s[0] || strings.HasPrefix(other[0], "redis-lat") && strings.HasPrefix(s[0], "redis-lat") {
				continue
			}
			file := filepath.Join("testdata", other[1])
			if text, err := environment.Read(s[0], []string{file}, 0); err == nil || !strings.HasPrefix(err.Error(), file+":") {
				t.Errorf("%s read as %s: %v\n%s", file, s[0], err, text)
			}
		}
	}
}

// Of a line of chrony's each field that is read may be wrong by itself.
func TestAFieldOfALogThatIsNoNumberIsRefused(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "tracking.log"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "20") })
	for field, wrong := range map[int]string{0: "2026-99-99", 1: "25:00:00", 5: "x", 6: "x"} {
		f := strings.Fields(lines[i])
		f[field] = wrong
		file := filepath.Join(t.TempDir(), "tracking.log")
		broken := slices.Concat(lines[:i], []string{strings.Join(f, " ") + "\n"}, lines[i+1:])
		if err := os.WriteFile(file, []byte(strings.Join(broken, "")), 0o600); err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf("%s:%d:", file, i+1)
		if _, err := environment.Read("chrony", []string{file}, 0); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("field %d is %q: %v, want %s", field, wrong, err, want)
		}
	}
}

// A file that ends within a line is refused, or its last line is none that says anything.
func TestATruncatedLogIsNoPanicAndNoOtherStory(t *testing.T) {
	dir := t.TempDir()
	for _, s := range samples {
		whole, err := os.ReadFile(filepath.Join("testdata", s[1]))
		if err != nil {
			t.Fatal(err)
		}
		refused := 0
		for n := 0; n < len(whole); n += 1 + len(whole)/150 {
			file := filepath.Join(dir, s[1])
			if err := os.WriteFile(file, whole[:n], 0o644); err != nil {
				t.Fatal(err)
			}
			if _, err := environment.Read(s[0], []string{file}, 0); err != nil {
				if refused++; !strings.HasPrefix(err.Error(), file+":") {
					t.Errorf("%s, %d bytes: %v", s[0], n, err)
				}
			}
		}
		if refused == 0 {
			t.Errorf("%s: no part of it was refused", s[0])
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range samples {
		text, err := os.ReadFile(filepath.Join("testdata", s[1]))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(s[0], text)
	}
	file := filepath.Join(f.TempDir(), "log")
	f.Fuzz(func(t *testing.T, format string, text []byte) {
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
		_, _ = environment.Read(format, []string{file}, 0)
	})
}
