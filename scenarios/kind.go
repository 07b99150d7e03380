package scenarios

import (
	"reflect"
	"strings"
	"sync"

	"github.com/lockstorm/lockstorm/scenarios/locks"
)

// A Kind is a kind of lock: a protocol, and what it runs on.
type Kind uint8

// The kinds of locks. KindNames has the names that scenarios use.
const (
	Redlock Kind = iota
	Single       // on n1 alone
	Fenced       // on n1 alone, which counts fencing tokens too
	RowLock      // in the database that holds the resource
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
	make    func(locks.Config) locks.Extender
	on      platform // what it runs on
	service string   // what the judges call that, where it is one service; empty where nodes vote
	one     bool     // it asks n1 alone
	counts  bool     // its fencing tokens are its own
	options []string // how the keys of its options begin, below lock.
}

// A platform is what a lock runs on.
type platform uint8

const (
	onRedis    platform = iota // independent Redis nodes
	onDatabase                 // the database that holds the resource: there are no nodes
)

// protocols are the kinds of locks, in the order of their numbers.
var protocols = [...]protocol{
	Redlock: {name: "redlock", make: extender(locks.NewRedlock), options: family},
	Single:  {name: "single", make: extender(locks.NewSingle), one: true, options: family},
	Fenced:  {name: "fenced", make: extender(locks.NewFenced), one: true, counts: true, options: append([]string{"counter."}, family...)},
	RowLock: {name: "sql-row-lock", make: extender(locks.NewRowLock), on: onDatabase, service: "the database", one: true,
		options: []string{"ttl", "timeout", "patience", "own_time", "retry.", "row."}},
}

// family are the options of Redlock, and of all that is made of the same steps.
var family = []string{
	"ttl", "timeout", "contact", "quorum", "clock", "drift_", "take", "fresh_token", "validity_check", "deduct_elapsed", "counted",
	"tolerate_errors", "free", "cleanup", "patience", "own_time", "retry.", "renew.",
}

// extender forgets which lock it is that is made.
func extender[T locks.Extender](make func(locks.Config) T) func(locks.Config) locks.Extender {
	return func(c locks.Config) locks.Extender { return make(c) }
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
	for _, begin := range p.options {
		if strings.HasPrefix(option, begin) {
			return true
		}
	}
	return false
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
// and a search no longer varies them. What the schedule names may be gone then: Check says so.
func (s *Scenario) Become(kind Kind) {
	p, reference := kind.protocol(), locks.Reference()
	s.Lock.Kind = kind
	for _, f := range lockOptions() {
		if !p.has(f.name) {
			f.value(reflect.ValueOf(&s.Lock.Rules).Elem()).Set(f.value(reflect.ValueOf(&reference).Elem()))
			s.Hold("lock." + f.name)
		}
	}
	if p.counts {
		s.Fencing.Source = OfLock
	}
	if p.on == onDatabase {
		s.Hold("nodes")
		s.Nodes, s.Storage = 0, Storage{Engine: SQL, Idle: s.Lock.TTL}
	}
}
