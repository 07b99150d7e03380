package blackbox

import (
	"fmt"
	"strings"

	"github.com/anishathalye/porcupine"
	"github.com/lockstorm/lockstorm/checker"
)

// A Result is the outcome of checking a history against a Model.
type Result struct {
	Model   string
	Lock    string // the lock or register that the verdict is about, where the history names them; empty when it Holds
	Verdict checker.Verdict
	Reason  string // why it is Violated or Unknown, in a plain sentence; empty when it Holds
	Ops     []int  // when Violated: the rising indices of the ops in conflict; nil if a search gave up
	Steps   int    // how many steps of the model a search took; 0 if the verdict needed none
	Err     error  // why nothing was judged: the history is not well formed. The Verdict is then Unknown
}

// Linearizable reports whether the history is linearizable under the model. The verdict is exact, or Unknown: with an
// Err if the history is not well formed, and with a Reason if a search used up its budget. Operations are ordered by
// index, never by time. Those with an unknown outcome may have taken effect at any time after their invoke, or never.
//
// Each lock is judged alone: a history is linearizable if and only if what it says of each of them is. They come in the
// order in which the history first names them. The Result is about the first that is Violated, or else the first that
// is Unknown.
//
// It is a pure function. Where the model has a judge that needs no search, it takes O(n log n) time. Elsewhere
// porcupine searches, which is exponential at worst, and never exceeds the budget of the model, which the locks share.
func Linearizable(h checker.History, m Model) Result {
	r := judge(h, &m)
	if r.Verdict == checker.Violated && r.Ops == nil {
		x := minimize(h, &m, r, or(m.Steps, standardSteps))
		r.Ops = x.Ops
		r.Reason += x.conflict(h)
	}
	return r
}

// fewOperations is how many operations a Reason lists.
const fewOperations = 6

// conflict lists the operations of an excerpt, if they are few: a search knows that no order is legal, but not which
// two operations conflict.
func (x *Excerpt) conflict(h checker.History) string {
	var listed []string
	open := map[int]int{} // by process, where its operation is in listed
	for _, i := range x.Ops {
		o := &h[i]
		if o.Type == checker.Invoke {
			open[o.Process] = len(listed)
			listed = append(listed, fmt.Sprintf("process %d invoked %v at index %d", o.Process, o.F, i))
		} else {
			listed[open[o.Process]] = fmt.Sprintf("process %d %s at index %d", o.Process, ended(o), i)
		}
	}
	if len(listed) == 0 || len(listed) > fewOperations {
		return ""
	}
	return " These operations alone show it: " + strings.Join(listed, "; ") + "."
}

// did says what an operation that succeeded has done.
var did = [...]string{
	checker.Acquire: "acquired", checker.Release: "released", checker.Read: "read", checker.Write: "wrote",
	checker.Renew: "renewed", checker.CompareAndSet: "compared and set",
}

// ended describes an op that closes an operation: released, failed to release, may have released.
func ended(o *checker.Op) string {
	switch o.Type {
	case checker.Fail:
		return "failed to " + o.F.String()
	case checker.Info:
		return "may have " + did[o.F]
	}
	return did[o.F]
}

// judge is Linearizable, without the ops in conflict where a search found that there is one.
func judge(h checker.History, m *Model) Result {
	var c *operations
	err := h.Check()
	if err == nil {
		c, err = collect(h, m)
	}
	if err != nil {
		return Result{Model: m.Name, Verdict: checker.Unknown, Err: err,
			Reason: "The history is not well formed: " + err.Error() + "."}
	}
	parts, left, worst, steps := c.byLock(), or(m.Steps, standardSteps), Result{}, 0
	for i, p := range parts {
		r := p.judge(m, max(left/(len(parts)-i), 1))
		left, steps = left-r.Steps, steps+r.Steps
		if r.Verdict > worst.Verdict {
			worst = r
		}
		if r.Verdict == checker.Violated {
			break
		}
	}
	worst.Model, worst.Steps = m.Name, steps
	return worst
}

func (c *operations) judge(m *Model, steps int) Result {
	c.filter(m)
	r, sure := Result{}, false
	if m.fast != nil {
		r, sure = m.fast(m, c)
	}
	if !sure {
		r = new(search).run(m, c, steps)
	}
	if r.Verdict != checker.Holds && len(c.locks) > 0 && c.locks[0] != "" {
		r.Lock = c.locks[0]
		r.Reason = fmt.Sprintf("Of lock %q: %s%s", r.Lock, strings.ToLower(r.Reason[:1]), r.Reason[1:])
	}
	return r
}

// A search asks porcupine whether the machine allows some order of the operations. It ends: its budget of steps and of
// memory is counted, not measured, so that every machine stops at the same step.
type search struct {
	machine
	steps, maxSteps   int
	memory, maxMemory int
	cell              int // what porcupine remembers of one step that was legal, in bytes
}

// A searchState is the state of the machine, and whether the order has passed the barrier.
type searchState struct {
	state any
	past  bool
}

// The barrier is an operation that comes after every operation whose outcome is known. Those with an unknown outcome
// return after it. Before the barrier they are legal only if they change the state, and after it they do nothing. So
// each choice is made once (does it take effect, and where), an operation that never takes effect is tried in one place
// only, and every step has one outcome.
//
// This loses no legal order. In any order, an operation that takes effect before the last known one, and changes the
// state, may stay. One that does not change the state may be moved behind the barrier, and so may everything after the
// last known operation: nothing shows what it does.
var barrier = &operation{outcome: checker.OK}

func (s *search) run(m *Model, c *operations, steps int) Result {
	s.machine = m.machine(m)
	s.maxSteps, s.maxMemory = steps, or(m.Memory, 256<<20)
	s.memory, s.cell = perCall*len(c.list), len(c.list)/8+perStep
	legal := !s.spent() && s.porcupine(c)
	r := Result{Steps: s.steps}
	switch {
	case legal:
		r.Verdict = checker.Holds
	case s.spent():
		r.Verdict = checker.Unknown
		r.Reason = fmt.Sprintf("A search gave up after %d steps (%d allowed) and about %d bytes (%d allowed) "+
			"over %d operations, %d with an unknown outcome. "+
			"A larger budget would help, or a shorter history, or fewer unknown outcomes.",
			s.steps, s.maxSteps, s.memory, s.maxMemory, len(c.list), c.unknown())
	default:
		r.Verdict = checker.Violated
		r.Reason = fmt.Sprintf("No order of the %d operations is legal: every one was tried, in %d steps.",
			len(c.list), s.steps)
	}
	return r
}

// standardSteps is how many steps a search may take by default.
const standardSteps = 1_000_000

// The memory that porcupine needs for an operation at first, and for a legal step apart from one bit an operation:
// measured, and rounded up.
const (
	perCall = 1000
	perStep = 192
)

func (s *search) porcupine(c *operations) bool {
	return porcupine.CheckOperations(porcupine.Model{
		Init: func() any { return searchState{state: s.start} },
		Step: func(state, input, _ any) (bool, any) { return s.next(state.(searchState), input.(*operation)) },
	}, c.forPorcupine())
}

func (s *search) spent() bool { return s.steps >= s.maxSteps || s.memory >= s.maxMemory }

// next is one step. Once the budget is spent it rejects every step, and then porcupine can only take back, one by one,
// the operations that it has placed. Nothing else but a wall clock can stop it: it runs in a separate goroutine, where
// a panic ends the process.
func (s *search) next(here searchState, c *operation) (bool, searchState) {
	if s.spent() {
		return false, here
	}
	s.steps++
	to, legal := s.after(here, c)
	if legal {
		s.memory += s.cell
	}
	return legal, to
}

func (s *search) after(here searchState, c *operation) (searchState, bool) {
	switch {
	case c == barrier:
		return searchState{here.state, true}, true
	case here.past: // the outcome of c is unknown: every other operation came before the barrier
		return here, true
	}
	state, legal := s.step(here.state, c)
	return searchState{state, false}, legal && (c.outcome != checker.Info || state != here.state)
}

func (c *operations) unknown() (n int) {
	for i := range c.list {
		if c.list[i].outcome == checker.Info {
			n++
		}
	}
	return n
}

// forPorcupine returns the operations as porcupine wants them. Times are indices, so no two are equal: porcupine would
// call an operation that returns at some time, and one called at that time, concurrent.
func (c *operations) forPorcupine() []porcupine.Operation {
	ops := make([]porcupine.Operation, 0, len(c.list)+1)
	for i := range c.list {
		k := &c.list[i]
		back := k.done
		if k.outcome == checker.Info {
			back = c.ops + 2 + i
		}
		ops = append(ops, porcupine.Operation{ClientId: k.client, Input: k, Call: int64(k.invoke), Return: int64(back)})
	}
	return append(ops, porcupine.Operation{Input: barrier, Call: int64(c.ops), Return: int64(c.ops + 1)})
}
