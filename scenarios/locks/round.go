package locks

import (
	"strconv"
	"strings"
	"time"
)

// A round is what an operation asks of every server, and the answers. Each operation has its own, so that operations of
// one client can overlap: a release does not wait for an extension under way.
type round struct {
	*Redlock
	c       Client
	token   string
	command any           // what is sent to every server
	answers []answer      // by place in Config.Servers
	votes   int           // servers that granted what was asked
	need    int           // how many must
	faults  int           // servers that failed to answer, or answered with an error
	fence   uint64        // the token that came with the key, where there is one
	reached time.Duration // what the lock's clock showed when the votes sufficed, if that is what counts
}

// An answer is one server's answer, as far as the client knows it.
type answer struct {
	came  bool // there was one
	freed bool // it acknowledged a release, or was not to be asked
}

func (l *Redlock) round(c Client, token string, need int) *round {
	return &round{Redlock: l, c: c, token: token, need: need, answers: make([]answer, len(l.config.Servers))}
}

// each does something for each server: one by one, or in parallel.
func (r *round) each(do func(r *round, i int)) {
	if r.config.Contact == Parallel {
		r.c.Together(len(r.answers), func(i int) { do(r, i) })
		return
	}
	for i := range r.answers {
		do(r, i)
	}
}

// call sends a command to one server. It is not ok if no answer came, or an error.
func (r *round) call(i int, command any) (reply any, ok bool) {
	reply, err := r.c.Call(r.config.Servers[i], command, r.config.Timeout)
	r.answers[i].came = err == nil
	_, bad := reply.(error)
	return reply, err == nil && !bad
}

// count counts one server's answer. It reads the clock before the mark, so that a fault there comes after that.
func (r *round) count(granted, ok bool) {
	if !ok {
		r.faults++
	}
	if !granted {
		return
	}
	if r.votes++; r.votes == r.need && r.config.Counted == AtQuorum {
		r.reached = r.now(r.c)
		r.c.Mark("quorum")
	}
}

// confirmed makes the further requests of a lock that needs more than its servers' answers.
func (r *round) confirmed() {
	if r.confirm != nil {
		r.confirm(r)
	}
}

// end returns when the round ended, for step three.
func (r *round) end() time.Duration {
	if r.config.Counted == AtQuorum && r.votes >= r.need {
		return r.reached
	}
	return r.now(r.c)
}

// take asks every server for the key. The documentation uses one command: then no key lacks a TTL, and no two clients
// both find it free.
func (r *round) take() {
	switch r.config.Take {
	case SetNXThenExpire:
		r.each((*round).setThenExpire)
		return
	case GetThenSet:
		r.command = []string{"SET", r.config.Key, r.token, "PX", r.px}
		r.each((*round).getThenSet)
		return
	case takeAndCount:
		r.each((*round).takeAndCount)
		return
	case SetNXPXAT:
		r.command = []string{"SET", r.config.Key, r.token, "NX", "PXAT", millis(r.c.Wall() + r.config.TTL)}
	case SetNXEX:
		r.command = []string{"SET", r.config.Key, r.token, "NX", "EX",
			strconv.Itoa(max(1, int(r.config.TTL/time.Second)))}
	default:
		r.command = []string{"SET", r.config.Key, r.token, "NX", "PX", r.px}
	}
	r.each((*round).set)
}

func (r *round) set(i int) {
	reply, ok := r.call(i, r.command)
	r.count(reply == "OK", ok)
}

// setThenExpire asks one server for a key, and sets its TTL in a second step. The client may have crashed by then.
func (r *round) setThenExpire(i int) {
	reply, ok := r.call(i, []string{"SETNX", r.config.Key, r.token})
	if reply == int64(1) {
		r.c.Mark("between")
		reply, ok = r.call(i, []string{"PEXPIRE", r.config.Key, r.px})
	}
	r.count(reply == int64(1), ok)
}

// getThenSet reads the key on one server, and sets it in a second step. Another client may have done so by then.
func (r *round) getThenSet(i int) {
	reply, ok := r.call(i, []string{"GET", r.config.Key})
	if ok && reply == nil {
		r.c.Mark("between")
		r.set(i)
		return
	}
	r.count(false, ok)
}

// free frees the key on the servers that the rule cleans up, and reports whether each of them acknowledged.
func (r *round) free(where Cleanup) bool {
	for i := range r.answers {
		s := &r.answers[i]
		s.freed = where == CleanNone || where == CleanAnswered && !s.came
	}
	switch r.config.Free {
	case Delete:
		r.command = []string{"DEL", r.config.Key}
	case GetThenDelete:
		r.command = []string{"GET", r.config.Key}
	default:
		r.command = []string{"EVALSHA", r.freeing.sha, "1", r.config.Key, r.token}
	}
	r.each((*round).freeOn)
	for _, s := range r.answers {
		if !s.freed {
			return false
		}
	}
	return true
}

func (r *round) freeOn(i int) {
	s := &r.answers[i]
	switch {
	case s.freed:
	case over(r.c): // nothing is sent, so nothing is waited for: the key is left to expire
		s.freed = true
	case r.config.Free == Delete:
		_, s.freed = r.call(i, r.command)
	case r.config.Free == GetThenDelete:
		var held any
		if held, s.freed = r.call(i, r.command); held == r.token {
			r.c.Mark("between")
			_, s.freed = r.call(i, []string{"DEL", r.config.Key})
		}
	default:
		_, s.freed = r.run(&r.freeing, i)
	}
}

// compareAndDelete frees a key if it still has the caller's token. Between a GET and a DEL the key could expire and
// become another client's, so one step on the server must do both.
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
	compareAndDelete.text: "DEL if mine", compareAndDelete.sha: "DEL if mine",
	compareAndExtend.text: "PEXPIRE if mine", compareAndExtend.sha: "PEXPIRE if mine",
	redissonFree: "HINCRBY -1 if mine", redissonFreeAny: "DEL", redissonRenew: "PEXPIRE if mine",
	redissonTake: "HINCRBY if free", redissonTakeFenced: "HINCRBY and INCR if free", setAndCount: "SET and INCR",
}

// DescribeScript returns in a few words what a script of a lock does, given its text or its SHA-1; empty for any other
// script. It is for drawings and lists of calls.
func DescribeScript(script string) string { return scriptTexts[script] }

// A script is a Lua script and the SHA-1 by which a server that has seen it knows it.
type script struct {
	text, sha string
	seen      []bool // by index in Config.Servers: whether the server has seen the text
}

// among returns the script for a client of n servers. No server is known to have seen the script.
func (s script) among(n int) script {
	s.seen = make([]bool, n)
	return s
}

// run runs a script on one server; the round's command calls it by its SHA-1. A server that might not have seen the
// script gets its text: with the SHA-1 alone, and its NOSCRIPT lost, the script would not run.
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
