package forecast

import (
	"math"
	"time"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/forecast/environment"
)

// What breaks without any event would take years of simulated time to show. But where no message is lost and none is late,
// arithmetic says that nothing can break: a use ends well before its lock does. So some message was lost before whatever breaks
// then; and in runs that lose r times as many, what takes one lost message comes r times as often, and what takes k of them
// r^k times. Counted for an r-th, such runs overstate what breaks, as long as a lost message does not mend what another broke; so
// they count for an upper bound alone.
const (
	calmLength = 5 * time.Minute
	calmLoss   = 50_000 // millionths
)

// A Calm is what is known of the time in which no event strikes.
type Calm struct {
	Runs   int     `json:"runs"`
	Hours  float64 `json:"hours"`            // of simulated time
	Loss   float64 `json:"loss"`             // the share of messages that is lost in those runs
	Raised float64 `json:"loss_raised"`      // how many times that of the environment it is; what is seen counts for so much less
	Use    string  `json:"longest_use"`      // from the first request for the lock to the answer to the last write, if no message is lost
	Lasts  string  `json:"least_lock_lasts"` // how long the lock is kept at least, without being renewed
	Proved bool    `json:"holds_if_no_loss"` // nothing can break where no message is lost, as the use is shorter
}

// use returns how long a use of the lock lasts at most if no message is lost: one round trip to each node in turn, the work,
// and two requests to storage with a third before them that asks for a token.
func use(s *scenarios.Scenario) time.Duration {
	return s.Work.Work.Max + time.Duration(2*s.Nodes+6)*s.Network.Latency.Max
}

// lasts returns for how long the lock is kept at least, where the clocks of a client and of a node differ as far as they may.
func (m *Model) lasts(s *scenarios.Scenario) time.Duration {
	kept := s.Lock.TTL
	if s.Lock.Kind.String() == "sql-row-lock" {
		kept = s.Storage.Idle
	}
	return time.Duration(float64(kept) * (1 - 2*float64(m.Environment.Clocks.Rate)/1e9)) // both may be wrong by it
}

// proved reports whether nothing can break where no event strikes and no message is lost. A tenth is left for what computing
// takes.
func (m *Model) proved(s *scenarios.Scenario) bool { return use(s) <= m.lasts(s)/10*9 }

// raise returns how many times as many messages are lost in runs without an event.
func (m *Model) raise(s *scenarios.Scenario) float64 {
	switch {
	case !m.proved(s):
		return 1
	case s.Network.Loss == 0:
		return math.Inf(1)
	}
	return max(float64(calmLoss)/float64(s.Network.Loss), 1)
}

// calm says what is known of the time in which no event strikes.
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
