package blackbox

import (
	"cmp"
	"encoding/binary"

	"github.com/lockstorm/lockstorm/checker"
)

// The comment of each machine in this file is a table of its steps. Unless the table says otherwise, an operation that
// failed leaves the state as it is. One with an unknown outcome has the effect of an ok, where that is legal, or none.
// A renewal leaves the state as it is, and is legal only if its client holds the lock.

const noClient = -1 // the holder of a free lock

// mutexMachine is a lock with at most one holder:
//
//	state   op           outcome   next
//	free    acquire c    ok        held by c
//	held    acquire      ok        illegal, by its holder too
//	held c  release c    ok        free
//	other   release c    ok        illegal
func mutexMachine(*Model) machine {
	return machineOf(noClient, func(holder int, c *operation) (int, bool) {
		switch c.f {
		case checker.Acquire:
			return c.client, holder == noClient
		case checker.Renew:
			return holder, holder == c.client
		}
		return noClient, holder == c.client
	})
}

// plainMutexMachine is the mutex of Knossos, which does not know its owner:
//
//	state   op        outcome   next
//	free    acquire   ok        held
//	held    acquire   ok        illegal
//	held    release   ok        free
//	free    release   ok        illegal
//	held    renew     ok        the same
//	free    renew     ok        illegal
//
// It is blind. A release whose outcome is unknown may take effect at any later time, and here it may free a lock that
// another client holds by then. So wherever a release was retried after a timeout, two simultaneous holders are found
// legal. Use mutex, unless one client may release what another acquired.
func plainMutexMachine(*Model) machine {
	return machineOf(false, func(held bool, c *operation) (bool, bool) {
		if c.f == checker.Renew {
			return held, held
		}
		acquire := c.f == checker.Acquire
		return acquire, held != acquire
	})
}

// A mutexState is a lock's holder and the largest fencing token that it has given out.
type mutexState struct {
	holder int
	mark   uint64
}

// fencedMutexMachine is a mutex that numbers its holds. The mark is the largest token so far, 0 at first:
//
//	state      op                  outcome   next
//	free       acquire c, token    ok        held by c, mark = token, if token > mark; else illegal
//	free       acquire c, no token ok        held by c
//	held       acquire             ok        illegal
//	held c     release c           ok        free
//	other      release c           ok        illegal
//	free       acquire c           unknown   held by c, or the same
//
// Token 0 is none. An acquire with an unknown outcome may have got any token or none. None is the choice that forbids
// nothing later that another choice would allow. The token that a renewal brings back does not count.
func fencedMutexMachine(*Model) machine {
	return machineOf(mutexState{holder: noClient}, func(g mutexState, c *operation) (mutexState, bool) {
		switch c.f {
		case checker.Release:
			return mutexState{noClient, g.mark}, g.holder == c.client
		case checker.Renew:
			return g, g.holder == c.client
		}
		token := c.token()
		return mutexState{c.client, max(g.mark, token)}, g.holder == noClient && (token == 0 || token > g.mark)
	})
}

// A reentrantState is how many times its holder holds a reentrant lock. It is 0 for a free lock.
type reentrantState struct{ holder, times int }

// reentrantMachine is a mutex that its holder may acquire again, Limit times in all:
//
//	state             op           outcome   next
//	free              acquire c    ok        held by c once
//	held by c, n<L    acquire c    ok        held by c n+1 times
//	held by c, n=L    acquire c    ok        illegal
//	held by another   acquire c    ok        illegal
//	held by c, n>1    release c    ok        held by c n-1 times
//	held by c, n=1    release c    ok        free
//	other             release c    ok        illegal
func reentrantMachine(m *Model) machine {
	limit := or(m.Limit, 2)
	return machineOf(reentrantState{holder: noClient}, func(s reentrantState, c *operation) (reentrantState, bool) {
		return s.step(c, limit)
	})
}

func (s reentrantState) step(c *operation, limit int) (reentrantState, bool) {
	switch {
	case c.f == checker.Acquire:
		return reentrantState{c.client, s.times + 1}, s.holder == noClient || s.holder == c.client && s.times < limit
	case c.f == checker.Renew:
		return s, s.holder == c.client
	case s.times == 1:
		return reentrantState{holder: noClient}, s.holder == c.client
	default:
		return reentrantState{c.client, s.times - 1}, s.holder == c.client
	}
}

// A reentrantFencedState is a stay, its fencing token, 0 while it is not known, and the largest token so far.
type reentrantFencedState struct {
	reentrantState
	token, mark uint64
}

// reentrantFencedMachine is a reentrant mutex with one fencing token for each hold, however often its holder acquires
// again. Releases are as in a reentrant mutex. An acquire with an unknown outcome brings no token:
//
//	state                     op                    outcome   next
//	free                      acquire c, token      ok        once by c, mark = token, if token > mark; else illegal
//	held by c, no token, n<L  acquire c, token      ok        n+1 times, mark = token, if token > mark; else illegal
//	held by c, token, n<L     acquire c, token      ok        n+1 times, if it is the same token; else illegal
//	free, or held by c, n<L   acquire c, no token   ok        held by c, once more
//	held by c, n=L            acquire c             ok        illegal
//	held by another           acquire c             ok        illegal
func reentrantFencedMachine(m *Model) machine {
	limit := or(m.Limit, 2)
	free := reentrantFencedState{reentrantState: reentrantState{holder: noClient}}
	return machineOf(free, func(g reentrantFencedState, c *operation) (reentrantFencedState, bool) {
		next, legal := g.step(c, limit)
		g.reentrantState = next
		if next.holder == noClient {
			g.token = 0
		}
		token := c.token()
		if token == 0 || token == g.token {
			return g, legal
		}
		legal = legal && g.token == 0 && token > g.mark
		g.token, g.mark = token, token
		return g, legal
	})
}

// A permitHolders is who holds the permits of a semaphore: four bytes a permit, in the order of clients. It is a
// string, because states are compared.
type permitHolders string

// semaphoreMachine is a number of permits; a client may hold several:
//
//	state                op           outcome   next
//	fewer than Permits   acquire c    ok        one more, held by c
//	Permits              acquire c    ok        illegal
//	one held by c        release c    ok        one fewer, held by c
//	none held by c       release c    ok        illegal
func semaphoreMachine(m *Model) machine {
	permits := or(m.Permits, 2)
	return machineOf(permitHolders(""), func(s permitHolders, c *operation) (permitHolders, bool) {
		name, at, holds := s.find(c.client)
		switch {
		case c.f == checker.Acquire:
			return s[:at] + name + s[at:], len(s) < 4*permits
		case c.f == checker.Renew:
			return s, holds
		case holds:
			return s[:at] + s[at+4:], true
		}
		return s, false
	})
}

// A sharedState is who holds a lock for readers and writers, and how.
type sharedState struct {
	holders permitHolders
	how     sharing
}

// A sharing is how the holders hold the lock. A writer may become a reader: it acquires once more, shared, and then
// releases the hold that excludes others. A release does not say which of two holds it ends. So after it that is not
// known, until another reader comes in.
type sharing uint8

const (
	exclusive sharing = iota // the one holder excludes all others; so it is where there is none
	both                     // it does, and has a shared hold besides
	either                   // it has kept one of the two
	shared                   // each holder shares the lock
)

// rwlockMachine is a lock that one client holds alone, or several share, each of them once:
//
//	state                    op               outcome   next
//	free                     acquire c        ok        alone, by c
//	free, or shared          acquire shared c ok        shared by c too
//	alone, or either, by c   acquire shared c ok        both, by c
//	either, by another       acquire shared c ok        shared by the two
//	both, or shared, by c    acquire shared c ok        illegal
//	alone, or both           acquire shared   ok        illegal, except by its holder where it is alone
//	not free                 acquire c        ok        illegal: a reader that asks for more waits for itself
//	both, by c               release c        ok        either, by c
//	any other, by c          release c        ok        one holder fewer
//	other                    release c        ok        illegal
func rwlockMachine(*Model) machine {
	return machineOf(sharedState{}, func(s sharedState, c *operation) (sharedState, bool) {
		name, at, holds := s.holders.find(c.client)
		switch {
		case c.f == checker.Renew:
			return s, holds
		case c.f == checker.Release && s.how == both:
			return sharedState{s.holders, either}, holds
		case c.f == checker.Release && holds:
			return s.with(s.holders[:at] + s.holders[at+4:]), true
		case c.f == checker.Release:
			return s, false
		case !c.value.Shared:
			return sharedState{name, exclusive}, s.holders == ""
		case holds:
			return sharedState{s.holders, both}, s.how == exclusive || s.how == either
		}
		in := s.holders[:at] + name + s.holders[at:]
		return sharedState{in, shared}, s.holders == "" || s.how >= either
	})
}

// with returns the state with fewer holders.
func (s sharedState) with(holders permitHolders) sharedState {
	if holders == "" {
		return sharedState{}
	}
	return sharedState{holders, s.how}
}

// find returns where a client is, or would be, and its name there.
func (s permitHolders) find(client int) (name permitHolders, place int, holds bool) {
	name = permitHolders(binary.BigEndian.AppendUint32(nil, uint32(client)))
	for place = 0; place < len(s); place += 4 {
		if d := cmp.Compare(s[place:place+4], name); d >= 0 {
			return name, place, d == 0
		}
	}
	return name, place, false
}
