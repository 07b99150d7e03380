package scenarios

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim/redis"
)

// A Kind is a kind of lock: a protocol, and what it runs on.
type Kind uint8

// The kinds of locks. KindNames has the names that scenarios use.
const (
	Redlock     Kind = iota
	Single           // on n1 alone
	Fenced           // on n1 alone, which counts fencing tokens too
	RowLock          // in the database that holds the resource
	Failover         // on the master among n1, n2 …, the others being its replicas
	Redisson         // on n1 alone, with a watchdog
	RedissonRed      // a lock of Redisson's on each node
	Etcd             // on a raft service of n1, n2 …, by etcd's recipe
	ZooKeeper        // the same, by ZooKeeper's
)

// KindNames lists the kinds as scenarios write them.
var KindNames = func() (all []string) {
	for _, p := range protocols {
		all = append(all, p.name)
	}
	return all
}()

// A protocol is what a scenario must know of a kind of lock.
type protocol struct {
	name    string
	make    func(seat) locks.Extender
	on      platform // what it runs on
	service string   // what the judges call that, where it is one service; empty where nodes vote
	one     bool     // it asks n1 alone
	counts  bool     // its fencing tokens are its own
	options []string // how the keys of its options begin, below lock.
	lacks   string   // one that begins like those, and is not among them; empty for none
}

// A platform is what a lock runs on.
type platform uint8

const (
	onRedis    platform = iota // independent Redis nodes
	onDatabase                 // the database that holds the resource: there are no nodes
	onReplicas                 // a Redis master with replicas, and an observer that promotes one
	onRaft                     // servers that agree on one log
)

// A seat is what one client's lock is made from.
type seat struct {
	locks.Config
	run    *Runner
	client *client // nil for the probe
}

// protocols are the kinds of locks, in the order of their numbers.
var protocols = [...]protocol{
	Redlock: {name: "redlock", make: extender(locks.NewRedlock), options: family},
	Single:  {name: "single", make: extender(locks.NewSingle), one: true, options: family},
	Fenced:  {name: "fenced", make: extender(locks.NewFenced), one: true, counts: true, options: append([]string{"counter."}, family...)},
	RowLock: {name: "sql-row-lock", make: extender(locks.NewRowLock), on: onDatabase, service: "the database", one: true,
		options: []string{"ttl", "timeout", "patience", "own_time", "retry.", "row."}},
	Failover: {name: "failover", make: onMaster, on: onReplicas, service: "the master",
		options: append([]string{"failover."}, without(family, "contact", "quorum")...)},
	Redisson:    {name: "redisson", make: extender(locks.NewRedisson), one: true, options: redisson},
	RedissonRed: {name: "redisson-red", make: extender(locks.NewRedissonRed), options: append([]string{"quorum"}, redisson...)},
	Etcd: {name: "etcd", make: onSession(locks.NewEtcd, false), on: onRaft, service: "the cluster", counts: true, options: session,
		lacks: "session.own_node"},
	ZooKeeper: {name: "zookeeper", make: onSession(locks.NewZooKeeper, true), on: onRaft, service: "the cluster", counts: true, options: session},
}

// family are the options of Redlock, and of all that is made of the same steps.
var family = []string{
	"ttl", "timeout", "contact", "quorum", "clock", "drift_", "take", "fresh_token", "validity_check", "deduct_elapsed", "counted",
	"tolerate_errors", "free", "cleanup", "patience", "own_time", "retry.", "renew.",
}

// redisson are the options of Redisson's locks, and session those of the locks that hang on one.
var (
	redisson = []string{"ttl", "timeout", "patience", "retry.", "renew.every", "renew.attempts", "renew.stop_at_release", "redisson."}
	session  = []string{"ttl", "timeout", "patience", "retry.", "session."}
)

// without leaves out some options.
func without(options []string, left ...string) []string {
	return slices.DeleteFunc(slices.Clone(options), func(o string) bool { return slices.Contains(left, o) })
}

// extender forgets which lock it is that is made.
func extender[T locks.Extender](lock func(locks.Config) T) func(seat) locks.Extender {
	return func(s seat) locks.Extender { return lock(s.Config) }
}

// onMaster makes a lock that asks the observer who is master.
func onMaster(s seat) locks.Extender {
	sentinel := locks.Sentinel{Server: s.run.observerID, Name: "mymaster"}
	for _, id := range s.Servers {
		sentinel.Addresses = append(sentinel.Addresses, s.run.names[id]+":6379")
	}
	return locks.NewFailover(s.Config, s.Failover, sentinel)
}

// onSession makes a lock on the raft service.
func onSession(lock func(locks.QueueConfig) *locks.Queue, local bool) func(seat) locks.Extender {
	return func(s seat) locks.Extender {
		rules := s.Session
		rules.TTL, rules.Timeout = s.TTL, s.Timeout
		service := &keys{servers: s.Servers, timeout: s.Timeout, local: local, stay: rules.Stay}
		config := locks.QueueConfig{Session: rules, Key: s.Key, Keys: service}
		if s.client != nil {
			config.Moved = s.client.moved
			if rules.Stay {
				service.at = s.client.id % len(s.Servers)
			}
		}
		return lock(config)
	}
}

// String gives the name that scenarios use.
func (k Kind) String() string {
	if p := k.protocol(); p != nil {
		return p.name
	}
	return "kind " + strconv.Itoa(int(k))
}

// OnRedis tells whether the lock is a key on Redis nodes, where SCAN finds it.
func (k Kind) OnRedis() bool {
	p := k.protocol()
	return p != nil && (p.on == onRedis || p.on == onReplicas)
}

// protocol gives what there is to know of the kind; nil for a number that is none.
func (k Kind) protocol() *protocol {
	if int(k) >= len(protocols) {
		return nil
	}
	return &protocols[k]
}

// has tells whether a lock of the kind has the option.
func (p *protocol) has(option string) bool {
	if option == p.lacks {
		return false
	}
	for _, begin := range p.options {
		if strings.HasPrefix(option, begin) {
			return true
		}
	}
	return false
}

// kindOfName gives the kind that has a name.
func kindOfName(name string) Kind { return Kind(slices.Index(KindNames, name)) }

// lacks tells whether a dotted key is one that a lock of the kind, or what it runs on, has no use for. A section has use
// for what is in it.
func (k Kind) lacks(key string) bool {
	p := k.protocol()
	section, option, _ := strings.Cut(key, ".")
	switch {
	case p == nil:
		return false
	case section == "lock":
		return isLockOption(option) && !p.has(option)
	case section == "replicas":
		return p.on != onReplicas
	}
	return section == "raft" && p.on != onRaft
}

// isLockOption tells whether a key below lock is that of an option.
func isLockOption(key string) bool {
	return slices.ContainsFunc(lockOptions(), func(f field) bool { return f.name == key })
}

// platform is what the scenario's lock runs on.
func (s *Scenario) platform() platform {
	if p := s.Lock.Kind.protocol(); p != nil {
		return p.on
	}
	return onRedis
}

// lockNodes is the number of servers that the lock spans.
func (s *Scenario) lockNodes() int {
	if p := s.Lock.Kind.protocol(); p != nil && p.one {
		return 1
	}
	return s.Nodes
}

// checkPlatform refuses a topology on which the lock cannot run.
func (s *Scenario) checkPlatform(w *complaints) {
	p := s.Lock.Kind.protocol()
	if p == nil || s.Nodes < 0 {
		return
	}
	w.must(p.on != onReplicas || s.Nodes != 1, "nodes", "a master alone has nobody to fail over to; give 2 to %d", hostsMax)
	w.must(p.on != onRaft || agrees(s.Nodes), "nodes", "%d servers are no group that agrees; give 3 or 5", s.Nodes)
	if p.on == onDatabase {
		w.must(s.Nodes == 0, "nodes", "%d are too many: a lock of the kind %s is in the database, and needs no node; give 0", s.Nodes, p.name)
		w.must(s.Storage.Engine == SQL, "storage.engine", "a lock of the kind %s is a transaction of the database; give sql", p.name)
		return
	}
	w.must(s.Nodes > 0, "nodes", "0 are too few: a lock of the kind %s is on nodes; give 1 to %d", p.name, hostsMax)
}

// lockOptions are the options of all locks, in the order of the declaration.
var lockOptions = sync.OnceValue(func() (all []field) {
	leaves(reflect.TypeFor[locks.Rules](), nil, nil, func(key string, f field) {
		f.name = key
		all = append(all, f)
	})
	return all
})

// checkOptions refuses options that the lock does not have: one that changes nothing would make a run prove less than it
// seems to.
func (s *Scenario) checkOptions(w *complaints) {
	p := s.Lock.Kind.protocol()
	if p == nil {
		return // which has been said
	}
	reference := locks.Reference()
	for _, f := range lockOptions() {
		given, usual := f.value(reflect.ValueOf(&s.Lock.Rules).Elem()), f.value(reflect.ValueOf(&reference).Elem())
		w.must(p.has(f.name) || given.Equal(usual), "lock."+f.name, "a lock of the kind %s has no such option; leave it out", p.name)
	}
}

// Become makes the lock one of another kind, on what that runs on. Options that it does not have become the usual ones,
// and a search no longer varies them. A number of nodes that suits it stays. Mutants and bounds go: they are of
// the lock that was. What the schedule names may be gone then, too: Check says so.
func (s *Scenario) Become(kind Kind) {
	if kind == s.Lock.Kind {
		return
	}
	p, reference := kind.protocol(), locks.Reference()
	s.Lock.Kind, s.Mutants, s.Bounds = kind, nil, nil
	for _, f := range lockOptions() {
		if !p.has(f.name) {
			f.value(reflect.ValueOf(&s.Lock.Rules).Elem()).Set(f.value(reflect.ValueOf(&reference).Elem()))
			s.Hold("lock." + f.name)
		}
	}
	if p.on != onRedis {
		s.Hold("nodes")
	}
	s.Replicas, s.Raft, s.Storage.Idle = ReplicasReference(), RaftReference(), 0
	s.countFor(p)
	s.settle(p)
	if every := &s.Lock.Renew.Every; *every == 0 && (kind == Redisson || kind == RedissonRed) {
		*every = s.Lock.TTL / 3 // its watchdog, which is what people take it for
	}
}

// countFor lets the lock count its own fencing tokens where it does, and lets nobody count them who can't.
func (s *Scenario) countFor(p *protocol) {
	switch f := &s.Fencing; {
	case p.counts:
		f.Source = OfLock
	case f.Source == OfLock, f.Source != NoFencing && p.on != onRedis:
		f.Source = Ideal
	}
}

// settle gives the lock what it runs on.
func (s *Scenario) settle(p *protocol) {
	switch p.on {
	case onDatabase:
		s.Nodes, s.Storage = 0, Storage{Engine: SQL, Idle: s.Lock.TTL}
	case onReplicas:
		if s.Nodes < 2 {
			s.Nodes = 3
		}
	case onRaft:
		s.Hold("persistence")
		s.Persistence = redis.AOFAlways
		if !agrees(s.Nodes) {
			s.Nodes = 3
		}
	default:
		if s.Nodes == 0 {
			s.Nodes = 5
		}
	}
}

// agrees tells whether a group of so many servers is one that a raft service has.
func agrees(servers int) bool { return servers == 3 || servers == raftMax }

// raftMax is how many servers a group has at most: more agree more slowly, and on nothing else.
const raftMax = 5

// checkServices looks at the rules of locks that have more than a Redlock, and of what they run on.
func (s *Scenario) checkServices(w *complaints) {
	lock := &s.Lock
	mustName(w, "lock.session.watch", lock.Session.Watch, locks.WatchNames)
	mustName(w, "lock.session.check", lock.Session.Check, locks.CheckNames)
	w.must(lock.Failover.Wait == 0 || lock.Kind != Failover || lock.Failover.Wait < s.Nodes, "lock.failover.wait",
		"%d replicas can't be waited for: there are %d nodes, and one is the master", lock.Failover.Wait, s.Nodes)
	w.must(s.platform() == onReplicas || s.Replicas == ReplicasReference(), "replicas", "a lock of the kind %s has no replicas; leave it out", lock.Kind)
	w.must(s.platform() == onRaft || s.Raft == RaftReference(), "raft", "a lock of the kind %s is on no raft service; leave it out", lock.Kind)
	w.must(lock.Failover.WaitTimeout%time.Millisecond == 0, "lock.failover.wait_timeout", "%s is no whole number of milliseconds, "+
		"which is what Redis counts", lock.Failover.WaitTimeout)
	w.must(s.platform() != onReplicas || s.Replicas.MinGood < s.Nodes, "replicas.min_good", "with %d nodes there are %d replicas, so no "+
		"write would ever be taken; give fewer", s.Nodes, s.Nodes-1)
	w.must(s.Replicas.GoodFor%time.Second == 0, "replicas.good_for", "%s is no number of whole seconds, in which Redis counts it", s.Replicas.GoodFor)
	w.must(s.platform() == onDatabase || s.Storage.Idle == 0, "storage.idle", "a lock of the kind %s has no transaction that could sit idle; "+
		"leave it out", lock.Kind)
	w.mustRange("replicas.lag", s.Replicas.Lag)
	for _, t := range []struct {
		key   string
		d     time.Duration
		least time.Duration
	}{
		{"lock.failover.wait_timeout", lock.Failover.WaitTimeout, time.Millisecond}, {"lock.redisson.wait", lock.Redisson.Wait, 0},
		{"lock.session.keep_alive", lock.Session.KeepAlive, 0}, {"lock.session.poll", lock.Session.Poll, time.Millisecond},
		{"replicas.good_for", s.Replicas.GoodFor, time.Second}, {"replicas.down_after", s.Replicas.DownAfter, time.Millisecond},
		{"replicas.ping_every", s.Replicas.PingEvery, time.Millisecond}, {"replicas.demote_after", s.Replicas.Demote, 0},
		{"raft.heartbeat", s.Raft.Heartbeat, time.Millisecond}, {"raft.election", s.Raft.Election, time.Millisecond},
	} {
		w.must(t.d >= t.least, t.key, "%s is too short; give %s or more", t.d, t.least)
		w.mustLast(t.key, t.d)
	}
	w.must(s.Raft.Heartbeat < s.Raft.Election, "raft.heartbeat", "%s is not less than raft.election, which is %s: each server would "+
		"stand for election before it hears of the leader", s.Raft.Heartbeat, s.Raft.Election)
}
