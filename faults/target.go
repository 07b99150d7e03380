package faults

import (
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/sim"
)

// targets resolves the hosts of one fault when it hits, because roles are filled then.
type targets struct {
	*Injection
	index  int         // of the fault
	chance *sim.Chance // nil until the first random choice
	low    []string    // the random minority; low and high are nil until they are chosen
	high   []string    // the majority: the rest
	struck []string    // the hosts that the fault names, and those that filled its roles
	side   string      // the hosts that a split has chosen, as the report shows them
}

// resolve returns the hosts that word names. It adds the hosts to a role: "holder=c2".
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

// found adds hosts to the affected ones, each once.
func (t *targets) found(names []string) {
	for _, name := range names {
		if !slices.Contains(t.struck, name) {
			t.struck = append(t.struck, name)
		}
	}
}

// fill returns the names of the hosts that fill a role.
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

// divide draws a minority of the nodes, once per fault: so minority and majority in one fault complement each other.
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

// draws returns the fault's own chance. Its name is the fault's text, and a number if the same line came before. So no
// other line changes what it draws.
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
