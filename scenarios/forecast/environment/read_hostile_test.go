package environment_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/scenarios/forecast/environment"
)

var digit = regexp.MustCompile(`[0-9]+`)

// Whatever a file holds, each reader comes to an end soon: with what it says, or with the line that is wrong.
func TestNoReaderHangsOnAHostileFile(t *testing.T) {
	repeat := func(s string, n int) []byte { return bytes.Repeat([]byte(s), n) }
	hostile := map[string][]byte{
		"empty": nil, "newlines": repeat("\n", 100_000), "NULs": make([]byte, 1<<20), "one long line": repeat("9", 1<<20),
		"long line of words": repeat("1 ", 1<<19), "brackets": repeat("[{(", 1<<18), "not UTF-8": repeat("\xff\xfe", 1<<19),
		"many numbers": repeat("1\n", 100_000), "quotes": repeat("\"\n", 100_000), "carriage returns": repeat("\r", 1<<20),
	}
	dir := t.TempDir()
	for _, s := range samples {
		all := map[string][]byte{}
		for name, text := range hostile {
			all[name] = text
		}
		whole, err := os.ReadFile(filepath.Join("testdata", s[1]))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.SplitAfter(string(whole), "\n")
		last := lines[max(len(lines)-2, 0)]
		all["huge numbers"] = []byte(digit.ReplaceAllString(string(whole), strings.Repeat("9", 400)))
		all["large numbers"] = []byte(digit.ReplaceAllString(string(whole), "9223372036854775807"))
		all["zeros"] = []byte(digit.ReplaceAllString(string(whole), "0"))
		all["a line a hundred thousand times"] = append(whole, repeat(last, 100_000)...)
		all["a NUL in each line"] = bytes.ReplaceAll(whole, []byte("\n"), []byte("\x00\n"))
		for name, text := range all {
			file := filepath.Join(dir, "log")
			if err := os.WriteFile(file, text, 0o644); err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			said, err := environment.Read(s[0], []string{file}, 0)
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("%s, %s: it took %s", s[0], name, took)
			}
			if err != nil && (!strings.HasPrefix(err.Error(), file+":") || len(err.Error()) > 1000) {
				t.Errorf("%s, %s: %.2000s", s[0], name, err)
			}
			if strings.Contains(said, "\x00") || strings.Contains(said, "NaN") || strings.Contains(said, "Inf") {
				t.Errorf("%s, %s: %.2000s", s[0], name, said)
			}
		}
	}
}

func TestWhatTwoFilesSayIsAddedUpOrRefused(t *testing.T) {
	for _, s := range samples {
		file := filepath.Join("testdata", s[1])
		text, err := environment.Read(s[0], []string{file, file}, environment.Least/100)
		if err != nil {
			if !strings.Contains(err.Error(), "one file at a time") {
				t.Errorf("%s: %v", s[0], err)
			}
			continue
		}
		text = "title: read\nwork: {clients: 2, hold: 1s}\n" + text
		if _, err := environment.Parse("read.yaml", []byte(text)); err != nil {
			t.Errorf("%s: %v\n%s", s[0], err, text)
		}
	}
	if _, err := os.Stat("/dev/zero"); err != nil || testing.Short() {
		return
	}
	if _, err := environment.Read("ping", []string{"/dev/zero"}, 0); err == nil || !strings.Contains(err.Error(), "256 MiB") {
		t.Errorf("a device that never ends: %v", err)
	}
}
