package consensus

import (
	"strings"

	pb "go.etcd.io/raft/v3/raftpb"

	"github.com/lockstorm/lockstorm/clock"
)

// A Span is a time in which a key was the first of those that are watched: in a queue for a lock, it is its holder's.
type Span struct {
	Key      string
	Create   uint64
	From, To clock.Instant // To is Forever while it lasts
}

// Spans tells which key under [Config].Prefix was the first, and when, in order. It goes by the moment at which any server
// first applied a change, for those who judge: clients learn of it later.
func (c *Cluster) Spans() []Span { return c.spans }

// record takes note of the state after an entry, when the first of the servers has applied it. Where disks forget, another
// entry can come to stand at the same place of the log: then it counts, if it was proposed later.
func (c *Cluster) record(e *pb.Entry, s *state) {
	if c.config.Prefix == "" || !c.news(e) {
		return
	}
	var first KeyValue
	for _, k := range s.keys {
		if strings.HasPrefix(k.Key, c.config.Prefix) {
			first = k
			break // they are in order of their create revisions
		}
	}
	if last := len(c.spans) - 1; last >= 0 && c.spans[last].To == clock.Forever {
		if c.spans[last].Key == first.Key && c.spans[last].Create == first.Create {
			return
		}
		c.spans[last].To = c.world.Now()
	}
	if first.Key != "" {
		c.spans = append(c.spans, Span{first.Key, first.Create, c.world.Now(), clock.Forever})
	}
}

// news tells whether an entry is new to all, and notes that it no longer is.
func (c *Cluster) news(e *pb.Entry) bool {
	at, name := int(e.Index), number(e.Data)
	if at < len(c.recorded) && name <= c.recorded[at] {
		return false
	}
	for len(c.recorded) < at {
		c.recorded = append(c.recorded, 0)
	}
	c.recorded = append(c.recorded[:at], name)
	return true
}
