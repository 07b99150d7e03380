package runs_test

import (
	"math"
	"testing"

	"github.com/lockstorm/lockstorm/reports/runs"
)

func TestFiguresAreShownInTheirUnitAndCompared(t *testing.T) {
	figure := func(unit string, value int64) runs.Figure { return runs.Figure{Unit: unit, Value: &value} }
	none := runs.Figure{Unit: "count"}
	for _, c := range []struct {
		a, b          runs.Figure
		shown, beyond string
	}{
		{figure("count", 7), figure("count", 4), "7", "+3"},
		{figure("count", 4), figure("count", 7), "4", "−3"},
		{figure("count", 4), figure("count", 4), "4", ""},
		{figure("nanoseconds", 1_500_000_000), figure("nanoseconds", 0), "1.500000 s", "+1.500000 s"},
		{figure("instant", 0), figure("instant", 2_000), "0.000000 s", "−0.000002 s"},
		{none, figure("count", 4), "-", ""},
		{figure("count", 4), none, "4", ""},
		{figure("count", math.MinInt64), figure("count", math.MaxInt64), "-9223372036854775808", "+1"}, // of an enemy; it must do no harm
	} {
		if shown, beyond := c.a.Shown(), c.a.Beyond(c.b); shown != c.shown || beyond != c.beyond {
			t.Errorf("%+v is shown as %q, %q; want %q, %q", c, shown, beyond, c.shown, c.beyond)
		}
	}
	if doc := runs.FigureDoc("held"); doc != "time validly held" || runs.FigureDoc("no such") != "" {
		t.Errorf("held tells %q", doc)
	}
}
