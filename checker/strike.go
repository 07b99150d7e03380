package checker

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/clock"
)

// lastFaultSentence returns a sentence that names the last fault that struck in an interval, or "". One that names who is
// preferred. The sentence says when the fault struck, and not that it was the cause.
func (e *Evidence) lastFaultSentence(who string, from, until clock.Instant) string {
	if last := e.lastFault(who, from, until); last != nil {
		return last.sentence()
	}
	return ""
}

// lastFault returns the last fault that struck in an interval, or nil. One that names who is preferred.
func (e *Evidence) lastFault(who string, from, until clock.Instant) (last *Strike) {
	for i := range e.Strikes {
		s := &e.Strikes[i]
		if s.Idle || s.From < from || s.From > until || last != nil && last.names(who) && !s.names(who) {
			continue
		}
		if last == nil || s.From >= last.From || s.names(who) && !last.names(who) {
			last = s
		}
	}
	return last
}

// names reports whether a fault names a host, as its target or as an end of a link: n3 in "restart n3", "cut n3>c1", "pause a-node=n3".
func (s *Strike) names(who string) bool {
	return slices.Contains(strings.FieldsFunc(s.Fault, func(r rune) bool { return strings.ContainsRune(" =,>|", r) }), who)
}

// sentence returns the fault and the time of a strike as a sentence, with a space before it.
func (s *Strike) sentence() string {
	return " By then " + strconv.Quote(s.Fault) + " had struck, at " + seconds(s.From) + "."
}
