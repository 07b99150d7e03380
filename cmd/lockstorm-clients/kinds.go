package main

import (
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/guest"
	"github.com/lockstorm/lockstorm/scenarios/guests"
)

// kinds are the libraries as kinds of locks.
var kinds = []guest.Kind{
	{Name: "redsync", About: "redsync over go-redis", Like: scenarios.Redlock, Extends: true, Lock: guests.RedsyncGoRedis},
	{Name: "redsync-redigo", About: "redsync over redigo", Like: scenarios.Redlock, Extends: true, Lock: guests.RedsyncRedigo},
	{Name: "redislock", About: "bsm/redislock over go-redis", Like: scenarios.Single, Extends: true, Lock: guests.Redislock},
	{Name: "rueidis", About: "a plain lock over rueidis", Like: scenarios.Single, Lock: guests.Rueidis},
}
