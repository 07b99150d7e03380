package scenarios

import (
	"strconv"
	"time"

	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/platform"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/consensus"
)

// fence returns the client's source of fencing tokens; nil for none, and where the lock draws its own.
func (r *Runner) fence(c *client) func(locks.Client) (uint64, bool) {
	draw := r.counting()
	if draw == nil {
		return nil
	}
	return func(p locks.Client) (uint64, bool) {
		c.fenceAsked = r.world.Now()
		c.drawing = true
		n, ok := draw(p)
		c.drawing = false
		if r.scenario.Fencing.Named {
			n = n*uint64(r.scenario.Clients) + uint64(c.id)
		}
		c.fence = n
		return n, ok
	}
}

// counting returns what draws a token of the scenario's source; nil where clients draw none.
func (r *Runner) counting() func(locks.Client) (uint64, bool) {
	switch r.scenario.Fencing.Source {
	case Ideal:
		return r.countIdeally
	case OnNode:
		return func(p locks.Client) (uint64, bool) { return r.count(p, r.scenario.Fencing.Node-1) }
	case OnNodes:
		return r.countMost
	case OnQuorum:
		return r.countAndWriteBack
	case OfService:
		return r.askService
	case OfClock:
		return func(p locks.Client) (uint64, bool) { return uint64(max(p.Wall()/time.Microsecond, 1)), true }
	}
	return nil
}

// countIdeally draws a token from a counter that no fault reaches.
func (r *Runner) countIdeally(locks.Client) (uint64, bool) {
	r.counter++
	return r.counter - 1, true
}

func (r *Runner) count(p locks.Client, node int) (uint64, bool) {
	return r.askCounter(p, node, "INCR", platform.FenceKey)
}

func (r *Runner) askCounter(p locks.Client, node int, command ...string) (uint64, bool) {
	reply, err := p.Call(node, command, r.scenario.Lock.Timeout)
	n, ok := reply.(int64)
	return uint64(n), ok && err == nil
}

// countMost lets all nodes count, and takes the largest number if a majority answered. It is the obvious way, and it
// is wrong: two majorities share a node, but the largest number may come from another node.
func (r *Runner) countMost(p locks.Client) (uint64, bool) {
	return r.askCounters(func(node int) (uint64, bool) { return r.count(p, node) })
}

// countAndWriteBack does the same, and then raises the counters of a majority to the number, before any client uses
// it: the two phases of Attiya, Bar-Noy and Dolev's register. A client that asks later shares a node with that
// majority, and that node counts on from there. So tokens rise without any consensus, as long as nodes keep what they
// have acknowledged. Two clients that ask at the same time may get the same number; their names make the tokens
// differ.
func (r *Runner) countAndWriteBack(p locks.Client) (most uint64, ok bool) {
	if most, ok = r.countMost(p); !ok {
		return 0, false
	}
	p.Mark("counted")
	n := strconv.FormatUint(most, 10)
	_, ok = r.askCounters(func(node int) (uint64, bool) {
		return r.askCounter(p, node, "EVAL", raise, "1", platform.FenceKey, n)
	})
	return most, ok
}

// raise raises a counter to a number, unless it is there or beyond.
const raise = `if tonumber(redis.call('GET', KEYS[1]) or '0') < tonumber(ARGV[1]) ` +
	`then redis.call('SET', KEYS[1], ARGV[1]) end return 1`

// askCounters asks every node, and returns the largest answer, if a majority answered.
func (r *Runner) askCounters(ask func(node int) (uint64, bool)) (most uint64, ok bool) {
	answers := 0
	for node := range r.scenario.Nodes {
		if n, ok := ask(node); ok {
			most, answers = max(most, n), answers+1
		}
	}
	return most, answers >= locks.Majority(r.scenario.Nodes)
}

func (r *Runner) addTokenService() {
	if r.scenario.Fencing.Source != OfService {
		return
	}
	if r.tokens == nil {
		r.tokens = consensus.NewCluster(len(tokenServers))
	}
	var hosts []*sim.Host
	for _, n := range r.tokens.Nodes {
		hosts = append(hosts, r.addHost(n))
	}
	r.tokens.Attach(hosts, consensus.Config{Heartbeat: 20 * time.Millisecond, Election: 100 * time.Millisecond})
	r.tokensAt = hosts[0].ID
}

// askService puts a key at the service, and takes the revision for the token: the service counts each put, and no later
// one has a smaller number. A put without an answer may have been done, which costs a number.
func (r *Runner) askService(p locks.Client) (uint64, bool) {
	for i := range tokenServers {
		put := &consensus.Txn{Then: []consensus.Op{{Do: consensus.Put, Key: platform.FenceKey}}}
		reply, err := p.Call(r.tokensAt+i, put, r.scenario.Lock.Timeout)
		if done, ok := reply.(*consensus.Reply); ok && err == nil {
			return done.Revision, true
		}
	}
	return 0, false
}
