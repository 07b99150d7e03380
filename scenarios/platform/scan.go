package platform

import (
	"cmp"
	"slices"
	"time"
)

// A Leftover is a key of the lock that an operator finds on a node when all is over: by SCAN, and TTL for each key.
type Leftover struct {
	Node int // from 0
	Key  string
	TTL  time.Duration // how long it has left; negative for ever
}

// Endless reports whether the key has no TTL.
func (l Leftover) Endless() bool { return l.TTL < 0 }

// FenceKey is the key that counts fencing tokens, where a node does.
const FenceKey = "fence"

// Scan looks on every node.
func (s *redisServers) Scan() []Leftover { return s.scan(func(int) bool { return true }) }

// scan looks on some nodes as an operator would, who knows nothing of who set a key and what for. Fencing counters are meant
// to stay; they are known by their names.
func (s *redisServers) scan(on func(node int) bool) (all []Leftover) {
	for i := range s.Site.Nodes {
		if !on(i) {
			continue
		}
		for _, key := range s.keysOn(i) {
			if key != FenceKey && key != s.Site.Key+":fence" {
				all = append(all, Leftover{i, key, s.ttl(i, key)})
			}
		}
	}
	slices.SortFunc(all, func(a, b Leftover) int { return cmp.Or(cmp.Compare(a.Node, b.Node), cmp.Compare(a.Key, b.Key)) })
	return all
}

// ttl asks a node how long a key has left.
func (s *redisServers) ttl(node int, key string) time.Duration {
	if left, _ := s.nodes[node].Serve([]string{"PTTL", key}).(int64); left >= 0 {
		return time.Duration(left) * time.Millisecond
	}
	return -1
}

// keysOn lists the keys on a node.
func (s *redisServers) keysOn(node int) (keys []string) {
	for cursor := "0"; ; {
		reply, ok := s.nodes[node].Serve([]string{"SCAN", cursor}).([]any)
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
