package redis

import (
	"slices"

	"github.com/lockstorm/lockstorm/sim"
)

// Digest adds what the node keeps, and until when its watched key lives. What key it had before is
// on record, and nobody asks the node for it. A node in a group, or one that reads a log when
// it is on again, has more, which is left to others.
func (n *Node) Digest(d *sim.Digest, lane int) {
	d.Opaque = d.Opaque || n.member != nil || n.config.Persistence == AOFEverySecond || len(n.subscribers) > 0 || n.bar != ""
	if !n.host.Up() {
		d.Add(lane, uint64(n.away))
	}
	d.Add(lane, uint64(len(n.scripts)))
	for _, s := range n.scripts {
		d.Text(lane, s.sha)
	}
	keys := n.mini.Keys()
	slices.Sort(keys)
	for _, key := range keys {
		value, err := n.mini.Get(key)
		d.Text(lane, key)
		d.Text(lane, value)
		d.Add(lane, uint64(n.end(key)))
		d.Opaque = d.Opaque || err != nil // it is no string
	}
	if n.open {
		s := n.Spans()[len(n.spans)-1]
		d.Text(lane, s.Value)
		d.Add(lane, uint64(s.To))
	}
}
