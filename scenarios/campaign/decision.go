package campaign

import (
	"fmt"
	"maps"
	"slices"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/sim"
)

// A Decision says when it was decided that a run would break a promise. The run is begun again, followed up to an
// event, and then continued in many other ways, each a scenarios.Branch. The share of the continuations that break the
// promise is often small before the decision, and nearly all after it.
type Decision struct {
	Property string  `json:"property"`
	Of       int     `json:"of"`      // continuations of each share; 0 if the run has too many steps
	Shares   []Share `json:"shares"`  // in order of time; the first is from the start
	Decided  int     `json:"decided"` // the index of the first share from which on nearly all continuations break it
	By       string  `json:"by"`      // what happened then, such as: by the fault "pause c1"
	Steps    int     `json:"steps"`   // of the run
}

// A Share is how many continuations break the promise, of those that follow the run up to the events of an instant.
type Share struct {
	At     clock.Instant `json:"at"` // 0 for the start
	Broken int           `json:"broken"`
}

const (
	firstShares = 24        // spread evenly over the events, before the search for the event that decides
	mostSteps   = 60_000    // of the continuations of one share, so that a decision takes about a second
	mostOf      = 100       // continuations
	leastOf     = 10        // fewer say too little
	mostOfLong  = 25        // of a run that allows fewer than leastOf in mostSteps
	firstSteps  = 2_000_000 // of all continuations with which a long run begins
	tooLong     = 100_000   // steps of a run: its decision could take ten seconds
)

// Decide finds when it was decided that a run breaks its promises, one Decision for each that it breaks. It returns
// none for a run with guests, which can't be followed. The scenario must have passed Check.
func Decide(s *scenarios.Scenario, seed uint64) []Decision {
	if s.Hosted() {
		return nil
	}
	r := scenarios.NewRunner()
	defer r.Close()
	d := decider{Runner: r, scenario: s, seed: seed, shares: map[int][]int{}}
	d.follow()
	if len(d.Exploring.Judged) == 0 {
		return nil
	}
	all := make([]Decision, len(d.Exploring.Judged))
	if d.of == 0 {
		for p, x := range d.Exploring.Judged {
			all[p] = Decision{Property: x.Name, Steps: d.steps}
		}
		return all
	}
	for _, i := range d.first {
		d.share(i)
	}
	decided := make([]int, len(all))
	for p := range decided {
		decided[p] = d.halve(p)
	}
	for p := range all {
		all[p] = d.decision(p, decided[p])
	}
	return all
}

// A decider makes the continuations of a run.
type decider struct {
	*scenarios.Runner
	scenario *scenarios.Scenario
	seed     uint64
	instants []clock.Instant // of its events, until its promises were broken
	first    []int           // those to begin with
	steps    int             // of the run
	of       int             // continuations from each
	shares   map[int][]int   // by instant: how many break each promise of Exploring.Judged
}

// follow makes the run itself.
func (d *decider) follow() {
	res := d.Run(d.scenario, d.seed)
	end := clock.Instant(0)
	for _, f := range res.Findings {
		if f.Verdict != checker.Violated {
			continue
		}
		p, _ := checker.Lookup(f.Property)
		d.Exploring.Judged = append(d.Exploring.Judged, p)
		end = max(end, f.Witness.From, f.Witness.To)
	}
	d.instants = []clock.Instant{0}
	for _, e := range res.Trace {
		if e.At <= end && e.At > d.instants[len(d.instants)-1] {
			d.instants = append(d.instants, e.At)
		}
	}
	d.steps = res.Steps
	last := len(d.instants) - 1
	switch d.of = min(mostSteps/max(d.steps, 1), mostOf); {
	case d.steps > tooLong:
		d.of = 0
	case d.of < leastOf: // a long run begins with its faults
		d.first = []int{0, last}
		for _, x := range res.Evidence.Strikes {
			if i, hit := slices.BinarySearch(d.instants, x.From); hit && i > 0 {
				d.first = append(d.first, i-1, i)
			}
		}
		d.of = min(max(firstSteps/(d.steps*len(d.first)), leastOf), mostOfLong)
	default:
		for k := range firstShares + 1 {
			d.first = append(d.first, last*k/firstShares)
		}
	}
}

// share counts the continuations from an instant that break each promise.
func (d *decider) share(i int) []int {
	if d.shares[i] != nil {
		return d.shares[i]
	}
	broken := make([]int, len(d.Exploring.Judged))
	for seed := range uint64(d.of) {
		d.Branch = &scenarios.Branch{From: d.instants[i] + 1, Seed: seed}
		for p, f := range d.Run(d.scenario, d.seed).Findings {
			if f.Verdict == checker.Violated {
				broken[p]++
			}
		}
	}
	d.shares[i] = broken
	return broken
}

// nearlyAll reports whether a promise is as good as broken at an instant: 95 of 100 continuations break it.
func (d *decider) nearlyAll(i, p int) bool { return d.share(i)[p]*100 >= 95*d.of }

// tried returns the instants from which there are continuations.
func (d *decider) tried() []int { return slices.Sorted(maps.Keys(d.shares)) }

// halve finds the first instant from which on nearly all continuations break a promise, and the last before that.
func (d *decider) halve(p int) (decided int) {
	open := -1
	for _, i := range slices.Backward(d.tried()) {
		if !d.nearlyAll(i, p) {
			open = i
			break
		}
		decided = i
	}
	for decided-open > 1 {
		if i := open + (decided-open)/2; d.nearlyAll(i, p) {
			decided = i
		} else {
			open = i
		}
	}
	return decided
}

func (d *decider) decision(p, decided int) Decision {
	x := Decision{Property: d.Exploring.Judged[p].Name, Of: d.of, By: d.happened(d.instants[decided]), Steps: d.steps}
	for _, i := range d.tried() {
		if i == decided {
			x.Decided = len(x.Shares)
		}
		x.Shares = append(x.Shares, Share{At: d.instants[i], Broken: d.shares[i][p]})
	}
	return x
}

// happened says what happened at an instant of the run: a fault, or else an event.
func (d *decider) happened(t clock.Instant) string {
	d.Branch = nil
	res := d.Run(d.scenario, d.seed)
	ended := ""
	for _, x := range slices.Backward(res.Evidence.Strikes) {
		if x.From == t {
			return fmt.Sprintf("by the fault %q", x.Fault)
		}
		if x.To == t {
			ended = fmt.Sprintf("by the end of the fault %q", x.Fault)
		}
	}
	if ended != "" {
		return ended
	}
	for _, e := range res.Trace {
		if verb := deciding[e.Kind]; e.At == t && verb != "" {
			text := fmt.Sprintf("when %s %s", res.Hosts[e.Host], verb)
			if e.Kind == sim.Marked {
				text += fmt.Sprintf(" %q", e.Body)
			}
			if e.Peer >= 0 {
				text += " " + res.Hosts[e.Peer]
			}
			return text
		}
	}
	return "by the scenario itself"
}

// deciding has words for the events that can decide something, before the name of the other host.
var deciding = map[sim.Kind]string{
	sim.Sent: "sent a request to", sim.Served: "handled a request of", sim.Received: "received a reply of",
	sim.Refused: "refused a request of", sim.Lost: "lost a message to", sim.Late: "got too late a reply of",
	sim.TimedOut: "gave up its request to", sim.Posted: "sent a message to", sim.Told: "handled a message of",
	sim.Marked: "passed the mark", sim.Resumed: "continued", sim.Woken: "woke up", sim.Started: "was on again",
}
