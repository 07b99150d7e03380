package live

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A Scale is a factor for times, in thousandths.
type Scale int

// ParseScale reads a number from 0.001 to 1.
func ParseScale(text string) (Scale, error) {
	f, err := strconv.ParseFloat(text, 64)
	if n := Scale(f*1000 + 0.5); err == nil && n >= 1 && n <= 1000 {
		return n, nil
	}
	return 0, fmt.Errorf("%q is not a scale; give a number from 0.001 to 1, such as 0.2", text)
}

// String returns the scale as a number, such as 0.2.
func (k Scale) String() string { return strconv.FormatFloat(float64(k)/1000, 'g', -1, 64) }

// A Pace says how a live run changes a scenario's times.
type Pace struct {
	Scale Scale // the factor for times of more than a tenth of a second
	Widen int   // the factor for shorter ones, 1 or more, where a machine can't keep their gaps
}

// String returns the scale, and the factor of short times unless it is 1.
func (p Pace) String() string {
	if p.Widen == 1 {
		return p.Scale.String()
	}
	return fmt.Sprintf("%s, short ones by %d", p.Scale, p.Widen)
}

// shortest is the longest time that is never shortened, and the shortest result: below it the machine's own times
// matter.
const shortest = 100 * time.Millisecond

// time makes a long time shorter, and a short one longer.
func (p Pace) time(d time.Duration) time.Duration {
	switch {
	case d < 0:
		return -p.time(-d)
	case d <= shortest:
		return d * time.Duration(p.Widen)
	}
	return max(shortest*time.Duration(p.Widen), (d / 1000 * time.Duration(p.Scale)).Round(time.Millisecond))
}

// apply returns the scenario with other times.
func (p Pace) apply(s *scenarios.Scenario) (scenarios.Scenario, error) {
	scaled := *s
	scaled.ID, scaled.Mutants, scaled.Bounds = "live/"+s.ID, nil, nil // their settings have the original times
	lock, work := &scaled.Lock, &scaled.Work
	all := []*time.Duration{
		&lock.TTL, &lock.Timeout, &lock.DriftConstant, &lock.Retry.Min, &lock.Retry.Max, &lock.Renew.Every, &work.Stagger,
		&work.Work.Min, &work.Work.Max, &work.Think.Min, &work.Think.Max, &work.StorageTimeout, &scaled.Horizon, &scaled.Storage.Idle,
		&work.Tick, &work.Keep,
	}
	if kind, _ := serversOf(lock.Kind, ""); kind.scaled != nil {
		all = append(all, kind.scaled(&scaled)...)
	}
	for _, d := range all {
		*d = p.time(*d)
	}
	scaled.Faults = append(scaled.Faults[:0:0], scaled.Faults...)
	for i := range scaled.Faults {
		f := &scaled.Faults[i]
		f.At = clock.Instant(p.time(time.Duration(f.At)))
		f.For, f.By, f.When.After, f.Every = p.time(f.For), p.time(f.By), p.time(f.When.After), p.time(f.Every)
	}
	if err := scaled.Check(); err != nil {
		return scaled, fmt.Errorf("with times scaled by %s the scenario is not valid: %w", p, err)
	}
	return scaled, nil
}

// A paced scenario has times that a machine can keep. Its simulated run has the verdicts of the original.
type paced struct {
	Pace
	scenario scenarios.Scenario
	twin     *scenarios.Result
	margin   time.Duration
	broken   map[string]bool // the promises that our own lock breaks: see breaks
	varies   bool            // with the seed
}

// errSmall means that a pace leaves no larger margin than another.
var errSmall = errors.New("its margin is no larger")

// at returns the scenario at a pace. It returns an error if the margin is not larger than beyond, if no live run is
// possible at that pace, or if the simulator's verdicts change.
func (o *Options) at(p Pace, s *scenarios.Scenario, whole *scenarios.Result, beyond time.Duration) (*paced, error) {
	if k, _ := serversOf(s.Lock.Kind, o.Servers); k.whole != "" && p.Scale < 1000 {
		return nil, fmt.Errorf("--servers %s: %s; give --scale 1", k.Word, k.whole)
	}
	scaled, err := p.apply(s)
	if err != nil {
		return nil, err
	}
	if err := o.Check(&scaled); err != nil {
		return nil, fmt.Errorf("with times scaled by %s: %w; give another --scale, such as 1, or none", p, err)
	}
	found := &paced{Pace: p, scenario: scaled, margin: margin(&scaled)}
	if found.margin <= beyond {
		return nil, errSmall
	}
	if found.twin, err = twin(whole, &scaled); err != nil {
		return nil, fmt.Errorf("%w; give another --scale, such as 1, or none", err)
	}
	found.margin = min(found.margin, overlap(found.twin)/2)
	if found.margin <= beyond {
		return nil, errSmall
	}
	return found, nil
}

// overlap returns for how long two holds were valid together, which is how late a client may be; a day if none were.
func overlap(r *scenarios.Result) time.Duration {
	for _, f := range r.Findings {
		if f.Property == "validity" && f.Verdict == checker.Violated {
			return f.Witness.To.Sub(f.Witness.From)
		}
	}
	return 24 * time.Hour
}

// The paces to try: those that widen least come first, and among these the ones whose runs are short.
var (
	scales = []Scale{200, 350, 500, 700, 1000}
	widens = []int{1, 2, 4, 10, 20}
)

// pace returns the scenario at the pace that the options name. Without one, it returns the first with the margin that
// the machine needs or, failing that, the largest margin.
func (o *Options) pace(s *scenarios.Scenario, seed uint64, needed time.Duration) (best *paced, err error) {
	whole := scenarios.Run(*s, seed)
	if o.Scale != 0 {
		return o.at(Pace{o.Scale, max(o.Widen, 1)}, s, whole, -1)
	}
	beyond := time.Duration(-1)
	for _, w := range widens {
		if o.Widen != 0 && w != widens[0] {
			break
		}
		for _, k := range scales {
			found, why := o.at(Pace{k, max(o.Widen, w)}, s, whole, beyond)
			if found != nil {
				best, beyond = found, found.margin
			} else if w == widens[0] {
				err = why // finally the reason at the original times
			}
			if beyond >= needed {
				return best, nil
			}
		}
	}
	if best == nil {
		return nil, err
	}
	return best, nil
}

// leastNeeded is the smallest margin that any machine needs: clients of an idle one have been late by 7 ms.
const leastNeeded = 6 * time.Millisecond

// needed returns the margin for a machine that was this late at the start. A run takes longer than the watch at the
// start, so the machine will be later still.
func needed(late time.Duration) time.Duration { return max(leastNeeded, 2*late) }

// watched is how long the machine is watched at the start.
const watched = 500 * time.Millisecond

// Lateness watches for half a second how late this machine wakes up, and returns the worst.
func Lateness() time.Duration { return wakesLate(watched) }

// rounded returns a time as it is printed.
func rounded(d time.Duration) time.Duration { return d.Round(10 * time.Microsecond) }

// twin runs a scaled scenario in the simulator, with the seed of a run of the whole one. It returns an error if their
// verdicts differ.
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

// margin is half of the smallest gap that the schedule relies on, between any two of the times of the lock and of the
// faults. A fault's delay after the mark before an attempt does not count: the proxy has gathered the requests. Whether
// the fault or the answers come first is then the order of two events of the world, however late the driver is.
func margin(s *scenarios.Scenario) time.Duration {
	times := []time.Duration{0, s.Lock.TTL, s.Lock.Timeout, s.Storage.Idle, s.Work.Tick, s.Work.Keep}
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
