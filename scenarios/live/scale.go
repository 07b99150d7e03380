package live

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A Scale is what times are multiplied with, in thousandths.
type Scale int

// DefaultScale makes a TTL of ten seconds two.
const DefaultScale Scale = 200

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

// shortest is the least time that is made shorter, and the least that any is made: below it the machine's own times matter.
const shortest = 100 * time.Millisecond

// time makes a time shorter.
func (k Scale) time(d time.Duration) time.Duration {
	switch {
	case d < 0:
		return -k.time(-d)
	case d <= shortest:
		return d
	}
	return max(shortest, (d / 1000 * time.Duration(k)).Round(time.Millisecond))
}

// apply returns the scenario with shorter times.
func (k Scale) apply(s *scenarios.Scenario) (scenarios.Scenario, error) {
	scaled := *s
	scaled.ID, scaled.Mutants, scaled.Bounds = "live/"+s.ID, nil, nil // whose settings are those of the whole times
	lock, work := &scaled.Lock, &scaled.Work
	all := []*time.Duration{
		&lock.TTL, &lock.Timeout, &lock.DriftConstant, &lock.Retry.Min, &lock.Retry.Max, &lock.Renew.Every, &work.Stagger,
		&work.Work.Min, &work.Work.Max, &work.Think.Min, &work.Think.Max, &work.StorageTimeout, &scaled.Horizon, &scaled.Storage.Idle,
	}
	if kind, _ := serversOf(lock.Kind, ""); kind.scaled != nil {
		all = append(all, kind.scaled(&scaled)...)
	}
	for _, d := range all {
		*d = k.time(*d)
	}
	scaled.Faults = append(scaled.Faults[:0:0], scaled.Faults...)
	for i := range scaled.Faults {
		f := &scaled.Faults[i]
		f.At = clock.Instant(k.time(time.Duration(f.At)))
		f.For, f.By, f.When.After, f.Every = k.time(f.For), k.time(f.By), k.time(f.When.After), k.time(f.Every)
	}
	if err := scaled.Check(); err != nil {
		return scaled, fmt.Errorf("with times scaled by %s the scenario is none: %w", k, err)
	}
	return scaled, nil
}

// twins runs both scenarios in the simulator, and returns the run of the scaled one. It returns an error if their verdicts
// differ.
func twins(s, scaled *scenarios.Scenario, seed uint64) (*scenarios.Result, error) {
	whole, twin := scenarios.Run(*s, seed), scenarios.Run(*scaled, seed)
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
