package campaign

import "github.com/lockstorm/lockstorm/scenarios"

// Names that tests in package campaign_test use.
const (
	MaxSeed   = maxSeed
	StepsMost = stepsMost
)

// Worsen keeps the worst verdict, for tests that count by themselves.
func (t *Tally) Worsen(v scenarios.Verdict, seed uint64) { t.worsen(v, seed) }
