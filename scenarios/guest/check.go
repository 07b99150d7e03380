package guest

import (
	"fmt"
	"slices"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/locks"
)

// Check refuses a scenario that guests can't be in, and says why, and what would do.
func Check(s *scenarios.Scenario) error {
	cast := s.Cast()
	switch {
	case s.Lock.Kind != scenarios.Redlock && s.Lock.Kind != scenarios.Single:
		return errNoServers
	case s.Lock.Patience > 0:
		return fmt.Errorf("lock.patience is for locks of the catalogue; a library has a limit of its own, so leave it out, and set that in the adapter")
	case s.Lock.Clock != locks.Monotonic:
		return fmt.Errorf("lock.clock is %s, and a library counts on Go's clock, which is monotonic", locks.ClockNames[s.Lock.Clock])
	}
	for _, r := range s.Clocks {
		if slices.Contains(cast.Clients, r.Host) && r.By != 0 {
			return fmt.Errorf("clocks.%s: %w", r.Host, errClock)
		}
	}
	for i := range s.Faults {
		if err := checkFault(&s.Faults[i], &cast); err != nil {
			return fmt.Errorf("fault %d, %q: %w", i+1, s.Faults[i].String(), err)
		}
	}
	return nil
}

// errClock is why the clock of one client can't be wrong.
var errClock = fmt.Errorf("guests share one clock, so that of a client can't be wrong by itself: " +
	"change the clocks of all servers the other way (nodes), which comes to the same")

// checkFault refuses what can't strike a guest.
func checkFault(f *faults.Fault, cast *faults.Cast) error {
	if !f.Kind.Clocks {
		return nil
	}
	for _, word := range f.Hosts() {
		if !strikesClient(*word, cast) {
			continue
		}
		if f.Kind == faults.Suspend {
			return fmt.Errorf("a guest has no clock that stands still while its host is suspended: give pause, which stops all else")
		}
		return errClock
	}
	return nil
}

// strikesClient reports whether a word of a schedule may stand for a client.
func strikesClient(word string, cast *faults.Cast) bool {
	switch word {
	case faults.Holder, faults.AClient, faults.Clients, faults.All:
		return true
	}
	return slices.Contains(cast.Clients, word)
}
