package blackbox

import "github.com/lockstorm/lockstorm/checker"

// A stay is how many times its holder holds a reentrant lock. Nobody holds it 0 times.
type stay struct{ holder, times int }

// reentrantMachine is a mutex that its holder may acquire again, Limit times in all:
//
//	state             call         outcome   next
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
	return machineOf(stay{holder: nobody}, func(s stay, c *call) (stay, bool) { return s.step(c, limit) })
}

func (s stay) step(c *call, limit int) (stay, bool) {
	switch {
	case c.f == checker.Acquire:
		return stay{c.client, s.times + 1}, s.holder == nobody || s.holder == c.client && s.times < limit
	case c.f == checker.Renew:
		return s, s.holder == c.client
	case s.times == 1:
		return stay{holder: nobody}, s.holder == c.client
	default:
		return stay{c.client, s.times - 1}, s.holder == c.client
	}
}
