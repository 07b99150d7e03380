package campaign

import (
	"fmt"
	"runtime/debug"
)

// Broken is what a campaign panics with when a run panics: which run it was, so that it can be made again, and how it
// broke. Of several it is the one with the smallest seed.
type Broken struct {
	Scenario string
	Seed     uint64
	Panic    any    // what the run panicked with
	Stack    []byte // where
}

// Error returns which run it was, and how it broke.
func (b Broken) Error() string {
	return fmt.Sprintf("%s, seed %d: %v\n\nThe run broke here:\n%s", b.Scenario, b.Seed, b.Panic, b.Stack)
}

// BrokenBy makes a Broken of what was recovered. If that is a Broken already, it is returned.
func BrokenBy(recovered any, scenario string, seed uint64) *Broken {
	if b, ok := recovered.(Broken); ok {
		return &b
	}
	return &Broken{Scenario: scenario, Seed: seed, Panic: recovered, Stack: debug.Stack()}
}

// earlier returns the one of the two with the smaller seed; either may be nil.
func earlier(a, b *Broken) *Broken {
	if a == nil || b != nil && b.Seed < a.Seed {
		return b
	}
	return a
}
