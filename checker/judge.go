package checker

// A Judge judges runs, one after another. Its zero value is ready. It keeps its working memory from run to run, so one
// that has seen a run of some size judges the next of that size without allocating. A Judge serves one goroutine.
type Judge struct {
	e        *Evidence
	promises []Finding // what Judge gave last
	happened []Finding // what Sometimes gave last

	windows []window // scratch: intervals of the question at hand
	others  []window // scratch: those they are compared with

	keyed  bool           // tokens, owners, spans and covers belong to e
	tokens map[string]int // a small number for each token; looked up, never ranged over
	names  []string       // the token of each number
	latest int            // the number that was given last
	owners groups         // Tries
	spans  groups         // Keys
	covers groups         // where a majority of nodes has the token
	edges  []edge         // scratch: where the nodes of one token come and go
}

// Judge judges every one of Properties and gives their Findings in that order. They are valid until the next call.
func (j *Judge) Judge(e *Evidence) []Finding {
	j.open(e)
	defer j.close()
	j.promises = j.each(Properties, j.promises[:0])
	return j.promises
}

// Sometimes judges every one of the list Sometimes and gives their Findings in that order: Holds where the thing
// happened, Violated where it did not. They are valid until the next call. Which of them a run owes is its scenario's word.
func (j *Judge) Sometimes(e *Evidence) []Finding {
	j.open(e)
	defer j.close()
	j.happened = j.each(Sometimes, j.happened[:0])
	return j.happened
}

// Both judges every one of Properties, and of Sometimes those that are asked for, for the work of sorting the evidence
// once. The Findings come in the order of Properties and of what is asked, and are valid until the next call.
func (j *Judge) Both(e *Evidence, sometimes []Property) (promises, happened []Finding) {
	j.open(e)
	defer j.close()
	j.promises = j.each(Properties, j.promises[:0])
	j.happened = j.each(sometimes, j.happened[:0])
	return j.promises, j.happened
}

// Ask judges a single Property.
func (j *Judge) Ask(e *Evidence, p Property) Finding {
	j.open(e)
	defer j.close()
	return j.ask(p)
}

func (j *Judge) each(list []Property, into []Finding) []Finding {
	for _, p := range list {
		into = append(into, j.ask(p))
	}
	return into
}

func (j *Judge) open(e *Evidence) { j.e, j.keyed = e, false }

func (j *Judge) close() { j.e = nil }

// ask turns what was found into a verdict. A run that was cut short proves what was seen and leaves open what was not: a
// broken promise stays broken and what happened has happened, but neither "never broke" nor "never happened" can be said.
func (j *Judge) ask(p Property) Finding {
	w, found := p.find(j)
	f := Finding{Property: p.Name, Verdict: Holds, Witness: Witness{Strike: -1}}
	switch {
	case found && !p.Sometimes:
		f.Verdict, f.Witness = Violated, w
		f.Witness.Strike = j.e.opened(w.From)
	case !found && j.e.Cut != "":
		f.Verdict = Unknown
	case !found && p.Sometimes:
		f.Verdict = Violated
	}
	return f
}
