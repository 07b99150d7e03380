package consensus

import (
	"slices"
	"strings"

	pb "go.etcd.io/raft/v3/raftpb"

	"github.com/lockstorm/lockstorm/clock"
)

// A Span is a time in which a key was the first with the watched prefix. In a queue for a lock it is the holder's key.
type Span struct {
	Key      string
	Create   uint64
	From, To clock.Instant // To is Forever until it ends
	Ended    Ending        // why it ended
	lease    uint64        // of the key
}

// An Ending is why a key went. Its zero value means that the key lives.
type Ending struct {
	Cause Cause
	By    int // Deleted: the ID of the host whose request did it; else -1
}

// A Cause is what ended a key.
type Cause uint8

// The causes.
const (
	Living  Cause = iota
	Deleted       // a transaction deleted it
	Expired       // its lease was revoked because its time had passed, by the leader's clock
	Revoked       // its lease was revoked by a client
	Lost          // the servers' disks lost it
)

// ending returns why the key of a span went with a proposal.
func (s *Span) ending(p *proposal) Ending {
	switch r := p.request.(type) {
	case *Txn:
		deletes := func(o Op) bool { return o.Do == Delete && o.takes(&KeyValue{Key: s.Key}) }
		if slices.ContainsFunc(r.Then, deletes) || slices.ContainsFunc(r.Else, deletes) {
			return Ending{Deleted, p.from}
		}
	case *Revoke:
		switch {
		case r.Lease != s.lease:
		case p.origin == 0: // the leader itself
			return Ending{Expired, -1}
		default:
			return Ending{Revoked, p.from}
		}
	}
	return Ending{Lost, -1}
}

// Spans returns which key under [Config].Prefix was the first, and when, in order. A change counts from the moment at
// which any server first applied it; clients learn it later.
func (c *Cluster) Spans() []Span { return c.spans }

// record records the state after an entry, when the first server has applied it. Where disks lose data, another entry
// can take the same index of the log. It counts if it was proposed later.
func (c *Cluster) record(e *pb.Entry, p *proposal, s *state) {
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
		c.spans[last].To, c.spans[last].Ended = c.world.Now(), c.spans[last].ending(p)
	}
	if first.Key != "" {
		s := Span{Key: first.Key, Create: first.Create, From: c.world.Now(), To: clock.Forever, lease: first.Lease}
		c.spans = append(c.spans, s)
	}
}

// news reports whether an entry is applied for the first time, and records it.
func (c *Cluster) news(e *pb.Entry) bool {
	at, name := int(e.GetIndex()), number(e.Data)
	if at < len(c.recorded) && name <= c.recorded[at] {
		return false
	}
	for len(c.recorded) < at {
		c.recorded = append(c.recorded, 0)
	}
	c.recorded = append(c.recorded[:at], name)
	return true
}
