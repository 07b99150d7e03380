package campaign

// Names that tests in package campaign_test use.
const (
	MaxSeed   = maxSeed
	StepsMost = stepsMost
)
