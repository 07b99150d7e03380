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
	if len(first) == 0 || len(second) == 0 {
		return []string{sentence(e.Service) + " is not seen to have granted both."}
	}
	v, s := first[0], second[0]
	return []string{
		sentence(e.Service) + " held the lock for " + client(a.Client) + " from " + seconds(v.From) + to(v.To) + ", and for " +
			client(b.Client) + " from " + seconds(s.From) + " on." + e.between(client(a.Client), v.From, b.From),
		"The step that was defeated is the client's: to know that its hold had ended there."}
}

// unbooked says when a hold ended on the books, while its client still counted on it.
func (e *Evidence) unbooked(h *Hold, end clock.Instant) []string {
	keys := e.granted(h)
	if len(keys) == 0 {
		return []string{sentence(e.Service) + " is not seen to have granted " + client(h.Client) + " the lock."}
	}
	last := keys[len(keys)-1]
	return []string{
		sentence(e.Service) + " held the lock for " + client(h.Client) + " from " + seconds(last.From) + to(last.To) + ", and " +
			client(h.Client) + " counted on it until " + seconds(end) + "." + e.between(client(h.Client), last.From, last.To),
		"The step that was defeated is the client's: to know that its hold had ended there."}
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
