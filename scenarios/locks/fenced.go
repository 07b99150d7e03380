package locks

// NewFenced makes one client's lock on a single server that draws a fencing token with the key: one script does both,
// so that tokens rise in the order of the holders, while the server keeps its data.
func NewFenced(c Config) *Redlock {
	c.Take = takeAndCount
	return NewSingle(c)
}

// FencedProtocol is the protocol of NewFenced.
var FencedProtocol = Protocol{
	Name: "fenced", New: making(NewFenced), OneServer: true, Counts: always,
	Options: append([]string{"counter."}, redlockOptions...),
	Attempt: redlockAttempt,
}

// takeAndCount is the way to take the key that NewFenced has. Scenarios choose it by the kind of the lock.
const takeAndCount Take = 255

// A Counter has the rules by which a fenced lock counts its tokens.
type Counter struct {
	Before  bool `yaml:"before"`
	Expires bool `yaml:"expires"`
}

func (c *Config) counterKey() string { return c.Key + ":fence" }

// setAndCount takes the key and counts, or does neither. Its arguments are the token, the TTL, and 1 for a counter with
// a TTL.
const setAndCount = `if not redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 0 end
local n = redis.call('INCR', KEYS[2])
if ARGV[3] == '1' then redis.call('PEXPIRE', KEYS[2], ARGV[2]) end
return n`

func (r *round) takeAndCount(i int) {
	if r.config.Counter.Before {
		r.countAndTake(i)
		return
	}
	expires := digit(r.config.Counter.Expires)
	reply, ok := r.call(i, []string{"EVAL", setAndCount, "2", r.config.Key, r.config.counterKey(), r.token, r.px,
		expires})
	n, _ := reply.(int64)
	r.fence = uint64(n)
	r.count(n > 0, ok)
}

// countAndTake draws the token before it takes the key: the first to take it may have the greater one.
func (r *round) countAndTake(i int) {
	reply, ok := r.call(i, []string{"INCR", r.config.counterKey()})
	n, _ := reply.(int64)
	r.fence = uint64(n)
	if !ok {
		r.count(false, false)
		return
	}
	r.c.Mark("between")
	r.command = []string{"SET", r.config.Key, r.token, "NX", "PX", r.px}
	r.set(i)
}

func digit(is bool) string {
	if is {
		return "1"
	}
	return "0"
}
