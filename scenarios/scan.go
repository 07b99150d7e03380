package scenarios

import (
	"cmp"
	"slices"
	"time"
)

// A Leftover is a key of the lock that an operator finds on a node when all is over: by SCAN, and TTL for each key.
type Leftover struct {
	Node int // from 0
	Key  string
	TTL  time.Duration // how long it has left; Endless for ever
}

// Endless is the TTL of a key without one.
const Endless = time.Duration(-1)

// scan looks on every node as an operator would, who knows nothing of who set a key and what for; of a group, on the
// master. Fencing counters are meant to stay; they are told apart by their names.
func (r *Runner) scan() (all []Leftover) {
	if !r.scenario.Lock.Kind.OnRedis() {
		return nil
	}
	for i := range r.scenario.Nodes {
		if r.scenario.platform() == onReplicas && r.servers[i] != r.observer.Terms()[len(r.observer.Terms())-1].Node {
			continue
		}
		for _, key := range r.scanNode(i) {
			if key == fenceKey || key == LockKey+":fence" {
				continue
			}
			left, _ := r.nodes[i].Serve([]string{"PTTL", key}).(int64)
			ttl := Endless
			if left >= 0 {
				ttl = time.Duration(left) * time.Millisecond
			}
			all = append(all, Leftover{i, key, ttl})
		}
	}
	slices.SortFunc(all, func(a, b Leftover) int { return cmp.Or(cmp.Compare(a.Node, b.Node), cmp.Compare(a.Key, b.Key)) })
	return all
}

// scanNode lists the keys on a node.
func (r *Runner) scanNode(node int) (keys []string) {
	for cursor := "0"; ; {
		reply, ok := r.nodes[node].Serve([]string{"SCAN", cursor}).([]any)
		if !ok || len(reply) != 2 {
			return keys
		}
		cursor, _ = reply[0].(string)
		found, _ := reply[1].([]any)
		for _, key := range found {
			keys = append(keys, key.(string))
		}
		if cursor == "0" {
			return keys
		}
	}
}
