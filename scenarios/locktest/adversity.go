package locktest

import (
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
)

// An adversity is a class of faults and whom it hits, such as "jump of nodes". A lock can survive clock jumps of its
// clients and break when its nodes' clocks jump.
type adversity = string

// onDisk is the persistence of nodes that keep what they have acknowledged.
const onDisk = "aof-always"

// adversities returns which there are in a schedule, in the order of its faults.
func adversities(s *scenarios.Scenario) (all []adversity) {
	cast := s.Cast()
	for i := range s.Faults {
		for _, a := range adversitiesOf(s, &cast, &s.Faults[i]) {
			if !slices.Contains(all, a) {
				all = append(all, a)
			}
		}
	}
	return all
}

// adversitiesOf returns the adversities of a fault: several if it can hit several kinds of hosts.
func adversitiesOf(s *scenarios.Scenario, cast *faults.Cast, f *faults.Fault) (all []adversity) {
	class := f.Kind.Class.Name
	switch f.Kind {
	case faults.Restart:
		if s.Persistence.String() == onDisk {
			return []adversity{class + " onto disks"}
		}
		return []adversity{class + " onto nothing"}
	case faults.Partition, faults.Crash, faults.StallDisk, faults.Refuse, faults.Evict:
		return []adversity{class}
	}
	for _, host := range f.Hosts() {
		a := class + whom(cast, *host, f.Kind.Links || f.Kind == faults.SlowNode)
		if !slices.Contains(all, a) {
			all = append(all, a)
		}
	}
	if f.Kind.Links && len(all) > 1 { // a link has two ends; that to storage is another than that to nodes
		all = slices.DeleteFunc(all, func(a adversity) bool { return a == class })
	}
	return all
}

// whom returns whom a fault of this host hits: " of clients", for example. Links lead from clients to nodes, unless
// they name other ends.
func whom(cast *faults.Cast, host string, link bool) string {
	is := func(hosts []string, roles ...string) bool {
		return slices.Contains(hosts, host) || slices.Contains(roles, host)
	}
	client := is(cast.Clients, faults.Holder, faults.AClient, faults.Clients)
	node := is(cast.Nodes, faults.ANode, faults.Minority, faults.Majority, faults.Nodes)
	switch {
	case link && (client || node):
		return ""
	case client:
		return " of clients"
	case node:
		return " of nodes"
	}
	return " elsewhere"
}

func classOf(a adversity) string {
	class, _, _ := strings.Cut(a, " ")
	return class
}

// within returns a universe without the faults that are of other adversities than these.
func within(u scenarios.Scenario, these []adversity) scenarios.Scenario {
	cast := u.Cast()
	u.Faults = slices.DeleteFunc(slices.Clone(u.Faults), func(f faults.Fault) bool {
		return slices.ContainsFunc(adversitiesOf(&u, &cast, &f), func(a adversity) bool {
			return !slices.Contains(these,
				a)
		})
	})
	return u
}
