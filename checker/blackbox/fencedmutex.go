package blackbox

import "github.com/lockstorm/lockstorm/checker"

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
//	held c     renew c             ok        the same, whatever token it brings back
//	other      renew c             ok        illegal
//	any        any                 fail      the same
//	any        release             unknown   as for ok, where that is legal, or the same
//	free       acquire c           unknown   held by c, or the same
//
// Token 0 is none. An acquire with an unknown outcome may have drawn any token or none; none is the least that it can
// have done, and forbids nothing later that another choice would allow.
func fencedMutexMachine(*Model) machine {
	return machineOf(mutexState{holder: nobody}, func(g mutexState, c *operation) (mutexState, bool) {
		switch c.f {
		case checker.Release:
			return mutexState{nobody, g.mark}, g.holder == c.client
		case checker.Renew:
			return g, g.holder == c.client
		}
		token := c.token()
		return mutexState{c.client, max(g.mark, token)}, g.holder == nobody && (token == 0 || token > g.mark)
	})
}
