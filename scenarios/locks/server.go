package locks

import "strings"

// unlock frees a key if it still has the caller's token. Between a GET and a DEL of its own the key could expire and
// become another client's, so the two must be one step on the server.
var unlock = script{
	text: `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`,
	sha:  "6fbe84d1140fd2047394924af9d845b83c070bec",
}

// A script is a Lua script and the SHA-1 by which a server that has seen it knows it.
type script struct{ text, sha string }

// A release frees the key of one token. Its command is made once and sent to every server.
type release struct {
	config  Config
	token   string
	command any
}

func newRelease(c Config, token string) release {
	if !c.CompareRelease {
		return release{c, token, []string{"DEL", c.Key}}
	}
	return release{c, token, []string{"EVALSHA", unlock.sha, "1", c.Key, token}}
}

// on frees the key on one server, and tells whether the server acknowledged. A server that has not seen the script
// since it started is given its text.
func (r *release) on(c Client, server int) (acknowledged bool) {
	reply, err := c.Call(server, r.command, r.config.Timeout)
	fault, bad := reply.(error)
	if bad && strings.HasPrefix(fault.Error(), "NOSCRIPT") {
		reply, err = c.Call(server, []string{"EVAL", unlock.text, "1", r.config.Key, r.token}, r.config.Timeout)
		_, bad = reply.(error)
	}
	return err == nil && !bad
}

// each speaks to servers one after the other, or to all at once.
func each(c Client, contact Contact, servers []int, do func(i, server int)) {
	if contact == Parallel {
		c.Together(len(servers), func(i int) { do(i, servers[i]) })
		return
	}
	for i, server := range servers {
		do(i, server)
	}
}

// cleaned gives the servers on which a failed attempt is released, given which of all of them answered.
func (c Config) cleaned(answered []bool) []int {
	switch c.Cleanup {
	case CleanNone:
		return nil
	case CleanAnswered:
		var servers []int
		for i, server := range c.Servers {
			if answered[i] {
				servers = append(servers, server)
			}
		}
		return servers
	}
	return c.Servers
}

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
