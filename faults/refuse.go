package faults

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/sim"
)

// Errors are the error replies of Redis that a node can send, by their first words.
var Errors = []string{"READONLY", "OOM", "LOADING", "MISCONF", "NOSCRIPT", "BUSY", "CLUSTERDOWN"}

// Refuse makes the node Host answer with the error Reply until the end: to each command, or to those that the error is
// about.
var Refuse = &Kind{
	Name: "refuse", Label: "Error replies", Form: "refuse HOST with READONLY", About: "the node answers with errors",
	Class:    &Class{Name: "refuse", About: "a node answers with errors", Asked: true},
	parts:    []*part{redisPart, replyPart},
	possible: hasRedis,
	strike: onHosts(func(f *Fault, h *sim.Host) { h.Refuse(f.Reply) },
		func(f *Fault, h *sim.Host) { h.Accept(f.Reply) }),
}

// replyPart is the error that a node answers with: "with OOM".
var replyPart = &part{
	read: func(p *parser, f *Fault) {
		p.expect("with")
		f.Reply = read(p, "one of "+strings.Join(Errors, ", "), parseError, Errors...)
	},
	write: func(f *Fault) string { return "with " + f.Reply },
	draw:  func(d *drawing, f *Fault) { f.Reply = d.word(Errors...) },
	words: []string{"with"},
	complete: func(f *Fault) error {
		return needs(slices.Contains(Errors, f.Reply), "its error must be one of "+strings.Join(Errors, ", "))
	},
}

func parseError(word string) (string, error) {
	return word, needs(slices.Contains(Errors, word), "no such error")
}

func hasRedis(cast *Cast) bool { return len(cast.Redis) > 0 }

// redisPart is a node that is a Redis server. Each host that a role may mean must be one.
var redisPart = nodeIn(func(cast *Cast) []string { return cast.Redis },
	"is no Redis node that runs by itself; only those answer with such errors, or evict keys")

// nodeIn is the node that a fault hits, where not every node is right.
func nodeIn(right func(*Cast) []string, wrong string) *part {
	p := hostDrawn((*drawing).node)
	p.fits = func(f *Fault, cast *Cast) error {
		for _, host := range cast.reach(f.Host) {
			if !slices.Contains(right(cast), host) {
				return nameError{f.Host, fmt.Errorf("%s %s", host, wrong)}
			}
		}
		return nil
	}
	return p
}
