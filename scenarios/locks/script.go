package locks

import "strings"

// compareAndDelete frees a key if it still has the caller's token. Between a GET and a DEL of its own the key could
// expire and become another client's, so the two must be one step on the server.
var compareAndDelete = script{
	text: `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`,
	sha:  "6fbe84d1140fd2047394924af9d845b83c070bec",
}

// compareAndExtend sets a new TTL for a key if it still has the caller's token.
var compareAndExtend = script{
	text: `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return 0`,
	sha:  "e50f848e374a94192aa6f2e444e7eb8acc16501d",
}

// scriptTexts describes each script in a few words, by its text and by the SHA-1 under which it is called again.
var scriptTexts = map[string]string{
	compareAndDelete.text: "DEL if mine", compareAndDelete.sha: "DEL if mine", redissonFree: "HINCRBY -1 if mine", redissonFreeAny: "DEL",
	compareAndExtend.text: "PEXPIRE if mine", compareAndExtend.sha: "PEXPIRE if mine", redissonRenew: "PEXPIRE if mine",
	setAndCount: "SET and INCR", redissonTake: "HINCRBY if free", redissonTakeFenced: "HINCRBY and INCR if free",
}

// DescribeScript returns in a few words what a script of a lock does, given its text or its SHA-1; empty for any other
// script. It is for drawings and lists of calls.
func DescribeScript(script string) string { return scriptTexts[script] }

// A script is a Lua script and the SHA-1 by which a server that has seen it knows it.
type script struct {
	text, sha string
	seen      []bool // by index in Config.Servers: whether the server has seen the text
}

// among returns the script for a client of n servers, none of which is known to have seen it.
func (s script) among(n int) script {
	s.seen = make([]bool, n)
	return s
}

// run runs a script on one server; the round's command calls it by its SHA-1. A server that is not known to have seen the
// script gets its text at once: if it got the SHA-1 alone, and its NOSCRIPT were lost, then the script would not have run.
func (r *round) run(s *script, i int) (reply any, ok bool) {
	if s.seen[i] {
		if reply, ok = r.call(i, r.command); !forgotten(reply) {
			return reply, ok
		}
	}
	text := append([]string{"EVAL", s.text}, r.command.([]string)[2:]...)
	reply, ok = r.call(i, text)
	s.seen[i] = ok
	return reply, ok
}

// forgotten reports whether a server has answered that it knows no such script: it has restarted.
func forgotten(reply any) bool {
	fault, bad := reply.(error)
	return bad && strings.HasPrefix(fault.Error(), "NOSCRIPT")
}
