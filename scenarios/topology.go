package scenarios

import (
	"cmp"
	"reflect"
	"slices"
	"time"

	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/platform"
)

func (s *Scenario) platform() platform.Platform {
	if k := s.Lock.Kind.registered(); k != nil {
		return k.on
	}
	return platform.Redis
}

// LockNodes returns the number of servers that the lock asks.
func (s *Scenario) LockNodes() int {
	if k := s.Lock.Kind.registered(); k != nil && k.OneServer {
		return 1
	}
	return s.Nodes
}

// lanes returns the names of what can have the lock's key, given the hosts: the nodes that vote, or the one service.
func (s *Scenario) lanes(hosts []string) []string {
	if service := s.platform().Traits().Service; service != "" {
		return []string{service}
	}
	return hosts[:s.LockNodes()]
}

// Role returns in a word what one of the platform's own hosts is; empty for any other host.
func (s *Scenario) Role(host string) string {
	t := s.platform().Traits()
	if i := slices.Index(t.Others, host); i >= 0 {
		return t.Roles[i]
	}
	return ""
}

func (s *Scenario) topology() platform.Topology {
	return platform.Topology{
		Kind: s.Lock.Kind.String(), Rules: &s.Lock.Rules, Key: cmp.Or(s.Lock.Key, LockKey), Servers: s.LockNodes(),
		Nodes: s.Nodes, Clients: s.Clients, Persistence: s.Persistence, Expiry: s.Expiry, Interpret: s.Interpret,
		SQL: s.Storage.Engine == SQL, Idle: s.Storage.Idle, Sections: s.Sections,
	}
}

// countsTokens reports whether the lock has fencing tokens of its own.
func (s *Scenario) countsTokens() bool {
	k := s.Lock.Kind.registered()
	return k != nil && k.Counts != nil && k.Counts(s.Lock.Rules)
}

// checkPlatform refuses a topology on which the lock cannot run, and settings of what it does not run on.
func (s *Scenario) checkPlatform(w *problems) {
	if s.Lock.Kind.registered() == nil {
		return // checkLock refuses the kind
	}
	t := s.topology()
	for _, p := range platform.All {
		if p != s.platform() {
			p.CheckUnused(&t, w.must)
		}
	}
	if s.Nodes >= 0 {
		s.platform().Check(&t, w.must)
	}
}

// checkOptions refuses options that the lock does not have: they would change nothing, and a run would prove less than it
// seems to.
func (s *Scenario) checkOptions(w *problems) {
	k := s.Lock.Kind.registered()
	if k == nil {
		return // checkLock refuses the kind
	}
	reference := locks.Reference()
	for _, f := range lockOptions() {
		given, usual := f.In(reflect.ValueOf(&s.Lock.Rules).Elem()), f.In(reflect.ValueOf(&reference).Elem())
		w.must(k.Has(f.Name) || given.Equal(usual), "lock."+f.Name, "a lock of the kind %s has no such option; leave it out", k.Name)
	}
}

// checkOwnOptions checks the options that few kinds of locks have.
func (s *Scenario) checkOwnOptions(w *problems) {
	lock := &s.Lock
	mustName(w, "lock.session.watch", lock.Session.Watch, locks.WatchNames)
	mustName(w, "lock.session.check", lock.Session.Check, locks.CheckNames)
	w.must(lock.Failover.WaitTimeout%time.Millisecond == 0, "lock.failover.wait_timeout", "%s is not a whole number of milliseconds, "+
		"which is what Redis counts", lock.Failover.WaitTimeout)
	for _, t := range []struct {
		key   string
		d     time.Duration
		least time.Duration
	}{
		{"lock.failover.wait_timeout", lock.Failover.WaitTimeout, time.Millisecond}, {"lock.redisson.wait", lock.Redisson.Wait, 0},
		{"lock.session.keep_alive", lock.Session.KeepAlive, 0}, {"lock.session.poll", lock.Session.Poll, time.Millisecond},
	} {
		w.must(t.d >= t.least, t.key, "%s is too short; give %s or more", t.d, t.least)
		w.mustTime(t.key, t.d)
	}
}
