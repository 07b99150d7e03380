package blackbox

import (
	"encoding/binary"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
)

// A permitHolders is who holds the permits of a semaphore, each client as often as it holds one: four bytes a permit, in order.
// A string, because states are compared.
type permitHolders string

// semaphoreMachine is a number of permits, of which a client may hold several:
//
//	state                op           outcome   next
//	fewer than Permits   acquire c    ok        one more, held by c
//	Permits              acquire c    ok        illegal
//	one held by c        release c    ok        one fewer, held by c
//	none held by c       release c    ok        illegal
//	one held by c        renew c      ok        the same
//	none held by c       renew c      ok        illegal
//	any                  any          fail      the same
//	any                  any          unknown   as for ok, where that is legal, or the same
func semaphoreMachine(m *Model) machine {
	permits := or(m.Permits, 2)
	return machineOf(permitHolders(""), func(s permitHolders, c *operation) (permitHolders, bool) {
		name := string(binary.BigEndian.AppendUint32(nil, uint32(c.client)))
		at, holds := s.find(name)
		switch {
		case c.f == checker.Acquire:
			return s[:at] + permitHolders(name) + s[at:], len(s) < 4*permits
		case c.f == checker.Renew:
			return s, holds
		case holds:
			return s[:at] + s[at+4:], true
		}
		return s, false
	})
}

// find returns where the client of that name is, or would be.
func (s permitHolders) find(name string) (at int, holds bool) {
	for at = 0; at < len(s); at += 4 {
		if d := strings.Compare(string(s[at:at+4]), name); d >= 0 {
			return at, d == 0
		}
	}
	return at, false
}
