package faults

import (
	"fmt"
	"slices"
	"strings"
)

// A Cast is the hosts of a run by the parts they play, each list in an order that the run keeps. Schedules name hosts, or
// the roles that these lists fill.
type Cast struct {
	Clients []string      // who want the lock
	Nodes   []string      // who keep it
	Others  []string      // who do neither, such as storage
	Disks   []string      // those of all hosts that wait for their disks
	Marks   []string      // the marks that clients may pass; nil if they are not known, and then any name will do
	Holder  func() string // the client that holds the lock now; empty when none does. Check needs none
}

// Roles stand for hosts in a schedule. Who fills one is found out when the fault strikes.
const (
	Holder   = "holder"   // the client that holds the lock, or nobody
	ANode    = "a-node"   // a drawn node
	AClient  = "a-client" // a drawn client
	Minority = "minority" // a greatest minority of the nodes, drawn
	Majority = "majority" // a least majority of the nodes, drawn: beside a minority in the same fault, all nodes but that
	Nodes    = "nodes"    // all nodes
	Clients  = "clients"  // all clients
	All      = "all"      // all hosts
)

// Any stands for any client whose passing of a mark a fault waits for. Only the host of a Mark may be Any.
const Any = "any"

var roles = []string{Holder, ANode, AClient, Minority, Majority, Nodes, Clients, All}

// grammar are the words of every fault that a host can't be called by. The parts of kinds have words of their own.
var grammar = []string{Any, "at", "when", "for", "on"}

func isRole(word string) bool { return slices.Contains(roles, word) }

// isName reports whether a schedule can call a host by this name.
func isName(word string) bool {
	return word != "" && !isRole(word) && !isGrammar(word) && !strings.ContainsAny(word, "|>#=, \t\r\n")
}

func isGrammar(word string) bool {
	return slices.Contains(grammar, word) || slices.ContainsFunc(Kinds, func(k *Kind) bool {
		return slices.ContainsFunc(k.parts, func(p *part) bool { return slices.Contains(p.words, word) })
	})
}

// all lists the names of all hosts.
func (c *Cast) all() []string { return slices.Concat(c.Nodes, c.Others, c.Clients) }

// check refuses a cast whose names a schedule could not tell apart.
func (c *Cast) check() error {
	all := c.all()
	for i, name := range all {
		if !isName(name) {
			return fmt.Errorf("no host can be named %q: a schedule gives that another meaning", name)
		}
		if slices.Contains(all[:i], name) {
			return fmt.Errorf("two hosts are named %q", name)
		}
	}
	return nil
}

// reach lists the hosts that a word may come to stand for.
func (c *Cast) reach(word string) []string {
	switch word {
	case Holder, AClient, Clients:
		return c.Clients
	case ANode, Minority, Majority, Nodes:
		return c.Nodes
	case All:
		return c.all()
	}
	return []string{word}
}

// minority is how many nodes the greatest minority has.
func (c *Cast) minority() int { return max(len(c.Nodes)-1, 0) / 2 }
