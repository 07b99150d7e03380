package redis

import (
	"slices"

	"github.com/lockstorm/lockstorm/sim"
)

// A keptDigest is the digest of what a node keeps, as it was when the node was last asked for it.
type keptDigest struct {
	sim.Digest
	sum   uint64
	fresh bool // the node was not called since
}

// Digest adds what the node keeps, and until when its watched key lives. What key it had before is
// on record, and nobody asks the node for it. A node in a group, or one that reads a log when
// it is on again, has more, which is left to others.
func (n *Node) Digest(d *sim.Digest, lane int) {
	d.Opaque = d.Opaque || n.member != nil || n.config.Persistence == AOFEverySecond || len(n.subscribers) > 0 || n.bar != ""
	up := n.host.Up()
	if !up {
		d.Add(lane, uint64(n.away))
	}
	k := &n.kept
	if !up || !k.fresh { // its clock may change while it is off, and nobody says so
		k.Reset(0)
		n.addKept(&k.Digest)
		k.sum, k.fresh = k.Sum(), up
	}
	d.Add(lane, k.sum)
	d.Opaque = d.Opaque || k.Opaque
}

// addKept adds what changes only where the node is called: by a request, or because its host goes off or on, or changes its clock.
func (n *Node) addKept(d *sim.Digest) {
	d.Add(-1, uint64(len(n.scripts)))
	for _, s := range n.scripts {
		d.Text(-1, s.sha)
	}
	keys := n.mini.Keys()
	slices.Sort(keys)
	for _, key := range keys {
		value, err := n.mini.Get(key)
		d.Text(-1, key)
		d.Text(-1, value)
		d.Add(-1, uint64(n.end(key)))
		d.Opaque = d.Opaque || err != nil // it is no string
	}
	if n.open {
		s := n.Spans()[len(n.spans)-1]
		d.Text(-1, s.Value)
		d.Add(-1, uint64(s.To))
	}
}
