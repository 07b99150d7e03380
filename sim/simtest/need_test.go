package simtest_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

// A reader is a test that keeps the words with which it is skipped.
type reader struct {
	testing.TB
	says string
}

func (r *reader) Helper() {}

func (r *reader) Skipf(format string, args ...any) { r.says = fmt.Sprintf(format, args...) }

func TestASkippedTestSaysWhatIsNotTriedAndWhy(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	type tb = testing.TB
	for want, ask := range map[string]func(t tb){
		"NOT TRIED: no clock: there is no cc on the PATH (Debian: gcc libc6-dev)": func(t tb) {
			need.Program(t, "no clock", "cc")
		},
		"NOT TRIED: no page: there is no chromium, chrome on the PATH (Debian: chromium)": func(t tb) {
			need.Program(t, "no page", "chromium", "chrome")
		},
		"NOT TRIED: no link: it makes none":                  func(t tb) { need.Possible(t, "no link", errors.New("it makes none")) },
		"NOT TRIED: it does nothing alone: TestMore runs it": func(t tb) { need.Caller(t, "NO_SUCH_VARIABLE", "TestMore") },
		"": func(t tb) { need.Possible(t, "no link", nil) },
	} {
		r := &reader{TB: t}
		if ask(r); r.says != want {
			t.Errorf("it says %q, want %q", r.says, want)
		}
	}
}
