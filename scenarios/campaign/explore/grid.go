package explore

import (
	"fmt"
	"strings"

	"github.com/lockstorm/lockstorm/scenarios"
)

// Grid describes a universe, a line each: its hosts, its times, and what may go otherwise.
func Grid(s *scenarios.Scenario) []string {
	x, tick := &s.Explore, s.Network.Tick
	lines := []string{
		fmt.Sprintf("clients %d, work.cycles %d, nodes %d, persistence %s, lock.kind %s, lock.ttl %s, lock.timeout %s", s.Clients, s.Work.Cycles, s.Nodes,
			s.Persistence, s.Lock.Kind, s.Lock.TTL, s.Lock.Timeout),
		fmt.Sprintf("a tick is %s, and a message takes %s", tick, s.Network.Latency.Min),
	}
	var words []string
	if x.Behind {
		words = append(words, "behind all that is due at its tick")
	}
	for _, v := range x.Late {
		words = append(words, "late by "+string(v))
	}
	if x.Lost {
		words = append(words, "lost")
	}
	if len(words) > 0 {
		of := fmt.Sprintf("up to %d", x.Deviations)
		if x.Unbounded {
			of = "any number"
		}
		lines = append(lines, fmt.Sprintf("a message may be %s: %s of them", strings.Join(words, ", or "), of))
	}
	if len(x.Faults)+len(x.Once) > 0 {
		at := "at any mark"
		if x.Ticks {
			at = "at any mark or tick"
		}
		words = words[:0]
		for _, v := range x.Faults {
			words = append(words, string(v))
		}
		for _, v := range x.Once {
			words = append(words, string(v)+" once")
		}
		lines = append(lines, fmt.Sprintf("%s: up to %d, %s", strings.Join(words, ", or "), x.Most, at))
	}
	return lines
}
