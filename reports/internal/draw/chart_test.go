package draw_test

import (
	"math"
	"regexp"
	"strconv"
	"testing"

	"github.com/lockstorm/lockstorm/reports/internal/draw"
	"github.com/lockstorm/lockstorm/scenarios"
)

// The chart's bar of a fault is at the place that the chart states.
func TestChartHasItsBarsInPlace(t *testing.T) {
	for _, id := range []string{"kleppmann/gc-pause", "kleppmann/clock-jump", "distlock/split-vote", "etcd/leader-cut-off"} {
		s, _ := scenarios.Find(id)
		r := scenarios.Run(s, 1)
		c := draw.NewChart(draw.NewScene(r))
		for _, strike := range r.Evidence.Strikes {
			lane, ok := c.Lane(strike.Fault)
			bar := regexp.MustCompile(`data-lane="` + regexp.QuoteMeta(strike.Fault) + `">\s*<rect x="([0-9.]+)" y="([0-9.]+)"`).FindStringSubmatch(c.SVG)
			if !ok || bar == nil {
				t.Errorf("%s: there is no lane or no bar of %s", id, strike.Fault)
				continue
			}
			x, _ := strconv.ParseFloat(bar[1], 64)
			y, _ := strconv.ParseFloat(bar[2], 64)
			want := c.Left + (c.Right-c.Left)*float64(strike.From-c.From)/float64(c.To-c.From)
			if math.Abs(x-want) > 2 || y < lane.Top || y > lane.Top+lane.Height {
				t.Errorf("%s: %s is drawn at %.1f %.1f, and said to be at %.1f, %.1f to %.1f", id, strike.Fault, x, y, want, lane.Top, lane.Top+lane.Height)
			}
		}
	}
}

func TestMomentsAreOrderedAndPaired(t *testing.T) {
	s, _ := scenarios.Find("kleppmann/gc-pause")
	all := draw.NewScene(scenarios.Run(s, 1)).Moments()
	begun := map[[2]string]int{}
	for i, m := range all {
		if i > 0 && m.At < all[i-1].At {
			t.Errorf("moment %d comes before the last", i)
		}
		if !m.Over {
			begun[[2]string{m.Lane, m.Text}]++
		}
	}
	for _, want := range [][2]string{{"c1", "c1 acts as holder (token 33)"}, {"c1", "c1 stands still"}, {"pause c1", "pause c1"}} {
		if begun[want] == 0 {
			t.Errorf("nowhere does %q begin: %v", want, all)
		}
	}
}

func TestFaultsAreNamedInWords(t *testing.T) {
	for what, want := range map[string]string{
		"pause c1": "pause c1", "hold c1>s": "held message c1 to s", "cut c1>n1": "one-way cut c1 to n1",
		"jump n3 +11s": "clock jump n3 +11s", "partition c1 > n1 n2": "partition c1 to n1 n2", "stall-disk holder=c1": "stalled disk holder=c1",
		"a fault of another build": "a fault of another build",
	} {
		if got := draw.FaultInWords(what); got != want {
			t.Errorf("%s is called %q, want %q", what, got, want)
		}
	}
}
