package live

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/lockstorm/lockstorm/scenarios"
)

// A Scale is what times are multiplied with, in thousandths.
type Scale int

// ParseScale reads a number from 0.001 to 1.
func ParseScale(text string) (Scale, error) {
	f, err := strconv.ParseFloat(text, 64)
	if n := Scale(f*1000 + 0.5); err == nil && n >= 1 && n <= 1000 {
		return n, nil
	}
	return 0, fmt.Errorf("%q is no scale; give a number from 0.001 to 1, such as 0.2", text)
}

// String returns the scale as a number, such as 0.2.
func (k Scale) String() string { return strconv.FormatFloat(float64(k)/1000, 'g', -1, 64) }

// twin runs a scaled scenario in the simulator, with the seed of a run of the whole one. It returns an error if their verdicts
// differ.
func twin(whole *scenarios.Result, scaled *scenarios.Scenario) (*scenarios.Result, error) {
	twin := scenarios.Run(*scaled, whole.Seed)
	for i, f := range slices.Concat(whole.Findings, whole.Seen) {
		switch g := slices.Concat(twin.Findings, twin.Seen)[i]; {
		case g.Verdict == f.Verdict:
		case i < len(whole.Findings):
			return nil, fmt.Errorf("in the simulator, %s is %s, and %s with its times scaled", f.Property, f.Verdict, g.Verdict)
		default:
			return nil, fmt.Errorf("in the simulator, %s no longer happens with times scaled", f.Property)
		}
	}
	return twin, nil
}

// margin is half of the smallest gap that the schedule relies on: between any two of the times of the lock and of the faults. How
// soon after the mark before an attempt a fault strikes is none of them: the proxy has gathered the requests by then, and which
// comes first, the fault or what the servers answer, is the order of two events of the world, however late the driver is.
func margin(s *scenarios.Scenario) time.Duration {
	times := []time.Duration{0, s.Lock.TTL, s.Lock.Timeout, s.Storage.Idle}
	kind, _ := serversOf(s.Lock.Kind, "")
	if !kind.Service {
		times = append(times, s.Lock.TTL-s.Lock.Drift())
	}
	if kind.gaps != nil {
		times = append(times, kind.gaps(s)...)
	}
	for _, f := range s.Faults {
		if times = append(times, f.For, f.By.Abs()); !soonAfterMark(&f) {
			times = append(times, f.When.After)
		}
	}
	slices.Sort(times)
	times = slices.Compact(times)
	least := s.Lock.TTL
	for i := range times[1:] {
		least = min(least, times[i+1]-times[i])
	}
	return least / 2
}
