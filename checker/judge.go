package checker

import (
	"cmp"
	"slices"
	"sort"
)

// A Judge judges runs, one after another. Its zero value is ready to use. It keeps its working memory from run to run,
// so that it allocates nothing for a run of a size that it has seen. A Judge is for one goroutine.
//
// It rejects evidence that does not pass Check: every Property is Unknown, Explain says why, and no Figure is known.
type Judge struct {
	// Unchecked says that the evidence is known to pass Check, which is not called then: it takes longer than the
	// judges, and allocates. Set it for evidence that you make yourself, and test that it passes. For evidence that
	// does not pass, a judge may find anything, or panic.
	Unchecked bool

	e        *Evidence
	refused  bool      // e did not pass Check
	promises []Finding // what Judge returned last
	happened []Finding // what Sometimes returned last

	windows []window // scratch: intervals of the current question
	others  []window // scratch: those they are compared with
	gaps    []window // scratch: intervals in which no client is in the way
	runs    []window // scratch: where a sum of edges is large enough
	counts  []int    // scratch: a number for each client

	entitled bool     // valids belong to e
	valids   []window // the validity of each hold, in maximal windows, in the order of holds and time

	callsReady bool   // calls belong to e
	calls      []call // of acquire and release, in the order of their invokes

	parted bool     // outs and aparts belong to e
	outs   groups   // Outages, by client
	aparts []window // where a client reaches no majority, in the order of clients and time

	idled bool     // idle belongs to e
	idle  []window // where no client held the lock or could have been granted it

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

func (j *Judge) open(e *Evidence) {
	j.e, j.keyed, j.entitled, j.callsReady, j.parted, j.idled = e, false, false, false, false, false
	j.refused = !j.Unchecked && e.Check() != nil
}

func (j *Judge) close() { j.e = nil }

// beliefs appends the belief [From, Gone) of each hold, in order.
func (j *Judge) beliefs(into []window) []window {
	for i, h := range j.e.Holds {
		into = addWindow(into, window{h.From, h.Gone, h.Client, i})
	}
	inOrder(into)
	return into
}

func (j *Judge) validities(into []window) []window {
	into = append(into, j.entitlements()...)
	inOrder(into)
	return into
}

// entitlements returns the validity windows of each hold, in the order of Holds: [From, Valid), and [At, Valid) for
// each renewal that succeeded. Those that overlap or touch are joined. So between two of one hold there is a gap, in
// which the client was not entitled.
func (j *Judge) entitlements() []window {
	if j.entitled {
		return j.valids
	}
	j.entitled, j.valids = true, j.valids[:0]
	for i, h := range j.e.Holds {
		j.valids = addWindow(j.valids, window{h.From, h.Valid, h.Client, i})
	}
	for _, r := range j.e.Renewals {
		if r.OK {
			j.valids = addWindow(j.valids, window{r.At, r.Valid, j.e.Holds[r.Hold].Client, r.Hold})
		}
	}
	slices.SortFunc(j.valids, func(a, b window) int {
		return cmp.Or(cmp.Compare(a.index, b.index), cmp.Compare(a.from, b.from))
	})
	j.valids = joined(j.valids)
	return j.valids
}

// held appends all windows in which some client held the lock, by belief or by validity.
func (j *Judge) held(into []window) []window { return append(j.beliefs(into), j.entitlements()...) }

// keys groups all spans and tries by token, once per run, and finds when each token has a majority. Each token gets a
// number when it is first met, so that sorting compares numbers instead of strings.
func (j *Judge) keys() {
	if j.keyed {
		return
	}
	j.keyed = true
	if j.tokens == nil {
		j.tokens = make(map[string]int)
	}
	clear(j.tokens)
	j.names, j.latest = j.names[:0], 0
	for i, t := range j.e.Tries {
		j.owners.add(piece{token: j.id(t.Token), index: i, from: t.From})
	}
	for i, s := range j.e.Keys {
		if s.From < s.To {
			j.spans.add(piece{j.id(s.Token), s.Lane, i, s.From, s.To})
		}
	}
	j.owners.gather(len(j.tokens))
	j.spans.gather(len(j.tokens))
	j.cover()
}

// id returns a token's number. Evidence mostly lists tokens in the order of their creation, so id tries the latest
// number and the next one before the map.
func (j *Judge) id(token string) int {
	for n := j.latest; n < min(j.latest+2, len(j.names)); n++ {
		if j.names[n] == token {
			j.latest = n
			return n
		}
	}
	n, ok := j.tokens[token]
	if !ok {
		n = len(j.names)
		j.tokens[token] = n
		j.names = append(j.names, token)
	}
	j.latest = n
	return n
}

// cover finds for each token the intervals in which a majority of lanes has it.
func (j *Judge) cover() {
	enough := Majority(len(j.e.Lanes))
	for token := range len(j.tokens) {
		j.collect(j.spans.group(token))
		j.runs = atLeast(enough, j.edges, j.runs[:0])
		for _, w := range j.runs {
			j.covers.add(piece{token: token, from: w.from, until: w.until})
		}
	}
	j.covers.gather(len(j.tokens))
}

// collect gathers the edges of pieces. Pieces of one lane that overlap or touch are joined first, so that a lane counts
// once.
func (j *Judge) collect(pieces []piece) {
	j.edges = j.edges[:0]
	for i := 0; i < len(pieces); {
		p := pieces[i]
		for i++; i < len(pieces) && pieces[i].lane == p.lane && pieces[i].from <= p.until; i++ {
			p.until = max(p.until, pieces[i].until)
		}
		if p.lane >= 0 && p.lane < len(j.e.Lanes) {
			j.edges = append(j.edges, edge{p.from, 1}, edge{p.until, -1})
		}
	}
	inTime(j.edges)
}

// lack returns the first interval within w in which the token has no majority.
func (j *Judge) lack(token int, w window) (window, bool) {
	covers := j.covers.group(token)
	rest := covers[sort.Search(len(covers), func(i int) bool { return covers[i].until > w.from }):]
	if len(rest) > 0 && rest[0].from <= w.from {
		w.from, rest = rest[0].until, rest[1:]
	}
	if len(rest) > 0 {
		w.until = min(w.until, rest[0].from)
	}
	return w, w.from < w.until
}

// A call is one acquire or release, from its invoke to what closed it.
type call struct {
	client       int
	invoke, done int // indices in the History; done is -1 while nothing has closed it
	f            Func
	outcome      Type
}

// operations gathers the calls of acquire and release, once per run. A client does one thing at a time, so the next op
// of a client closes its call.
func (j *Judge) operations() []call {
	if j.callsReady {
		return j.calls
	}
	j.callsReady, j.calls = true, j.calls[:0]
	if j.e.Clients <= 0 {
		return nil
	}
	open := j.perClient(j.e.Clients, -1)
	for i, o := range j.e.History {
		if o.F != Acquire && o.F != Release {
			continue
		}
		c := o.Process % j.e.Clients
		switch {
		case o.Type == Invoke:
			open[c] = len(j.calls)
			j.calls = append(j.calls, call{client: c, invoke: i, done: -1, f: o.F, outcome: Info})
		case open[c] >= 0:
			j.calls[open[c]].done, j.calls[open[c]].outcome = i, o.Type
			open[c] = -1
		}
	}
	return j.calls
}

func (j *Judge) perClient(clients, n int) []int {
	j.counts = slices.Grow(j.counts[:0], clients)[:clients]
	for i := range j.counts {
		j.counts[i] = n
	}
	return j.counts
}

// window returns the time of a call, from its invoke to its return, or to the end of the run. Its index is the index of
// the invoke.
func (e *Evidence) window(c *call) window {
	w := window{e.History[c.invoke].Time, e.End, c.client, c.invoke}
	if c.done >= 0 {
		w.until = e.History[c.done].Time
	}
	return w
}

func (j *Judge) wins(into []window) []window {
	calls := j.operations()
	for i := range calls {
		if c := &calls[i]; c.f == Acquire && c.outcome == OK {
			into = append(into, j.e.window(c))
		}
	}
	return into
}

// part finds, once per run, the maximal intervals in which each client reaches no majority of lanes.
func (j *Judge) part() {
	if j.parted {
		return
	}
	j.parted, j.aparts = true, j.aparts[:0]
	if len(j.e.Outages) == 0 {
		return
	}
	for i, o := range j.e.Outages {
		if o.From < o.To && o.Client >= 0 && o.Client < j.e.Clients {
			j.outs.add(piece{o.Client, o.Lane, i, o.From, o.To})
		}
	}
	j.outs.gather(j.e.Clients)
	for c := range j.e.Clients {
		j.collect(j.outs.group(c))
		n := len(j.aparts)
		j.aparts = atLeast(tooMany(len(j.e.Lanes)), j.edges, j.aparts)
		for i := range j.aparts[n:] {
			j.aparts[n+i].client = c
		}
	}
}
