package locktest_test

import (
	"strconv"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/scenarios/locks"
)

// A stranger is a lock as a user writes it: a Redlock on all servers, or on the only one. Each of its steps can be
// replaced; without replacements it is right.
type stranger struct {
	locks.Config
	ways
	attempts int
}

// ways are what differs from the plain way; nil and zero for that.
type ways struct {
	parallel  bool
	order     func(c locks.Client, n int) []int                 // in which servers are asked
	prepare   func(c locks.Client)                              // before each attempt
	tries     int                                               // attempts within one Acquire, with waits between
	hurry     bool                                              // ask no more servers than it takes
	after     func(l *stranger, c locks.Client, g *locks.Grant) // once the grant is sure
	anyTime   bool                                              // a grant counts however little validity is left
	unlooked  bool                                              // so it does, and no clock is looked at after the first request
	votes     func(servers int) int                             // how many are enough; nil for a majority
	extraTime time.Duration                                     // taken off the validity
	token     func(l *stranger, c locks.Client) string
	take      func(l *stranger, c locks.Client, server int, token string) bool
	validity  func(l *stranger, start, first, now time.Duration) time.Duration // first is when the first answer came
	clean     func(l *stranger, c locks.Client, server int, token string) bool // after a failed attempt; else free
	free      func(l *stranger, c locks.Client, server int, token string) bool
	release   func(l *stranger, c locks.Client, g locks.Grant) bool
	prolong   func(l *stranger, c locks.Client, server int, token string) bool
	extended  func(l *stranger, old, start, now time.Duration) (deadline time.Duration, ok bool)
	waits     func(l *stranger, c locks.Client) bool // waits before an extension; false for no extension
}

// made returns the constructor of a stranger.
func (w ways) made() func(locks.Config) locks.Lock {
	return func(c locks.Config) locks.Lock { return &stranger{Config: c, ways: w} }
}

func (l *stranger) call(c locks.Client, server int, words ...string) (reply any, ok bool) {
	reply, err := c.Call(server, words, l.Timeout)
	_, bad := reply.(error)
	return reply, err == nil && !bad
}

func (l *stranger) px() string { return strconv.FormatInt(l.TTL.Milliseconds(), 10) }

// each asks the servers, and returns how many say yes, and when the first did anything.
func (l *stranger) each(c locks.Client, need int, ask func(server int) bool) (votes int, first time.Duration) {
	order := make([]int, len(l.Servers))
	for i := range order {
		order[i] = i
	}
	if l.order != nil {
		order = l.order(c, len(l.Servers))
	}
	first = -1
	one := func(i int) {
		if ask(l.Servers[order[i]]) {
			votes++
		}
		if first < 0 && !l.unlooked {
			first = c.Mono()
		}
	}
	if l.parallel {
		c.Together(len(order), one)
		return votes, first
	}
	for i := range order {
		if l.hurry && need > 0 && (votes >= need || votes+len(order)-i < need) {
			break
		}
		one(i)
	}
	return votes, first
}

func (l *stranger) Acquire(c locks.Client) (g locks.Grant) {
	for n := 1; ; n++ {
		if g = l.attempt(c); g.Won() || n >= l.tries {
			return g
		}
		c.Sleep(time.Duration(5+c.Draw(40)) * time.Millisecond)
	}
}

func (l *stranger) attempt(c locks.Client) locks.Grant {
	if l.prepare != nil {
		l.prepare(c)
	}
	l.attempts++
	token, need := c.Token(), locks.Majority(len(l.Servers))
	if l.votes != nil {
		need = l.votes(len(l.Servers))
	}
	if l.token != nil {
		token = l.token(l, c)
	}
	start := c.Mono()
	votes, first := l.each(c, need, func(server int) bool {
		if l.take != nil {
			return l.take(l, c, server, token)
		}
		return plainTake(l, c, server, token)
	})
	if l.unlooked && votes >= need {
		return locks.Grant{Token: token, Votes: votes, Deadline: start + l.TTL - l.Drift()}
	}
	now := c.Mono()
	left := l.TTL - (now - start) - l.Drift() - l.extraTime
	if l.validity != nil {
		left = l.validity(l, start, first, now)
	}
	if votes >= need && (left > 0 || l.anyTime) {
		g := locks.Grant{Token: token, Votes: votes, Deadline: now + left}
		if l.after != nil {
			l.after(l, c, &g)
		}
		return g
	}
	free := l.freeing()
	if l.clean != nil {
		free = l.clean
	}
	n, _ := l.each(c, 0, func(server int) bool { return free(l, c, server, token) })
	return locks.Grant{Outcome: locks.NoQuorum, Votes: votes, Clean: n == len(l.Servers)}
}

func plainTake(l *stranger, c locks.Client, server int, token string) bool {
	reply, ok := l.call(c, server, "SET", l.Key, token, "NX", "PX", l.px())
	return ok && reply == "OK"
}

// The scripts of the Redis documentation.
const (
	freeText   = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end return 0`
	extendText = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end return 0`
)

func plainFree(l *stranger, c locks.Client, server int, token string) bool {
	_, ok := l.call(c, server, "EVAL", freeText, "1", l.Key, token)
	return ok
}

func plainProlong(l *stranger, c locks.Client, server int, token string) bool {
	reply, ok := l.call(c, server, "EVAL", extendText, "1", l.Key, token, l.px())
	return ok && reply == int64(1)
}

func (l *stranger) freeing() func(l *stranger, c locks.Client, server int, token string) bool {
	if l.free != nil {
		return l.free
	}
	return plainFree
}

func (l *stranger) Release(c locks.Client, g locks.Grant) bool {
	if l.release != nil {
		return l.release(l, c, g)
	}
	free := l.freeing()
	n, _ := l.each(c, 0, func(server int) bool { return free(l, c, server, g.Token) })
	return n == len(l.Servers)
}

func (l *stranger) Extend(c locks.Client, g *locks.Grant) bool {
	if l.waits != nil && !l.waits(l, c) {
		return false
	}
	prolong := plainProlong
	if l.prolong != nil {
		prolong = l.prolong
	}
	old, start := g.Deadline, c.Mono()
	votes, _ := l.each(c, 0, func(server int) bool { return prolong(l, c, server, g.Token) })
	now := c.Mono()
	deadline := start + l.TTL - l.Drift() - l.extraTime
	ok := deadline > now && now < old
	if l.extended != nil {
		deadline, ok = l.extended(l, old, start, now)
	}
	if votes < locks.Majority(len(l.Servers)) || !ok {
		return false
	}
	g.Deadline = deadline
	return true
}

// eval returns a step that runs a script, whose arguments are the token and the TTL. It succeeds on 1 or OK.
func eval(text string) func(l *stranger, c locks.Client, server int, token string) bool {
	return func(l *stranger, c locks.Client, server int, token string) bool {
		reply, ok := l.call(c, server, "EVAL", text, "1", l.Key, token, l.px())
		return ok && (reply == int64(1) || reply == "OK")
	}
}

// answered is a step that counts as done once there is an answer.
func answered(text string) func(l *stranger, c locks.Client, server int, token string) bool {
	return func(l *stranger, c locks.Client, server int, token string) bool {
		_, ok := l.call(c, server, "EVAL", text, "1", l.Key, token, l.px())
		return ok
	}
}

func reversed(_ locks.Client, n int) (all []int) {
	for i := range n {
		all = append(all, n-1-i)
	}
	return all
}

func shuffled(c locks.Client, n int) (all []int) {
	for i := range n {
		j := int(c.Draw(uint64(i + 1)))
		all = append(all, i)
		all[i], all[j] = all[j], i
	}
	return all
}

// A sample is a lock that is tried, and where.
type sample struct {
	name string
	says string // what is right or wrong with it
	on   string // the scenario
	kind string // if it is not the scenario's own
	new  func(locks.Config) locks.Lock
}

// drawing is the reference with one more random number for each attempt.
type drawing struct{ *locks.Redlock }

func (l drawing) Acquire(c locks.Client) locks.Grant { c.Draw(100); return l.Redlock.Acquire(c) }

// variants are right locks, each right in another way.
var variants = []sample{
	{"another-draw", "the reference, which draws one number more for each attempt", "redlock/any", "",
		func(c locks.Config) locks.Lock { return drawing{locks.NewRedlock(c)} }},
	{"reference-sequential", "the reference, one server after the other", "redlock/any", "",
		func(c locks.Config) locks.Lock { c.Contact = locks.Sequential; return locks.NewRedlock(c) }},
	{"reference-parallel", "the reference, all servers at once", "redlock/any", "",
		func(c locks.Config) locks.Lock { c.Contact = locks.Parallel; return locks.NewRedlock(c) }},
	{"plain", "somebody else's Redlock, one server after the other", "redlock/any", "", ways{}.made()},
	{"parallel", "the same, all servers at once", "redlock/any", "", ways{parallel: true}.made()},
	{"reversed", "servers are asked from the last to the first", "redlock/any", "", ways{order: reversed}.made()},
	{"shuffled", "servers are asked in a drawn order", "redlock/any", "", ways{order: shuffled}.made()},
	{"in-a-hurry", "no more servers are asked than it takes to know", "redlock/any", "", ways{hurry: true}.made()},
	{"own-loop", "each Acquire makes up to three attempts, with waits of its own", "redlock/any", "", ways{tries: 3}.made()},
	{"jitter", "each attempt begins after a drawn wait", "redlock/any", "",
		ways{parallel: true, prepare: func(c locks.Client) { c.Sleep(time.Duration(c.Draw(30)) * time.Millisecond) }}.made()},
	{"looks-first", "a client looks whether the key is free before it tries", "redlock/any", "",
		ways{parallel: true, take: func(l *stranger, c locks.Client, server int, token string) bool {
			if held, ok := l.call(c, server, "GET", l.Key); !ok || held != nil {
				return false
			}
			return plainTake(l, c, server, token)
		}}.made()},
	{"careful", "a tenth of the TTL is taken off the validity", "redlock/any", "",
		ways{validity: func(l *stranger, start, _, now time.Duration) time.Duration {
			return l.TTL - l.TTL/10 - l.Drift() - (now - start)
		}}.made()},
	{"long-token", "tokens have a name before them", "redlock/any", "",
		ways{parallel: true, token: func(_ *stranger, c locks.Client) string { return "somebody:" + c.Token() }}.made()},
	{"fences-last", "the fencing token is drawn once the lock is sure", "redlock/any", "",
		ways{after: func(l *stranger, c locks.Client, g *locks.Grant) {
			if l.Fence == nil {
				return
			}
			fence, ok := l.Fence(c)
			if g.Fence = fence; !ok {
				g.Outcome, g.Clean = locks.NoFence, l.Release(c, *g)
			}
		}}.made()},
	{"times-itself", "the time that an acquire took is measured once more, at its end", "redlock/any", "",
		ways{parallel: true, after: func(_ *stranger, c locks.Client, _ *locks.Grant) { c.Mono() }}.made()},
	{"asks-afterwards", "once the lock is sure, a server is asked for something else", "redlock/any", "",
		ways{after: func(l *stranger, c locks.Client, _ *locks.Grant) { l.call(c, l.Servers[0], "PING") }}.made()},
	{"released-twice", "a release is sent twice to each server", "redlock/any", "",
		ways{free: func(l *stranger, c locks.Client, server int, token string) bool {
			first := plainFree(l, c, server, token)
			return plainFree(l, c, server, token) || first
		}}.made()},
	{"lua-take", "a script takes the key, with other words than ours", "single/any", "",
		ways{take: eval(`local taken = redis.call('exists', KEYS[1]) if taken == 1 then return 0 end
redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2]) return 1`)}.made()},
	{"lua-release", "a script releases, with other words than ours", "single/any", "",
		ways{free: answered(`local owner = redis.call("get", KEYS[1])
if owner ~= ARGV[1] then return 0 end
redis.call("del", KEYS[1]) return 1`)}.made()},
	{"one-server", "the same lock on a single server", "single/any", "", ways{}.made()},
	{"extends-late", "each extension comes a drawn while later", "redlock/renewed", "",
		ways{parallel: true, waits: func(l *stranger, c locks.Client) bool {
			c.Sleep(time.Duration(c.Draw(uint64(l.TTL/20) + 1)))
			return true
		}}.made()},
	{"extends-seldom", "every other extension is left out", "redlock/renewed", "",
		ways{waits: func(_ *stranger, c locks.Client) bool { return c.Draw(2) == 0 }}.made()},
	{"lua-extend", "a script extends, with other words than ours, and sets the key anew if it is still one's own", "redlock/renewed", "",
		ways{parallel: true, prolong: eval(`if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('set', KEYS[1], ARGV[1], 'XX', 'PX', ARGV[2])`)}.made()},
	{"extends-twice", "an extension that fails is asked for once more at once", "redlock/renewed", "",
		ways{prolong: func(l *stranger, c locks.Client, server int, token string) bool {
			if plainProlong(l, c, server, token) {
				return true
			}
			return plainProlong(l, c, server, token)
		}}.made()},
}

// bugs are wrong locks: each has one flaw of acquire, extend or release that no mutant of the catalogue has.
var bugs = []sample{
	{"silence-is-a-yes", "acquire: a server that does not answer counts as a vote", "redlock/any", "",
		ways{take: func(l *stranger, c locks.Client, server int, token string) bool {
			reply, err := c.Call(server, []string{"SET", l.Key, token, "NX", "PX", l.px()}, l.Timeout)
			return err != nil || reply == "OK"
		}}.made()},
	{"clock-read-late", "acquire: time is counted from the first answer, not from the first request", "redlock/any", "",
		ways{parallel: true, validity: func(l *stranger, _, first, now time.Duration) time.Duration {
			return l.TTL - l.Drift() - (now - first)
		}}.made()},
	{"half-the-life", "acquire: keys live for half of the TTL that the validity is counted from", "redlock/any", "",
		ways{take: func(l *stranger, c locks.Client, server int, token string) bool {
			reply, ok := l.call(c, server, "SET", l.Key, token, "NX", "PX", strconv.FormatInt(l.TTL.Milliseconds()/2, 10))
			return ok && reply == "OK"
		}}.made()},
	{"few-tokens", "acquire: a token is one of 16", "redlock/any", "",
		ways{parallel: true, token: func(_ *stranger, c locks.Client) string { return strconv.FormatUint(c.Draw(16), 10) }}.made()},
	{"cleans-blindly", "acquire: a failed attempt deletes the key, whose ever it is", "redlock/any", "",
		ways{clean: func(l *stranger, c locks.Client, server int, _ string) bool {
			_, ok := l.call(c, server, "DEL", l.Key)
			return ok
		}}.made()},
	{"takes-what-was-its-own", "acquire: a key of an earlier attempt of this client counts as granted", "single/any", "", newHoarder},
	{"asks-again", "acquire: where no answer came the key is set once more, without NX", "redlock/any", "",
		ways{take: func(l *stranger, c locks.Client, server int, token string) bool {
			if _, err := c.Call(server, []string{"SET", l.Key, token, "NX", "PX", l.px()}, l.Timeout); err == nil {
				held, ok := l.call(c, server, "GET", l.Key)
				return ok && held == token
			}
			reply, ok := l.call(c, server, "SET", l.Key, token, "PX", l.px())
			return ok && reply == "OK"
		}}.made()},
	{"extended-from-the-answer", "extend: the new deadline is counted from the answers, not from the request", "redlock/renewed", "",
		ways{parallel: true, extended: func(l *stranger, old, _, now time.Duration) (time.Duration, bool) {
			return now + l.TTL - l.Drift(), now < old
		}}.made()},
	{"extended-by-adding", "extend: the TTL is added to the deadline", "redlock/renewed", "",
		ways{extended: func(l *stranger, old, _, now time.Duration) (time.Duration, bool) { return old + l.TTL, now < old }}.made()},
	{"extends-anybodys", "extend: PEXPIRE without a look at the owner", "redlock/renewed", "",
		ways{prolong: anybodys}.made()},
	{"extension-silence-is-a-yes", "extend: a server that does not answer counts as a vote", "redlock/renewed", "",
		ways{prolong: silenceIsAYes}.made()},
	{"extension-unread", "extend: an answer counts as a vote, whatever it says", "redlock/renewed", "",
		ways{prolong: func(l *stranger, c locks.Client, server int, token string) bool {
			_, ok := l.call(c, server, "EVAL", extendText, "1", l.Key, token, l.px())
			return ok
		}}.made()},
	{"released-by-half", "release: a majority of servers is told, and it counts as released", "redlock/any", "",
		ways{release: func(l *stranger, c locks.Client, g locks.Grant) bool {
			for _, server := range l.Servers[:locks.Majority(len(l.Servers))] {
				plainFree(l, c, server, g.Token)
			}
			return true
		}}.made()},
	{"deletes-while-valid", "release: a client that believes its lock valid deletes the key without comparing", "single/any", "",
		ways{release: func(l *stranger, c locks.Client, g locks.Grant) bool {
			if c.Mono() >= g.Deadline {
				return true
			}
			_, ok := l.call(c, l.Servers[0], "DEL", l.Key)
			return ok
		}}.made()},
	{"second-release-blind", "release: where no answer came, a plain DEL follows", "redlock/any", "",
		ways{free: func(l *stranger, c locks.Client, server int, token string) bool {
			if plainFree(l, c, server, token) {
				return true
			}
			_, ok := l.call(c, server, "DEL", l.Key)
			return ok
		}}.made()},
	{"puts-it-back", "release: GETDEL, and another's key is put back without its TTL", "single/any", "",
		ways{free: func(l *stranger, c locks.Client, server int, token string) bool {
			held, ok := l.call(c, server, "GETDEL", l.Key)
			if owner, is := held.(string); ok && is && owner != token {
				l.call(c, server, "SET", l.Key, owner)
			}
			return ok
		}}.made()},
}

// novices are wrong locks with the flaws of a first try.
var novices = []sample{
	{"third-step-unread", "acquire: the validity that is left is computed, and nothing depends on it", "redlock/any", "", unchecked.made()},
	{"third-step-missing", "acquire: no clock is read after the first request", "redlock/any", "", ways{unlooked: true}.made()},
	{"error-is-a-yes", "acquire: an answer that is an error counts as a vote", "redlock/errors", "",
		ways{take: func(l *stranger, c locks.Client, server int, token string) bool {
			reply, err := c.Call(server, []string{"SET", l.Key, token, "NX", "PX", l.px()}, l.Timeout)
			return err == nil && reply != nil
		}}.made()},
	{"half-is-enough", "acquire: half of the servers count as a majority", "redlock/any", "",
		ways{parallel: true, votes: func(n int) int { return n / 2 }}.made()},
	{"no-life", "acquire: keys never expire", "redlock/any", "",
		ways{take: func(l *stranger, c locks.Client, server int, token string) bool {
			reply, ok := l.call(c, server, "SET", l.Key, token, "NX")
			return ok && reply == "OK"
		}}.made()},
	{"no-clean-up", "acquire: a failed attempt leaves its keys", "redlock/any", "",
		ways{clean: func(*stranger, locks.Client, int, string) bool { return true }}.made()},
	{"deletes-anybodys", "release: DEL without a look at the owner", "redlock/any", "",
		ways{free: func(l *stranger, c locks.Client, server int, _ string) bool {
			_, ok := l.call(c, server, "DEL", l.Key)
			return ok
		}}.made()},
}

// A hoarder treats the key of its earlier attempt as granted: its tokens begin with its name.
type hoarder struct {
	stranger
	name string
}

func newHoarder(c locks.Config) locks.Lock {
	h := &hoarder{stranger: stranger{Config: c}}
	h.token = func(l *stranger, c locks.Client) string {
		if h.name == "" {
			h.name = c.Token() + "/"
		}
		return h.name + strconv.Itoa(l.attempts)
	}
	h.take = func(l *stranger, c locks.Client, server int, token string) bool {
		if plainTake(l, c, server, token) {
			return true
		}
		held, ok := l.call(c, server, "GET", l.Key)
		owner, is := held.(string)
		return ok && is && strings.HasPrefix(owner, h.name)
	}
	return h
}

// The flaws of an extension, whoever asks for it.

func anybodys(l *stranger, c locks.Client, server int, _ string) bool {
	reply, ok := l.call(c, server, "PEXPIRE", l.Key, l.px())
	return ok && reply == int64(1)
}

func silenceIsAYes(l *stranger, c locks.Client, server int, token string) bool {
	reply, err := c.Call(server, []string{"EVAL", extendText, "1", l.Key, token, l.px()}, l.Timeout)
	return err != nil || reply == int64(1)
}
