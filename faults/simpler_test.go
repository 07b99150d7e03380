package faults_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/faults"
)

// Shrinking prefers a name to a role, few hosts to many, both ways to one, and named hosts to those that a shape draws.
func TestWeightIsSmallestForFewNamedHosts(t *testing.T) {
	for text, want := range map[string]int64{
		"pause c1": 1, "pause holder": 1, "pause a-node": 2, "pause minority": 4, "pause nodes": 5, "pause all": 8, "cut c1>n1": 2,
		"partition isolate n1": 1, "partition c1 | n1": 2, "partition c1 > n1": 3, "partition c1 c2 n1 | n2 n3": 5,
		"partition minority | holder": 5, "partition split": 20, "partition ring": 20, "partition bridge": 20,
	} {
		if got := read(t, "at 1s "+text)[0].Weight(); got != want {
			t.Errorf("%s weighs %d, want %d", text, got, want)
		}
	}
}

func TestFewerHostsAreTriedOneByOne(t *testing.T) {
	for text, want := range map[string]string{
		"pause c1":              "pause c1",
		"pause clients":         "pause c1, pause n1, pause clients",
		"cut nodes>c1":          "cut c1>c1, cut n1>c1, cut nodes>c1",
		"partition isolate all": "partition isolate c1, partition isolate n1, partition isolate all",
		"partition c1 n1 > n2":  "partition n1 > n2, partition c1 > n2, partition c1 n1 > , partition c1 n1 | n2",
		"partition split":       "partition split",
	} {
		var tried []string
		f := read(t, "at 0s "+text)[0]
		try := func(f faults.Fault) bool {
			tried = append(tried, strings.TrimPrefix(f.String(), "at 0s "))
			return true
		}
		if more := f.FewerHosts([]string{"c1", "n1"}, try); !more || strings.Join(tried, ", ") != want {
			t.Errorf("%s: tries %q, want %q", text, tried, want)
		}
		first := tried[0]
		stop := func(f faults.Fault) bool { return false }
		if f.FewerHosts([]string{"c1", "n1"}, stop) || !slices.Equal(tried[:1], []string{first}) || f.String() != "at 0s "+text {
			t.Errorf("%s: went on when it was told to end, or changed %s", text, f)
		}
	}
}
