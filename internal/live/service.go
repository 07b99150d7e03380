package live

import (
	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// A service is what clients ask for the lock as one: etcd's servers, or a database. Our own clients are the world's, as their
// protocols are: what is real is who answers. Each message of theirs is carried out by a real server, and answered when that has.
// Those of an adapter are processes, with a tunnel to each server.
type service interface {
	// begin starts the servers, and waits until they answer.
	begin() error
	// attach begins the world's time.
	attach()
	// address returns where the server on a host listens.
	address(host int) (network, address string)
	// seen reports whether the harness has looked at the lock's key after a moment.
	seen(after clock.Instant) bool
	// freed notes that a client's process has released the lock, for which it was asked at a moment.
	freed(token string, by int, sent clock.Instant)
	// apply does to the servers what has happened to a host.
	apply(e sim.Event)
	// keys appends the lives of keys, in their narrow form or their wide one.
	keys(to []checker.Span, wide bool) []checker.Span
	// close ends what the service does; its processes are ended elsewhere.
	close()
}

// serviceSpans appends lives as the judges take them. There is one at a time, so that none lasts longer than until the next one
// was seen.
func serviceSpans(to []checker.Span, lives []life, wide bool) []checker.Span {
	before := clock.Instant(0)
	for i, l := range lives {
		if i+1 < len(lives) {
			l.to = min(l.to, lives[i+1].seen)
			l.gone = min(l.gone, l.to)
		}
		s := checker.Span{Token: l.value, From: l.seen, To: l.gone, Ended: l.ended, Endless: l.endless}
		if wide {
			s.From, s.To = max(l.from, before), l.to
		}
		before = l.to
		to = append(to, s)
	}
	return to
}
