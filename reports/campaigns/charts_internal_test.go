package campaigns

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// A legend tells curves apart by the values of an axis. Powers of ten are for those who write programs.
func TestALegendWritesLargeNumbersInFull(t *testing.T) {
	c := &scale{Axis: campaign.Axis{Key: "clocks.n3"}, number: true, words: "clocks n3", label: "clocks n3 [ppm]", at: []float64{0, 0.25, 3.10723, 5000, 15000, 123456}}
	for i, want := range []string{"0", "0.25", "3.107", "5000", "15000", "123456"} {
		if got := c.valueText(i); got != "clocks n3 = "+want+" ppm" {
			t.Errorf("%v is said as %q", c.at[i], got)
		}
	}
}

// A label says what varies, and not the value that the scenario has.
func TestAnAxisIsNamedWithoutTheAmountsOfItsFault(t *testing.T) {
	for key, want := range map[string]string{
		"kleppmann/clock-jump jump.by": "size of jump n3", "kleppmann/gc-pause pause.for": "duration of pause c1",
		"antirez/ntp-slew slew.by": "size of slew n3", "kleppmann/delayed-reply slow.by": "size of slow nodes>c1",
		"kleppmann/gc-pause lock.ttl": "lock TTL",
	} {
		id, key, _ := strings.Cut(key, " ")
		s, ok := scenarios.Find(id)
		if got := (Labels{}).ofSetting(&s, key); !ok || got != want {
			t.Errorf("%s of %s is %q, want %q", key, id, got, want)
		}
	}
	s, _ := scenarios.Find("kleppmann/clock-jump")
	cell := campaign.Cell{{Key: "fault.3.by", Value: "30s"}, {Key: "nodes", Value: "7"}}
	if got := (Labels{}).ofCell(&s, cell); got != "size of jump n3 = 30s, nodes = 7" {
		t.Errorf("a cell is %q", got)
	}
}

// Who asks for values that are multiplied sees them at even steps.
func TestValuesOfALogarithmicSweepStandAtEvenSteps(t *testing.T) {
	for values, want := range map[string]bool{
		"1 2 4 8 16": true, "1 1.626 2.643 4.296": true, "1 2 5 10": true, "1 3 10": true, "1 100": true, "1 2 3 4 5": false, "10 20 30": false,
		"1 2": false, "1 8.25 15.5 22.75 30": false, "0 1 2 4": false, "-4 -2 -1": false, "5 6 7.2": true, "1 16": false,
	} {
		c := scale{number: true}
		for i, v := range strings.Fields(values) {
			n, _ := strconv.ParseFloat(v, 64)
			c.at, c.order = append(c.at, n), append(c.order, i)
		}
		if got := c.axis().Log; got != want {
			t.Errorf("%s: logarithmic %v, want %v", values, got, want)
		}
	}
}

// Names along a map are as short as numbers elsewhere, unless that would make two of them one.
func TestNamesOfAMapAreShortNumbersInTheUnitOfItsLabel(t *testing.T) {
	for values, want := range map[string]string{
		"18.45457s 1.625614s 2s": "1.626 2 18.45", "10.0001s 10.0002s": "10.0001 10.0002", "100ms 200ms": "100 200",
	} {
		s, _ := scenarios.Find("kleppmann/clock-jump")
		a := campaign.Axis{Key: "jump.by"}
		for _, v := range strings.Fields(values) {
			a.Values = append(a.Values, scenarios.Value(v))
		}
		c := scaleOf(&s, a, "size")
		if got := strings.Join(c.names(), " "); got != want {
			t.Errorf("%s are named %s, want %s", values, got, want)
		}
	}
}

// Of ten runs six broke, and two ended whole before any had. Those can break nothing later: four are left in the end, not
// the none to whom the last who broke would have been alone, had the others been censored.
func TestASurvivalCurveEndsAtTheShareThatNeverBroke(t *testing.T) {
	c := campaign.Counts{Broke: campaign.Values{20: 3, 30: 3}, Ended: campaign.Values{10: 2, 25: 2}, Cut: campaign.Values{}}
	steps := stats.KaplanMeier(momentsOf(&c, 40), stats.Confidence)
	if end := steps[len(steps)-1]; end.Time != 40 || math.Abs(end.Survival-0.4) > 1e-12 {
		t.Errorf("it ends with %+v", end)
	}
	c.Cut[25] = 5 // of which nothing is known from then on: of seven that are left three break
	steps = stats.KaplanMeier(momentsOf(&c, 40), stats.Confidence)
	if end := steps[len(steps)-1].Survival; math.Abs(end-(1-3.0/15)*(1-3.0/7)) > 1e-12 {
		t.Errorf("with runs that were cut short it ends at %f", end)
	}
}
