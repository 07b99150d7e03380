package services

import (
	"slices"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios/live"
)

// A ledger is the lives of a service's key, by reads of it one after another.
type ledger struct {
	latest   view
	lives    []live.Life
	deletes  map[string]deletion // of keys that are there, as far as is known
	vanished checker.Ending      // of a key that is gone, and not by a deletion that is known
}

// A view is which key was the first, at a revision, at some moment between two.
type view struct {
	revision  uint64
	key       string // "" for none
	sent, got clock.Instant
}

// A deletion is a request that has deleted a key: the client that made it, and when it was sent.
type deletion struct {
	client int
	sent   clock.Instant
}

// ending returns how a life ended by no client.
func ending(cause checker.Cause) checker.Ending {
	return checker.Ending{Cause: cause, Client: -1, Strike: -1}
}

func newLedger(vanished checker.Cause) ledger {
	return ledger{deletes: map[string]deletion{}, vanished: ending(vanished)}
}

// Seen reports whether a read has begun after a moment, and has been noted.
func (g *ledger) Seen(after clock.Instant) bool { return g.latest.sent >= after }

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
		l.Gone, l.To, l.Ended = max(last.sent, l.Seen), max(v.got, l.Seen), g.vanished
		if d, ok := g.deletes[last.key]; ok {
			d.end(l)
		}
	}
	if v.key != "" {
		g.lives = append(g.lives, live.Life{Value: v.key, From: last.sent, Seen: v.got, Gone: clock.Forever, To: clock.Forever})
	}
	g.latest = v
}

// delete notes that a request has deleted a key.
func (g *ledger) delete(key string, d deletion) {
	i := slices.IndexFunc(g.lives, func(l live.Life) bool { return l.Value == key })
	switch {
	case i < 0 || g.lives[i].To == clock.Forever:
		g.deletes[key] = d
	case d.sent <= g.lives[i].To:
		d.end(&g.lives[i]) // a read has missed the key before the answer came
	}
}

// end notes that the request has ended a life, which was no earlier than when it was sent.
func (d deletion) end(l *live.Life) {
	l.Gone = min(max(l.Gone, d.sent), l.To)
	l.Ended.Cause, l.Ended.Client = checker.Deleted, d.client
}

// spans appends lives as the judges take them. There is one at a time, so that none lasts longer than until the next
// one was seen.
func spans(all []checker.Span, lives []live.Life, wide bool) []checker.Span {
	before := clock.Instant(0)
	for i, l := range lives {
		if i+1 < len(lives) {
			l.To = min(l.To, lives[i+1].Seen)
			l.Gone = min(l.Gone, l.To)
		}
		s := checker.Span{Token: l.Value, From: l.Seen, To: l.Gone, Ended: l.Ended, Endless: l.Endless}
		if wide {
			s.From, s.To = max(l.From, before), l.To
		}
		before = l.To
		all = append(all, s)
	}
	return all
}
