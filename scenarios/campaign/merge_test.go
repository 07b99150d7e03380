package campaign

import (
	"reflect"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// Which worker finds what is chance, so what two of them found must add up in either order.
func TestTalliesAddUpInEitherOrder(t *testing.T) {
	few := func() Tally {
		return Tally{
			Runs: 2, Pass: 1, Fail: 1, Verdict: scenarios.Fail, Unexpected: []uint64{7},
			Properties: []Frequency{{Name: "belief", Count: stats.Count{Violated: 1, Runs: 2}}}, Sometimes: []Frequency{{Name: "contended", Count: stats.Count{Runs: 2}}},
			BlackBox: []View{{Model: "mutex", Count: stats.Count{Violated: 2, Runs: 2}}},
		}
	}
	none := func() Tally {
		return Tally{Properties: []Frequency{{Name: "belief"}}, Sometimes: []Frequency{{Name: "contended"}},
			BlackBox: []View{{Model: "mutex"}}}
	}
	for name, pair := range map[string][2]Tally{"none first": {none(), few()}, "none last": {few(), none()}} {
		got := pair[0]
		got.merge(pair[1])
		if !reflect.DeepEqual(got, few()) {
			t.Errorf("%s: %+v, want %+v", name, got, few())
		}
	}
	twice := few()
	twice.merge(few())
	if twice.Runs != 4 || twice.Pass != 2 || twice.Fail != 2 || twice.Properties[0].Count != (stats.Count{Violated: 2, Runs: 4}) || len(twice.Unexpected) != 2 {
		t.Errorf("%+v", twice)
	}
}
