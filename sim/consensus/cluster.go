package consensus

import (
	"encoding/binary"
	"fmt"
	"time"

	"github.com/lockstorm/lockstorm/sim"
)

// A Cluster is a group of servers that agree on one log.
type Cluster struct {
	Nodes  []*Node
	config Config
	world  *sim.World
	table  []any // the values of log entries and snapshots
	asked  uint64

	recorded []uint64 // by index in the log: the number of the entry in Spans; 0 for none
	spans    []Span
}

// NewCluster makes the servers of a group: three, five or a larger odd number. More than half must be up. They serve
// once Attach has given them their hosts.
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

// Attach resets the service. The hosts are its nodes' hosts, in that order, and the world must have all its hosts. A
// random one of them starts an election immediately, because a lock service is up long before its clients.
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

// keep stores a value, and returns a name by which all servers find it. An entry of the log or a snapshot has the name
// instead of the value's bytes. Stored values never change.
func (c *Cluster) keep(value any) (name []byte) {
	c.table = append(c.table, value)
	return binary.BigEndian.AppendUint64(nil, uint64(len(c.table)))
}

func (c *Cluster) kept(name []byte) any { return c.table[number(name)-1] }

// number returns a name as a number, from 1. Later values have higher numbers.
func number(name []byte) uint64 { return binary.BigEndian.Uint64(name) }

// ask returns a number that is new in this run.
func (c *Cluster) ask() uint64 {
	c.asked++
	return c.asked
}

// A Config configures the service. The zero value has etcd's figures.
type Config struct {
	Heartbeat time.Duration // how often the leader sends a heartbeat; 0: 100ms
	Election  time.Duration // a server waits for the leader once to twice as long before an election; 0: 1s
	Snapshot  int           // how many entries of the log are applied before the next snapshot; 0: 1,000
	Few       int           // how many entries the log keeps behind a snapshot, for slightly late servers; 0: 100
	Prefix    string        // of the keys whose first Spans records; empty for none
	Flaws     Flaws
}

// Flaws are rules of the service that can be broken, to test tools that find them. The zero value breaks none.
type Flaws struct {
	LocalReads bool // the server answers linearizable reads from what it has applied, without asking the others
	Eager      bool // the leader answers a write when it is proposed, before a majority has it
	Unsynced   bool // a server promises before it syncs: power loss undoes everything since the last clean shutdown
	Amnesia    bool // the disk is empty after every restart

	// Unconfirmed means that the leader keeps leases alive without asking a majority whether it still leads, as etcd
	// did until issue 15247.
	Unconfirmed bool
}

// forgets reports whether a disk may lack data that its server has promised to keep.
func (f Flaws) forgets() bool { return f.Unsynced || f.Amnesia }

func (c Config) withDefaults() Config {
	orElse := func(d *time.Duration, standard time.Duration) {
		if *d <= 0 {
			*d = standard
		}
	}
	orElse(&c.Heartbeat, 100*time.Millisecond)
	orElse(&c.Election, time.Second)
	if c.Snapshot <= 0 {
		c.Snapshot = 1000
	}
	if c.Few <= 0 {
		c.Few = 100
	}
	return c
}

// late is the age at which a request that waited for a leader is dropped: as in etcd, 5s and two election timeouts. Its
// sender has given up by then.
func (c Config) late() time.Duration { return 5*time.Second + 2*c.Election }

// retry is how long a server waits for the answer to a read index before it asks again, as in etcd.
const retry = 500 * time.Millisecond

// silence is raft's logger. It drops raft's messages, because the trace has everything, but it does panic.
type silence struct{}

// A corrupt is why raft gave up, such as a log that lost what it had promised to keep.
type corrupt string

func (silence) Debug(...any)            {}
func (silence) Debugf(string, ...any)   {}
func (silence) Info(...any)             {}
func (silence) Infof(string, ...any)    {}
func (silence) Warning(...any)          {}
func (silence) Warningf(string, ...any) {}
func (silence) Error(...any)            {}
func (silence) Errorf(string, ...any)   {}

func (silence) Fatal(v ...any)                 { panic(corrupt(fmt.Sprint(v...))) }
func (silence) Fatalf(format string, v ...any) { panic(corrupt(fmt.Sprintf(format, v...))) }
func (silence) Panic(v ...any)                 { panic(corrupt(fmt.Sprint(v...))) }
func (silence) Panicf(format string, v ...any) { panic(corrupt(fmt.Sprintf(format, v...))) }
