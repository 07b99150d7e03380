package consensus

import (
	"encoding/binary"

	"github.com/lockstorm/lockstorm/sim"
)

// A Cluster is a group of servers that agree on one log.
type Cluster struct {
	Nodes  []*Node
	config Config
	world  *sim.World
	table  []any // the values of log entries and snapshots
	asked  uint64

	recorded []uint64 // by index in the log: the number of the entry that Spans knows; 0 for none
	spans    []Span
}

// NewCluster makes the servers of a group: three, five or some other odd number, of which more than half must be up.
// They serve once Attach has given them their hosts.
func NewCluster(servers int) *Cluster {
	if servers < 3 || servers%2 == 0 {
		panic("consensus: a group has three servers, or five; an even number bears no more failures than one less")
	}
	c := &Cluster{}
	for i := range servers {
		c.Nodes = append(c.Nodes, &Node{cluster: c, id: uint64(i + 1)})
	}
	return c
}

// Attach resets the service. The hosts are those of its nodes, in that order, and all of the
// world's hosts must be there by now. One of them, chosen at random, stands for election at once: a lock service is up
// long before its clients.
func (c *Cluster) Attach(hosts []*sim.Host, config Config) {
	c.config, c.world, c.asked = config.withDefaults(), hosts[0].World(), 0
	c.recorded, c.spans = c.recorded[:0], c.spans[:0]
	clear(c.table)
	c.table = c.table[:0]
	for i, n := range c.Nodes {
		n.attach(hosts[i])
	}
	first := c.Nodes[c.world.Chance("raft/first").Below(uint64(len(hosts)))]
	first.after(0, first.campaign)
}

// keep stores a value, and returns the name under which all servers find it. An entry of the log or a snapshot holds the
// name in place of the value's bytes: values do not change once they are stored.
func (c *Cluster) keep(value any) (name []byte) {
	c.table = append(c.table, value)
	return binary.BigEndian.AppendUint64(nil, uint64(len(c.table)))
}

func (c *Cluster) kept(name []byte) any { return c.table[number(name)-1] }

// number returns a name as a number, from 1. A later value has a higher one.
func number(name []byte) uint64 { return binary.BigEndian.Uint64(name) }

// ask returns a number that no other question in this run has.
func (c *Cluster) ask() uint64 {
	c.asked++
	return c.asked
}
