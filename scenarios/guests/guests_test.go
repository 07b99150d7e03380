package guests_test

import (
	"os"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios/guest"
	"github.com/lockstorm/lockstorm/scenarios/guests"
	"github.com/lockstorm/lockstorm/scenarios/locktest"
)

// redsyncs are redsync over each client.
var redsyncs = map[string]guest.Constructor{"redigo": guests.RedsyncRedigo, "go-redis": guests.RedsyncGoRedis, "rueidis": guests.RedsyncRueidis}

func TestRedsyncKeepsItsPromisesWithoutFaults(t *testing.T) {
	for name, lock := range redsyncs {
		t.Run(name, func(t *testing.T) { locktest.RunGuest(t, "baseline/fault-free", lock) })
	}
}

// What follows from Redlock's arithmetic follows for redsync, too: each promise holds or breaks as the catalogue says.
func TestRedsyncBreaksAsRedlockDoes(t *testing.T) {
	for name, lock := range redsyncs {
		t.Run(name, func(t *testing.T) {
			locktest.RunGuest(t, "kleppmann/clock-jump", lock, locktest.Expect("validity", checker.Violated))
			locktest.RunGuest(t, "kleppmann/gc-pause", lock, locktest.Expect("belief", checker.Violated))
		})
	}
}

// onOne are the locks for one server.
var onOne = map[string]guest.Constructor{"redislock": guests.Redislock, "rueidis": guests.Rueidis, "gocron": guests.Gocron}

func TestLocksOnOneServerKeepTheirPromisesWithoutFaults(t *testing.T) {
	for name, lock := range onOne {
		t.Run(name, func(t *testing.T) { locktest.RunGuest(t, "baseline/fault-free", lock, locktest.On("single")) })
	}
}

// A server that fails, and loses its data, is all that it takes.
func TestLocksOnOneServerBreakWithIt(t *testing.T) {
	for name, lock := range onOne {
		t.Run(name, func(t *testing.T) {
			locktest.RunGuest(t, "distlock/single-point-of-failure", lock, locktest.Expect("validity", checker.Violated))
		})
	}
}

// Late releases compare values: none frees a key of another client.
func TestNoReleaseFreesAnothersLock(t *testing.T) {
	for name, lock := range onOne {
		t.Run(name, func(t *testing.T) { locktest.RunGuest(t, "distlock/blind-delete", lock, locktest.On("single")) })
	}
}

// An adapter is as short as one that a reader would write: what they share is in pools.go.
func TestAdaptersHaveAtMost40Lines(t *testing.T) {
	for _, name := range []string{"asynq.go", "gocron.go", "redislock.go", "redsync.go", "rueidis.go", "rueidislock.go"} {
		b, err := os.ReadFile(name)
		if n := strings.Count(string(b), "\n"); err != nil || n > 40 {
			t.Errorf("%s: %d lines, %v", name, n, err)
		}
	}
}
