package blackbox

import "github.com/lockstorm/lockstorm/checker"

// nobody holds the lock.
const nobody = -1

// mutexMachine is a lock with at most one holder:
//
//	state   op           outcome   next
//	free    acquire c    ok        held by c
//	held    acquire      ok        illegal, by its holder too
//	held c  release c    ok        free
//	other   release c    ok        illegal
//	held c  renew c      ok        the same
//	other   renew c      ok        illegal
//	any     any          fail      the same
//	any     any          unknown   as for ok, where that is legal, or the same
func mutexMachine(*Model) machine {
	return machineOf(nobody, func(holder int, c *operation) (int, bool) {
		switch c.f {
		case checker.Acquire:
			return c.client, holder == nobody
		case checker.Renew:
			return holder, holder == c.client
		}
		return nobody, holder == c.client
	})
}
