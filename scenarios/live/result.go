package live

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A Result is the outcome of a live run, with the simulated run that it is compared with.
type Result struct {
	*scenarios.Result
	Twin     *scenarios.Result // the run of the same scenario and seed in the simulator
	Server   string            // the server program and its version
	Pace     Pace
	Attempts int           // how often it was performed
	Late     time.Duration // the machine's worst delay while it was watched, before the run
	Worst    time.Duration // the driver's worst delay in the run
	Margin   time.Duration // how late it may be
	Doubts   []string      // why verdicts are unknown, in sentences
	Notes    []string      // facts that change no verdict, in sentences
	Start    Start

	Reference []string // with an adapter, the promises that our own lock breaks there

	// Missing are the needed events that did not happen with an adapter, if nothing else is in doubt. Such a run shows
	// little, however often it is repeated.
	Missing []string

	allowed []string // the promises on which any verdict will do
	adapted bool     // its clients are adapters
	mute    bool     // a client had not answered for long
}

// A Start says how clients began, by the clocks of their processes.
type Start struct {
	Gap     time.Duration `json:"gap"`     // from one client's first attempt to the next client's, on average
	Attempt time.Duration `json:"attempt"` // what the first attempt that won took
}

// startOf returns how clients began; zero if fewer than two asked, or none won.
func startOf(agents []*agent) (s Start) {
	var begun []int64
	won := int64(math.MaxInt64)
	for _, a := range agents {
		if a.name == scenarios.ProbeHost || a.first == 0 {
			continue
		}
		if begun = append(begun, a.first); 0 < a.won && a.won < won {
			won, s.Attempt = a.won, a.took
		}
	}
	if len(begun) < 2 || s.Attempt == 0 {
		return Start{}
	}
	s.Gap = time.Duration(slices.Max(begun)-slices.Min(begun)) / time.Duration(len(begun)-1)
	return s
}

// weigh makes the verdicts unknown that noise may have caused. Its first argument is the lives of keys in their wide
// form. A run is judged by itself, whatever course it took, unless it is compared with its twin. A late run of another
// course, or where chance decides, is unknown whatever it shows: else lateness would decide which verdicts count.
func (r *Result) weigh(wide []checker.Span, compare bool, chance func() bool) {
	if err := r.Evidence.Check(); err != nil {
		r.doubt("In doubt: the evidence contradicts itself, which is a fault of Lockstorm's own: %v", err)
		r.Unsure(func(checker.Finding) bool { return true })
		return
	}
	if differ := r.Doubt(wide); len(differ) > 0 {
		const known = "In doubt: the lives of keys are known to within the time of a command, and that decides %s."
		r.doubt(known, strings.Join(differ, ", "))
	}
	if hidden := r.hideViews(); len(hidden) > 0 {
		r.doubt("In doubt: an answer that came too late may hide what breaks %s in the simulator.", strings.Join(hidden, ", "))
	}
	another := r.anotherCourse()
	if compare && another != "" {
		r.doubt("The run took another course than in the simulator: %s.", another)
		r.unsureOfDifferences()
	}
	if r.Worst > r.Margin && (another != "" || r.differs() || chance()) {
		r.doubt("In doubt: the driver or a client was late by %s, and the margin is %s: stop other work, or give a larger --scale.",
			r.Worst, r.Margin)
		if !compare && (another != "" || chance()) {
			r.Unsure(func(checker.Finding) bool { return true })
			return
		}
		r.unsureOfDifferences()
	}
}

// hideViews makes the views unknown that hold here and are violated in the simulator, and returns their models. A view
// knows of a hold only what answers in time prove.
func (r *Result) hideViews() (models []string) {
	for i := range r.BlackBox {
		v := &r.BlackBox[i]
		if twin, ok := r.Twin.View(v.Model); ok && v.Verdict == checker.Holds && twin.Verdict == checker.Violated {
			v.Verdict, v.Reason = checker.Unknown, "An answer that came too late may hide a violation."
			models = append(models, v.Model)
		}
	}
	r.Unsure(func(checker.Finding) bool { return false })
	return models
}

// anotherCourse says where the course first differs from the simulator's, or "". Where no fault names a client, another
// client in the same place makes no difference.
func (r *Result) anotherCourse() string {
	live, twin := course(r.Evidence), course(r.Twin.Evidence)
	cast := r.Scenario.Cast()
	named := func(word *string) bool { return slices.Contains(cast.Clients, *word) }
	if !slices.ContainsFunc(r.Scenario.Faults, func(f faults.Fault) bool { return slices.ContainsFunc(f.Hosts(), named) }) {
		live, twin = byPlace(live), byPlace(twin)
	}
	return firstDifference(live, twin)
}

// byPlace numbers the clients of a course in the order in which they first acquire.
func byPlace(course []string) (all []string) {
	places := map[string]string{}
	for _, step := range course {
		if client, acquires := strings.CutSuffix(step, acquires); acquires {
			if places[client] == "" {
				places[client] = fmt.Sprintf("client %d%s", len(places)+1, step[len(client):])
			}
			step = places[client]
		}
		all = append(all, step)
	}
	return all
}

// note notes grants with no validity left, and attempts that had to load the lock's script.
func (r *Result) note(agents []*agent) {
	for _, a := range agents {
		r.Result.Late = append(r.Result.Late, a.expired...)
		if len(a.expired) > 0 {
			r.Notes = append(r.Notes, fmt.Sprintf("%s was granted the lock with no validity left, %s; first %s past the deadline.",
				a.name, counted(len(a.expired)), rounded(a.expired[0].Over)))
		}
		if a.loads > 0 && slices.ContainsFunc(r.Scenario.Faults, hitsAttempt) {
			r.Notes = append(r.Notes, fmt.Sprintf("%s had to load the lock's script first, and a fault within an attempt may have "+
				"hit that, and no grant.", a.name))
		}
	}
}

// hitsAttempt reports whether a fault hits at a mark within an attempt.
func hitsAttempt(f faults.Fault) bool {
	for _, marks := range attemptMarks {
		if slices.Contains(marks[:], f.When.Name) {
			return true
		}
	}
	return false
}

// doubt notes why verdicts are unknown.
func (r *Result) doubt(format string, args ...any) {
	r.Doubts = append(r.Doubts, fmt.Sprintf(format, args...))
}

// unsureOfDifferences makes the verdicts unknown that differ from the simulator's.
func (r *Result) unsureOfDifferences() {
	verdicts := map[string]checker.Verdict{}
	for _, f := range slices.Concat(r.Twin.Findings, r.Twin.Seen) {
		verdicts[f.Property] = f.Verdict
	}
	r.Unsure(func(f checker.Finding) bool { return f.Verdict != verdicts[f.Property] })
}

// differs reports whether a verdict differs from the simulator's.
func (r *Result) differs() bool {
	return !slices.EqualFunc(r.Findings, r.Twin.Findings, sameVerdict) || !slices.EqualFunc(r.Seen, r.Twin.Seen, sameVerdict)
}

func sameVerdict(a, b checker.Finding) bool { return a.Verdict == b.Verdict }

// compare returns which verdicts differ from the simulator's, and whether some are unknown.
func (r *Result) compare() (differ []string, unknown bool) {
	twins := slices.Concat(r.Twin.Findings, r.Twin.Seen)
	for i, f := range slices.Concat(r.Findings, r.Seen) {
		switch f.Verdict {
		case twins[i].Verdict:
		case checker.Unknown:
			unknown = true
		default:
			differ = append(differ, fmt.Sprintf("%s: %s live, and %s in the simulator", f.Property, f.Verdict, twins[i].Verdict))
		}
	}
	return differ, unknown
}

// acquires ends the step of a course in which a client acquires.
const acquires = " acquires"

// course returns the order of acquisitions and faults, up to the last fault.
func course(e *checker.Evidence) (all []string) {
	type step struct {
		t    clock.Instant
		text string
	}
	var steps []step
	last := clock.Instant(-1)
	for _, s := range e.Strikes {
		steps = append(steps, step{s.From, s.Fault})
		last = max(last, s.From)
	}
	for _, h := range e.Holds {
		steps = append(steps, step{h.From, fmt.Sprintf("c%d%s", h.Client+1, acquires)})
	}
	slices.SortStableFunc(steps, func(a, b step) int { return cmp.Compare(a.t, b.t) })
	for _, s := range steps {
		if s.t <= last {
			all = append(all, s.text)
		}
	}
	return all
}

// firstDifference says where two courses differ first.
func firstDifference(live, twin []string) string {
	for i := range max(len(live), len(twin)) {
		a, b := "nothing more", "nothing more"
		if i < len(live) {
			a = live[i]
		}
		if i < len(twin) {
			b = twin[i]
		}
		if a != b {
			return fmt.Sprintf("step %d is %q live, and %q there", i+1, a, b)
		}
	}
	return ""
}

// remark notes in the result which servers and pace the run used, and what is in doubt.
func (r *Result) remark() {
	const text = "A live run on %s, with times scaled by %s, made %s. The margin is %s; the machine was late by %s before it, " +
		"and the driver and the clients by %s at most."
	r.Live = []string{fmt.Sprintf(text, r.Server, r.Pace, counted(r.Attempts), rounded(r.Margin), rounded(r.Late), rounded(r.Worst))}
	if s := r.Start; s.Gap > 0 {
		r.Live = append(r.Live, fmt.Sprintf("Clients began %s apart on average. The first attempt that won took %s.",
			rounded(s.Gap), rounded(s.Attempt)))
	}
	if r.adapted {
		r.Live = append(r.Live, r.standard())
	}
	r.Live = slices.Concat(r.Live, r.Notes, r.Doubts)
}

// pacing returns the pace of the run and its margin.
func (r *Result) pacing() string { return fmt.Sprintf("%s (%s)", r.Pace, rounded(r.Margin)) }

func counted(times int) string {
	if times == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", times)
}
