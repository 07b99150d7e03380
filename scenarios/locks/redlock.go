package locks

import (
	"strconv"
	"strings"
	"time"
)

// Redlock is the algorithm of the Redis documentation's page "Distributed Locks with Redis": one key on each of N
// independent servers, held by whoever has it on a majority of them in time. One client's Redlock does one thing at a
// time.
type Redlock struct {
	config  Config
	px      string // the TTL, as SET takes it
	token   string // of the latest attempt
	command any    // what is sent to every server in the step at hand
	servers []peer // by place in Config.Servers
}

// A peer is what a client knows of one server.
type peer struct {
	answered, granted bool // its answer to the latest attempt
	freed             bool // it acknowledged the latest release, or was not to be asked
	learned           bool // it has seen the text of the release script
}

// NewRedlock makes one client's Redlock.
func NewRedlock(c Config) *Redlock {
	return &Redlock{config: c, px: strconv.FormatInt(c.TTL.Milliseconds(), 10), servers: make([]peer, len(c.Servers))}
}

// Acquire makes one attempt, in the five steps of the documentation.
func (l *Redlock) Acquire(c Client) Grant {
	g := Grant{Token: l.draw(c), Clean: true}

	// 1. Get the current time.
	start := l.now(c)
	c.Mark("asking")

	// 2. Try to take the key on all servers, with the same name and the same random value.
	g.Votes = l.ask(c)
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
	g.Clean = l.release(c, g.Token, l.config.Cleanup)
	return g
}

// ask takes the key on every server that grants it, and counts those that do.
func (l *Redlock) ask(c Client) (votes int) {
	l.command = []string{"SET", l.config.Key, l.token, "NX", "PX", l.px}
	l.each(c, (*Redlock).take)
	for _, s := range l.servers {
		if s.granted {
			votes++
		}
	}
	return votes
}

// take asks one server for the key.
func (l *Redlock) take(c Client, i int) {
	reply, err := c.Call(l.config.Servers[i], l.command, l.config.Timeout)
	l.servers[i].answered, l.servers[i].granted = err == nil, err == nil && reply == "OK"
}

// Release gives the lock back on all servers, whether or not they had granted it.
func (l *Redlock) Release(c Client, g Grant) bool { return l.release(c, g.Token, CleanAll) }

// release frees the key on the servers that are to be cleaned, and tells whether each of them acknowledged.
func (l *Redlock) release(c Client, token string, where Cleanup) bool {
	l.command = l.releasing(token)
	for i := range l.servers {
		s := &l.servers[i]
		s.freed = where == CleanNone || where == CleanAnswered && !s.answered
	}
	l.each(c, (*Redlock).free)
	for _, s := range l.servers {
		if !s.freed {
			return false
		}
	}
	return true
}

// releasing gives the command that frees a token's key, as a server that knows the script takes it.
func (l *Redlock) releasing(token string) any {
	if l.config.Free == Delete {
		return []string{"DEL", l.config.Key}
	}
	return []string{"EVALSHA", unlock.sha, "1", l.config.Key, token}
}

// free frees the key on one server. A server that is not known to have the script gets its text at once: if it were
// called by its name, and the answer that there is no such script were lost, then the key would stay.
func (l *Redlock) free(c Client, i int) {
	s := &l.servers[i]
	if s.freed {
		return
	}
	if s.learned || l.config.Free == Delete {
		var known bool
		if s.freed, known = l.call(c, i, l.command); known {
			return
		}
	}
	text := append([]string{"EVAL", unlock.text}, l.command.([]string)[2:]...)
	s.freed, _ = l.call(c, i, text)
	s.learned = s.freed
}

// call sends a release to one server, and tells whether the server acknowledged, and whether it knew the script.
func (l *Redlock) call(c Client, i int, command any) (acknowledged, known bool) {
	reply, err := c.Call(l.config.Servers[i], command, l.config.Timeout)
	if _, freed := reply.(int64); freed || err != nil {
		return err == nil, true
	}
	fault, bad := reply.(error)
	return !bad, !bad || !strings.HasPrefix(fault.Error(), "NOSCRIPT")
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

// each does something for each server: one after the other, or all at once.
func (l *Redlock) each(c Client, do func(l *Redlock, c Client, i int)) {
	if l.config.Contact == Parallel {
		c.Together(len(l.servers), func(i int) { do(l, c, i) })
		return
	}
	for i := range l.servers {
		do(l, c, i)
	}
}

// unlock frees a key if it still has the caller's token. Between a GET and a DEL of its own the key could expire and
// become another client's, so the two must be one step on the server.
var unlock = script{
	text: `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`,
	sha:  "6fbe84d1140fd2047394924af9d845b83c070bec",
}

// A script is a Lua script and the SHA-1 by which a server that has seen it knows it.
type script struct{ text, sha string }

// fence draws the grant's fencing token. A lock without one is of no use to who asked for it.
func (g *Grant) fence(c Client, source func(Client) (uint64, bool)) {
	if source == nil {
		return
	}
	token, ok := source(c)
	if g.Fence = token; !ok {
		g.Outcome = NoFence
	}
}
