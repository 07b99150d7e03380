package campaign_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

func TestAnAxisHasItsEndsAsGivenAndRoundsBetweenThem(t *testing.T) {
	for _, c := range []struct{ id, axis, want string }{
		{"kleppmann/gc-pause", "lock.ttl=1s..30s:log:8", "1s 1.626s 2.643s 4.296s 6.983s 11.352s 18.455s 30s"},
		{"kleppmann/gc-pause", "pause.for=1s..30s:log:8", "1s 1.626s 2.643s 4.296s 6.983s 11.352s 18.455s 30s"},
		{"kleppmann/gc-pause", "pause.for=1ms..10s:log:5", "1ms 10ms 100ms 1s 10s"},
		{"kleppmann/gc-pause", "pause.for=1ms..10s:log:8", "1ms 3.728ms 13.895ms 51.795ms 193.07ms 719.686ms 2.682696s 10s"},
		{"kleppmann/gc-pause", "pause.for=1s..16s:log:5", "1s 2s 4s 8s 16s"},
		{"kleppmann/gc-pause", "fault.1.for=1s..2s:lin:4", "1s 1.333s 1.667s 2s"},
		{"kleppmann/gc-pause", "fault.1.for=1ns..3s:lin:2", "1ns 3s"}, // what is given is not rounded
		{"kleppmann/gc-pause", "nodes=1..3:lin:9", "1 2 3"},           // what rounds to the same is one
		{"kleppmann/gc-pause", "nodes=1..3:log:3", "1 2 3"},
		{"kleppmann/gc-pause", "nodes=3,5,3,7,05", "3 5 7"},
		{"kleppmann/gc-pause", "lock.ttl=1s,1000ms,2s", "1s 2s"},
		{"kleppmann/gc-pause", "lock.contact=sequential,parallel", "sequential parallel"},
		{"kleppmann/gc-pause", "network.latency=1ms..2ms,3ms", "1ms..2ms 3ms..3ms"},
		{"kleppmann/gc-pause", "lock.drift_factor=0..0.01:lin:3", "0 0.005 0.01"},
		{"antirez/rate-drift", "clocks.n3=-20000ppm..20000ppm:lin:5", "-20000ppm -10000ppm 0ppm +10000ppm +20000ppm"},
		{"kleppmann/clock-jump", "fault.3.by=-3s..0s:lin:4", "-3s -2s -1s 0s"},
	} {
		a, err := campaign.ParseAxis(found(t, c.id), c.axis)
		var got []string
		for _, v := range a.Values {
			got = append(got, string(v))
		}
		if err != nil || strings.Join(got, " ") != c.want || !strings.HasPrefix(c.axis, a.Key+"=") {
			t.Errorf("%s: %v, %v; want %s", c.axis, got, err, c.want)
		}
	}
}

// Floats decide nothing there, but they come near enough to reveal a wrong root.
func TestLogarithmicStepsAreRoundedFloats(t *testing.T) {
	s := found(t, "kleppmann/gc-pause")
	rapid.Check(t, func(t *rapid.T) {
		from := 2*rapid.Int64Range(0, 500_000_000).Draw(t, "from in µs") + 1 // no coarser unit divides an odd end
		to := from + rapid.Int64Range(1, 1_000_000_000_000).Draw(t, "to in µs, less that")
		steps := rapid.IntRange(2, 40).Draw(t, "steps")
		a, err := campaign.ParseAxis(s, fmt.Sprintf("fault.1.for=%dus..%dus:log:%d", from, to, steps))
		if err != nil {
			t.Fatal(err)
		}
		var want []float64
		for i := range steps {
			n := math.Pow(float64(from), float64(steps-1-i)/float64(steps-1)) * math.Pow(float64(to), float64(i)/float64(steps-1))
			if n = math.Round(n); len(want) == 0 || n != want[len(want)-1] {
				want = append(want, n)
			}
		}
		if len(a.Values) != len(want) && to-from > 100_000 {
			t.Fatalf("%d values, and %d are wanted", len(a.Values), len(want))
		}
		for i, v := range a.Values[:min(len(want), len(a.Values))] {
			d, _ := time.ParseDuration(string(v))
			if us := float64(d.Microseconds()); math.Abs(us-want[i]) > 1+1e-9*want[i] && to-from > 100_000 {
				t.Fatalf("value %d is %s, and %.0f µs is wanted", i, v, want[i])
			}
		}
	})
}

func TestEvenStepsAreAsFarApartAsUnitsAllow(t *testing.T) {
	s := found(t, "kleppmann/gc-pause")
	rapid.Check(t, func(t *rapid.T) {
		from := 2*rapid.Int64Range(-500_000, 500_000).Draw(t, "from") + 1 // no coarser unit divides an odd end
		to := from + rapid.Int64Range(1, 1_000_000).Draw(t, "more")
		steps := rapid.IntRange(2, campaign.StepsMost).Draw(t, "steps")
		a, err := campaign.ParseAxis(s, fmt.Sprintf("lock.quorum=%d..%d:lin:%d", from, to, steps))
		if err != nil {
			t.Fatal(err)
		}
		var want []scenarios.Value
		for i := range int64(steps) {
			whole, m := from*int64(steps-1)+(to-from)*i, int64(steps-1)
			n := int64(math.Floor(float64(2*whole+m) / float64(2*m)))
			if v := scenarios.Value(fmt.Sprint(n)); !slices.Contains(want, v) {
				want = append(want, v)
			}
		}
		if !slices.Equal(a.Values, want) {
			t.Fatalf("%v, want %v", a.Values, want)
		}
	})
}
