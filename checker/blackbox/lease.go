package blackbox

import "github.com/lockstorm/lockstorm/checker"

// leaseMachine is a lock that may expire at any moment, and does not say when. Its holder is the client granted last,
// if it may still hold it:
//
//	state       op           outcome   next
//	any         acquire c    ok        held by c: an earlier lease has expired, its own too
//	held by c   renew c      ok        the same: it had not expired
//	held by c   release c    ok        free: it had not expired
//	other       either c     ok        illegal: nobody gets a lease back
//	held by c   either c     fail      free: it had expired
//	other       either c     fail      the same
//	any         acquire      fail      the same
//	any         acquire c    unknown   as for ok, or the same
//	any         either       unknown   the same: it can have nothing to show for it
//
// Here, either is a renew or a release. Expiry is not a step of its own: it shows only in the next grant or the failure of
// one of these, and there it is counted. Before that nobody can tell, and the lease being open allows all that its being
// expired would, and success too.
func leaseMachine(*Model) machine {
	return machineOf(nobody, func(holder int, c *operation) (int, bool) {
		switch {
		case c.f == checker.Acquire:
			return c.client, true
		case holder != c.client:
			return holder, c.outcome == checker.Fail
		case c.f == checker.Renew && c.outcome == checker.OK:
			return holder, true
		}
		return nobody, true
	})
}
