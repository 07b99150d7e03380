package scenarios

import (
	"slices"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
)

// A LateGrant is a grant of a user's lock whose deadline had passed when the last reply of a server came, by the clock
// that the lock counts on. No pause explains it. The lock had heard everything by then, and it either did not look at a
// clock since the first reply, or each look showed it that the deadline had passed. A lock that looks in time and is
// paused afterwards is not late. Neither is one that looks once it has enough votes, and then waits for other servers
// or for its fencing token.
type LateGrant struct {
	Client int
	At     clock.Instant // when the lock returned it
	Over   time.Duration // for how long the deadline had passed when the last reply came
	Looked bool          // the lock looked at a clock after the first reply
}

// readings are what the clocks of a client show at one moment.
type readings struct{ wall, mono, awake time.Duration }

// A moment is a client whose clocks always show that moment.
type moment struct {
	locks.Client
	at readings
}

func (m moment) Wall() time.Duration  { return m.at.wall }
func (m moment) Mono() time.Duration  { return m.at.mono }
func (m moment) Awake() time.Duration { return m.at.awake }

// heard notes that a reply has come, or was waited for in vain. The reply with a fencing token is no vote.
func (w *watched) heard() {
	if w.client != nil && !w.client.drawing {
		w.replied, w.answered = w.now(), true
	}
}

// look looks at a clock, and notes it. Before the first reply it says nothing about a grant.
func (w *watched) look(read func(*sim.Proc) time.Duration) time.Duration {
	w.settle()
	shows := read(w.Proc)
	if w.answered {
		w.looks = append(w.looks, w.now())
	}
	return shows
}

func (w *watched) now() readings {
	h := w.Host()
	return readings{time.Duration(h.Wall()), time.Duration(h.Mono()), time.Duration(h.Awake())}
}

// noteLate notes the grant of the attempt that has ended, if it is late. The deadline of a lock with a session moves
// while it acquires, so its grant says little.
func (w *watched) noteLate(l locks.Lock, g locks.Grant) {
	if _, sessioned := l.(locks.Sessioned); sessioned || !g.Won() || !w.answered {
		return
	}
	left := func(t readings) time.Duration { return locks.Left(l, moment{w, t}, g) }
	over := -left(w.replied)
	if over < 0 || slices.ContainsFunc(w.looks, func(t readings) bool { return left(t) > 0 }) {
		return
	}
	run := w.client.run
	run.late = append(run.late, LateGrant{w.client.id, run.world.Now(), over, len(w.looks) > 0})
}
