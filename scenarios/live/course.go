package live

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
)

// course returns the order of acquisitions and strikes, up to the last strike.
func course(e *checker.Evidence) (all []string) {
	type step struct {
		at   clock.Instant
		text string
	}
	var steps []step
	last := clock.Instant(-1)
	for _, s := range e.Strikes {
		steps = append(steps, step{s.From, s.Fault})
		last = max(last, s.From)
	}
	for _, h := range e.Holds {
		steps = append(steps, step{h.From, fmt.Sprintf("c%d acquires", h.Client+1)})
	}
	slices.SortStableFunc(steps, func(a, b step) int { return cmp.Compare(a.at, b.at) })
	for _, s := range steps {
		if s.at <= last {
			all = append(all, s.text)
		}
	}
	return all
}

// weigh finds the verdicts that noise may have made, and makes them unknown. It is given the lives of keys in their wide form. A
// library is free to take a course of its own.
func (r *Result) weigh(wide []checker.Span, library bool) {
	if err := r.Evidence.Check(); err != nil {
		r.Doubts = append(r.Doubts, fmt.Sprintf("In doubt: the evidence contradicts itself, which is a fault of Lockstorm's own: %v", err))
		r.Unsure(func(checker.Finding) bool { return true })
		return
	}
	if differ := r.Doubt(wide); len(differ) > 0 {
		r.Doubts = append(r.Doubts, fmt.Sprintf("In doubt: the lives of keys are known to within the time of a command, and that decides %s.", strings.Join(differ, ", ")))
	}
	if live, twin := course(r.Evidence), course(r.Twin.Evidence); !library && !slices.Equal(live, twin) {
		r.Doubts = append(r.Doubts, fmt.Sprintf("The run took another course than in the simulator: %s.", firstDifference(live, twin)))
		r.unsureOfDifferences()
	}
	if r.Worst > r.Margin && r.differs() {
		r.Doubts = append(r.Doubts, fmt.Sprintf("In doubt: the driver or a client was late by %s, and the margin is %s.", r.Worst, r.Margin))
		r.unsureOfDifferences()
	}
}

// unsureOfDifferences makes the verdicts unknown that are not those of the simulator.
func (r *Result) unsureOfDifferences() {
	verdicts := map[string]checker.Verdict{}
	for _, f := range slices.Concat(r.Twin.Findings, r.Twin.Seen) {
		verdicts[f.Property] = f.Verdict
	}
	r.Unsure(func(f checker.Finding) bool { return f.Verdict != verdicts[f.Property] })
}

// differs reports whether a verdict is not that of the simulator.
func (r *Result) differs() bool {
	return !slices.EqualFunc(r.Findings, r.Twin.Findings, sameVerdict) || !slices.EqualFunc(r.Seen, r.Twin.Seen, sameVerdict)
}

func sameVerdict(a, b checker.Finding) bool { return a.Verdict == b.Verdict }

// firstDifference says where two courses part.
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
