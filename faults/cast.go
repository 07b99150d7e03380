package faults

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/sim"
)

// A Cast is the hosts of a run by the parts they play, each list in an order that the run keeps. Schedules name hosts, or
// the roles that these lists fill.
type Cast struct {
	Clients []string      // who want the lock
	Nodes   []string      // who keep it
	Others  []string      // who do neither, such as storage
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

// A casting finds out who fills the roles of one fault, at its strike.
type casting struct {
	*Injection
	index  int         // of the fault
	chance *sim.Chance // nil as long as nothing was drawn
	low    []string    // the drawn minority; it and the rest are nil as long as they were not
	high   []string    // the majority: the rest
	struck []string    // who has been found
	side   string      // what the strike is to say of a split, which has no word for those it draws
}

// whom returns the hosts that a word stands for, and replaces a role by words that say so too: "holder=c2".
func (c *casting) whom(word *string) []*sim.Host {
	names := []string{*word}
	if isRole(*word) {
		names = c.fill(*word)
		*word = filled(*word, names)
		c.found(names)
	}
	return c.hosts(names)
}

// filled returns a word and whom it stands for.
func filled(word string, names []string) string {
	if len(names) == 0 {
		return word + "=nobody"
	}
	return word + "=" + strings.Join(names, ",")
}

// found notes whom roles came to stand for, each once. Nobody is not nothing: then the list is there, and empty.
func (c *casting) found(names []string) {
	if c.struck == nil {
		c.struck = []string{}
	}
	for _, name := range names {
		if !slices.Contains(c.struck, name) {
			c.struck = append(c.struck, name)
		}
	}
}

// fill returns the names of those who fill a role.
func (c *casting) fill(role string) []string {
	switch role {
	case Holder:
		return c.holder()
	case ANode:
		return c.one(c.cast.Nodes)
	case AClient:
		return c.one(c.cast.Clients)
	case Minority:
		c.divide()
		return c.low
	case Majority:
		c.divide()
		return c.high
	}
	return c.cast.reach(role)
}

// holder returns the client that holds the lock, if one does.
func (c *casting) holder() []string {
	if c.cast.Holder != nil {
		if name := c.cast.Holder(); name != "" {
			return []string{name}
		}
	}
	return nil
}

// divide draws a minority of the nodes, once for a fault: so minority and majority in one fault are each other's rest.
func (c *casting) divide() {
	if c.low == nil && c.high == nil {
		c.low, c.high = c.some(c.cast.Nodes, c.cast.minority())
	}
}

func (c *casting) one(names []string) []string {
	i := c.draws().Below(uint64(len(names)))
	return names[i : i+1]
}

// some draws k of the names, and keeps their order (Knuth's Algorithm S).
func (c *casting) some(names []string, k int) (chosen, rest []string) {
	for i, name := range names {
		left, wanted := len(names)-i, k-len(chosen)
		if wanted == left || wanted > 0 && c.draws().Below(uint64(left)) < uint64(wanted) {
			chosen = append(chosen, name)
		} else {
			rest = append(rest, name)
		}
	}
	return chosen, rest
}

// draws returns the fault's own chance. It is named by the fault's text, and by a number where the same line stood before:
// so no other line moves what it draws.
func (c *casting) draws() *sim.Chance {
	if c.chance == nil {
		name, nth := "fault/"+c.schedule[c.index].String(), 1
		for _, f := range c.schedule[:c.index] {
			if "fault/"+f.String() == name {
				nth++
			}
		}
		if nth > 1 {
			name += "/" + strconv.Itoa(nth)
		}
		c.chance = c.world.Chance(name)
	}
	return c.chance
}

// hosts returns hosts by name.
func (c *casting) hosts(names []string) []*sim.Host {
	hosts := make([]*sim.Host, len(names))
	for i, name := range names {
		hosts[i] = c.world.Host(name)
	}
	return hosts
}
