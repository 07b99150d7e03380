package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
)

// An Agreement counts how often live runs of a scenario, or of one of its mutants, had the verdicts of the simulator.
type Agreement struct {
	Name    string // of the scenario, and of the mutant if it is one
	Agree   int
	Unknown int
	Differ  int
	Refused string   // why no run could be made
	Known   string   // why they differ, if known
	Paces   []string // at which its runs were made, with their margins, each once
	Notes   []string // what differed or was in doubt, each once
}

// A Trial is a scenario that is run live, once or more often.
type Trial struct {
	Name     string // of the scenario, and of the mutant if it is one
	Scenario scenarios.Scenario
	Options  Options
	Length   time.Duration // of a simulated run: longer ones begin first; 0 for all: they begin in their order
}

// A Plan sets the runs of each trial: their seeds start at Seed. Parallel of them run at the same time, each with its
// own servers; if it is 0, as many as the machine keeps up with. Each measures its own noise.
type Plan struct {
	Seed           uint64
	Runs, Parallel int
	Begun          func(i int) // is called when a trial begins; nil for nothing
}

// mostParallel is how many runs for each core begin in parallel, where nothing says how many. They mostly wait. After a
// run that was late there is one fewer, after a punctual one there is one more again.
const mostParallel = 4

// An Outcome is the result of one run of a trial.
type Outcome struct {
	Result *Result
	Err    error // why no run could be made
	Took   time.Duration
}

// Make performs the runs of trials, the longest first. After the context has ended, each missing run gets an error. It
// calls done with each trial whose runs have ended, one call at a time.
func Make(ctx context.Context, all []Trial, p Plan, done func(i int, outcomes []Outcome)) [][]Outcome {
	outcomes, made, mu := make([][]Outcome, len(all)), make([]int, len(all)), sync.Mutex{}
	for i := range outcomes {
		outcomes[i] = make([]Outcome, p.Runs)
	}
	next, running := make(chan [2]int), sync.WaitGroup{}
	workers := cmp.Or(p.Parallel, mostParallel*runtime.GOMAXPROCS(0))
	free := make(chan bool, workers) // has a place for each run that may begin
	places := workers
	for range workers {
		free <- true
		running.Go(func() {
			for n := range next {
				<-free
				t, o := &all[n[0]], &outcomes[n[0]][n[1]]
				began := time.Now()
				if o.Err = context.Cause(ctx); o.Err == nil {
					o.Result, o.Err = Run(ctx, &t.Scenario, p.Seed+uint64(n[1]), t.Options)
				}
				if o.Took = time.Since(began); o.Result != nil {
					o.Took /= time.Duration(o.Result.Attempts)
				}
				mu.Lock()
				if made[n[0]]++; made[n[0]] == p.Runs {
					done(n[0], outcomes[n[0]])
				}
				late := p.Parallel == 0 && o.Result != nil && o.Result.Worst > o.Result.Margin
				switch {
				case late && places > 1:
					places--
				case !late && places < workers:
					places++
					free <- true
					fallthrough
				default:
					free <- true
				}
				mu.Unlock()
			}
		})
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, k int) int { return cmp.Compare(all[k].Length, all[i].Length) })
	for _, i := range order {
		if p.Begun != nil && ctx.Err() == nil {
			p.Begun(i)
		}
		for k := range p.Runs {
			next <- [2]int{i, k}
		}
	}
	close(next)
	running.Wait()
	return outcomes
}

// Agree performs live runs of trials, and compares each with its twin. It stops when the context ends.
func Agree(ctx context.Context, all []Trial, p Plan) (table []Agreement) {
	for i := range all {
		all[i].Options.compare = true
	}
	for i, outcomes := range Make(ctx, all, p, func(int, []Outcome) {}) {
		t := &all[i]
		a := Agreement{Name: t.Name, Known: known(t.Name)}
		if a.countAll(outcomes, context.Cause(ctx)) {
			return table
		}
		table = append(table, a)
	}
	return table
}

// countAll counts the runs of a trial. It reports whether some are missing or ended early.
func (a *Agreement) countAll(outcomes []Outcome, ended error) (missing bool) {
	for _, o := range outcomes {
		switch {
		case o.Err == nil:
			a.count(o.Result)
		case ended != nil && errors.Is(o.Err, ended):
			return true
		case errors.As(o.Err, new(Unproven)):
			a.Unknown++
			if len(a.Notes) == 0 { // any other is the same, with the name of another directory
				a.Notes = append(a.Notes, o.Err.Error())
			}
		default:
			a.Refused = cmp.Or(a.Refused, o.Err.Error())
		}
	}
	return false
}

// count counts a run.
func (a *Agreement) count(res *Result) {
	a.Paces = appendNew(a.Paces, res.pacing())
	differ, unknown := res.compare()
	switch {
	case len(differ) > 0:
		a.Differ++
		a.Notes = appendNew(a.Notes, fmt.Sprintf("seed %d: %s", res.Seed, strings.Join(differ, "; ")))
	case unknown:
		a.Unknown++
		a.Notes = appendNew(a.Notes, strings.Join(res.Doubts, " "))
	default:
		a.Agree++
	}
}

// appendNew appends a note unless it is there already.
func appendNew(all []string, text string) []string {
	if slices.Contains(all, text) {
		return all
	}
	return append(all, text)
}

// Verdicts counts the verdicts of live runs of a scenario.
type Verdicts struct {
	Runs       int               `json:"runs"`
	Worst      scenarios.Verdict `json:"verdict"`                  // fail: an adapter broke what our lock keeps
	Refused    string            `json:"refused,omitempty"`        // why no run could be made
	Broken     map[string]int    `json:"broken"`                   // in how many runs each promise broke
	Unknown    map[string]int    `json:"unknown"`                  // and in how many that is unknown
	Missing    map[string]int    `json:"missing"`                  // in how many runs a needed event did not happen
	LateGrants int               `json:"granted_without_validity"` // in how many runs, as the client says
	Twin       []string          `json:"simulated"`                // what our own lock breaks in the simulator
	Server     string            `json:"server"`                   // the server program and its version
	Paces      []string          `json:"scales"`                   // of its runs, with their margins, each once
	Notes      []string          `json:"notes"`                    // what was in doubt, each once
	Each       []Counted         `json:"each,omitempty"`           // the runs whose clients are processes and compete
}

// A Counted is one of the runs of a count.
type Counted struct {
	Seed uint64 `json:"seed"`
	Start
	Late    time.Duration `json:"late"` // of the driver and the clients at most
	Broken  []string      `json:"broken"`
	Unknown bool          `json:"unknown"`
}

// Judge performs live runs of trials, and counts broken promises. If the context ends, it returns the trials before.
func Judge(ctx context.Context, all []Trial, p Plan) (table []Verdicts) {
	for _, outcomes := range Make(ctx, all, p, func(int, []Outcome) {}) {
		v, whole := judge(ctx, outcomes)
		if !whole {
			break
		}
		table = append(table, v)
	}
	return table
}

// judge counts the runs of a trial. It reports whether none is missing.
func judge(ctx context.Context, outcomes []Outcome) (v Verdicts, whole bool) {
	v = Verdicts{Broken: map[string]int{}, Unknown: map[string]int{}, Missing: map[string]int{}}
	for _, o := range outcomes {
		switch {
		case o.Err == nil:
			v.count(o.Result)
		case ctx.Err() != nil && errors.Is(o.Err, context.Cause(ctx)):
			return v, false
		default:
			v.Refused = cmp.Or(v.Refused, o.Err.Error())
		}
	}
	return v, true
}

// count counts a run.
func (v *Verdicts) count(res *Result) {
	v.Runs++
	v.Worst = max(v.Worst, res.Verdict)
	v.Twin, v.Server = nil, res.Server
	v.Paces = appendNew(v.Paces, res.pacing())
	one := Counted{Seed: res.Seed, Start: res.Start, Late: res.Worst, Unknown: res.Verdict == scenarios.Unknown}
	for i, f := range res.Findings {
		switch f.Verdict {
		case checker.Violated:
			v.Broken[f.Property]++
			one.Broken = append(one.Broken, f.Property)
		case checker.Unknown:
			v.Unknown[f.Property]++
		}
		if res.Twin.Findings[i].Verdict == checker.Violated {
			v.Twin = append(v.Twin, f.Property)
		}
	}
	for _, f := range res.Seen {
		if f.Verdict != checker.Holds {
			v.Missing[f.Property]++
		}
	}
	v.LateGrants += min(1, len(res.Result.Late))
	for _, d := range slices.Concat(res.Notes, res.Doubts) {
		v.Notes = appendNew(v.Notes, d)
	}
	if res.Start.Gap > 0 {
		v.Each = append(v.Each, one)
	}
}
