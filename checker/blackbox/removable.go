package blackbox

import "github.com/lockstorm/lockstorm/checker"

// A removable group is a set of operations that may be left out of a history without turning a legal history into one
// that is not. A history is legal if it has a legal order. For each kind of group, the argument below says why the order
// is still legal without it.
//
// Holds, of mutex, fenced-mutex, lease and lease-timed. An acquire of a client, its renewals and the release that it
// learned of are a group: take them out of the order, and let what else its client did between them, with an unknown
// outcome, take no effect. Then the client holds nothing in all that time, and before and after it is as it was. Others
// are not affected (see unconfirmed): the lock is freer, and tokens need only rise. The same goes for an acquire whose release
// is not known, up to its client's next acquire or to the end; and for releases and renewals that show a hold whose
// acquire is not known. A failed release or renewal shows that a lease has ended, and that alone: it is a group of its
// own.
//
// In a mutex, one release with an unknown outcome, invoked between an acquire and the next one of its client, may go
// with the first. Some unknown release did take effect there. If the one that goes did so elsewhere, that is later, and
// the one that did so here can stand in for it. In a lease that need not be, for a lease also ends by itself. Likewise,
// one unknown acquire, invoked between what its client last learned and a hold whose acquire is not known, may go with
// that hold.
//
// Pairs, of reentrant-mutex and semaphore: an acquire, the release that undoes it as brackets do, and the renewals
// directly within. Between them the client holds once less, and what comes within needs only its own. A client that has
// any unknown outcome is one group.
//
// Stays, of reentrant-fenced-mutex: all from the acquire of a free lock to its last release. Of pairs, an outer one
// might leave two holds with one token. A client that has any unknown outcome is one group.
//
// Reads of a register, of versions or of values, change nothing. In a fenced register they do, for they raise the mark; but a write that was refused
// does not.
//
// Rests. At a rest no operation is open. If every operation before it has a known outcome, then in any order just these
// have taken effect, and a lock is held as often as was acquired and not released. All that lies between two such rests
// is a group, if the state is the same at both: what comes later begins as it did. In a plain mutex that is so if the
// number is; who released whose is not known, so that it has no other groups. In those with owners, if it is 0 at both.
// Tokens need only rise.
//
// A renewal by itself, of any lock: it shows that the lock is held, and at most makes a lease end later. In a lease
// that is not timed, the same goes for a release: a lease may end without.

// A grouping collects operations into groups.
type grouping struct {
	*operations
	all  [][]int
	open [][]int // by client: the groups that go on, by place in all
}

func newGrouping(c *operations) *grouping {
	return &grouping{operations: c, open: make([][]int, len(c.clients))}
}

func (b *grouping) begin(i int) {
	client := b.list[i].client
	b.open[client] = append(b.open[client], len(b.all))
	b.all = append(b.all, []int{i})
}

// join adds operation i to the group of its client that began last, or begins one.
func (b *grouping) join(i int) {
	open := b.open[b.list[i].client]
	if len(open) == 0 {
		b.begin(i)
		return
	}
	u := open[len(open)-1]
	b.all[u] = append(b.all[u], i)
}

// end ends that group.
func (b *grouping) end(client int) {
	if open := b.open[client]; len(open) > 0 {
		b.open[client] = open[:len(open)-1]
	}
}

// rests makes groups of what lies between two rests at which the lock is free, or held as often if nobody asks by whom.
func rests(c *operations) [][]int  { return between(c, true) }
func breaks(c *operations) [][]int { return between(c, false) }

func between(c *operations, ownerless bool) (all [][]int) {
	held, back := 0, -1
	begun := map[int]int{} // by how often it is held, the last such rest since the last group; looked up, never ranged over
	for i := range c.list {
		k := &c.list[i]
		if k.invoke > back && (held == 0 || ownerless) {
			if from, known := begun[held]; known {
				all = append(all, counted(from, i))
				clear(begun)
			}
			begun[held] = i
		}
		if k.outcome == checker.Info {
			return all
		}
		back = max(back, k.done)
		switch k.f {
		case checker.Acquire:
			held++
		case checker.Release:
			held--
		}
	}
	return all
}

// counted returns the numbers from one to before another.
func counted(from, to int) (all []int) {
	for i := from; i < to; i++ {
		all = append(all, i)
	}
	return all
}

// each returns a function that makes a group of every operation that is wanted.
func each(wanted func(*operation) bool) func(*operations) [][]int {
	return func(c *operations) (all [][]int) {
		for i := range c.list {
			if wanted(&c.list[i]) {
				all = append(all, []int{i})
			}
		}
		return all
	}
}

func isRead(c *operation) bool { return c.f == checker.Read }

func isRefusedWrite(c *operation) bool {
	return c.f == checker.Write && c.outcome == checker.OK && c.value.Fenced == 0
}

func isRenewal(c *operation) bool { return c.f == checker.Renew }

func isShown(c *operation) bool { return c.f != checker.Acquire }

// groupings are ways to make groups of operations, tried one after the other. Groups made in one way do not overlap.
type groupings []func(*operations) [][]int

// A spare holds the operations of one client with an unknown outcome that may go with a hold; -1 for none.
type spare struct{ acquire, release int }

func mutexHolds(c *operations) [][]int { return holds(c, true) }
func leaseHolds(c *operations) [][]int { return holds(c, false) }

// holds makes groups of holds. If they end by release only, an unknown one goes with each that has no other.
func holds(c *operations, released bool) [][]int {
	b, spares := newGrouping(c), make([]spare, len(c.clients))
	for i := range spares {
		spares[i] = spare{-1, -1}
	}
	for i := range c.list {
		k := &c.list[i]
		s := &spares[k.client]
		switch {
		case k.outcome == checker.Info:
			s.add(k, i, released && len(b.open[k.client]) > 0)
			continue
		case k.f == checker.Acquire:
			b.lapse(k.client, s)
			b.begin(i)
		case k.outcome == checker.Fail:
			b.end(k.client)
			b.all = append(b.all, []int{i})
		default:
			b.shown(i, s)
		}
		s.acquire = -1
		if k.f != checker.Renew || k.outcome == checker.Fail {
			s.release = -1
		}
	}
	for client := range spares {
		b.lapse(client, &spares[client])
	}
	return b.all
}

func (s *spare) add(k *operation, i int, held bool) {
	switch {
	case k.f == checker.Acquire:
		s.acquire = i
	case held && s.release < 0:
		s.release = i
	}
}

// lapse ends a hold whose end is not known.
func (b *grouping) lapse(client int, s *spare) {
	if len(b.open[client]) > 0 && s.release >= 0 {
		b.join(s.release)
	}
	b.end(client)
}

// shown adds a renewal or release to the hold that it shows.
func (b *grouping) shown(i int, s *spare) {
	k := &b.list[i]
	fresh := len(b.open[k.client]) == 0
	b.join(i)
	if fresh && s.acquire >= 0 {
		b.join(s.acquire)
	}
	if k.f == checker.Release {
		b.end(k.client)
	}
}

func pairs(c *operations) [][]int {
	return c.perClient(func(b *grouping, i int) {
		k := &b.list[i]
		if k.f == checker.Acquire {
			b.begin(i)
			return
		}
		alone := len(b.open[k.client]) == 0
		b.join(i)
		if k.f == checker.Release || alone {
			b.end(k.client)
		}
	})
}

func stays(c *operations) [][]int {
	times := make([]int, len(c.clients))
	return c.perClient(func(b *grouping, i int) {
		k := &b.list[i]
		b.join(i)
		switch k.f {
		case checker.Acquire:
			times[k.client]++
		case checker.Release:
			times[k.client]--
		}
		if times[k.client] <= 0 {
			times[k.client] = 0
			b.end(k.client)
		}
	})
}

// perClient makes one group of each client that has an unknown outcome, and of the others what add makes of them.
func (c *operations) perClient(add func(b *grouping, i int)) [][]int {
	b, unsure := newGrouping(c), make([]bool, len(c.clients))
	for i := range c.list {
		unsure[c.list[i].client] = unsure[c.list[i].client] || c.list[i].outcome == checker.Info
	}
	for i := range c.list {
		if unsure[c.list[i].client] {
			b.join(i)
		} else {
			add(b, i)
		}
	}
	return b.all
}
