package faults

import (
	"fmt"
	"slices"
	"strings"
)

// A Cast lists the hosts of a run by the parts they play. A schedule names hosts, or roles that these lists fill.
type Cast struct {
	Clients []string      // want the lock
	Nodes   []string      // keep it
	Others  []string      // do neither, such as storage
	Disks   []string      // all hosts that wait for their disks
	Redis   []string      // all hosts that are independent Redis servers
	Marks   []string      // the marks that clients may pass; nil if they are not known: then any name will do
	Holder  func() string // the client that holds the lock now; empty when none does. Check needs none
}

// A role is a word for hosts in a schedule. It is filled when the fault hits.
const (
	Holder   = "holder"   // the client that holds the lock, if one does
	ANode    = "a-node"   // a random node
	AClient  = "a-client" // a random client
	Minority = "minority" // a random minority of the nodes, as large as possible
	Majority = "majority" // a random majority, as small as possible; with a minority in the same fault, the other nodes
	Nodes    = "nodes"    // all nodes
	Clients  = "clients"  // all clients
	All      = "all"      // all hosts
)

// Any means any client, as the Host of a Mark. It has no other use.
const Any = "any"

var roles = []string{Holder, ANode, AClient, Minority, Majority, Nodes, Clients, All}

// grammar has the words of every fault that can't be the name of a host. The parts of kinds have more.
var grammar = []string{Any, "at", "when", "for", "on"}

func isRole(word string) bool { return slices.Contains(roles, word) }

// isName reports whether a schedule can use this word as the name of a host.
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

// check rejects a cast whose names are ambiguous in a schedule.
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

// reach lists the hosts that a word may mean.
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

// minority is the size of the largest minority of the nodes.
func (c *Cast) minority() int { return max(len(c.Nodes)-1, 0) / 2 }
