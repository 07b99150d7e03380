package live

import (
	"fmt"
	"slices"
	"time"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/sim/redis"
)

// Refusal returns why a fault can't hit processes; "" where it can.
func Refusal(f *faults.Fault, cast *faults.Cast) string {
	switch f.Kind {
	case faults.Drift, faults.Slew:
		if !onNodes(f, cast) {
			return "the clock of a client's process can be stepped, but runs at the machine's rate"
		}
	case faults.Suspend:
		return "a single process can't be suspended to RAM; give pause, which stops all but the clocks"
	case faults.Pause, faults.Crash, faults.Restart, faults.Jump, faults.Strobe, faults.StallDisk, faults.Evict:
	case faults.Refuse:
		if _, known := refusals[f.Reply]; !known {
			return "a real server can be made to answer with OOM and READONLY; give one of these"
		}
	default:
		if !f.Kind.Links {
			return "live does not know how to do this to a process"
		}
	}
	if f.When.Name == "before-release" && 0 < f.When.After && f.When.After < gathering {
		return fmt.Sprintf("it strikes %s into a release, where a process has not sent its first command", f.When.After)
	}
	return ""
}

// deceptions lists the faults that need a library in front of libc in the server. It steps the wall clock, stalls the
// disk, or knows what would survive a power failure. Killing a process loses nothing that it has written.
func deceptions(s *scenarios.Scenario) (all []*faults.Fault) {
	cast := s.Cast()
	for i := range s.Faults {
		f := &s.Faults[i]
		steps := f.Kind == faults.Jump || f.Kind == faults.Strobe || f.Kind == faults.Drift || f.Kind == faults.Slew
		loses := f.Kind == faults.Restart && !f.Clean && s.Persistence == redis.AOFEverySecond
		if steps && !OnClients(f, &cast) || f.Kind == faults.StallDisk || loses {
			all = append(all, f)
		}
	}
	return all
}

// tuned reports whether the clock of a server runs at another rate than the machine's clock.
func tuned(s *scenarios.Scenario) bool {
	cast := s.Cast()
	return slices.ContainsFunc(s.Clocks, func(c scenarios.Rate) bool { return c.By != 0 && slices.Contains(cast.Nodes, c.Host) })
}

// onNodes reports whether a fault names nodes alone.
func onNodes(f *faults.Fault, cast *faults.Cast) bool {
	return !slices.ContainsFunc(f.Hosts(), func(word *string) bool { return !slices.Contains(cast.Nodes, *word) })
}

// OnClients reports whether a fault names clients alone.
func OnClients(f *faults.Fault, cast *faults.Cast) bool {
	return !slices.ContainsFunc(f.Hosts(), func(word *string) bool { return !IsClient(*word, cast) })
}

// IsClient reports whether a word of a schedule means clients.
func IsClient(word string, cast *faults.Cast) bool {
	return slices.Contains(cast.Clients, word) || word == faults.AClient || word == faults.Clients || word == faults.Holder
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

// attemptMarks are the marks before and after an attempt, by its verb.
var attemptMarks = map[string][2]string{"acquire": {"asking", "answered"}, "extend": {"extending", "extension-answered"}}

// gathering is how long the proxy waits for requests that are sent together, if a fault comes so soon after a mark.
const gathering = time.Millisecond

// gathers reports whether a fault hits so soon after a mark before an attempt that requests must be gathered there.
func gathers(s *scenarios.Scenario) bool {
	return slices.ContainsFunc(s.Faults, func(f faults.Fault) bool { return soonAfterMark(&f) })
}

// soonAfterMark reports whether a fault must find the requests of an attempt on their way.
func soonAfterMark(f *faults.Fault) bool {
	return beforeAttempt(f.When.Name) && 0 < f.When.After && f.When.After < gathering
}

func beforeAttempt(mark string) bool {
	return mark == attemptMarks["acquire"][0] || mark == attemptMarks["extend"][0]
}
