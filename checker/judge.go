package checker

// A Judge judges runs, one after another. Its zero value is ready to use. It keeps its working memory from run to run, so
// that it need not allocate for a run of a size that it has seen. A Judge is for one goroutine.
//
// Evidence that does not pass Check is refused: every Property is Unknown, Explain says why, and no Figure is known.
type Judge struct {
	// Unchecked says that the evidence is known to pass Check, which is not called then: it takes longer than the judges,
	// and allocates. It is for those who make evidence themselves, and test that it passes. Of evidence that does not,
	// anything may be found, and a judge may panic.
	Unchecked bool

	e        *Evidence
	refused  bool      // e did not pass Check
	promises []Finding // what Judge returned last
	happened []Finding // what Sometimes returned last

	windows []window // scratch: intervals of the question at hand
	others  []window // scratch: those they are compared with
	gaps    []window // scratch: intervals in which nobody is in the way
	runs    []window // scratch: where a sum of edges is large enough
	counts  []int    // scratch: a number for each client

	entitled bool     // valids belong to e
	valids   []window // the validity of each hold, in maximal windows, in the order of holds and time

	callsReady bool   // calls belong to e
	calls      []call // of acquire and release, in the order of their invokes

	parted bool     // outs and aparts belong to e
	outs   groups   // Outages, by client
	aparts []window // where a client reaches no majority, in the order of clients and time

	idled bool      // idle belongs to e
	idle  []Stretch // where nobody held the lock and nobody could have been granted it

	keyed  bool           // tokens, owners, spans and covers belong to e
	tokens map[string]int // a small number for each token; looked up, never ranged over
	names  []string       // the token of each number
	latest int            // the number that id returned last
	owners groups         // Tries
	spans  groups         // Keys
	covers groups         // where a majority of lanes has the token
	edges  []edge         // scratch: where the lanes of one token come and go
	turns  []edge         // scratch: where other things come and go
	pieces []piece        // scratch: what keeps lanes from granting the lock
	spare  []piece        // scratch: the same and more, for one client
	votes  []vote         // scratch: where the votes of tries come and go

	figures []Figure // what Figures returned last
}

// Judge judges all Properties and returns their Findings in that order. They are valid until the next call.
func (j *Judge) Judge(e *Evidence) []Finding {
	j.open(e)
	defer j.close()
	j.promises = j.each(Properties, j.promises[:0])
	return j.promises
}

// Sometimes judges the list Sometimes and returns their Findings in that order: Holds where the thing happened, Violated
// where it did not. They are valid until the next call. A scenario says which of them must hold.
func (j *Judge) Sometimes(e *Evidence) []Finding {
	j.open(e)
	defer j.close()
	j.happened = j.each(Sometimes, j.happened[:0])
	return j.happened
}

// Both judges all Properties and the given ones of Sometimes, and sorts the evidence only once for all. The Findings are
// in the order of Properties and of the list given, and are valid until the next call.
func (j *Judge) Both(e *Evidence, sometimes []Property) (promises, happened []Finding) {
	j.open(e)
	defer j.close()
	j.promises = j.each(Properties, j.promises[:0])
	j.happened = j.each(sometimes, j.happened[:0])
	return j.promises, j.happened
}

// Only judges some Properties and returns their Findings in that order. They are valid until the next call.
func (j *Judge) Only(e *Evidence, list []Property) []Finding {
	j.open(e)
	defer j.close()
	j.promises = j.each(list, j.promises[:0])
	return j.promises
}

// Ask judges a single Property.
func (j *Judge) Ask(e *Evidence, p Property) Finding {
	j.open(e)
	defer j.close()
	return j.ask(&p)
}

func (j *Judge) each(list []Property, into []Finding) []Finding {
	for i := range list {
		into = append(into, j.ask(&list[i]))
	}
	return into
}

func (j *Judge) open(e *Evidence) {
	j.e, j.keyed, j.entitled, j.callsReady, j.parted, j.idled = e, false, false, false, false, false
	j.refused = !j.Unchecked && e.Check() != nil
}

func (j *Judge) close() { j.e = nil }

// ask turns what was found into a verdict. A run that was cut short proves what was seen: a broken promise stays broken,
// and what happened has happened. It does not prove that something never broke or never happened, unless that is judged by
// what came after the run.
func (j *Judge) ask(p *Property) Finding {
	f := Finding{Property: p.Name, Verdict: Holds, Witness: Witness{Strike: -1}}
	if j.refused || p.lacks(j.e) != "" {
		f.Verdict = Unknown
		return f
	}
	w, found := p.find(j)
	switch {
	case found && !p.Sometimes:
		f.Verdict, f.Witness = Violated, w
		f.Witness.Strike = j.e.opened(w.From)
	case !found && j.e.Cut != "" && !p.after:
		f.Verdict = Unknown
	case !found && p.Sometimes:
		f.Verdict = Violated
	}
	return f
}
