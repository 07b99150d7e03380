package guests_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/guests"
	"github.com/lockstorm/lockstorm/scenarios/guests/guest"
	"github.com/lockstorm/lockstorm/scenarios/guests/leases"
	"github.com/lockstorm/lockstorm/scenarios/locktest"
)

// redsyncs are redsync over each client.
var redsyncs = constructors("redsync-redigo", "redsync", "redsync-rueidis")

func TestRedsyncKeepsItsPromisesWithoutFaults(t *testing.T) {
	for name, lock := range redsyncs {
		t.Run(name, func(t *testing.T) { guest.Test(t, "baseline/fault-free", lock) })
	}
}

// Redlock's arithmetic applies to redsync, too: each promise holds or breaks as the catalogue says.
func TestRedsyncBreaksAsRedlockDoes(t *testing.T) {
	for name, lock := range redsyncs {
		t.Run(name, func(t *testing.T) {
			guest.Test(t, "kleppmann/clock-jump", lock, locktest.Expect("validity", checker.Violated))
			guest.Test(t, "kleppmann/gc-pause", lock, locktest.Expect("belief", checker.Violated))
		})
	}
}

// onOne are the locks for one server.
var onOne = constructors("redislock", "rueidis", "gocron", "gozero", "redislock-readme")

// constructors returns libraries' constructors, by name.
func constructors(names ...string) map[string]guest.Constructor {
	all := map[string]guest.Constructor{}
	for _, l := range guests.Libraries {
		if slices.Contains(names, l.Name) {
			all[l.Name] = l.New
		}
	}
	return all
}

func TestLocksOnOneServerKeepTheirPromisesWithoutFaults(t *testing.T) {
	for name, lock := range onOne {
		t.Run(name, func(t *testing.T) { guest.Test(t, "baseline/fault-free", lock, locktest.On("single")) })
	}
}

// A server that fails and loses its data is enough.
func TestLocksOnOneServerBreakWithIt(t *testing.T) {
	for name, lock := range onOne {
		t.Run(name, func(t *testing.T) {
			guest.Test(t, "distlock/single-point-of-failure", lock, locktest.Expect("validity", checker.Violated))
		})
	}
}

// Late releases compare values: none frees a key of another client.
func TestNoReleaseFreesAnothersLock(t *testing.T) {
	for name, lock := range onOne {
		t.Run(name, func(t *testing.T) { guest.Test(t, "distlock/blind-delete", lock, locktest.On("single")) })
	}
}

// An adapter with all its configurations is as short as one that a reader would write: what they share is in pools.go.
func TestAdaptersHaveAtMost95Lines(t *testing.T) {
	for _, name := range []string{
		"asynq.go", "gocron.go", "gozero.go", "leaderelection.go", "redislock.go", "redsync.go", "redsync1.go", "rueidis.go", "rueidislock.go", "valkeylock.go",
	} {
		b, err := os.ReadFile(name)
		if n := strings.Count(string(b), "\n"); err != nil || n > 95 {
			t.Errorf("%s: %d lines, %v", name, n, err)
		}
	}
}

// gocron's locker is released with the job: an instance that comes later does the job again (go-co-op/gocron#841). A
// search finds it without a fault.
func TestGocronDoesAJobTwice(t *testing.T) {
	lock := constructors("gocron")["gocron"]
	guest.Test(t, "once/released", lock, locktest.Seeds(3))
	guest.Test(t, "once/kept", lock, locktest.Seeds(3))
}

// A library on servers with another protocol than Redis's is tested with its wire.
func TestALibraryIsTestedWithItsWire(t *testing.T) {
	for i := range guests.Libraries {
		if l := &guests.Libraries[i]; l.Name == "concurrency" || l.Name == "leaderelection" {
			l.Guest().Test(t, "baseline/single-instance", locktest.On(l.Kind.String()), locktest.Seeds(1))
		}
	}
}

// Without the wire its answers are of another protocol too, which ends the run as unknown, with a word on what to do.
func TestAnswersOfAnotherProtocolEndTheRun(t *testing.T) {
	s, _ := scenarios.Find("baseline/single-instance")
	s.ChangeKind(leases.Kind)
	res, err := guest.Run(t, &s, 1, constructors("redislock")["redislock"])
	if err == nil || res.Verdict != scenarios.Unknown || !strings.Contains(err.Error(), "answers with a locks.RecordReply") ||
		!strings.Contains(err.Error(), "Kind.Wire") {
		t.Errorf("it ends as %v: %v", res.Verdict, err)
	}
}

// A library may cancel a call before the answer comes. That answer has no bytes, and is of its protocol all the same.
func TestAnAnswerToACancelledCallIsOfTheLibrarysProtocol(t *testing.T) {
	i := slices.IndexFunc(guests.Libraries, func(l guests.Library) bool { return l.Name == "concurrency" })
	library := &guests.Libraries[i]
	s, _ := scenarios.Find("etcd/any")
	s.ChangeKind(library.Kind)
	universe := s.Universes().At(9)
	if res, err := library.Guest().Run(t, &universe, 9); err != nil {
		t.Errorf("it ends as %v: %v", res.Verdict, err)
	}
}
