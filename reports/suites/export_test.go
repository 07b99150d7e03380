package suites

var (
	NewCase         = newCase
	NewMutantResult = newMutantResult
)
