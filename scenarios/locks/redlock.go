package locks

import (
	"strconv"
	"time"
)

// Redlock is the algorithm of the Redis documentation's page "Distributed Locks with Redis": one key on each of N
// independent servers, held by whoever has it on a majority of them in time.
type Redlock struct {
	config  Config
	token   string // of the latest attempt
	px      string // the TTL, as SET takes it
	learned []bool // the servers that have seen the release script, by place in Config.Servers
}

// NewRedlock makes one client's Redlock.
func NewRedlock(c Config) *Redlock {
	return &Redlock{
		config: c, px: strconv.FormatInt(c.TTL.Milliseconds(), 10), learned: make([]bool, len(c.Servers)),
	}
}

// Acquire makes one attempt, in the five steps of the documentation.
func (l *Redlock) Acquire(c Client) Grant {
	g := Grant{Token: l.draw(c), Clean: true}

	// 1. Get the current time.
	start := l.now(c)
	c.Mark("asking")

	// 2. Try to take the key on all servers, with the same name and the same random value.
	votes := l.ask(c, &g)
	if g.Votes >= l.config.Need() {
		g.fence(c, l.config.Fence)
	}

	// 3. The lock is acquired if a majority granted it, and if less time has passed than it is valid for.
	c.Mark("answered")
	now := l.now(c)
	validity := l.config.Validity(now - start)
	g.Deadline = now + validity
	switch {
	case g.Votes < l.config.Need():
		g.Outcome = NoQuorum
	case l.config.ValidityCheck && validity <= 0:
		g.Outcome = TooLate
	}

	// 4. If it was acquired, what is left of the validity is what counts.
	if g.Won() {
		return g
	}

	// 5. If not, release it on all servers: also on those that did not answer, for they may hold it all the same.
	g.Clean = l.release(c, g.Token, func(i int) bool { return l.config.cleans(votes[i]) })
	return g
}

// A vote is what one server made of the request.
type vote struct{ answered, granted bool }

// ask takes the key on every server that grants it, and gives the votes.
func (l *Redlock) ask(c Client, g *Grant) []vote {
	var command any = []string{"SET", l.config.Key, g.Token, "NX", "PX", l.px}
	votes := make([]vote, len(l.config.Servers))
	each(c, l.config.Contact, len(votes), func(i int) {
		reply, err := c.Call(l.config.Servers[i], command, l.config.Timeout)
		votes[i] = vote{answered: err == nil, granted: err == nil && reply == "OK"}
	})
	for _, v := range votes {
		if v.granted {
			g.Votes++
		}
	}
	return votes
}

// Release gives the lock back on all servers, whether or not they had granted it.
func (l *Redlock) Release(c Client, g Grant) bool {
	return l.release(c, g.Token, func(int) bool { return true })
}

// release frees the key on the servers that are wanted, by place, and tells whether each of them acknowledged.
func (l *Redlock) release(c Client, token string, wanted func(i int) bool) bool {
	r, acknowledged := l.newRelease(token), true
	each(c, l.config.Contact, len(l.config.Servers), func(i int) {
		if wanted(i) && !r.on(c, i) {
			acknowledged = false
		}
	})
	return acknowledged
}

// Left is how long the grant is still valid.
func (l *Redlock) Left(c Client, g Grant) time.Duration { return g.Deadline - l.now(c) }

// now reads the clock that the lock counts on.
func (l *Redlock) now(c Client) time.Duration {
	if l.config.Clock == Wall {
		return c.Wall()
	}
	return c.Mono()
}

// draw gives the token of an attempt. It must be unique to the attempt, not just to the client: the release of an
// earlier attempt may still be under way, and would free what a later one won with the same token.
func (l *Redlock) draw(c Client) string {
	if l.config.FreshToken || l.token == "" {
		l.token = c.Token()
	}
	return l.token
}
