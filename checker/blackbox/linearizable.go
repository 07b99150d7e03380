package blackbox

import (
	"fmt"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
)

// A Result is what came of holding a history to a Model.
type Result struct {
	Model   string
	Lock    string // the lock or register that the verdict is about, where the history names them; empty when it Holds
	Verdict checker.Verdict
	Reason  string // why it is Violated or Unknown, in a plain sentence; empty when it Holds
	Ops     []int  // when Violated: the indices of the ops in conflict, rising; nil if a search ran out of steps for them
	Steps   int    // how many steps of the model a search took; 0 if the verdict needed none
	Err     error  // why nothing was judged: the history is not well formed. The Verdict is then Unknown
}

// Linearizable reports whether the history is linearizable under the model. The verdict is exact, or Unknown: with an
// Err if the history is not well formed, and with a Reason if a search came to the end of its budget. Operations are
// ordered by index, never by time, and those with an unknown outcome may have taken effect at any time after their
// invoke, or never.
//
// Each lock is judged on its own: a history is linearizable if and only if what it says of each of them is. They come in
// the order in which the history first names them. The Result is that of the first that is Violated, or else of the first that is Unknown.
//
// It is a pure function. Where the model has a judge that needs no search, it takes O(n log n) time; elsewhere porcupine
// searches, which is exponential at worst, and never longer than the budget of the model, which the locks share.
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

// conflict lists the operations of an excerpt, if they are few: a search knows that no order is legal, but not which two
// operations conflict.
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

// ended describes an op that closes an operation: released, failed to release, may have released.
func ended(o *checker.Op) string {
	did := map[checker.Func]string{checker.Acquire: "acquired", checker.Release: "released", checker.Read: "read", checker.Write: "wrote", checker.Renew: "renewed", checker.CompareAndSet: "compared and set"}[o.F]
	switch o.Type {
	case checker.Fail:
		return "failed to " + o.F.String()
	case checker.Info:
		return "may have " + did
	}
	return did
}

// judge is Linearizable, but for the ops in conflict where a search found out that there is one.
func judge(h checker.History, m *Model) Result {
	if err := h.Check(); err != nil {
		return refused(m, err)
	}
	c, err := collect(h, m)
	if err != nil {
		return refused(m, err)
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

func refused(m *Model, err error) Result {
	return Result{Model: m.Name, Verdict: checker.Unknown, Err: err, Reason: "The history is not well formed: " + err.Error() + "."}
}
