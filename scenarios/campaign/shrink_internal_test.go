package campaign

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
)

// A fault hit at 1.25 s, by the third passage of a mark. Shrinking tries the start; earlier passages; the marks that
// were passed about then, the nearest later ones first, and rounder times after each of these; and rounder times.
func TestMomentsThatShrinkingTries(t *testing.T) {
	s, err := faults.Parse("when c2 read 3rd +7ms pause c1 for 2s\n")
	if err != nil {
		t.Fatal(err)
	}
	var marks []passing
	for i := range 15 { // 100 ms apart: 12 of them before it hit
		marks = append(marks, passing{faults.Mark{Host: "c1", Name: fmt.Sprint("m", i), Nth: 1}, clock.Instant(i+1) * 100_000_000})
	}
	var tried []string
	for _, f := range moments(s[0], 1_250_000_000, marks) {
		tried = append(tried, strings.NewReplacer(" for 2s", "", " pause c1", "").Replace(f.String()))
	}
	want := []string{"at 0s", "when c2 read +7ms", "when c2 read 2nd +7ms"}
	for i := 14; i >= 4; i-- {
		want = append(want, fmt.Sprint("when c1 m", i))
	}
	if !slices.Equal(tried[:len(want)], want) {
		t.Errorf("first %q\nwant  %q", tried[:len(want)], want)
	}
	rest := tried[len(want):]
	for _, one := range []string{"when c1 m11 +50ms", "when c1 m10 +100ms", "when c1 m4 +700ms", "at 1s", "at 1.2s", "at 1.25s", "at 1.3s", "at 2s"} {
		if !slices.Contains(rest, one) {
			t.Errorf("%s is not tried", one)
		}
	}
	for _, one := range rest { // before a mark nothing can hit by it
		if strings.Contains(one, "m12") || strings.Contains(one, "m13") || strings.Contains(one, "-") || one == "at 3s" {
			t.Errorf("%s is tried", one)
		}
	}
}
