package locks

import "strings"

// compareAndDelete frees a key if it still has the caller's token. Between a GET and a DEL of its own the key could
// expire and become another client's, so the two must be one step on the server.
var compareAndDelete = script{
	text: `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`,
	sha:  "6fbe84d1140fd2047394924af9d845b83c070bec",
}

// compareAndExtend gives a key a new TTL if it still has the caller's token.
var compareAndExtend = script{
	text: `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return 0`,
	sha:  "e50f848e374a94192aa6f2e444e7eb8acc16501d",
}

// deeds says in a few words what each script does, by its text and by the SHA-1 under which it is called again.
var deeds = map[string]string{
	compareAndDelete.text: "DEL if mine", compareAndDelete.sha: "DEL if mine", redissonFree: "HINCRBY -1 if mine", redissonFreeAny: "DEL",
	compareAndExtend.text: "PEXPIRE if mine", compareAndExtend.sha: "PEXPIRE if mine", redissonRenew: "PEXPIRE if mine",
	setAndCount: "SET and INCR", redissonTake: "HINCRBY if free",
}

// Deed says in a few words what a script of a lock does, for whoever draws or lists calls. It is known by its text or by its
// SHA-1; of any other script Deed says nothing.
func Deed(script string) string { return deeds[script] }

// A script is a Lua script and the SHA-1 by which a server that has seen it knows it.
type script struct {
	text, sha string
	seen      []bool // by place in Config.Servers: whether the server has seen the text
}

// among gives the script to a client of n servers, none of which is known to have seen it.
func (s script) among(n int) script {
	s.seen = make([]bool, n)
	return s
}

// run runs a script on one server; the round's command calls it by its name. A server that is not known to have seen the script
// gets its text at once: if it were given the name alone, and the answer that there is no such script were lost, then what
// the script is for would not be done.
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

// forgotten tells whether a server has answered that it knows no such script: it has restarted.
func forgotten(reply any) bool {
	fault, bad := reply.(error)
	return bad && strings.HasPrefix(fault.Error(), "NOSCRIPT")
}
