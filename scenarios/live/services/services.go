package services

import (
	"fmt"
	"slices"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/live"
)

// Add adds etcd, PostgreSQL, ZooKeeper and MariaDB to the kinds of servers of live runs. Call it once, during start-up.
func Add() {
	live.AddServers(&etcdServers)
	live.AddServers(&postgresServers)
	live.AddServers(&zooKeeperServers)
	live.AddServers(&mariaServers)
}

// refusal returns why a fault can't hit a service or its clients; "" where it can. The clients run in the world, so
// all their faults are available.
func refusal(f *faults.Fault, cast *faults.Cast) string {
	clients := live.OnClients(f, cast)
	switch f.Kind {
	case faults.Drift, faults.Slew, faults.Jump, faults.Strobe:
		if !clients {
			return "live does not step the clocks of these servers"
		}
	case faults.Suspend, faults.StallDisk:
		if !clients {
			return live.Refusal(f, cast)
		}
	}
	return ""
}

// marks are the marks of an adapter client on a service: those outside of its lock, and the one before an attempt.
var marks = []string{
	"acquired", "asking", "read", "before-check", "before-write", "wrote", "before-release", "released", "checked", "gave-up",
}

// unread says why single messages can't be lost, held or waited for.
const unread = "between an adapter and a service that is no Redis the proxy does not tell one message from another"

// checkAdapter returns why a scenario can't be run with adapters.
func checkAdapter(s *scenarios.Scenario) error {
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
		why := live.Refusal(f, &cast)
		switch m := f.When.Name; {
		case why != "":
		case f.Kind == faults.Hold || f.Kind == faults.Lossy:
			why = unread
		case m != "" && !slices.Contains(marks, m):
			why = fmt.Sprintf("an adapter does not say when it passes %q, and %s", m, unread)
		}
		if why != "" {
			return fmt.Errorf("fault %d, %q: %s", i+1, f, why)
		}
	}
	return nil
}
