package campaign

// What tests in package campaign_test use.
const (
	MaxSeed   = maxSeed
	StepsMost = stepsMost
)
