package faults

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/sim"
)

// targets resolves the hosts of one fault when it strikes, for roles are filled then.
type targets struct {
	*Injection
	index  int         // of the fault
	chance *sim.Chance // nil as long as nothing was drawn
	low    []string    // the drawn minority; it and the rest are nil as long as they were not
	high   []string    // the majority: the rest
	struck []string    // the hosts that are named, and those that roles have named
	side   string      // what the strike is to say of a split, which has no word for those it draws
}

// resolve returns the hosts that word names. It replaces a role by the role and its hosts: "holder=c2".
func (t *targets) resolve(word *string) []*sim.Host {
	names := []string{*word}
	if isRole(*word) {
		names = t.fill(*word)
		*word = filled(*word, names)
	}
	t.found(names)
	return t.hosts(names)
}

// filled returns a role and the hosts that it names, such as "holder=c2".
func filled(word string, names []string) string {
	if len(names) == 0 {
		return word + "=nobody"
	}
	return word + "=" + strings.Join(names, ",")
}

// found adds hosts to struck, each once.
func (t *targets) found(names []string) {
	for _, name := range names {
		if !slices.Contains(t.struck, name) {
			t.struck = append(t.struck, name)
		}
	}
}

// fill returns the names of those who fill a role.
func (t *targets) fill(role string) []string {
	switch role {
	case Holder:
		return t.holder()
	case ANode:
		return t.one(t.cast.Nodes)
	case AClient:
		return t.one(t.cast.Clients)
	case Minority:
		t.divide()
		return t.low
	case Majority:
		t.divide()
		return t.high
	}
	return t.cast.reach(role)
}

// holder returns the client that holds the lock, if one does.
func (t *targets) holder() []string {
	if t.cast.Holder != nil {
		if name := t.cast.Holder(); name != "" {
			return []string{name}
		}
	}
	return nil
}

// divide draws a minority of the nodes, once for a fault: so minority and majority in one fault are each other's rest.
func (t *targets) divide() {
	if t.low == nil && t.high == nil {
		t.low, t.high = t.some(t.cast.Nodes, t.cast.minority())
	}
}

func (t *targets) one(names []string) []string {
	i := t.draws().Below(uint64(len(names)))
	return names[i : i+1]
}

// some draws k of the names, and keeps their order (Knuth's Algorithm S).
func (t *targets) some(names []string, k int) (chosen, rest []string) {
	for i, name := range names {
		left, wanted := len(names)-i, k-len(chosen)
		if wanted == left || wanted > 0 && t.draws().Below(uint64(left)) < uint64(wanted) {
			chosen = append(chosen, name)
		} else {
			rest = append(rest, name)
		}
	}
	return chosen, rest
}

// draws returns the fault's own chance. It is named by the fault's text, and by a number where the same line stood before:
// so no other line moves what it draws.
func (t *targets) draws() *sim.Chance {
	if t.chance == nil {
		name, nth := "fault/"+t.schedule[t.index].String(), 1
		for _, f := range t.schedule[:t.index] {
			if "fault/"+f.String() == name {
				nth++
			}
		}
		if nth > 1 {
			name += "/" + strconv.Itoa(nth)
		}
		t.chance = t.world.Chance(name)
	}
	return t.chance
}

// hosts returns hosts by name.
func (t *targets) hosts(names []string) []*sim.Host {
	hosts := make([]*sim.Host, len(names))
	for i, name := range names {
		hosts[i] = t.world.Host(name)
	}
	return hosts
}
