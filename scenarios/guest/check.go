package guest

import (
	"errors"
	"fmt"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/locks"
)

// Check refuses a scenario that guests can't be in, and says why, and what would do.
func Check(s *scenarios.Scenario) error {
	switch {
	case s.Lock.Kind != scenarios.Redlock && s.Lock.Kind != scenarios.Single && !s.Hosted():
		return errNoServers
	case s.Lock.Patience > 0:
		return fmt.Errorf("lock.patience is for locks of the catalogue; a library has a limit of its own, so leave it out, and set that in the adapter")
	case s.Lock.Clock != locks.Monotonic:
		return fmt.Errorf("lock.clock is %s, and a library counts on Go's clock, which is monotonic", locks.ClockNames[s.Lock.Clock])
	}
	hosted := *s
	hosted.Lock.New, hosted.Lock.Host = nil, Host(nil, nil)
	return hosted.Check()
}

// errNoServers is for scenarios in which a guest has nobody to speak to.
var errNoServers = errors.New("its lock runs on no Redis nodes, and guests speak to nothing else: give one of the kinds redlock and single")
