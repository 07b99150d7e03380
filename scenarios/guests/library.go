package guests

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"github.com/go-redsync/redsync/v4"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/guests/etcd"
	"github.com/lockstorm/lockstorm/scenarios/guests/guest"
	"github.com/lockstorm/lockstorm/scenarios/guests/leases"
	"github.com/lockstorm/lockstorm/scenarios/locks"
)

// A Library is a client library in one configuration: a kind of lock.
type Library struct {
	Name     string // of one word
	Title    string
	As       string         // how it is configured
	Modules  []string       // the modules under test: the lock's, and the module of the client below it
	Kind     scenarios.Kind // what its lock runs on: several nodes, one, or an API server
	New      guest.Constructor
	Wire     func(id int64) guest.Wire // how it speaks, where that is not Redis's way
	Key      string                    // under which it keeps the lock, if not the scenario's key
	Extends  bool                      // a hold can be extended
	Shortest time.Duration             // TTL that it takes
	Longer   time.Duration             // than the TTL: how long its keys live beyond it
	Watches  bool                      // the holder looks while it works whether it has lost the lock
	Service  bool                      // the servers are one service; it asks any of them
	TTL      time.Duration             // its TTL in each scenario; 0 for the scenario's
}

// A configuration is one way in which people run a library. Its name follows the library's; the first has no name.
type configuration struct {
	name, as string
	make     guest.Constructor
}

// in returns the library in each of the configurations.
func (l Library) in(all ...configuration) (each []Library) {
	for _, c := range all {
		one := l
		one.As, one.New = c.as, c.make
		if c.name != "" {
			one.Name += "-" + c.name
		}
		each = append(each, one)
	}
	return each
}

const (
	redsyncModule = "github.com/go-redsync/redsync/v4"
	goRedisModule = "github.com/redis/go-redis/v9"
	redigoModule  = "github.com/gomodule/redigo"
	rueidisModule = "github.com/redis/rueidis"
	gocronModule  = "github.com/go-co-op/gocron-redis-lock/v2"
)

// rueidislockKey is the first of the keys under which rueidislock keeps a lock.
func rueidislockKey(name string) string { return "rueidislock:0:" + name }

// How a library is configured, in words.
const (
	oneTry   = "one try an attempt, and the scenario's timeouts"
	asReadme = "as its README begins: its own loop, its clients' timeouts"
)

// Libraries are all libraries with an adapter, in each configuration.
var Libraries = slices.Concat(
	Library{Name: "redsync", Title: "redsync over go-redis", Modules: []string{redsyncModule, goRedisModule},
		Kind: scenarios.Redlock, Extends: true}.in(
		configuration{"", oneTry, redsyncTries(overGoRedis, asTold)},
		configuration{"readme", asReadme, redsyncLocks(overGoRedis, byDefaults)},
		configuration{"loop", "its own loop, and the scenario's timeouts", redsyncLocks(overGoRedis, asTold)},
		configuration{"setnx", "one try, WithSetNXOnExtend", redsyncTries(overGoRedis, asTold, redsync.WithSetNXOnExtend())},
	),
	Library{Name: "redsync-redigo", Title: "redsync over redigo", Modules: []string{redsyncModule, redigoModule},
		Kind: scenarios.Redlock, Extends: true}.in(
		configuration{"", oneTry, redsyncTries(overRedigo, asTold)},
		configuration{"readme", asReadme, redsyncLocks(overRedigo, byDefaults)},
	),
	Library{Name: "redsync-rueidis", Title: "redsync over rueidis", Modules: []string{redsyncModule, rueidisModule},
		Kind: scenarios.Redlock, Extends: true}.in(
		configuration{"", oneTry, redsyncTries(overRueidis, asTold)},
		configuration{"readme", asReadme, redsyncLocks(overRueidis, byDefaults)},
	),
	Library{Name: "redsync1", Title: "redsync v1 over redigo", Modules: []string{"github.com/go-redsync/redsync", redigoModule},
		Kind: scenarios.Redlock, Extends: true}.in(
		configuration{"", asReadme, Redsync1},
	),
	Library{Name: "redislock", Title: "bsm/redislock over go-redis", Modules: []string{"github.com/bsm/redislock", goRedisModule},
		Kind: scenarios.Single, Extends: true}.in(
		configuration{"", oneTry, newRedislock(asTold, false)},
		configuration{"readme", "as its README begins: one try, its client's timeouts", newRedislock(byDefaults, false)},
		configuration{"loop", "LinearBackoff(100 ms), its client's timeouts", newRedislock(byDefaults, true)},
	),
	Library{Name: "rueidislock", Title: "rueidislock without client-side caching", Modules: []string{rueidisModule},
		Kind: scenarios.Single, Key: rueidislockKey(scenarios.LockKey)}.in(
		configuration{"", oneTry, newRueidislock(asTold, false, false)},
		configuration{"readme", asReadme, newRueidislock(byDefaults, true, false)},
		configuration{"setpx", "one try, FallbackSETPX", newRueidislock(asTold, false, true)},
	),
	Library{Name: "valkeylock", Title: "valkeylock without client-side caching", Modules: []string{"github.com/valkey-io/valkey-go"},
		Kind: scenarios.Single, Key: "valkeylock:0:" + scenarios.LockKey}.in(
		configuration{"", asReadme, Valkeylock},
	),
	Library{Name: "gocron", Title: "gocron's locker over go-redis", Modules: []string{gocronModule, redsyncModule, goRedisModule},
		Kind: scenarios.Single}.in(
		configuration{"", oneTry, newGocron(asTold, false)},
		configuration{"readme", "as its README begins: one try, its client's timeouts", newGocron(byDefaults, false)},
		configuration{"extend", "one try, WithAutoExtendDuration(a third of the TTL)", newGocron(asTold, true)},
	),
	Library{Name: "asynq", Title: "asynq's unique lock over go-redis", Modules: []string{"github.com/hibiken/asynq", goRedisModule},
		Kind: scenarios.Single, Key: asynqKey(scenarios.LockKey), Shortest: time.Second}.in(
		configuration{"", oneTry, newAsynq(asTold)},
		configuration{"readme", "one try, its client's timeouts", newAsynq(byDefaults)},
	),
	Library{Name: "gozero", Title: "go-zero's RedisLock over go-redis", Modules: []string{"github.com/zeromicro/go-zero", goRedisModule},
		Kind: scenarios.Single, Shortest: time.Second, Longer: 500 * time.Millisecond}.in(
		configuration{"", "as its documentation begins: one RedisLock, with SetExpire, its client's timeouts", goZero(true)},
		configuration{"fresh", "a RedisLock for each attempt, its client's timeouts", goZero(false)},
	),
	Library{Name: "leaderelection", Title: "Kubernetes' leaderelection", Modules: []string{"k8s.io/client-go"},
		Kind: leases.Kind, Wire: leases.NewWire, Shortest: time.Second}.in(
		configuration{"", "as core clients have it, of a LeaseDuration of 15 s: RenewDeadline 10, RetryPeriod 2, ReleaseOnCancel, " +
			"and a client with a timeout of 5", newElector(coreTimes, true, true)},
		configuration{"untimed", "the same, and a client without a timeout", newElector(coreTimes, false, true)},
		configuration{"kept", "the same as the first, without ReleaseOnCancel", newElector(coreTimes, true, false)},
		configuration{"example", "as client-go's example has it, of 60 s: 15, 5, ReleaseOnCancel, no timeout", newElector(exampleTimes, false, true)},
	),
	Library{Name: "concurrency", Title: "etcd's concurrency", Modules: []string{"go.etcd.io/etcd/client/v3"},
		Kind: etcd.Kind, Wire: etcd.NewWire, Watches: true, Service: true, Shortest: 2 * time.Second}.in(
		configuration{"", "Mutex.Lock on a session that is reopened when it is lost, with etcdctl's client " +
			"(pings after 2 s, for 6 s); the holder looks at Session.Done", concurrencyMutex(etcdctl)},
		configuration{"readme", "the same, with the client of its README: no pings", concurrencyMutex(clientReadme)},
		configuration{"unwatched", "the same as the first, and no code looks at Session.Done", concurrencyMutex(etcdctl.but(unwatched))},
		configuration{"try", "Mutex.TryLock, one try an attempt, and the scenario's timeouts for TryLock and Unlock",
			concurrencyMutex(etcdctl.but(tries))},
		configuration{"close", "a session for each hold, released by Session.Close", concurrencyMutex(etcdctl.but(closes))},
		configuration{"orphan", "a session for each hold, which is left by Session.Orphan", concurrencyMutex(etcdctl.but(orphans))},
		configuration{"election", "Election.Campaign and Resign, with etcdctl's client", concurrencyElection(etcdctl)},
	),
	Library{Name: "concurrency-usual", Title: "etcd's concurrency", Modules: []string{"go.etcd.io/etcd/client/v3"},
		Kind: etcd.Kind, Wire: etcd.NewWire, Watches: true, Service: true, TTL: time.Minute}.in(
		configuration{"", "as the first, with the usual TTL of 60 s", concurrencyMutex(etcdctl.but(usual))},
	),
	Library{Name: "rueidis", Title: "a plain lock over rueidis", Modules: []string{rueidisModule},
		Kind: scenarios.Single}.in(
		configuration{"", oneTry, newRueidis},
	),
)

// Why a library does not fit a scenario, in addition to the reasons of guest.Check.
var (
	errKind    = errors.New("it is about another kind of lock")
	errServers = errors.New("it is about several nodes")
	errExtend  = errors.New("it is about extending a hold, and the library has no call for that")
	errTTL     = errors.New("its TTL is too short for the library")
	errSeconds = errors.New("its TTL is not a whole number of seconds, as the library needs")
	errSession = errors.New("it is about a rule of our own lock's session")
)

// Guest returns the library as a kind of lock.
func (l *Library) Guest() guest.Kind {
	return guest.Kind{
		Name: l.Name, About: l.Title + ": " + l.As, Like: l.Kind, Extends: l.Extends, Key: l.Key, Shortest: l.Shortest, Lock: l.New,
		Wire: l.Wire, Watches: l.Watches, Service: l.Service, Longer: l.Longer,
	}
}

// Fit puts the library into a scenario, on the servers that its lock runs on, or returns why it does not fit.
func (l *Library) Fit(s *scenarios.Scenario) error {
	like := s.Lock.Kind == scenarios.Etcd && l.Kind == etcd.Kind
	if s.Lock.Kind != scenarios.Redlock && s.Lock.Kind != scenarios.Single && !like {
		return errKind
	}
	if like && s.Lock.Session != locks.SessionReference() {
		return errSession
	}
	extends := s.Lock.Renew.Every > 0 // a lock on a session has no such option
	if l.Kind != scenarios.Redlock {
		s.ChangeKind(l.Kind)
	}
	s.Lock.Key = l.Key
	s.Lock.TTL = cmp.Or(l.TTL, s.Lock.TTL)
	switch {
	case s.Check() != nil:
		return errServers
	case extends && !l.Extends:
		return errExtend
	case s.Lock.TTL < l.Shortest:
		return errTTL
	case l.Kind == etcd.Kind && s.Lock.TTL%time.Second != 0:
		return errSeconds
	}
	return guest.Check(s)
}

// deadline returns until when the holder relies on a lock that it asks for now, if the library does not say.
func deadline(c *guest.Client) time.Time { return time.Now().Add(c.Config.TTL - c.Config.Drift()) }
