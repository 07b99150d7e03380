package checker

import "fmt"

// A call is one operation, from its invoke to its return.
type call struct {
	client       int // numbered from 0 in order of appearance
	invoke, done int // indices in the History; done counts only for an outcome that is known
	value        Value
	f            Func
	outcome      Type // OK, Fail, or Info for unknown
}

// calls are those operations of a history that count for a model, in the order of their invokes.
type calls struct {
	list    []call
	clients []int // the first process of each client
	ops     int   // in the whole history: no index reaches it
}

// token gives the fencing token that an acquire brought back; 0 for none, or not known.
func (c *call) token() uint64 {
	if c.outcome != OK {
		return 0
	}
	return c.value.Fence
}

// A thread is one client, and what it has open.
type thread struct {
	process int
	call    int // its place in the list, or -1 for an operation that the model does not know
}

// A gathering turns ops into calls.
type gathering struct {
	calls
	model   *Model
	threads []thread
	number  map[int]int // of each client; looked up, never ranged over
}

// gather makes the calls of a well-formed history. It refuses one in which a client does two things at once.
func gather(h History, m *Model) (*calls, error) {
	g := gathering{model: m, number: map[int]int{}}
	g.list, g.ops = make([]call, 0, len(h)/2), len(h)
	for i := range h {
		o := &h[i]
		if o.Type == Invoke {
			g.invoke(o)
		} else if err := g.close(o); err != nil {
			return nil, err
		}
	}
	g.sift()
	return &g.calls, nil
}

func (g *gathering) client(process int) int {
	name := process
	if g.model.Clients > 0 {
		name %= g.model.Clients
	}
	n, known := g.number[name]
	if !known {
		n = len(g.threads)
		g.number[name] = n
		g.threads, g.clients = append(g.threads, thread{}), append(g.clients, process)
	}
	return n
}

func (g *gathering) invoke(o *Op) {
	client := g.client(o.Process)
	t := &g.threads[client]
	*t = thread{o.Process, -1}
	if _, counts := g.model.means(o.F, OK); counts {
		t.call = len(g.list)
		g.list = append(g.list, call{client: client, invoke: o.Index, value: o.Value, f: o.F, outcome: Info})
	}
}

func (g *gathering) close(o *Op) error {
	t := &g.threads[g.client(o.Process)]
	if t.process != o.Process {
		return fmt.Errorf("index %d: process %d closes its %v, but its client has gone on as process %d; "+
			"want one operation at a time of each client, or another number of clients", o.Index, o.Process, o.F, t.process)
	}
	if t.call < 0 {
		return nil
	}
	c := &g.list[t.call]
	c.done, c.outcome = o.Index, o.Type
	if o.Type == OK {
		c.take(o.Value)
	}
	return nil
}

// take takes in what an operation brought back. The token of a read or write is the one it was sent with.
func (c *call) take(v Value) {
	if c.f == Read || c.f == Write {
		v.Fence = c.value.Fence
	}
	c.value = v
}

// sift leaves out the calls that mean nothing to the model, and under a model that knows its owner the hopeless ones too.
func (g *gathering) sift() {
	g.keep(func(c *call) bool {
		outcome, counts := g.model.means(c.f, c.outcome)
		c.outcome = outcome
		return counts
	})
	if !g.model.owned {
		return
	}
	last := g.lastRelease()
	g.keep(func(c *call) bool { return !c.hopeless(last[c.client]) })
	acquires := make([]bool, len(g.threads))
	for i := range g.list {
		c := &g.list[i]
		acquires[c.client] = acquires[c.client] || c.f == Acquire
	}
	// Who never acquires has nothing to release.
	g.keep(func(c *call) bool { return c.f == Acquire || c.outcome != Info || acquires[c.client] })
}

func (g *gathering) keep(wanted func(*call) bool) {
	kept := g.list[:0]
	for i := range g.list {
		if c := &g.list[i]; wanted(c) {
			kept = append(kept, *c)
		}
	}
	g.list = kept
}

// lastRelease gives the return of the last release of each client that succeeded; -1 for none.
func (g *gathering) lastRelease() []int {
	last := make([]int, len(g.threads))
	for i := range last {
		last[i] = -1
	}
	for i := range g.list {
		if c := &g.list[i]; c.f == Release && c.outcome == OK {
			last[c.client] = c.done
		}
	}
	return last
}

// hopeless says of an acquire with an unknown outcome that nothing later shows that it took effect: its client never
// succeeded in a release that returned after it was invoked. Under a model that knows its owner, such a call may be left
// out of a history without changing the verdict, and so may the unknown clean-up of a client that has no acquire left.
//
// Given an order of the others, leave it untaken: an unknown call may be. Given an order in which it takes effect, take
// it out, and with it the first of its client's unknown releases to take effect after it, if one does. Up to there, or
// to the end, its client holds once less than before. Nobody minds: acquires are legal where the lock is freer, a failed
// release is always legal, and the only call that needs the hold, a successful release of that client, does not come.
// From there on all is as it was. In a lease, others are legal where it was not granted away.
func (c *call) hopeless(lastRelease int) bool {
	return c.f == Acquire && c.outcome == Info && lastRelease < c.invoke
}
