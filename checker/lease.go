package checker

// leaseMachine is a lock that may expire at any moment, and does not say when. Its holder is the client granted last,
// if it may still hold it:
//
//	state       call         outcome   next
//	any         acquire c    ok        held by c: an earlier lease has expired
//	held by c   release c    ok        free: it had not expired
//	other       release c    ok        illegal: nobody gets a lease back
//	held by c   release c    fail      free: it had expired
//	other       release c    fail      the same
//	any         acquire      fail      the same
//	any         either       unknown   as for ok, where that is legal, or the same
//
// Expiry is not a step of its own: it shows only in the next grant or the failed release, and there it is counted. Before
// that nobody can tell, and the lease being open allows all that its being expired would, and a successful release too.
func leaseMachine(*Model) machine {
	return machineOf(nobody, func(holder int, c *call) (int, bool) {
		switch {
		case c.f == Acquire:
			return c.client, true
		case holder == c.client:
			return nobody, true
		}
		return holder, c.outcome == Fail
	})
}
