package blackbox

import "github.com/lockstorm/lockstorm/checker"

// Units are what may be left out of a history without turning a legal one into one that is not. A history is legal if it
// has a legal order; of those below, each says how such an order goes on to be one.
//
// Holds, of mutex, fenced-mutex, lease and lease-timed. An acquire of a client, its renewals and the release that it
// learned of are a unit: take them out of the order, and let what else its client did between them, with an unknown
// outcome, take no effect. Then the client holds nothing in all that time, and before and after it is as it was. Others
// do not mind (see hopeless): the lock is freer, and tokens need only rise. The same goes for an acquire whose release
// is not known, up to its client's next acquire or to the end; and for releases and renewals that show a hold whose
// acquire is not known. A failed release or renewal shows that a lease has ended, and that alone: it is a unit of its
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
// any unknown outcome is one unit.
//
// Stays, of reentrant-fenced-mutex: all from the acquire of a free lock to its last release. Of pairs, an outer one might
// leave two holds with one token. A client that has any unknown outcome is one unit.
//
// Reads of a register change nothing. In a fenced register they do, for they raise the mark; but a write that was refused
// does not.
//
// Rests. At a rest no call is open. If every call before it has a known outcome, then in any order just these have taken
// effect, and a lock is held as often as was acquired and not released. All that lies between two such rests is a unit,
// if the state is the same at both: what comes later begins as it did. In a plain mutex that is so if the number is; who
// released whose is not known, so that it has no other units. In those with owners, if it is 0 at both. Tokens need only rise.
//
// A renewal by itself, of any lock: it shows that the lock is held, and at most makes a lease end later. In a lease
// that is not timed, the same goes for a release: a lease may end without.

// A bundling puts calls into units.
type bundling struct {
	*calls
	all  [][]int
	open [][]int // by client: the units that go on, by place in all
}

func newBundling(c *calls) *bundling { return &bundling{calls: c, open: make([][]int, len(c.clients))} }

// begin begins a unit of its client with call i.
func (b *bundling) begin(i int) {
	client := b.list[i].client
	b.open[client] = append(b.open[client], len(b.all))
	b.all = append(b.all, []int{i})
}

// join adds call i to the unit of its client that began last, or begins one.
func (b *bundling) join(i int) {
	open := b.open[b.list[i].client]
	if len(open) == 0 {
		b.begin(i)
		return
	}
	u := open[len(open)-1]
	b.all[u] = append(b.all[u], i)
}

// end ends that unit.
func (b *bundling) end(client int) {
	if open := b.open[client]; len(open) > 0 {
		b.open[client] = open[:len(open)-1]
	}
}

// rests makes units of what lies between two rests at which the lock is free, or held as often if nobody asks by whom.
func rests(c *calls) [][]int  { return between(c, true) }
func breaks(c *calls) [][]int { return between(c, false) }

func between(c *calls, ownerless bool) (all [][]int) {
	held, back := 0, -1
	begun := map[int]int{} // by how often it is held, the last such rest since the last unit; looked up, never ranged over
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

// counted gives the numbers from one to before another.
func counted(from, to int) (all []int) {
	for i := from; i < to; i++ {
		all = append(all, i)
	}
	return all
}

// each makes a unit of each call that is wanted.
func each(wanted func(*call) bool) func(*calls) [][]int {
	return func(c *calls) (all [][]int) {
		for i := range c.list {
			if wanted(&c.list[i]) {
				all = append(all, []int{i})
			}
		}
		return all
	}
}

func isRead(c *call) bool { return c.f == checker.Read }

func isRefusedWrite(c *call) bool {
	return c.f == checker.Write && c.outcome == checker.OK && c.value.Fenced == 0
}

func isRenewal(c *call) bool { return c.f == checker.Renew }

func isShown(c *call) bool { return c.f != checker.Acquire }

// bundles are the ways to make units of calls, one after the other. Units of one way do not overlap.
type bundles []func(*calls) [][]int

// A spare is what of one client has an unknown outcome, and may go with a hold; -1 for none.
type spare struct{ acquire, release int }

func mutexHolds(c *calls) [][]int { return holds(c, true) }
func leaseHolds(c *calls) [][]int { return holds(c, false) }

// holds makes units of holds. If they end by release only, an unknown one goes with each that has no other.
func holds(c *calls, released bool) [][]int {
	b, spares := newBundling(c), make([]spare, len(c.clients))
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

func (s *spare) add(k *call, i int, held bool) {
	switch {
	case k.f == checker.Acquire:
		s.acquire = i
	case held && s.release < 0:
		s.release = i
	}
}

// lapse ends a hold whose end is not known.
func (b *bundling) lapse(client int, s *spare) {
	if len(b.open[client]) > 0 && s.release >= 0 {
		b.join(s.release)
	}
	b.end(client)
}

// shown adds a renewal or release to the hold that it shows.
func (b *bundling) shown(i int, s *spare) {
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

// pairs makes units of pairs.
func pairs(c *calls) [][]int {
	return c.perClient(func(b *bundling, i int) {
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

// stays makes units of stays.
func stays(c *calls) [][]int {
	times := make([]int, len(c.clients))
	return c.perClient(func(b *bundling, i int) {
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

// perClient makes one unit of each client that has an unknown outcome, and of the others what add makes of them.
func (c *calls) perClient(add func(b *bundling, i int)) [][]int {
	b, unsure := newBundling(c), make([]bool, len(c.clients))
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
