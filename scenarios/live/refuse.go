package live

import (
	"errors"
	"fmt"
	"slices"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/live/wall"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim/redis"
)

// edges are scenarios that are about less than a machine can keep apart.
var edges = map[string]string{
	"antirez/delayed-restart-short": "it is about the last 5ms of a key's life, and so not for live",
	"distlock/get-then-delete":      "it pauses a client 150µs into a release, where a process has not sent its first command: so it is not for live",
}

// Check returns why a scenario can't be run live: all of what it has that can't be had.
func Check(s *scenarios.Scenario) error {
	var all []error
	refuse := func(is bool, format string, args ...any) {
		if is {
			all = append(all, fmt.Errorf(format, args...))
		}
	}
	refuse(edges[s.ID] != "", "%s: %s", s.ID, edges[s.ID])
	refuse(s.Search.Drawn(), "search: each seed draws another schedule; give the file of one that was drawn, as run keeps it")
	on, ok := serversOf(s.Lock.Kind)
	refuse(!ok, "lock.kind: %s needs servers that live does not start; there are redlock, single, fenced, failover, etcd and sql-row-lock", s.Lock.Kind)
	refuse(s.Lock.Patience > 0, "lock.patience: the harness makes the attempts, and can't limit the time of one")
	refuse(s.Lock.Clock == locks.Awake, "lock.clock: no process is suspended by itself, so awake would be monotonic")
	refuse(s.Storage.Engine == scenarios.SQL && !on.resource, "storage.engine: live has the register alone")
	refuse(s.Fencing.Source == scenarios.OfService, "fencing.source: live has no consensus service")
	refuse(s.Expiry == redis.MonotonicExpiry, "expiry: no Redis counts its keys' lives on a monotonic clock")
	refuse(s.Network.EitherFirst, "network.either_first: the kernel decides what a process finds first when it wakes")
	cast := s.Cast()
	free := cast.Nodes
	if on.service {
		free = cast.Clients
	}
	for _, c := range s.Clocks {
		refuse(c.By != 0 && !slices.Contains(free, c.Host), "clocks.%s: its clock runs at the machine's rate", c.Host)
	}
	refuse(on.service && (s.Raft.LocalReads || s.Raft.Eager || s.Raft.Unconfirmed), "raft: real servers do not have these flaws")
	if on.check != nil {
		on.check(s, refuse)
	}
	for i := range s.Faults {
		f := &s.Faults[i]
		why := on.refusal(f, &cast)
		refuse(why != "", "fault %d, %q: %s", i+1, f, why)
	}
	if need := deceptions(s); !on.service && (len(need) > 0 || tuned(s)) {
		err := wall.Available()
		refuse(err != nil && tuned(s), "clocks: %v", err)
		for _, f := range need {
			if why := err; why != nil {
				if f.Kind == faults.Jump || f.Kind == faults.Strobe {
					why = wall.CanStep()
				}
				refuse(why != nil, "%q: %v", f, why)
			}
		}
	}
	return errors.Join(all...)
}

// checkAdapter returns why a scenario can't be run with adapters.
func checkAdapter(s *scenarios.Scenario) error {
	if f := stepsClients(s); f != nil {
		return fmt.Errorf("%q: the wall clock of an adapter can't be stepped; those of Lockstorm's own clients can", f)
	}
	on, _ := serversOf(s.Lock.Kind)
	if on.adapters != "" {
		return errors.New(on.adapters)
	}
	if !on.service {
		return nil
	}
	if s.Network.Loss > 0 {
		return fmt.Errorf("network.loss: %s", unread)
	}
	cast := s.Cast()
	for _, c := range s.Clocks {
		if c.By != 0 {
			return fmt.Errorf("clocks.%s: the clock of an adapter runs at the machine's rate", c.Host)
		}
	}
	for i := range s.Faults {
		f := &s.Faults[i]
		if why := refusal(f, &cast); why != "" {
			return fmt.Errorf("fault %d, %q: %s", i+1, f, why)
		}
		if f.Kind == faults.Hold || f.Kind == faults.Lossy {
			return fmt.Errorf("fault %d, %q: %s", i+1, f, unread)
		}
		if m := f.When.Name; m != "" && !slices.Contains(seenMarks, m) {
			return fmt.Errorf("fault %d, %q: an adapter does not say when it passes %q, and %s", i+1, f, m, unread)
		}
	}
	return nil
}

// refusal says why a fault can't be had live; "" where it can.
func refusal(f *faults.Fault, cast *faults.Cast) string {
	switch f.Kind {
	case faults.Drift, faults.Slew:
		if !onNodes(f, cast) {
			return "the clock of a client's process can be stepped, but runs at the machine's rate"
		}
	case faults.Suspend:
		return "a single process can't be suspended to RAM; give pause, which stops all but the clocks"
	case faults.Pause, faults.Crash, faults.Restart, faults.Jump, faults.Strobe, faults.StallDisk:
	default:
		if !f.Kind.Links {
			return "live does not know how to do this to a process"
		}
	}
	return ""
}

// deceptions lists the faults for which a server has to load a library in front of libc: one that steps its wall clock, that stalls
// its disk, or that knows what would survive a power failure, as to kill a process loses nothing that it has written.
func deceptions(s *scenarios.Scenario) (all []*faults.Fault) {
	cast := s.Cast()
	for i := range s.Faults {
		f := &s.Faults[i]
		steps := (f.Kind == faults.Jump || f.Kind == faults.Strobe || f.Kind == faults.Drift || f.Kind == faults.Slew) && !onClients(f, &cast)
		if steps || f.Kind == faults.StallDisk || f.Kind == faults.Restart && !f.Clean && s.Persistence == redis.AOFEverySecond {
			all = append(all, f)
		}
	}
	return all
}

// tuned reports whether the clock of a server runs at a rate of its own.
func tuned(s *scenarios.Scenario) bool {
	cast := s.Cast()
	return slices.ContainsFunc(s.Clocks, func(c scenarios.Rate) bool { return c.By != 0 && slices.Contains(cast.Nodes, c.Host) })
}

// onNodes reports whether a fault names nodes alone.
func onNodes(f *faults.Fault, cast *faults.Cast) bool {
	return !slices.ContainsFunc(f.Hosts(), func(word *string) bool { return !slices.Contains(cast.Nodes, *word) })
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
		if (f.Kind == faults.Jump || f.Kind == faults.Strobe) && !onNodes(f, &cast) {
			return f
		}
	}
	return nil
}
