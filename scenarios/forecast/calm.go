package forecast

import (
	"math"
	"time"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/forecast/environment"
)

// Violations without any event would take years of simulated time to show. But if no message is lost or late,
// arithmetic proves that nothing can break: a use ends well before its lock does. So every violation without an event
// follows a lost message. In runs that lose r times as many messages, violations that need one lost message are r
// times as frequent. Those that need k of them are r^k times as frequent. Divided by r, such runs overstate
// violations, as long as a lost message does not mend what another broke. So they only count for an upper bound.
const (
	calmLength = 5 * time.Minute
	calmLoss   = 50_000 // millionths
)

// A Calm describes the time without events.
type Calm struct {
	Runs   int     `json:"runs"`
	Hours  float64 `json:"hours"`            // of simulated time
	Loss   float64 `json:"loss"`             // the share of messages that is lost in those runs
	Raised float64 `json:"loss_raised"`      // divided by the environment's; violations count for less by this factor
	Use    string  `json:"longest_use"`      // from the first request for the lock to the last write's answer, without loss
	Lasts  string  `json:"least_lock_lasts"` // how long the lock is kept at least, without being renewed
	Proved bool    `json:"holds_if_no_loss"` // nothing can break where no message is lost, as the use is shorter
}

// use returns how long a use of the lock lasts at most if no message is lost: one round trip to each node in turn,
// the work, and two requests to storage after one for a token.
func use(s *scenarios.Scenario) time.Duration {
	return s.Work.Work.Max + time.Duration(2*s.Nodes+6)*s.Network.Latency.Max
}

// lasts returns how long the lock is kept at least, if the clocks of a client and of a node differ as far as possible.
func (m *Model) lasts(s *scenarios.Scenario) time.Duration {
	kept := s.Lock.TTL
	if s.Lock.Kind.String() == "sql-row-lock" {
		kept = s.Storage.Idle
	}
	return time.Duration(float64(kept) * (1 - 2*float64(m.Environment.Clocks.Rate)/1e9)) // both may be wrong by it
}

// proved reports whether nothing can break without an event or a lost message. A tenth is left for computing time.
func (m *Model) proved(s *scenarios.Scenario) bool { return use(s) <= m.lasts(s)/10*9 }

// raise returns the factor for lost messages in runs without an event.
func (m *Model) raise(s *scenarios.Scenario) float64 {
	switch {
	case !m.proved(s):
		return 1
	case s.Network.Loss == 0:
		return math.Inf(1)
	}
	return max(float64(calmLoss)/float64(s.Network.Loss), 1)
}

// calm describes the time without events.
func (m *Model) calm() (c Calm) {
	x := &m.strata[0]
	c.Runs, c.Hours = len(x.shows), float64(len(x.shows))*x.long()*float64(environment.Year)/float64(time.Hour)
	s := m.in(x, m.First)
	c.Loss, c.Raised, c.Proved = float64(s.Network.Loss)/1e6, m.raised, m.proved(&s)
	if math.IsInf(c.Raised, 0) {
		c.Raised = 0 // none is lost in the environment
	}
	c.Use, c.Lasts = use(&s).String(), m.lasts(&s).Round(time.Millisecond).String()
	return c
}
