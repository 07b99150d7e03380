package checker

import (
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/clock"
)

// Where one service grants the lock, and not a vote of independent nodes, the argument is about what that service had on
// its books, and about what its client knew of it.

// booked says how the service came to grant the lock a second time.
func (e *Evidence) booked(a, b *Hold) []string {
	first, second := e.granted(a), e.granted(b)
	switch {
	case len(first) == 0:
		return []string{e.unseen(a)}
	case len(second) == 0:
		return []string{e.unseen(b)}
	}
	v, s := first[0], second[0]
	return []string{
		sentence(e.Service) + " held the lock for " + client(a.Client) + " from " + seconds(v.From) + to(v.To) + ", and for " +
			client(b.Client) + " from " + seconds(s.From) + " on." + e.between(client(a.Client), v.From, b.From),
		e.early()}
}

// unseen says of a hold that the service has not on its books. Then something else granted it, such as a server that was
// master before and does not know that it is so no more; or nothing did, and its client only took it so.
func (e *Evidence) unseen(h *Hold) string {
	return sentence(e.Service) + " never held the lock for " + client(h.Client) + ", whose acquire returned all the same. The step that " +
		"was defeated is that the lock is had from " + e.Service + " alone."
}

// early is the step that is defeated when a hold ends on the books while its client still counts on it: for whatever
// reason, for the books may be lost, or wrong, and the clocks may differ.
func (e *Evidence) early() string {
	return "The step that was defeated is that a hold ends for its client before it ends for " + e.Service + "."
}

// unbooked says when a hold ended on the books, while its client still counted on it.
func (e *Evidence) unbooked(h *Hold, end clock.Instant) []string {
	keys := e.granted(h)
	if len(keys) == 0 {
		return []string{e.unseen(h)}
	}
	last := keys[len(keys)-1]
	return []string{
		sentence(e.Service) + " held the lock for " + client(h.Client) + " from " + seconds(last.From) + to(last.To) + ", and " +
			client(h.Client) + " counted on it until " + seconds(end) + "." + e.between(client(h.Client), last.From, last.To),
		e.early()}
}

// occupied says for whom the service held the lock.
func (e *Evidence) occupied(at clock.Instant) []string {
	i := slices.IndexFunc(e.Keys, func(s Span) bool { return s.From <= at && at < s.To })
	if i < 0 {
		return []string{"At " + seconds(at) + " " + e.Service + " held the lock for nobody."}
	}
	return []string{"At " + seconds(at) + " " + e.Service + " held the lock for " + e.owner(e.Keys[i].Token) + "."}
}

// sentence begins a sentence with the words.
func sentence(words string) string { return strings.ToUpper(words[:1]) + words[1:] }
