package live

import (
	"slices"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
)

// A ledger is the lives of a service's key, by reads of it one after another.
type ledger struct {
	latest   view
	lives    []life
	deletes  map[string]deletion // of keys that are there, as far as is known
	vanished checker.Ending      // of a key that is gone, and not by a deletion that is known
}

// A view is which key was the first, at a revision, at some moment between two.
type view struct {
	revision  uint64
	key       string // "" for none
	sent, got clock.Instant
}

// A deletion is a request that has deleted a key: the client whose it was, and when it was sent.
type deletion struct {
	by   int
	sent clock.Instant
}

func newLedger(vanished checker.Cause) ledger {
	return ledger{deletes: map[string]deletion{}, vanished: checker.Ending{Cause: vanished, Client: -1, Strike: -1}}
}

// seen reports whether a read has begun after a moment, and has been noted.
func (g *ledger) seen(after clock.Instant) bool { return g.latest.sent >= after }

// note notes a view, unless a newer one is known.
func (g *ledger) note(v view) {
	last := g.latest
	switch {
	case v.revision < last.revision:
		return
	case v.key == last.key:
		g.latest = v
		return
	}
	if last.key != "" {
		l := &g.lives[len(g.lives)-1]
		l.gone, l.to, l.ended = max(last.sent, l.seen), max(v.got, l.seen), g.vanished
		if d, ok := g.deletes[last.key]; ok {
			l.delete(d)
		}
	}
	if v.key != "" {
		g.lives = append(g.lives, life{value: v.key, from: last.sent, seen: v.got, gone: clock.Forever, to: clock.Forever})
	}
	g.latest = v
}

// delete notes that a request has deleted a key.
func (g *ledger) delete(key string, d deletion) {
	i := slices.IndexFunc(g.lives, func(l life) bool { return l.value == key })
	switch {
	case i < 0 || g.lives[i].to == clock.Forever:
		g.deletes[key] = d
	case d.sent <= g.lives[i].to:
		g.lives[i].delete(d) // that it is gone was seen before the answer came
	}
}

// delete notes in a life that a request has ended it, which was no earlier than when that was sent.
func (l *life) delete(d deletion) {
	l.gone = min(max(l.gone, d.sent), l.to)
	l.ended.Cause, l.ended.Client = checker.Deleted, d.by
}
