package campaign

import (
	"reflect"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios"
)

// Which worker finds what is chance, so what two of them found must add up in either order.
func TestTalliesAddUpInEitherOrder(t *testing.T) {
	few := func() Tally {
		return Tally{
			Runs: 2, Verdicts: [3]int{1, 0, 1}, Worst: scenarios.Fail, Unexpected: []uint64{7},
			Properties: []Count{{"belief", [3]int{1, 0, 1}}}, Sometimes: []Count{{"contended", [3]int{2, 0, 0}}},
		}
	}
	none := func() Tally {
		return Tally{Worst: scenarios.Pass, Properties: []Count{{Name: "belief"}}, Sometimes: []Count{{Name: "contended"}}}
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
	if twice.Runs != 4 || twice.Verdicts != [3]int{2, 0, 2} || twice.Properties[0].Verdicts != [3]int{2, 0, 2} || len(twice.Unexpected) != 2 {
		t.Errorf("%+v", twice)
	}
}
