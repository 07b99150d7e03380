package faults

import (
	"fmt"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/sim"
)

// Partition separates hosts until the end: no message passes where Shape says so.
var Partition = &Kind{
	Name: "partition", Label: "Partition", Form: "partition …", About: "groups of hosts can't reach each other; see below",
	Class: &Class{Name: "partition", About: "hosts are parted"},
	Links: true,
	parts: []*part{{
		read: readSides, write: writeSides, draw: drawSides,
		words: shapes[1:],
		hosts: sideHosts, complete: checkSides, fits: sidesFit,
		weight: shapeWeight, fewer: fewerInGroups, plain: func(f *Fault) { f.OneWay = false },
	}},
	strike: func(t *targets, f *Fault) effect {
		return onLinks(t.parted(f), (*sim.World).LostOn, t.world.Cut, t.world.Mend)
	},
}

// A Shape says which hosts a Partition separates.
type Shape uint8

// The shapes of partitions. Only Grouped may be one-way.
const (
	Grouped Shape = iota // cuts the hosts of each of Groups from the hosts of the others
	Isolate              // Host from every other host
	Split                // a random minority of the nodes and a random half of the clients from the others
	Ring                 // each client from all nodes except a majority, which begins at the node with its number
	Bridge               // two halves of nodes and clients from each other; the node in the middle reaches both
)

var shapes = []string{"groups", "isolate", "split", "ring", "bridge"}

// String returns the word that follows "partition". Grouped has no word in a schedule, and is called "groups".
func (s Shape) String() string {
	if int(s) >= len(shapes) {
		return fmt.Sprintf("shape %d", s)
	}
	return shapes[s]
}

// readSides reads a shape, or groups.
func readSides(p *parser, f *Fault) {
	for shape := Isolate; int(shape) < len(shapes); shape++ {
		if p.accept(shape.String()) {
			if f.Shape = shape; shape == Isolate {
				f.Host = p.host()
			}
			return
		}
	}
	f.Groups, f.OneWay = p.groups()
}

// groups reads "HOST … | HOST …", up to the end of the line or to "for"; or the same with ">", for one way.
func (p *parser) groups() (groups [][]string, oneWay bool) {
	first := *p // the place of an unknown shape
	groups = append(groups, p.group())
	between := p.word
	for p.err == nil && (p.word == "|" || p.word == ">") {
		p.expect(between)
		groups = append(groups, p.group())
	}
	if p.err == nil && len(groups) == 1 {
		*p = first
		p.fail("groups such as c1 n1 | n2 n3, or one of "+strings.Join(shapes[1:], ", "), shapes[1:]...)
	}
	return groups, between == ">"
}

// group reads the hosts of one group, at least one.
func (p *parser) group() (group []string) {
	for p.err == nil && (group == nil || p.word != "" && p.word != "for" && p.word != "|" && p.word != ">") {
		group = append(group, p.take("a host such as n1"))
	}
	return group
}

// writeSides returns which hosts are separated.
func writeSides(f *Fault) string {
	switch f.Shape {
	case Grouped:
		groups := make([]string, len(f.Groups))
		for i, g := range f.Groups {
			groups[i] = strings.Join(g, " ")
		}
		if f.OneWay {
			return strings.Join(groups, " > ")
		}
		return strings.Join(groups, " | ")
	case Isolate:
		return f.Shape.String() + " " + f.Host
	}
	return f.Shape.String()
}

// drawSides draws a shape, or each client and node on one of two sides.
func drawSides(d *drawing, f *Fault) {
	f.Shape = Shape(d.Below(uint64(len(shapes))))
	switch f.Shape {
	case Isolate:
		f.Host = d.host()
	case Grouped:
		sides := [2][]string{}
		for _, name := range slices.Concat(d.cast.Clients, d.cast.Nodes) {
			side := d.Below(2)
			sides[side] = append(sides[side], name)
		}
		f.Groups, f.OneWay = sides[:], d.Below(4) == 3
	}
}

// sideHosts returns pointers to the hosts that the partition names. Only some shapes name any.
func sideHosts(f *Fault) (all []*string) {
	switch f.Shape {
	case Isolate:
		return []*string{&f.Host}
	case Grouped:
		for i := range f.Groups {
			for j := range f.Groups[i] {
				all = append(all, &f.Groups[i][j])
			}
		}
	}
	return all
}

// checkSides rejects a partition that doesn't say which hosts it separates.
func checkSides(f *Fault) error {
	switch {
	case int(f.Shape) >= len(shapes):
		return fmt.Errorf("there is no such shape; there are %s", strings.Join(shapes, ", "))
	case f.Shape == Isolate:
		return needs(f.Host != "", "it names no host; write isolate HOST")
	case f.Shape != Grouped:
		return nil
	}
	whole := len(f.Groups) > 1 && !slices.ContainsFunc(f.Groups, func(g []string) bool { return len(g) == 0 })
	return needs(whole, "a partition needs two groups or more, and a host in each")
}

// sidesFit rejects a partition that separates no hosts, or a host from itself.
func sidesFit(f *Fault, cast *Cast) error {
	switch f.Shape {
	case Split:
		return needs(cast.minority() > 0 || len(cast.Clients) > 1,
			"there are too few hosts to split; it takes three nodes, or two clients")
	case Ring, Bridge:
		return needs(len(cast.Nodes) > 2, "there are too few nodes; it takes three")
	}
	all := f.Hosts()
	for i := range all {
		for _, a := range all[:i] {
			if err := cast.apart(*a, *all[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// apart rejects two words if one of them includes the other.
func (c *Cast) apart(a, b string) error {
	switch {
	case a == b && a != ANode && a != AClient: // each use of these draws again
		return nameError{a, fmt.Errorf("it names host %s twice", a)}
	case c.covers(a, b):
		return nameError{b, fmt.Errorf("it names %s twice, because that is one of %s", b, a)}
	case c.covers(b, a):
		return nameError{a, fmt.Errorf("it names %s twice, because that is one of %s", a, b)}
	}
	return nil
}

// covers reports whether a role includes every host that another word may mean.
func (c *Cast) covers(role, word string) bool {
	if role != Nodes && role != Clients && role != All {
		return false
	}
	those := c.reach(role)
	return !slices.ContainsFunc(c.reach(word), func(name string) bool { return !slices.Contains(those, name) })
}

// shapeWeight counts a shape that draws its sides more than named hosts, and one way a little.
func shapeWeight(f *Fault) int64 {
	switch {
	case f.Shape > Isolate:
		return 20
	case f.OneWay:
		return 1
	}
	return 0
}

// fewerInGroups removes single hosts from groups. The other shapes have none.
func fewerInGroups(f Fault, names []string, try func(Fault) bool) bool {
	if f.Shape != Grouped {
		return namesForRoles(f, names, try)
	}
	for i := range f.Groups {
		for j := range f.Groups[i] {
			less := f
			less.Groups = slices.Clone(f.Groups)
			less.Groups[i] = slices.Delete(slices.Clone(f.Groups[i]), j, j+1)
			if !try(less) {
				return false
			}
		}
	}
	return true
}

// parted returns the links that a partition cuts.
func (t *targets) parted(f *Fault) []link {
	switch f.Shape {
	case Isolate:
		return t.isolated(t.resolve(&f.Host))
	case Split:
		return t.split()
	case Ring:
		return t.ring()
	case Bridge:
		return t.bridge()
	}
	return t.grouped(f)
}

// grouped returns the links between groups. A host that roles bring into two groups stays in the first.
func (t *targets) grouped(f *Fault) (links []link) {
	var groups [][]*sim.Host
	var seen []*sim.Host
	words := make([][]string, len(f.Groups)) // a copy: the groups of the schedule must stay as they are
	for i, g := range f.Groups {
		words[i] = slices.Clone(g)
		var group []*sim.Host
		for j := range g {
			for _, h := range t.resolve(&words[i][j]) {
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

// isolated returns every link with an end at one of these hosts.
func (t *targets) isolated(alone []*sim.Host) (links []link) {
	all := t.world.Hosts()
	for _, l := range between(all, all) {
		if slices.Contains(alone, l.from) || slices.Contains(alone, l.to) {
			links = append(links, l)
		}
	}
	return links
}

// split separates a random minority of nodes and half of the clients from the others. Every client reaches storage.
func (t *targets) split() []link {
	t.divide()
	mine, theirs := t.some(t.cast.Clients, len(t.cast.Clients)/2)
	few := slices.Concat(t.low, mine)
	t.found(few)
	t.side = filled("", few)
	return both(t.hosts(few), t.hosts(slices.Concat(t.high, theirs)))
}

// ring leaves each client a majority of nodes. The majority of client i begins at node i, and wraps around.
func (t *targets) ring() (links []link) {
	nodes := t.hosts(t.cast.Nodes)
	n := len(nodes)
	for i, client := range t.hosts(t.cast.Clients) {
		for k := n/2 + 1; k < n; k++ {
			links = append(links, both([]*sim.Host{client}, nodes[(i+k)%n:][:1])...)
		}
	}
	return links
}

// bridge separates two halves: the nodes before the middle one with every other client, and those after it with the
// rest.
func (t *targets) bridge() []link {
	middle := len(t.cast.Nodes) / 2
	sides := [2][]string{slices.Clone(t.cast.Nodes[:middle]), slices.Clone(t.cast.Nodes[middle+1:])}
	for i, client := range t.cast.Clients {
		sides[i%2] = append(sides[i%2], client)
	}
	return both(t.hosts(sides[0]), t.hosts(sides[1]))
}
