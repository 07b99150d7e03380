package blackbox

import "github.com/lockstorm/lockstorm/checker"

// A reentrantState is how many times its holder holds a reentrant lock. Nobody holds it 0 times.
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
//	held by c         renew c      ok        the same
//	other             renew c      ok        illegal
//	any               any          fail      the same
//	any               any          unknown   as for ok, where that is legal, or the same
func reentrantMachine(m *Model) machine {
	limit := or(m.Limit, 2)
	return machineOf(reentrantState{holder: nobody}, func(s reentrantState, c *operation) (reentrantState, bool) { return s.step(c, limit) })
}

func (s reentrantState) step(c *operation, limit int) (reentrantState, bool) {
	switch {
	case c.f == checker.Acquire:
		return reentrantState{c.client, s.times + 1}, s.holder == nobody || s.holder == c.client && s.times < limit
	case c.f == checker.Renew:
		return s, s.holder == c.client
	case s.times == 1:
		return reentrantState{holder: nobody}, s.holder == c.client
	default:
		return reentrantState{c.client, s.times - 1}, s.holder == c.client
	}
}
