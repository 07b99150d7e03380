package guests_test

import (
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios/guest"
	"github.com/lockstorm/lockstorm/scenarios/guests"
	"github.com/lockstorm/lockstorm/scenarios/locktest"
)

// redsyncs are redsync over each client.
var redsyncs = map[string]guest.Constructor{"redigo": guests.RedsyncRedigo, "go-redis": guests.RedsyncGoRedis}

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
