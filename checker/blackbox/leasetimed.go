package blackbox

import (
	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
)

// A leaseState is a timed lease: who was granted it last, if it may still hold it, and until when it cannot have expired. Now
// is the moment of the last operation, the earliest that it can have had.
type leaseState struct {
	holder    int
	now, ends clock.Instant
}

// leaseTimedMachine is a lease that lasts for Least at least, unless it is released. Each operation takes effect at a
// moment t between the times of its invoke and its return, both included, and no earlier than the operation before it.
// Nothing is assumed of when the lease really expires after that, nor of anybody's clock: the times are those of the
// history.
//
//	state              op           outcome   next
//	free               acquire c    ok        held by c until t+Least
//	held until e≤t     acquire c    ok        held by c until t+Least: the earlier lease has expired, its own too
//	held until e>t     acquire      ok        illegal: it cannot have expired yet
//	held by c          renew c      ok        held by c until t+Least
//	held by c          release c    ok        free
//	other              either c     ok        illegal: nobody gets a lease back
//	held by c, e≤t     either c     fail      free: it had expired
//	held by c, e>t     either c     fail      illegal: it cannot have expired yet
//	other              either c     fail      the same
//	any                acquire      fail      the same
//	any                acquire c    unknown   as for ok, where that is legal, or the same
//	held by c          release c    unknown   free, or the same
//	any                renew        unknown   the same: it could only keep others waiting
//
// An order of the operations alone does not say whether there are such moments. But all that an operation asks of its
// own moment is that it be late enough (not before its invoke, nor the operation before, nor, for an acquire or a
// failure, the end of the lease) but for its return, which it must not pass. So let each operation have the earliest
// moment that it can. By induction no choice leads to an earlier one for any operation, nor an earlier end to any lease: both
// are maxima of what came before, or that and Least. If these moments keep to the returns they are the proof; if one
// does not, none would. So a search over orders, with the earliest moment in the state, is exact. Without a Least this
// is the lease.
func leaseTimedMachine(m *Model) machine {
	least := max(m.Least, 0)
	return machineOf(leaseState{holder: nobody}, func(s leaseState, c *operation) (leaseState, bool) {
		s.now = max(s.now, c.from)
		mine := s.holder == c.client
		switch {
		case c.f == checker.Acquire:
			s.now = max(s.now, s.ends)
			s.holder, s.ends = c.client, s.now.Add(least)
		case !mine:
			return s, c.outcome == checker.Fail && s.now <= c.to
		case c.f == checker.Renew && c.outcome == checker.OK:
			s.ends = s.now.Add(least)
		default:
			if c.outcome == checker.Fail {
				s.now = max(s.now, s.ends)
			}
			s.holder, s.ends = nobody, 0
		}
		return s, s.now <= c.to
	})
}
