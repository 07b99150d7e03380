package scenarios_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios/sentence"
)

func TestSentenceEndsAfterItsAssertions(t *testing.T) {
	got := sentence.Split("It breaks {a b}, and\nso on {c: d}. Version 1.5 is\nnew. Why? {e}")
	want := []string{"It breaks {a b}, and so on {c: d}.", "Version 1.5 is new.", "Why? {e}"}
	if !slices.Equal(got, want) || !slices.Equal(sentence.Assertions(got[0]), []string{"a b", "c: d"}) {
		t.Errorf("%q", got)
	}
}

func TestSentenceStaysWithinItsEvidence(t *testing.T) {
	for _, c := range []struct {
		text  string
		basis sentence.Basis
		want  string
	}{
		{"An update is lost.", sentence.Basis{Rests: []string{"storage violated"}}, ""},
		{"An update is lost.", sentence.Basis{Rests: []string{"belief violated"}}, "rests on none of"},
		{"An update is lost.", sentence.Basis{Silent: true}, "rests on nothing"},
		{"Locks have names.", sentence.Basis{Silent: true}, ""},
		{"Locks have names.", sentence.Basis{}, "rests on nothing"},
		{"It lives for 10 s.", sentence.Basis{Silent: true, Known: "ttl: 10s"}, ""},
		{"It lives for 12 s.", sentence.Basis{Silent: true, Known: "ttl: 10s"}, "12 is neither"},
		{"Clocks are 2% fast.", sentence.Basis{Rests: []string{"validity holds"}, Known: "clocks: 20000ppm"}, ""},
		{"It never fails.", sentence.Basis{Rests: []string{"validity holds"}}, "one plan"},
		{"It never fails.", sentence.Basis{Rests: []string{"validity holds"}, Drawn: true}, ""},
		{"It waits longer.", sentence.Basis{Rests: []string{"validity holds"}}, "no pair"},
		{"It waits longer.", sentence.Basis{Rests: []string{"validity holds"}, Pair: true}, ""},
		{"An oracle is a counter.", sentence.Basis{Rests: []string{"no run: definition"}}, ""},
		{"The page wants \"3 ms\" never to do.", sentence.Basis{Rests: []string{"no run: source"}}, "never"},
		{"The page wants \"3 ms\".", sentence.Basis{Rests: []string{"no run: source"}}, ""},
		{"It wants time.", sentence.Basis{Rests: []string{"no run: source"}}, "names no source"},
		{"It takes 3 ms.", sentence.Basis{Rests: []string{"no run: definition"}}, `"3"`},
		{"It is safer.", sentence.Basis{Rests: []string{"no run: judgement"}}, `"safer"`},
		{"Nothing breaks.", sentence.Basis{Rests: []string{"no run: reasoning"}}, `"breaks"`},
		{"It is so.", sentence.Basis{Rests: []string{"no run: why not"}}, "no reason"},
	} {
		got := strings.Join(sentence.Wrong(c.text, c.basis), "; ")
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%q on %+v: %q, want %q", c.text, c.basis, got, c.want)
		}
	}
}
