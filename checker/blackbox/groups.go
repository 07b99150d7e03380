package blackbox

import (
	"slices"

	"github.com/lockstorm/lockstorm/checker"
)

// A removable group is a set of operations that may be left out of a history without making a legal history illegal. A
// history is legal if it has a legal order. For each kind of group, the argument below says why the order is still
// legal without it.
//
// Holds, of mutex, fenced-mutex, lease and lease-timed. An acquire of a client, its renewals and the release that it
// learned of are a group: take them out of the order, and let anything else that its client did between them, with an
// unknown outcome, take no effect. Then the client holds nothing in that time, and before and after it is as it was.
// Others are not affected (see unconfirmed): the lock is freer, and tokens must only rise. The same goes for an acquire
// whose release is not known, up to its client's next acquire or to the end; and for releases and renewals that show a
// hold whose acquire is not known. A failed release or renewal shows only that a lease has ended: it is a separate
// group.
//
// In a mutex, one release with an unknown outcome, invoked between an acquire and the next one of its client, may go
// with the first. Some unknown release did take effect there. If the one that goes did so elsewhere, that is later, and
// the one that did so here can replace it. In a lease that is not certain, because a lease also ends by itself.
// Likewise, one unknown acquire, invoked between what its client last learned and a hold whose acquire is not known,
// may go with that hold.
//
// Pairs, of reentrant-mutex and semaphore: an acquire, the release that undoes it as brackets do, and the renewals
// directly within. Between them the client holds once less, and what comes within needs only its own hold. A client
// that has any unknown outcome is one group.
//
// Stays, of reentrant-fenced-mutex and rwlock: everything from a client's acquire while it holds nothing to its last
// release. Of pairs, an outer one might leave two holds with one token, and an inner one a writer that has not turned
// to sharing. A client that has any unknown outcome is one group.
//
// Values, of cas-register: the operations that write, read or expect a value, or one that compare-and-sets link with
// it. In a legal order, no other group changes the register between what makes a value and what shows it.
//
// Reads of a register, of versions or of values, change nothing. In a fenced register they do, because they raise the
// mark; but a write that was rejected does not.
//
// Rests. At a rest no operation is open. If every operation before it has a known outcome, then in any order exactly
// these have taken effect, and a lock is held as often as it was acquired and not released. Everything between two such
// rests is a group, if the state is the same at both: what comes later begins as it did. In a plain mutex that is so if
// the number is; it is not known who released whose hold, so it has no other groups. In those with owners it is so if
// the number is 0 at both. Tokens must only rise.
//
// A renewal by itself, of any lock: it shows that the lock is held, and at most makes a lease end later. In a lease
// that is not timed, the same goes for a release: a lease may end without.

// A grouping makes removable groups of operations, each the places of some operations in the list. Groups made in one
// way do not overlap.
type grouping func(*operations) [][]int

// A grouper collects operations into groups.
type grouper struct {
	*operations
	all  [][]int
	open [][]int // by client: the groups that are not ended, by place in all
}

func newGrouper(c *operations) *grouper {
	return &grouper{operations: c, open: make([][]int, len(c.clients))}
}

// begin begins a group of a client with operation i.
func (g *grouper) begin(i int) {
	client := g.list[i].client
	g.open[client] = append(g.open[client], len(g.all))
	g.all = append(g.all, []int{i})
}

// join adds operation i to the group of its client that began last, or begins one.
func (g *grouper) join(i int) {
	open := g.open[g.list[i].client]
	if len(open) == 0 {
		g.begin(i)
		return
	}
	u := open[len(open)-1]
	g.all[u] = append(g.all[u], i)
}

// end ends the group of a client that began last.
func (g *grouper) end(client int) {
	if open := g.open[client]; len(open) > 0 {
		g.open[client] = open[:len(open)-1]
	}
}

// each returns a grouping in which every wanted operation is a group.
func each(wanted func(*operation) bool) grouping {
	return func(c *operations) (all [][]int) {
		for i := range c.list {
			if wanted(&c.list[i]) {
				all = append(all, []int{i})
			}
		}
		return all
	}
}

func isRead(c *operation) bool    { return c.f == checker.Read }
func isRenewal(c *operation) bool { return c.f == checker.Renew }
func isShown(c *operation) bool   { return c.f != checker.Acquire }

// rests returns a grouping of what lies between two rests at which the lock is free or, without owners, held equally
// often.
func rests(ownerless bool) grouping {
	return func(c *operations) (all [][]int) {
		held, back := 0, -1
		begun := map[int]int{} // by how often it is held, the last rest since the last group; looked up only
		for i := range c.list {
			k := &c.list[i]
			if k.invoke > back && (held == 0 || ownerless) {
				if first, known := begun[held]; known {
					group := make([]int, i-first)
					for n := range group {
						group[n] = first + n
					}
					all = append(all, group)
					clear(begun)
				}
				begun[held] = i
			}
			if k.outcome == checker.Info {
				return all
			}
			back = max(back, k.done)
			held += deeper(k)
		}
		return all
	}
}

// deeper returns by how much an operation that succeeds changes how often the lock is held.
func deeper(k *operation) int {
	switch k.f {
	case checker.Acquire:
		return 1
	case checker.Release:
		return -1
	}
	return 0
}

// A spare is the operations of one client with an unknown outcome that may go with a hold; -1 for none.
type spare struct{ acquire, release int }

// holds returns a grouping of holds. If they end by release only, an unknown one goes with each that has no other.
func holds(released bool) grouping {
	return func(c *operations) [][]int {
		g, spares := newGrouper(c), make([]spare, len(c.clients))
		for i := range spares {
			spares[i] = spare{-1, -1}
		}
		for i := range c.list {
			g.hold(i, &spares[c.list[i].client], released)
		}
		for client := range spares {
			g.lapse(client, &spares[client])
		}
		return g.all
	}
}

// hold adds operation i, or spares it if its outcome is unknown.
func (g *grouper) hold(i int, s *spare, released bool) {
	k := &g.list[i]
	holding := len(g.open[k.client]) > 0
	switch {
	case k.outcome == checker.Info && k.f == checker.Acquire:
		s.acquire = i
		return
	case k.outcome == checker.Info:
		if released && holding && s.release < 0 {
			s.release = i
		}
		return
	case k.f == checker.Acquire:
		g.lapse(k.client, s)
		g.begin(i)
	case k.outcome == checker.Fail:
		g.end(k.client)
		g.all = append(g.all, []int{i})
	default: // a renewal or release that shows a hold
		if g.join(i); !holding && s.acquire >= 0 {
			g.join(s.acquire)
		}
		if k.f == checker.Release {
			g.end(k.client)
		}
	}
	s.acquire = -1
	if k.f != checker.Renew || k.outcome == checker.Fail {
		s.release = -1
	}
}

// lapse ends a hold whose end is not known.
func (g *grouper) lapse(client int, s *spare) {
	if len(g.open[client]) > 0 && s.release >= 0 {
		g.join(s.release)
	}
	g.end(client)
}

// perClient returns a grouping in which each client with an unknown outcome is one group, and add makes groups of the
// others.
func perClient(add func(g *grouper, i int)) grouping {
	return func(c *operations) [][]int {
		g, unsure := newGrouper(c), make([]bool, len(c.clients))
		for i := range c.list {
			unsure[c.list[i].client] = unsure[c.list[i].client] || c.list[i].outcome == checker.Info
		}
		for i := range c.list {
			if unsure[c.list[i].client] {
				g.join(i)
			} else {
				add(g, i)
			}
		}
		return g.all
	}
}

// pairs makes groups of an acquire and the release that undoes it.
func pairs(g *grouper, i int) {
	k := &g.list[i]
	if k.f == checker.Acquire {
		g.begin(i)
		return
	}
	alone := len(g.open[k.client]) == 0
	if g.join(i); k.f == checker.Release || alone {
		g.end(k.client)
	}
}

// stays makes groups of everything from a client's acquire while it holds nothing to its last release.
func stays(c *operations) [][]int {
	times := make([]int, len(c.clients))
	return perClient(func(g *grouper, i int) {
		k := &g.list[i]
		g.join(i)
		if times[k.client] = max(0, times[k.client]+deeper(k)); times[k.client] == 0 {
			g.end(k.client)
		}
	})(c)
}

// values makes groups of the operations that share a value, or whose values compare-and-sets link.
func values(c *operations) (all [][]int) {
	number, linked := map[uint32]int{}, []int(nil) // of each value; looked up, never ranged over
	group := func(value uint32) int {
		n, known := number[value]
		if !known {
			n = len(linked)
			number[value], linked = n, append(linked, n)
		}
		for linked[n] != n {
			linked[n] = linked[linked[n]]
			n = linked[n]
		}
		return n
	}
	for i := range c.list {
		n := group(c.list[i].value.Data)
		if c.list[i].f == checker.CompareAndSet {
			other := group(c.list[i].value.Expected)
			linked[max(n, other)] = min(n, other)
		}
	}
	all = make([][]int, len(linked))
	for i := range c.list {
		n := group(c.list[i].value.Data)
		all[n] = append(all[n], i)
	}
	return slices.DeleteFunc(all, func(g []int) bool { return len(g) == 0 })
}
