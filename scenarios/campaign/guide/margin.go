package guide

import (
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
)

// A margin is a way to be close to breaking a promise. Its value is how far a run was from that: the smallest in the run, below
// 0 where what it measures went wrong.
type margin int

// The margins.
const (
	afterBelief   margin = iota // from when a client went on no longer to the next acquire of another
	afterValidity               // from the end of a validity to the next acquire of another client
	keysBelief                  // from when a client went on no longer to when a majority of nodes had not its key any more
	keysValidity                // the same, from the end of its validity
	validityLeft                // how much validity an acquire was left with
	lateWrite                   // from a write to when its client went on no longer
	nextHolder                  // from a write to the next acquire of another client
	tokenStep                   // by how much a fencing token is larger than that of the acquire before
	tokenAge                    // how young a fencing token was when its acquire returned
	waiting                     // how much shorter than its bound the longest wait was that no other holder explains
	probing                     // the same of the probe's
	releasedKey                 // from the end of a key to when its owner was done, and every node had answered it
	orphanKey                   // the same, where some node had not
	margins                     // how many there are
)

// far is the value of a margin that a run does not have.
const far = 1 << 62

// marginsOf returns the margins that belong to a property.
func marginsOf(property string) []margin {
	switch property {
	case "belief":
		return []margin{afterBelief, keysBelief, validityLeft}
	case "validity":
		return []margin{afterValidity, keysValidity}
	case "quorum", "continuity":
		return []margin{keysValidity}
	case "storage":
		return []margin{lateWrite, nextHolder, afterBelief}
	case "fenced":
		return []margin{lateWrite, nextHolder}
	case "tokens":
		return []margin{tokenStep, tokenAge}
	case "deadlock-free":
		return []margin{probing}
	case "fault-tolerant":
		return []margin{waiting}
	case "leak-free":
		return []margin{releasedKey, orphanKey}
	}
	return nil
}

func (l *look) margin(m margin, value int64) { l.run.margins[m] = min(l.run.margins[m], value) }

func (l *look) time(m margin, d time.Duration) { l.margin(m, int64(d)) }

// waits looks for how long clients waited while nobody else had the lock.
func (l *look) waits() {
	e := l.e
	if e.Bound == 0 || e.Clients == 0 {
		return
	}
	asked := make([]clock.Instant, e.Clients)
	for i := range asked {
		asked[i] = never
	}
	for i := range e.History {
		op := &e.History[i]
		c := op.Process % e.Clients
		switch {
		case op.F != checker.Acquire && op.F != checker.Release:
		case op.Type == checker.Invoke:
			asked[c] = op.Time
		case asked[c] != never:
			l.time(waiting, e.Bound-l.free(op.F, c, asked[c], op.Time))
			asked[c] = never
		}
	}
}

// free returns the longest part of a call in which no other client had the lock, or the whole of a release.
func (l *look) free(call checker.Func, client int, from, to clock.Instant) (longest time.Duration) {
	for i := range l.e.Holds {
		h := &l.e.Holds[i]
		if call == checker.Release || h.Client == client {
			continue
		}
		if until := max(h.Gone, h.Valid); until > from && h.From < to {
			longest, from = max(longest, h.From.Sub(from)), until
		}
	}
	return max(longest, to.Sub(from))
}
