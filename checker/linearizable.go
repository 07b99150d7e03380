package checker

// A Result is what came of holding a history to a Model.
type Result struct {
	Model   string
	Verdict Verdict
	Reason  string // why it is Violated or Unknown, in a plain sentence; empty when it Holds
	Ops     []int  // when Violated without a search: the indices of the ops in conflict, rising
	Steps   int    // how many steps of the model a search took; 0 if the verdict needed none
	Err     error  // why nothing was judged: the history is not well formed. The Verdict is then Unknown
}

// Linearizable says whether the history is linearizable under the model. The verdict is exact, or Unknown: with an Err if
// the history is not well formed, and with a Reason if a search came to the end of its budget. Operations are ordered by
// index, never by time, and those with an unknown outcome may have taken effect at any time after their invoke, or never.
//
// It is a pure function. Where the model has a judge that needs no search, it takes O(n log n) time; elsewhere porcupine
// searches, which is exponential at worst, and never longer than the budget of the model.
func Linearizable(h History, m Model) Result {
	if err := h.Check(); err != nil {
		return refused(m, err)
	}
	c, err := gather(h, &m)
	if err != nil {
		return refused(m, err)
	}
	if m.fast != nil {
		if r, sure := m.fast(c); sure {
			r.Model = m.Name
			return r
		}
	}
	return new(search).run(&m, c)
}

func refused(m Model, err error) Result {
	return Result{Model: m.Name, Verdict: Unknown, Err: err, Reason: "The history is not well formed: " + err.Error() + "."}
}
