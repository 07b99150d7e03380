package scenarios

import (
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/platform"
)

// fence returns the client's source of fencing tokens.
func (r *Runner) fence(c *client) func(locks.Client) (uint64, bool) {
	s := r.scenario
	switch s.Fencing.Source {
	case Ideal:
		return func(locks.Client) (uint64, bool) {
			c.fenceAsked = r.world.Now()
			r.counter++
			return r.counter - 1, true
		}
	case OnNode:
		return func(p locks.Client) (uint64, bool) {
			c.fenceAsked = r.world.Now()
			return r.count(p, s.Fencing.Node-1)
		}
	case OnNodes:
		return func(p locks.Client) (uint64, bool) {
			c.fenceAsked = r.world.Now()
			return r.countMost(p)
		}
	}
	return nil
}

// count draws a fencing token from one node.
func (r *Runner) count(p locks.Client, node int) (uint64, bool) {
	reply, err := p.Call(node, []string{"INCR", platform.FenceKey}, r.scenario.Lock.Timeout)
	n, ok := reply.(int64)
	return uint64(n), ok && err == nil
}

// countMost lets all nodes count, and takes the largest number if a majority answered. It is the obvious way, and it is
// wrong: two majorities share a node, but the largest number need not be that node's.
func (r *Runner) countMost(p locks.Client) (most uint64, ok bool) {
	answers := 0
	for node := range r.scenario.Nodes {
		if n, ok := r.count(p, node); ok {
			most, answers = max(most, n), answers+1
		}
	}
	return most, answers >= locks.Majority(r.scenario.Nodes)
}
