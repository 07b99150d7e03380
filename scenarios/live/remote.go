package live

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
)

// A remote is an agent's lock, for the workload.
type remote struct {
	*Driver
	servers Servers
	service Service        // the servers, if clients ask for the lock as one; else nil
	agents  map[int]*agent // by host
	config  locks.Config
	agent   *agent
	moved   func(c locks.Client, until time.Duration)
	told    bool // the latest hold is valid until the client says otherwise
}

// agentOf returns the agent of a proc's host.
func (r *remote) agentOf(c locks.Client) (*agent, *sim.Proc) {
	p, ok := c.(*sim.Proc)
	if !ok {
		panic(fmt.Sprintf("live: %T is no proc of the world", c))
	}
	if r.agent == nil {
		r.agent = r.agents[p.Host().ID]
	}
	return r.agent, p
}

// ask asks the agent. It is not ok if the answer makes no sense; then the run has failed.
func (r *remote) ask(c locks.Client, verb string, values ...string) (s said, yes bool, end clock.Instant) {
	a, p := r.agentOf(c)
	sent := Monotonic()
	s = a.ask(p, verb, values...)
	end, err := a.dated(s, sent)
	if err == nil && s.verb != "yes" && s.verb != "no" {
		err = fmt.Errorf("it says %s, which is neither yes nor no nor mark", s.verb)
	}
	if err == nil {
		err = s.understood(verb)
	}
	if err != nil {
		r.Fail(fmt.Errorf("client %s answers %q with %q: %w%s", a.name, verb, s.line, err, a.process.lastWords()))
		return s, false, end
	}
	return s, s.verb == "yes", end
}

// understood returns an error if an answer is unclear or lacks a part. A hold without its token would belong to no
// client, and a hold whose end is unreadable would have no end.
func (s *said) understood(verb string) error {
	seen := map[string]bool{} // looked up, never ranged over
	for _, v := range s.values {
		key, text, _ := strings.Cut(v, "=")
		if seen[key] {
			return fmt.Errorf("it says %s twice: want it once", key)
		}
		seen[key] = true
		switch key {
		case "left", "votes", "fence":
			n, err := s.number(key)
			switch {
			case key == "left" && text == told:
			case err != nil:
				return err
			case key == "left" && n > leftMost:
				return fmt.Errorf("it says %s, which is more than a century: a hold without an end has no left=, or left=told", v)
			case key != "left" && n < 0:
				return fmt.Errorf("it says %s, which is below 0", v)
			}
		case "begin", "end", "token", "hex", "clean", "why":
		default: // a slip of left would make a hold without an end
			return fmt.Errorf("it says %s, which is none of begin=, end=, left=, token=, hex=, fence=, votes=, clean= and why=", brief(v))
		}
	}
	if clean := s.value("clean"); clean != "" && clean != "yes" && clean != "no" {
		return fmt.Errorf("it says clean=%s, which is neither yes nor no", clean)
	}
	if _, known := outcomes[s.value("why")]; !known {
		return fmt.Errorf("it says why=%s, which is none of no-quorum, too-late, no-fence, broken", s.value("why"))
	}
	if verb == "acquire" && s.verb == "yes" && s.token() == "" {
		return errors.New("it has the lock, and names no token: want token=, the value that the key has on the servers")
	}
	return nil
}

// outcomes has the outcome of a failed attempt, by the word for its reason.
var outcomes = map[string]locks.Outcome{
	"": locks.NoQuorum, "no-quorum": locks.NoQuorum, "too-late": locks.TooLate, "no-fence": locks.NoFence, "broken": locks.Broken,
}

// leftMost is the longest that a hold may be said to be valid, in nanoseconds.
const leftMost = int64(100 * 365 * 24 * time.Hour)

// The word for a hold that is valid until the client reports its end.
const told = "told"

// tellEvery is how often a holder that stops when its validity ends checks whether the client has reported that.
const tellEvery = 100 * time.Millisecond

// Keep returns immediately: a client process extends its lock by itself.
func (r *remote) Keep(locks.Client) {}

// OnDeadline sets the function to call when the client has reported the loss of its hold.
func (r *remote) OnDeadline(do func(c locks.Client, until time.Duration)) { r.moved = do }

// ReadPatience is how long a read of the lock's key may take before another server is asked.
const ReadPatience = 300 * time.Millisecond

// askService asks the agent about a lock on a service. The harness reads the lock's key before the answer counts.
func (r *remote) askService(c locks.Client, verb string, values ...string) (s said, yes bool, end clock.Instant) {
	if s, yes, end = r.ask(c, verb, values...); r.service == nil || r.Failed() != nil {
		return s, yes, end
	}
	for answered := r.Now(); !r.service.Seen(answered) && r.Now() < answered.Add(ReadPatience); {
		c.Sleep(time.Millisecond)
	}
	return s, yes, end
}

// Acquire makes one attempt.
func (r *remote) Acquire(c locks.Client) locks.Grant {
	if r.service != nil {
		c.Mark(attemptMarks["acquire"][0])
	}
	s, won, end := r.askService(c, "acquire")
	if r.warm() {
		r.agent.attempted(s, won)
	}
	g := locks.Grant{Token: s.token(), Votes: r.config.Need(), Clean: s.value("clean") != "no", Deadline: r.deadline(s, end)}
	if n, err := s.number("votes"); err == nil {
		g.Votes = int(n)
	}
	if n, err := s.number("fence"); err == nil {
		g.Fence = uint64(n)
	}
	if left, err := s.number("left"); won && err == nil && left <= 0 {
		late := scenarios.LateGrant{Client: r.agent.client - r.Scenario.Nodes - 1, At: r.Now(), Over: -time.Duration(left)}
		r.agent.expired = append(r.agent.expired, late)
	}
	r.agent.holds, r.agent.moved, r.told = "", r.moved, won && s.value("left") == told
	if r.told {
		r.agent.holds = g.Token
	}
	if !won {
		g.Outcome = outcomes[s.value("why")]
		if g.Outcome == locks.Won {
			g.Outcome = locks.NoQuorum
		}
	}
	return g
}

// deadline returns the time at which the hold ends, on the lock's clock.
func (r *remote) deadline(s said, end clock.Instant) time.Duration {
	left, err := s.number("left")
	if err != nil {
		return locks.NoDeadline
	}
	return r.shows(end) + time.Duration(left)
}

// shows returns the time of that clock of the client at an instant.
func (r *remote) shows(t clock.Instant) time.Duration {
	c := r.Host(r.agent.client).Clock()
	if r.config.Clock == locks.Wall {
		return time.Duration(c.Wall(t))
	}
	return time.Duration(c.Mono(t))
}

// Extend extends a hold.
func (r *remote) Extend(c locks.Client, g *locks.Grant) bool {
	s, extended, end := r.ask(c, "extend", naming(g.Token))
	if s.value("left") != "" {
		g.Deadline = r.deadline(s, end)
	}
	return extended
}

// Release releases what an attempt won, and reports whether every server acknowledged. The proxy says so, since an
// adapter's library may be content with fewer; of a service, which is one, the adapter does.
func (r *remote) Release(c locks.Client, g locks.Grant) bool {
	a, _ := r.agentOf(c)
	if r.service != nil {
		sent := r.Now()
		_, acknowledged, _ := r.askService(c, "release", naming(g.Token))
		if acknowledged {
			r.service.Freed(r.servers.Token(g), a.client, sent)
		}
		return acknowledged
	}
	before := a.requests()
	_, acknowledged, _ := r.ask(c, "release", naming(g.Token))
	if a.adapter {
		return a.answered(before)
	}
	return acknowledged
}

// Left returns how long the grant is still valid.
func (r *remote) Left(c locks.Client, g locks.Grant) time.Duration {
	a, p := r.agentOf(c)
	switch {
	case r.told && a.holds != g.Token:
		return 0
	case r.told:
		return tellEvery
	case g.Deadline == locks.NoDeadline:
		return locks.NoDeadline
	}
	p.Mono() // takes the time that a look at the clock does
	return g.Deadline - r.shows(r.Now())
}
