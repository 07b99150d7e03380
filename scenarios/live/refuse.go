package live

import (
	"errors"
	"fmt"
	"slices"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim/redis"
	"github.com/lockstorm/lockstorm/sim/wall"
)

// kinds are the kinds of locks that can run live.
var kinds = []scenarios.Kind{scenarios.Redlock, scenarios.Single, scenarios.Fenced}

// Check returns why a scenario can't be run live: all of what it has that can't be had.
func Check(s *scenarios.Scenario) error {
	var all []error
	refuse := func(is bool, format string, args ...any) {
		if is {
			all = append(all, fmt.Errorf(format, args...))
		}
	}
	refuse(s.Search.Drawn(), "search: each seed draws another schedule; give the file of one that was drawn, as run keeps it")
	refuse(!slices.Contains(kinds, s.Lock.Kind), "lock.kind: %s needs servers that live does not start; there are redlock, single and fenced", s.Lock.Kind)
	refuse(s.Lock.Patience > 0, "lock.patience: the harness makes the attempts, and can't limit the time of one")
	refuse(s.Lock.Clock == locks.Awake, "lock.clock: no process is suspended by itself, so awake would be monotonic")
	refuse(s.Storage.Engine == scenarios.SQL, "storage.engine: live has the register alone")
	refuse(s.Fencing.Source == scenarios.OfService, "fencing.source: live has no consensus service")
	refuse(s.Expiry == redis.MonotonicExpiry, "expiry: no Redis counts its keys' lives on a monotonic clock")
	refuse(s.Network.EitherFirst, "network.either_first: the kernel decides what a process finds first when it wakes")
	for _, c := range s.Clocks {
		refuse(c.By != 0, "clocks.%s: a process's clock runs at the machine's rate", c.Host)
	}
	for i := range s.Faults {
		f := &s.Faults[i]
		why := refusal(f)
		refuse(why != "", "fault %d, %q: %s", i+1, f, why)
	}
	if need := deceptions(s); len(need) > 0 {
		err := wall.Available()
		refuse(err != nil, "%q: %v", need[0], err)
	}
	return errors.Join(all...)
}

// refusal says why a fault can't be had live; "" where it can.
func refusal(f *faults.Fault) string {
	switch f.Kind {
	case faults.Drift, faults.Slew:
		return "a process's clock can be stepped, but runs at the machine's rate"
	case faults.Suspend:
		return "a single process can't be suspended to RAM; give pause, which stops all but the clocks"
	case faults.StallDisk:
		return "live does not stall a server's disk"
	}
	return ""
}

// deceptions lists the faults for which a server has to load a library in front of libc: one that steps its wall clock, or
// that knows what would survive a power failure, as to kill a process loses nothing that it has written.
func deceptions(s *scenarios.Scenario) (all []*faults.Fault) {
	cast := s.Cast()
	for i := range s.Faults {
		f := &s.Faults[i]
		steps := (f.Kind == faults.Jump || f.Kind == faults.Strobe) && !onClients(f, &cast)
		if steps || f.Kind == faults.Restart && !f.Clean && s.Persistence == redis.AOFEverySecond {
			all = append(all, f)
		}
	}
	return all
}

// onClients reports whether a fault names clients alone.
func onClients(f *faults.Fault, cast *faults.Cast) bool {
	return !slices.ContainsFunc(f.Hosts(), func(word *string) bool {
		return !slices.Contains(cast.Clients, *word) && *word != faults.AClient && *word != faults.Clients && *word != faults.Holder
	})
}

// stepsClients returns the first fault that may step the clock of a client; nil if none does.
func stepsClients(s *scenarios.Scenario) *faults.Fault {
	cast := s.Cast()
	for i := range s.Faults {
		f := &s.Faults[i]
		onNodes := !slices.ContainsFunc(f.Hosts(), func(word *string) bool { return !slices.Contains(cast.Nodes, *word) })
		if (f.Kind == faults.Jump || f.Kind == faults.Strobe) && !onNodes {
			return f
		}
	}
	return nil
}
