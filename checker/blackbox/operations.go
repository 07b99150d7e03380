package blackbox

import (
	"fmt"
	"slices"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
)

// An operation is one operation, from its invoke to its return.
type operation struct {
	client       int           // numbered from 0 in order of appearance
	invoke, done int           // indices in the History; done counts only for an outcome that is known
	from, to     clock.Instant // the times of both; to is Forever for an outcome that is not known
	value        checker.Value
	f            checker.Func
	outcome      checker.Type // OK, Fail, or Info for unknown
	lock         int32        // the place of its name in locks
}

// operations are the operations of a history that count for a model, in the order of their invokes.
type operations struct {
	list    []operation
	clients []int // the first process of each client
	locks   []string
	ops     int // in the whole history: no index reaches it

	kept *mutexJudge // working memory for the next mutex; nil where there is but one
}

// token returns the fencing token that an acquire brought back; 0 for none, or not known, and for any other operation.
func (c *operation) token() uint64 {
	if c.f != checker.Acquire || c.outcome != checker.OK {
		return 0
	}
	return c.value.Fence
}

// A thread is one client, and what it has open.
type thread struct {
	process int
	op      int // its place in the list, or -1 for an operation that the model does not know
}

// A collector turns ops into operations.
type collector struct {
	operations
	model   *Model
	threads []thread
	number  map[int]int      // of each client; looked up, never ranged over
	named   map[string]int32 // the place in locks of each name; looked up, never ranged over
	last    int32            // the place of the latest name: most histories know only one
}

// collect makes the operations of a well-formed history, of all locks. It rejects a history in which a client does two
// things in parallel.
func collect(h checker.History, m *Model) (*operations, error) {
	g := collector{model: m, number: map[int]int{}, named: map[string]int32{}}
	g.list, g.ops = make([]operation, 0, len(h)/2), len(h)
	for i := range h {
		o := &h[i]
		if o.Type == checker.Invoke {
			g.invoke(o)
		} else if err := g.close(o); err != nil {
			return nil, err
		}
	}
	return &g.operations, nil
}

func (g *collector) lock(name string) int32 {
	if len(g.locks) > 0 && g.locks[g.last] == name {
		return g.last
	}
	n, known := g.named[name]
	if !known {
		n = int32(len(g.locks))
		g.named[name], g.locks = n, append(g.locks, name)
	}
	g.last = n
	return n
}

func (g *collector) client(process int) int {
	name := g.model.client(process)
	n, known := g.number[name]
	if !known {
		n = len(g.threads)
		g.number[name] = n
		g.threads, g.clients = append(g.threads, thread{}), append(g.clients, process)
	}
	return n
}

func (g *collector) invoke(o *checker.Op) {
	client := g.client(o.Process)
	t := &g.threads[client]
	*t = thread{o.Process, -1}
	if _, counts := g.model.means(o.F, checker.OK); counts {
		t.op = len(g.list)
		g.list = append(g.list, invoked(o, client, g.lock(o.Lock)))
	}
}

// invoked returns the operation that an op begins. Its outcome is not known yet.
func invoked(o *checker.Op, client int, lock int32) operation {
	return operation{
		client: client, invoke: o.Index, from: o.Time, to: clock.Forever,
		value: o.Value, f: o.F, outcome: checker.Info, lock: lock,
	}
}

func (g *collector) close(o *checker.Op) error {
	t := &g.threads[g.client(o.Process)]
	if t.process != o.Process {
		return fmt.Errorf("index %d: process %d closes its %v, but its client has gone on as process %d; "+
			"want one operation at a time of each client, or another number of clients",
			o.Index, o.Process, o.F, t.process)
	}
	if t.op >= 0 {
		g.list[t.op].close(o)
	}
	return nil
}

// close ends the operation with an op.
func (c *operation) close(o *checker.Op) {
	c.done, c.outcome = o.Index, o.Type
	if o.Type != checker.Info {
		c.to = o.Time
	}
	if o.Type == checker.OK {
		c.take(o.Value)
	}
}

// take copies what an operation brought back. The token of a read or write is the one it was sent with, and so are the
// values of any operation but a read. A shared invoke stays shared.
func (c *operation) take(v checker.Value) {
	if c.f == checker.Read || c.f == checker.Write {
		v.Fence = c.value.Fence
	}
	if c.f != checker.Read {
		v.Expected, v.Data = c.value.Expected, c.value.Data
	}
	v.Shared = v.Shared || c.value.Shared
	c.value = v
}

// byLock returns the operations of each lock, in the order in which the history first names the locks, and renumbers
// the clients of each. So every judge sees one lock or one register, and its time depends on the operations of that
// lock alone.
//
// Judging them apart is exact. If the whole has an order, so has each part: leave the others out. If each part has one,
// let every operation take effect at its moment in the order of its part. Calls of different locks share no state, so
// the whole is legal, in any order of the operations of one moment.
func (c *operations) byLock() []*operations {
	if len(c.locks) < 2 {
		return []*operations{c}
	}
	sizes := make([]int, len(c.locks))
	for i := range c.list {
		sizes[c.list[i].lock]++
	}
	parts := make([]*operations, len(c.locks))
	for l, name := range c.locks {
		parts[l] = &operations{list: make([]operation, 0, sizes[l]), locks: []string{name}, ops: c.ops}
	}
	for i := range c.list {
		p := parts[c.list[i].lock]
		p.list = append(p.list, c.list[i])
	}
	numbers := make([]int, len(c.clients))
	of := make([]int, len(c.clients)) // the part that a number belongs to, from 1
	for l, p := range parts {
		for i := range p.list {
			k := &p.list[i]
			if of[k.client] != l+1 {
				of[k.client], numbers[k.client] = l+1, len(p.clients)
				p.clients = append(p.clients, c.clients[k.client])
			}
			k.client, k.lock = numbers[k.client], 0
		}
	}
	return parts
}

// filter leaves out the operations that mean nothing to the model, and under a model that knows its owner the hopeless
// ones too. Only an operation with an unknown outcome is hopeless.
func (c *operations) filter(m *Model) {
	n := 0
	for i := range c.list {
		k := &c.list[i]
		if outcome, counts := m.means(k.f, k.outcome); counts {
			c.list[n] = *k
			c.list[n].outcome = outcome
			n++
		}
	}
	c.list = c.list[:n]
	if !m.owned || c.unknown() == 0 {
		return
	}
	last := c.lastShown()
	c.list = slices.DeleteFunc(c.list, func(k operation) bool { return k.unconfirmed(last[k.client]) })
	acquires := make([]bool, len(c.clients))
	for _, k := range c.list {
		acquires[k.client] = acquires[k.client] || k.f == checker.Acquire
	}
	// A client that never acquires has nothing to release.
	c.list = slices.DeleteFunc(c.list, func(k operation) bool {
		return k.outcome == checker.Info && !acquires[k.client]
	})
}

// lastShown returns the return of the last release or renewal of each client that succeeded; -1 for none.
func (c *operations) lastShown() []int {
	last := slices.Repeat([]int{-1}, len(c.clients))
	for _, k := range c.list {
		if k.f != checker.Acquire && k.outcome == checker.OK {
			last[k.client] = k.done
		}
	}
	return last
}

// unconfirmed reports whether an acquire has an unknown outcome and nothing later shows that it took effect: its client
// never succeeded in a release or a renewal that returned after it was invoked. Under a model that knows its owner,
// such an operation may be left out of a history without changing the verdict, and so may the unknown clean-up of a
// client that has no acquire left.
//
// Given an order of the others, leave it untaken: an unknown operation may be. Given an order in which it takes effect,
// take it out, and with it the first of its client's unknown releases to take effect after it, if one does; of a lock
// for readers and writers the one that ends this hold. Up to there, or to the end, its client holds once less than
// before. That is no matter: acquires are legal where the lock is freer, a failed release is always legal, and the only
// operations that need the hold, that client's successful releases and renewals, do not come. From there on everything
// is as it was. In a lease, others are legal where it was not granted away; and a timed one that had ended before this
// grant has still ended after it.
func (c *operation) unconfirmed(lastShown int) bool {
	return c.f == checker.Acquire && c.outcome == checker.Info && lastShown < c.invoke
}
