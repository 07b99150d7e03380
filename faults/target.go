package faults

import (
	"slices"

	"github.com/lockstorm/lockstorm/sim"
)

// A target is whom a fault strikes: hosts, or links. Which of the two follows from its kind.
type target struct {
	hosts []*sim.Host
	links []link
}

// A link is one way between two hosts.
type link struct{ from, to *sim.Host }

// target gives whom the fault strikes now. It replaces the roles in f by words that say who fills them.
func (c *casting) target(f *Fault) (t target) {
	switch f.Kind {
	case Cut, Hold, Slow, Lossy:
		t.links = between(c.whom(&f.From), c.whom(&f.To))
	case SlowNode:
		t.links = between(c.world.Hosts(), c.whom(&f.Host))
	case Partition:
		t.links = c.parted(f)
	default:
		t.hosts = c.whom(&f.Host)
	}
	return t
}

// between gives the links from some hosts to others. No host needs one to itself.
func between(from, to []*sim.Host) (links []link) {
	for _, a := range from {
		for _, b := range to {
			if a != b {
				links = append(links, link{a, b})
			}
		}
	}
	return links
}

// both gives the links between some hosts and others, both ways.
func both(a, b []*sim.Host) []link { return append(between(a, b), between(b, a)...) }

// parted gives the links that a partition cuts.
func (c *casting) parted(f *Fault) []link {
	switch f.Shape {
	case Isolate:
		return c.isolated(c.whom(&f.Host))
	case Split:
		return c.split()
	case Ring:
		return c.ring()
	case Bridge:
		return c.bridge()
	}
	return c.grouped(f)
}

// grouped gives the links between groups. A host that roles bring into two groups stays in the first.
func (c *casting) grouped(f *Fault) (links []link) {
	var groups [][]*sim.Host
	var seen []*sim.Host
	words := make([][]string, len(f.Groups)) // for the schedule's own are not to be written to
	for i, g := range f.Groups {
		words[i] = slices.Clone(g)
		var group []*sim.Host
		for j := range g {
			for _, h := range c.whom(&words[i][j]) {
				if !slices.Contains(seen, h) {
					group, seen = append(group, h), append(seen, h)
				}
			}
		}
		groups = append(groups, group)
	}
	f.Groups = words
	for i, from := range groups {
		for j, to := range groups {
			if i < j || i > j && !f.OneWay {
				links = append(links, between(from, to)...)
			}
		}
	}
	return links
}

// isolated gives every link that begins or ends at one of these hosts.
func (c *casting) isolated(alone []*sim.Host) (links []link) {
	all := c.world.Hosts()
	for _, l := range between(all, all) {
		if slices.Contains(alone, l.from) || slices.Contains(alone, l.to) {
			links = append(links, l)
		}
	}
	return links
}

// split parts a drawn minority of nodes and half of the clients from the others. Everybody reaches storage.
func (c *casting) split() []link {
	c.divide()
	mine, theirs := c.some(c.cast.Clients, len(c.cast.Clients)/2)
	few := slices.Concat(c.low, mine)
	c.found(few)
	c.side = tell("", few)
	return both(c.hosts(few), c.hosts(slices.Concat(c.high, theirs)))
}

// ring leaves each client a majority of nodes. That of client i begins at node i, round and round.
func (c *casting) ring() (links []link) {
	nodes := c.hosts(c.cast.Nodes)
	n := len(nodes)
	for i, client := range c.hosts(c.cast.Clients) {
		for k := n/2 + 1; k < n; k++ {
			links = append(links, both([]*sim.Host{client}, nodes[(i+k)%n:][:1])...)
		}
	}
	return links
}

// bridge parts two halves, the nodes before the middle one with every other client, and those after it with the rest.
func (c *casting) bridge() []link {
	middle := len(c.cast.Nodes) / 2
	sides := [2][]string{slices.Clone(c.cast.Nodes[:middle]), slices.Clone(c.cast.Nodes[middle+1:])}
	for i, client := range c.cast.Clients {
		sides[i%2] = append(sides[i%2], client)
	}
	return both(c.hosts(sides[0]), c.hosts(sides[1]))
}
