package blackbox

import "github.com/lockstorm/lockstorm/checker"

// plainMutexMachine is the mutex of Knossos, which does not know its owner:
//
//	state   op        outcome   next
//	free    acquire   ok        held
//	held    acquire   ok        illegal
//	held    release   ok        free
//	free    release   ok        illegal
//	held    renew     ok        the same
//	free    renew     ok        illegal
//	any     any       fail      the same
//	any     any       unknown   as for ok, where that is legal, or the same
//
// It is blind. A release whose outcome is unknown may take effect at any later time, and here it may free a lock that
// somebody else holds by then. So wherever a release was retried after a timeout, two holders at once are found legal.
// Use mutex, unless one client may release what another acquired.
func plainMutexMachine(*Model) machine {
	return machineOf(false, func(held bool, c *operation) (bool, bool) {
		if c.f == checker.Renew {
			return held, held
		}
		acquire := c.f == checker.Acquire
		return acquire, held != acquire
	})
}
