package locks

import (
	"slices"
	"strconv"
	"time"
)

// FailoverRules are the further rules of a lock on a master that has replicas.
type FailoverRules struct {
	Wait        int           `yaml:"wait" least:"0" most:"100"`
	WaitTimeout time.Duration `yaml:"wait_timeout"`
	Counts      bool          `yaml:"counts"`
	CheckWait   bool          `yaml:"check_wait"`
	Once        bool          `yaml:"once"`
}

// FailoverProtocol is the protocol of NewFailover.
var FailoverProtocol = Protocol{
	Name: "failover", New: making(NewFailover),
	Options: append([]string{"failover."}, slices.DeleteFunc(slices.Clone(redlockOptions),
		func(o string) bool { return o == "contact" || o == "quorum" })...),
	Counts:  func(r Rules) bool { return r.Failover.Counts },
	Attempt: func(r Rules, _ int) time.Duration { return r.Failover.WaitTimeout + calls(r, 10) },
}

// A Sentinel is a server that knows which of the others is master.
type Sentinel struct {
	Server    int      // as Client.Call knows it
	Name      string   // by which it knows the group
	Addresses []string // what it calls the servers, as "host:port", by index in Config.Servers
}

// OnMaster is the single-instance lock on the current master, which applications use on a highly available Redis. The
// key is replicated, but after the answer. If the master fails in between, the key is lost, and the promoted replica
// grants it again.
//
// WAIT only delays the answer. The replica that acknowledged isn't always the one that is promoted, and its data isn't
// always durable. A master that does not know that it was replaced continues to grant.
type OnMaster struct {
	*Redlock // on the server that was master last
	masters
}

// masters are servers with one master. A client asks the observer which one, and again when in doubt.
type masters struct {
	rules    FailoverRules
	servers  []int // all of them
	sentinel Sentinel
	timeout  time.Duration
	known    bool
}

// among returns the servers of a lock on the master, and checks its configuration.
func among(c Config) masters {
	if len(c.Servers) == 0 || len(c.Sentinel.Addresses) != len(c.Servers) {
		panic("locks: a lock with failover needs servers, and an address for each")
	}
	return masters{rules: c.Failover, servers: c.Servers, sentinel: c.Sentinel, timeout: c.Timeout}
}

// doubt notes that the master may be another by now: ask asks again.
func (m *masters) doubt() { m.known = m.known && m.rules.Once }

// ask asks who is master, unless that is known and not in doubt.
func (m *masters) ask(c Client, last int) (server int, ok bool) {
	if m.known {
		return last, true
	}
	question := []string{"SENTINEL", "get-master-addr-by-name", m.sentinel.Name}
	reply, err := c.Call(m.sentinel.Server, question, m.timeout)
	i := slices.Index(m.sentinel.Addresses, address(reply))
	if err != nil || i < 0 {
		return last, false
	}
	m.known = true
	return m.servers[i], true
}

// waitOn is WAIT: it returns how many replicas have what the master has. It uses the connection by which the key was
// taken, because WAIT waits for what came by that.
func (m *masters) waitOn(c Client, master int) (have int64, ok bool) {
	command := []string{"WAIT", strconv.Itoa(m.rules.Wait), millis(m.rules.WaitTimeout)}
	reply, err := c.Call(master, command, m.rules.WaitTimeout+m.timeout)
	have, ok = reply.(int64)
	return have, ok && err == nil
}

// NewFailover makes one client's lock on the master among the servers.
func NewFailover(c Config) *OnMaster {
	l, f := &OnMaster{masters: among(c)}, c.Failover
	c.Servers, c.Quorum = c.Servers[:1], 1
	if f.CheckWait {
		c.Quorum += f.Wait // a replica that has the key is as good as a vote
	}
	if f.Counts {
		c.Take = takeAndCount
	}
	l.Redlock = NewRedlock(c)
	l.confirm = l.wait
	return l
}

// Acquire makes one attempt on the master.
func (l *OnMaster) Acquire(c Client) Grant {
	if !l.find(c) {
		return Grant{Outcome: Broken, Clean: true}
	}
	return l.Redlock.Acquire(c)
}

// Extend lets a hold last longer, on the master.
func (l *OnMaster) Extend(c Client, g *Grant) bool { return l.find(c) && l.Redlock.Extend(c, g) }

// Release releases the lock on the master. If that is no longer master, the next one may have the key.
func (l *OnMaster) Release(c Client, g Grant) bool {
	for range 2 {
		if !l.find(c) {
			return false
		}
		asked := l.master()
		if l.Redlock.Release(c, g) {
			return true
		}
		if l.doubt(); !l.find(c) || l.master() == asked {
			return false
		}
	}
	return false
}

func (l *OnMaster) master() int { return l.config.Servers[0] }

func (l *OnMaster) find(c Client) bool {
	server, ok := l.ask(c, l.master())
	if server != l.master() {
		l.config.Servers = []int{server}
		l.freeing.seen[0], l.extending.seen[0] = false, false
	}
	return ok
}

func address(reply any) string {
	if pair, ok := reply.([]any); ok && len(pair) == 2 {
		host, _ := pair[0].(string)
		port, _ := pair[1].(string)
		return host + ":" + port
	}
	return ""
}

// wait asks the master to wait until enough replicas have the key, and counts those that do. A fault, or the answer
// that the master takes no writes, is a reason to ask again who is master.
func (l *OnMaster) wait(r *round) {
	if r.votes > 0 && l.rules.Wait > 0 {
		r.c.Mark("taken")
		have, ok := l.waitOn(r.c, l.master())
		if !ok {
			r.count(false, false)
		}
		for range min(max(have, 0), int64(l.rules.Wait)) {
			r.count(true, true)
		}
	}
	if r.faults > 0 {
		l.doubt()
	}
}
