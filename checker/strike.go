package checker

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/clock"
)

// This file finds the fault that contributed to a violation.

// between returns a sentence that names the last fault that struck in an interval, or "". One that names who is preferred.
func (e *Evidence) between(who string, from, until clock.Instant) string {
	if last := e.last(who, from, until); last != nil {
		return last.between()
	}
	return ""
}

// last returns the last fault that struck in an interval, or nil. One that names who is preferred.
func (e *Evidence) last(who string, from, until clock.Instant) (last *Strike) {
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

func (s *Strike) between() string {
	return " In between, " + strconv.Quote(s.Fault) + " had struck at " + seconds(s.From) + "."
}
