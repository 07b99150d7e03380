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

// A release frees the key of one token. Its commands are made once and sent to every server.
type release struct {
	config  *Config
	short   any    // calls the script by its name
	long    any    // calls it by its text
	learned []bool // the servers that have seen the text, by place in Config.Servers
}

func (l *Redlock) newRelease(token string) release {
	c := &l.config
	if !c.CompareRelease {
		var del any = []string{"DEL", c.Key}
		return release{c, del, del, l.learned}
	}
	return release{
		c, []string{"EVALSHA", unlock.sha, "1", c.Key, token}, []string{"EVAL", unlock.text, "1", c.Key, token}, l.learned,
	}
}

// on frees the key on the server of that place, and tells whether the server acknowledged. A server that is not known to
// have the script gets its text at once: if it were called by its name and the answer, that there is no such script,
// were lost, then the key would stay.
func (r *release) on(c Client, i int) (acknowledged bool) {
	server := r.config.Servers[i]
	if r.learned[i] {
		reply, err := c.Call(server, r.short, r.config.Timeout)
		fault, bad := reply.(error)
		if !bad || !strings.HasPrefix(fault.Error(), "NOSCRIPT") {
			return err == nil && !bad
		}
	}
	reply, err := c.Call(server, r.long, r.config.Timeout)
	_, bad := reply.(error)
	r.learned[i] = err == nil && !bad
	return r.learned[i]
}

// each does something for each of n servers: one after the other, or all at once.
func each(c Client, contact Contact, n int, do func(i int)) {
	if contact == Parallel {
		c.Together(n, do)
		return
	}
	for i := range n {
		do(i)
	}
}

// cleans tells whether a failed attempt is released on a server, given what the server made of it.
func (c *Config) cleans(v vote) bool {
	return c.Cleanup == CleanAll || c.Cleanup == CleanAnswered && v.answered
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
