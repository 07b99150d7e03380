package guests

import (
	"errors"
	"time"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/guest"
)

// A Library is a client library that there is an adapter to.
type Library struct {
	Name     string // of one word: that of its page
	Title    string
	Modules  []string       // what is on trial: the module of the lock, and that of the client below it
	Kind     scenarios.Kind // what its lock runs on: several nodes, or one
	New      guest.Constructor
	Key      string        // under which it keeps the lock, where that isn't the name that it is told
	Extends  bool          // a hold can be extended
	Shortest time.Duration // TTL that it takes
}

const (
	redsyncModule = "github.com/go-redsync/redsync/v4"
	goRedisModule = "github.com/redis/go-redis/v9"
	rueidisModule = "github.com/redis/rueidis"
	gocronModule  = "github.com/go-co-op/gocron-redis-lock/v2"
)

// rueidislockKey is the first of the keys under which rueidislock keeps a lock.
func rueidislockKey(name string) string { return "rueidislock:0:" + name }

// Libraries are all that there is an adapter to.
var Libraries = []Library{
	{Name: "redsync", Title: "redsync over go-redis", Modules: []string{redsyncModule, goRedisModule},
		Kind: scenarios.Redlock, New: RedsyncGoRedis, Extends: true},
	{Name: "redsync-redigo", Title: "redsync over redigo", Modules: []string{redsyncModule, "github.com/gomodule/redigo"},
		Kind: scenarios.Redlock, New: RedsyncRedigo, Extends: true},
	{Name: "redsync-rueidis", Title: "redsync over rueidis", Modules: []string{redsyncModule, rueidisModule},
		Kind: scenarios.Redlock, New: RedsyncRueidis, Extends: true},
	{Name: "redislock", Title: "bsm/redislock over go-redis", Modules: []string{"github.com/bsm/redislock", goRedisModule},
		Kind: scenarios.Single, New: Redislock, Extends: true},
	{Name: "rueidislock", Title: "rueidislock without client-side caching", Modules: []string{rueidisModule},
		Kind: scenarios.Single, New: Rueidislock, Key: rueidislockKey(scenarios.LockKey)},
	{Name: "gocron", Title: "gocron's locker over go-redis", Modules: []string{gocronModule, redsyncModule, goRedisModule},
		Kind: scenarios.Single, New: Gocron},
	{Name: "asynq", Title: "asynq's unique lock over go-redis", Modules: []string{"github.com/hibiken/asynq", goRedisModule},
		Kind: scenarios.Single, New: Asynq, Key: asynqKey(scenarios.LockKey), Shortest: time.Second},
	{Name: "rueidis", Title: "a plain lock over rueidis", Modules: []string{rueidisModule},
		Kind: scenarios.Single, New: Rueidis},
}

// Why a library can't be in a scenario, besides what guest.Check says.
var (
	errKind    = errors.New("it is about another kind of lock")
	errServers = errors.New("it is about several nodes")
	errExtend  = errors.New("it is about extending a hold, and the library has no call for that")
	errTTL     = errors.New("its TTL is too short for the library")
)

// Fit puts the library into a scenario: on the servers that its lock runs on. It says why it can't be in it, if so.
func (l *Library) Fit(s *scenarios.Scenario) error {
	if s.Lock.Kind != scenarios.Redlock && s.Lock.Kind != scenarios.Single {
		return errKind
	}
	if l.Kind == scenarios.Single {
		s.ChangeKind(scenarios.Single)
	}
	s.Lock.Key = l.Key
	switch {
	case s.Check() != nil:
		return errServers
	case s.Lock.Renew.Every > 0 && !l.Extends:
		return errExtend
	case s.Lock.TTL < l.Shortest:
		return errTTL
	}
	return guest.Check(s)
}

// deadline returns until when the holder counts on a lock that it asks for now, where the library does not say it.
func deadline(c *guest.Client) time.Time { return time.Now().Add(c.Config.TTL - c.Config.Drift()) }
