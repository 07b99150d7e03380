package checker

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/clock"
)

// This file finds the fault that had a hand in a thing.

// between names the last fault that struck in an interval, or says nothing. One that names who is preferred.
func (e *Evidence) between(who string, from, until clock.Instant) string {
	if last := e.last(who, from, until); last != nil {
		return last.between()
	}
	return ""
}

// last gives the last fault that struck in an interval, or nil. One that names who is preferred.
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

// taker gives the fault of a node that may have taken a key from it: one that began or ended when the key went, else the
// last that struck while the node had it, else one that was at work all the while; nil for none.
func (e *Evidence) taker(k *Span) (best *Strike) {
	most := 0
	for i := range e.Strikes {
		s := &e.Strikes[i]
		if n := s.suspicion(k); n > 0 && (n > most || n == most && s.From >= best.From) {
			best, most = s, n
		}
	}
	return best
}

// suspicion says how well the time of a fault fits the end of a key; 0 if it can't have taken it. One that is Idle, for
// nobody was there to notice, takes keys all the same.
func (s *Strike) suspicion(k *Span) int {
	atOnce := s.From == k.To || s.To == k.To
	switch {
	case s.Idle && !atOnce || s.From > k.To || !s.takes(k) || !s.names(node(k.Node)):
		return 0
	case atOnce:
		return 3
	case s.From >= k.From:
		return 2
	case s.To > k.From && (s.To < k.To || s.verb() != "jump"): // a jump is over at once
		return 1
	}
	return 0
}

// takes tells whether the fault is of a kind that can end a key early. What expired did so by a clock.
func (s *Strike) takes(k *Span) bool {
	return slices.Contains(ofClocks, s.verb()) || !k.Expired && slices.Contains(ofNodes, s.verb())
}

// The faults that can end a key early: of its node, and of its node's clock.
var (
	ofNodes  = []string{"crash", "restart"}
	ofClocks = []string{"drift", "jump", "slew", "strobe"}
)

// meanwhile names the last fault that stopped the owner of a key or changed its clock while a node had it, or says nothing.
func (e *Evidence) meanwhile(who string, k *Span) string {
	var last *Strike
	for i := range e.Strikes {
		s := &e.Strikes[i]
		of := slices.Contains(ofClocks, s.verb()) || s.verb() == "pause" || s.verb() == "suspend"
		if of && !s.Idle && s.names(who) && s.From <= k.To && s.To > k.From && (last == nil || s.From >= last.From) {
			last = s
		}
	}
	if last == nil {
		return ""
	}
	return " " + strconv.Quote(last.Fault) + " was at work on " + who + " since " + seconds(last.From) + "."
}

func (s *Strike) verb() string {
	verb, _, _ := strings.Cut(s.Fault, " ")
	return verb
}

// names says whether a fault is of somebody, or on the way to or from it: n3 in "restart n3", "cut n3>c1", "pause a-node=n3".
func (s *Strike) names(who string) bool {
	return slices.Contains(strings.FieldsFunc(s.Fault, func(r rune) bool { return strings.ContainsRune(" =,>|", r) }), who)
}

// since names a fault that was at work after some time, and perhaps before.
func (s *Strike) since(from clock.Instant) string {
	if s.From >= from {
		return s.between()
	}
	return " " + strconv.Quote(s.Fault) + " had been at work since " + seconds(s.From) + "."
}

func (s *Strike) between() string {
	return " Between, " + strconv.Quote(s.Fault) + " had struck at " + seconds(s.From) + "."
}
