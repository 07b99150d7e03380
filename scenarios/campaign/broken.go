package campaign

import "fmt"

// Broken is what Plan.Run panics with when a run panics: which run it was, so that it can be made again, and how it
// broke. Of several it is the one with the smallest seed.
type Broken struct {
	Scenario string
	Seed     uint64
	Panic    any    // what the run panicked with
	Stack    []byte // where
}

// Error names the run, and says how it broke.
func (b Broken) Error() string {
	return fmt.Sprintf("%s, seed %d: %v\n\nThe run broke here:\n%s", b.Scenario, b.Seed, b.Panic, b.Stack)
}

// earlier gives the one of two with the smaller seed; either may be nil.
func earlier(a, b *Broken) *Broken {
	if a == nil || b != nil && b.Seed < a.Seed {
		return b
	}
	return a
}
