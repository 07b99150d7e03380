package locks

import (
	"strconv"
	"time"
)

// Redlock is the algorithm of the Redis documentation's page "Distributed Locks with Redis": one key on each of N
// independent servers. The client that has it on a majority in time holds the lock. One client's Redlock makes one
// attempt at a time; it can extend and release its holds in parallel.
type Redlock struct {
	config             Config
	px                 string // the TTL, as Redis takes it
	token              string // of the latest attempt; where values are made of the time, the client's name
	freeing, extending script
	confirm            func(*round) // asked once the servers were; nil for nothing
}

// NewRedlock makes one client's Redlock.
func NewRedlock(c Config) *Redlock {
	n := len(c.Servers)
	return &Redlock{config: c, px: millis(c.TTL), freeing: compareAndDelete.among(n),
		extending: compareAndExtend.among(n)}
}

// RedlockProtocol is the protocol of NewRedlock.
var RedlockProtocol = Protocol{Name: "redlock", New: making(NewRedlock), Options: redlockOptions,
	Attempt: redlockAttempt}

// redlockOptions are the options of Redlock, and of every lock made of the same steps.
var redlockOptions = []string{
	"ttl", "timeout", "contact", "quorum", "clock", "drift_factor", "drift_constant", "take", "value", "fresh_token",
	"validity_check", "deduct_elapsed", "counted", "tolerate_errors", "free", "cleanup", "patience", "own_time",
	"retry.", "renew.", "extends",
}

// redlockAttempt counts four calls to each server; parallel calls take as long as one.
func redlockAttempt(r Rules, servers int) time.Duration {
	if r.Contact == Parallel {
		servers = 1
	}
	return calls(r, 4*servers)
}

// Acquire makes one attempt, in the five steps of the documentation.
func (l *Redlock) Acquire(c Client) Grant {
	r := l.round(c, l.draw(c), l.config.Need())

	// 1. Get the current time.
	start := l.now(c)
	c.Mark("asking")

	// 2. Try to take the key on all servers, with the same name and the same random value.
	r.take()
	r.confirmed()
	g := Grant{Token: r.token, Votes: r.votes, Clean: true, Fence: r.fence}
	if r.votes >= r.need {
		g.fence(c, l.config.Fence)
	}

	// 3. The lock is acquired if a majority granted it, and if less time has passed than it is valid for.
	c.Mark("answered")
	now := r.end()
	validity := l.config.Validity(now - start)
	g.Deadline = now + validity
	switch {
	case r.faults > 0 && !l.config.TolerateErrors:
		g.Outcome = Broken
	case r.votes < r.need:
		g.Outcome = NoQuorum
	case l.config.ValidityCheck && validity <= 0:
		g.Outcome = TooLate
	}

	// 4. If it was acquired, what is left of the validity is what counts.
	if g.Won() {
		return g
	}

	// 5. If not, release it on all servers: also on silent ones, because they may still hold it.
	if l.config.OwnTime {
		r.c = withoutDeadline(c)
	}
	g.Clean = r.free(l.config.Cleanup)
	return g
}

// Release releases the lock on all servers, whether or not they had granted it.
func (l *Redlock) Release(c Client, g Grant) bool { return l.round(c, g.Token, 0).free(CleanAll) }

// Left returns how long the grant is still valid.
func (l *Redlock) Left(c Client, g Grant) time.Duration { return g.Deadline - l.now(c) }

func (l *Redlock) now(c Client) time.Duration { return l.config.Clock.read(c) }

// draw returns the token of an attempt. It must be unique to the attempt, not just to the client: the release of an
// earlier attempt may still be under way, and would free what a later one won with the same token.
func (l *Redlock) draw(c Client) string {
	if l.config.Fresh() || l.token == "" {
		l.token = c.Token()
	}
	switch l.config.Value {
	case ValueMicroseconds:
		return l.token + " " + strconv.FormatInt(c.Wall().Microseconds(), 10)
	case ValueSeconds:
		return l.token + " " + strconv.FormatInt(int64(c.Wall()/time.Second), 10)
	case ValueMilliseconds:
		return l.token + " " + strconv.FormatInt(c.Wall().Milliseconds(), 10)
	case ValueMillisecondsOnly:
		return strconv.FormatInt(c.Wall().Milliseconds(), 10)
	}
	return l.token
}

// fence draws the grant's fencing token. If it was asked for and can't be had, the attempt has failed.
func (g *Grant) fence(c Client, source func(Client) (uint64, bool)) {
	if source == nil {
		return
	}
	token, ok := source(c)
	if g.Fence = token; !ok {
		g.Outcome = NoFence
	}
}

func millis(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// Extend follows the documentation's "Making the algorithm more reliable: Extending the lock", in the steps of
// acquiring.
func (l *Redlock) Extend(c Client, g *Grant) bool {
	r, old := l.round(c, g.Token, l.extensionNeeds()), g.Deadline

	// 1. Get the current time.
	start := l.now(c)
	c.Mark("extending")
	if !l.config.Renew.Confirm {
		g.Deadline = start + l.config.Validity(0)
	}

	// 2. Extend the TTL of the key on all servers, if it exists and its value is still the token.
	r.extend()
	r.confirmed()

	// 3. The lock is extended only if a majority did so, and within both validity times: the new one, as after an
	// acquire, and the old one. Otherwise there was a time in which nothing was promised.
	c.Mark("extension-answered")
	now := r.end()
	validity := l.config.Validity(now - start)
	inTime := validity > 0 && now < old
	if r.votes >= r.need && (inTime || !l.config.Renew.Check) {
		// 4. The validity that is left counts.
		if g.Deadline = now + validity; l.config.Renew.Adds {
			g.Deadline = old + l.config.Validity(0)
		}
		return true
	}

	// 5. If not, the old deadline and the keys stay: releasing them would end the hold before its time.
	if !l.config.Renew.KeepFailed {
		r.free(CleanAll)
	}
	return false
}

// extensionNeeds is how many servers must extend the key.
func (l *Redlock) extensionNeeds() int {
	if !l.config.Renew.Quorum {
		return 1
	}
	return l.config.Need()
}

func (r *round) extend() {
	px := millis(r.config.Extends.of(r.config.TTL))
	if !r.config.Renew.Compare {
		r.command = []string{"SET", r.config.Key, r.token, "PX", px}
		r.each((*round).set)
		return
	}
	r.command = []string{"EVALSHA", r.extending.sha, "1", r.config.Key, r.token, px}
	r.each((*round).extendOn)
}

func (r *round) extendOn(i int) {
	reply, ok := r.run(&r.extending, i)
	r.count(reply == int64(1), ok)
}

// A Renewal extends a hold again and again during the work. It is a separate thread on the holder's machine.
type Renewal struct {
	Renew
	Lock    Extender
	Grant   *Grant // the hold
	stopped bool
}

// Run extends the hold until it is stopped, the attempts are used up, or the lock is lost. A failed extension does not
// lose it: the grant is good until its deadline, and another try may bring the majority.
func (r *Renewal) Run(c Client) {
	for n := 0; r.Every > 0 && (r.Attempts == 0 || n < r.Attempts); n++ {
		c.Sleep(r.Every)
		if r.stopped {
			return
		}
		if !r.Lock.Extend(c, r.Grant) && Left(r.Lock, c, *r.Grant) <= 0 {
			return
		}
	}
}

// Stop ends the renewal, as the holder must before it releases the lock. An extension that is under way continues,
// which does no harm: it extends only keys that it finds.
func (r *Renewal) Stop() { r.stopped = r.StopAtFree }

// Memory adds the random value, where attempts share one, and which servers have seen its scripts.
func (l *Redlock) Memory(add func(server int, known any)) {
	if !l.config.Fresh() {
		add(-1, l.token)
	}
	for i := range l.config.Servers {
		add(i, l.freeing.seen[i])
		add(i, l.extending.seen[i])
	}
}
