package locks

import (
	"slices"
	"strconv"
	"time"
)

// FailoverRules are the rules of a lock on a master that has replicas, beside those of the lock on a single instance.
type FailoverRules struct {
	Wait        int           `yaml:"wait" least:"0" most:"100" doc:"how many replicas are waited for after the key is taken, or extended; 0 for none"`
	WaitTimeout time.Duration `yaml:"wait_timeout" doc:"how long they are waited for; whole milliseconds, one at least"`
	Counts      bool          `yaml:"counts" doc:"the script that takes the key counts fencing tokens, too"`
	CheckWait   bool          `yaml:"check_wait" doc:"without so many replicas the attempt has failed; else their number is ignored"`
	Once        bool          `yaml:"once" doc:"the client asks at its start who is master, and never again"`
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

// OnMaster is the lock on a single instance, on whichever server is master: what an application uses on a highly available
// Redis. The key is replicated, but after the answer: if the master fails in between, the key is lost, and the promoted
// replica grants it to somebody else.
//
// WAIT only delays the answer. The replica that acknowledged need not be the one that is promoted, its data need not be
// durable, and a master that does not know that it was replaced goes on granting.
type OnMaster struct {
	*Redlock // on the server that was master last
	rules    FailoverRules
	servers  []int // all of them
	sentinel Sentinel
	known    bool // there is no reason to doubt that it still is
}

// NewFailover makes one client's lock on the master among the servers.
func NewFailover(c Config) *OnMaster {
	if len(c.Servers) == 0 || len(c.Sentinel.Addresses) != len(c.Servers) {
		panic("locks: a lock with failover needs servers, and an address for each")
	}
	f := c.Failover
	l := &OnMaster{rules: f, servers: c.Servers, sentinel: c.Sentinel}
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

// master returns the server that was master last.
func (l *OnMaster) master() int { return l.config.Servers[0] }

// doubt notes that the master may be another by now: find asks again.
func (l *OnMaster) doubt() { l.known = l.known && l.rules.Once }

// find asks who is master, unless that is known and not in doubt.
func (l *OnMaster) find(c Client) bool {
	if l.known {
		return true
	}
	question := []string{"SENTINEL", "get-master-addr-by-name", l.sentinel.Name}
	reply, err := c.Call(l.sentinel.Server, question, l.config.Timeout)
	i := slices.Index(l.sentinel.Addresses, address(reply))
	if err != nil || i < 0 {
		return false
	}
	if server := l.servers[i]; server != l.master() {
		l.config.Servers = []int{server}
		l.freeing.seen[0], l.extending.seen[0] = false, false
	}
	l.known = true
	return true
}

// address returns the host and the port in the answer to who is master.
func address(reply any) string {
	if pair, ok := reply.([]any); ok && len(pair) == 2 {
		host, _ := pair[0].(string)
		port, _ := pair[1].(string)
		return host + ":" + port
	}
	return ""
}

// wait asks the master to wait until so many replicas have the key, and counts those that do. A fault, or the answer
// that it takes no writes, is reason to ask who is master.
func (l *OnMaster) wait(r *round) {
	if r.votes > 0 && l.rules.Wait > 0 {
		r.c.Mark("taken")
		l.waitFor(r)
	}
	if r.faults > 0 {
		l.doubt()
	}
}

// waitFor is WAIT. It goes by the connection by which the key was taken, for it waits for what came by that.
func (l *OnMaster) waitFor(r *round) {
	command := []string{"WAIT", strconv.Itoa(l.rules.Wait), millis(l.rules.WaitTimeout)}
	reply, err := r.c.Call(l.master(), command, l.rules.WaitTimeout+l.config.Timeout)
	have, ok := reply.(int64)
	if err != nil || !ok {
		r.count(false, false)
	}
	for range min(max(have, 0), int64(l.rules.Wait)) {
		r.count(true, true)
	}
}
