package forecast

import (
	"math"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios/forecast/environment"
)

// Costs are the costs of settings, by formulas.
type Costs struct {
	// Waiting is how long a year others wait for frozen holders. For each cause that freezes a client, it is the rate,
	// times the share of time for which a client holds the lock, hold / (hold + think), times the mean of min(size,
	// TTL).
	Waiting float64 `json:"waiting_seconds_per_year"`

	// Dead is how long others wait for a holder that dies: at most a TTL.
	Dead float64 `json:"waiting_seconds_per_dead_holder"`

	// Away is how long a year no majority of the nodes is up, if nodes restart independently. Let u be the share of
	// time for which a node is away: its rate of restarts times the mean of max(size, delay). Away sums the binomial
	// chances that more than n - majority of n nodes are away together. It is -1 if that does not decide.
	Away float64 `json:"no_majority_seconds_per_year"`

	Syncs bool `json:"syncs"` // each node waits for its disk at each acquire and release; here that takes no time
}

// costs returns what settings cost.
func (m *Model) costs(c *Change, ttl time.Duration) (x Costs) {
	e := m.Environment
	hold, think := float64(e.Work.Hold.Min+e.Work.Hold.Max)/2, float64(e.Work.Think.Min+e.Work.Think.Max)/2
	away := 0.0 // the share of time for one node
	for i := range e.Causes {
		k := &e.Causes[i]
		low, high := k.Rate.Yearly()
		rate, hosts := Rate{low, high}.Middle(), float64(k.Hosts(m.site.Clients, m.site.Nodes))
		switch words := strings.Fields(k.Strikes); {
		case (words[0] == "pause" || words[0] == "suspend") && words[1] == "a-client":
			x.Waiting += rate * hosts * hold / (hold + think) * mean(k, 0, ttl)
		case k.Restarts() && words[1] == faults.ANode:
			away += rate * mean(k, max(m.Away, c.away), math.MaxInt64) / environment.Year.Seconds()
		}
	}
	x.Dead = ttl.Seconds()
	x.Syncs = strings.Contains(strings.Join(c.Set, " "), "aof-always") || m.Scenario.Persistence.String() == "aof-always"
	if x.Away = -1; m.hasNodes() {
		n := m.site.Nodes
		if m.Scenario.Lock.Kind.String() != "redlock" {
			n = 1
		}
		x.Away = noMajority(n, min(away, 1)) * environment.Year.Seconds()
	}
	return x
}

// mean returns the mean of the sizes of a cause in seconds, with each size limited to the range from least to most.
func mean(k *environment.Cause, least, most time.Duration) float64 {
	const parts = 10_000
	sum := 0.0
	for i := range parts {
		sum += min(max(k.Size.At(i*(1_000_000/parts)+500_000/parts), least), most).Seconds()
	}
	return sum / parts
}

// noMajority returns the chance that no majority of n nodes is up, if each is away with a chance of u.
func noMajority(n int, u float64) (p float64) {
	ways := 1.0 // to choose k of n
	for k := 0; k <= n; k++ {
		if n-k < n/2+1 {
			p += ways * math.Pow(u, float64(k)) * math.Pow(1-u, float64(n-k))
		}
		ways = ways * float64(n-k) / float64(k+1)
	}
	return p
}
