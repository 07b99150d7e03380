package onerun_test

import (
	"math"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/reports/onerun"
	"github.com/lockstorm/lockstorm/reports/pictures"
)

func TestTheTimelineOfAPageCanStandAlone(t *testing.T) {
	svg, ok := pictures.CutTimeline(pageOf(t, "kleppmann/gc-pause"))
	if !ok || !strings.HasPrefix(string(svg), `<svg xmlns="http://www.w3.org/2000/svg"`) || !strings.HasSuffix(string(svg), "</svg>\n") ||
		strings.Count(string(svg), "<svg ") != 1 || !strings.Contains(string(svg), "<style>.ls{") || !strings.Contains(string(svg), "key of c1") {
		t.Errorf("%t, %.500s", ok, svg)
	}
}

func TestOfAPageWithoutATimelineNoneIsCut(t *testing.T) {
	for _, page := range []string{"", "<svg ></svg>", `id="lanes"`, `id="lanes"<svg `, `id="lanes"<svg x`, `id="lanes"<svg x></sv`, `id="lanes"<svg </svg>`} {
		if svg, ok := pictures.CutTimeline([]byte(page)); ok {
			t.Errorf("of %q is cut %q", page, svg)
		}
	}
}

func TestFiguresAreShownInTheirUnitAndCompared(t *testing.T) {
	figure := func(unit string, value int64) onerun.Figure { return onerun.Figure{Unit: unit, Value: &value} }
	none := onerun.Figure{Unit: "count"}
	for _, c := range []struct {
		a, b          onerun.Figure
		shown, beyond string
	}{
		{figure("count", 7), figure("count", 4), "7", "+3"},
		{figure("count", 4), figure("count", 7), "4", "−3"},
		{figure("count", 4), figure("count", 4), "4", ""},
		{figure("nanoseconds", 1_500_000_000), figure("nanoseconds", 0), "1.500000s", "+1.500000s"},
		{figure("instant", 0), figure("instant", 2_000), "0.000000s", "−0.000002s"},
		{none, figure("count", 4), "-", ""},
		{figure("count", 4), none, "4", ""},
		{figure("count", math.MinInt64), figure("count", math.MaxInt64), "-9223372036854775808", "+1"}, // of an enemy; it must do no harm
	} {
		if shown, beyond := c.a.Shown(), c.a.Beyond(c.b); shown != c.shown || beyond != c.beyond {
			t.Errorf("%+v is shown as %q, %q; want %q, %q", c, shown, beyond, c.shown, c.beyond)
		}
	}
	if doc := onerun.FigureDoc("held"); doc != "time in which some client held the lock validly" || onerun.FigureDoc("no such") != "" {
		t.Errorf("held tells %q", doc)
	}
}
