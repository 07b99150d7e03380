package scenarios_test

import (
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/sim/simtest"
)

// long reports whether the long proofs run too; CONTRIBUTING says what they are.
var long = simtest.Long

// some returns each n-th scenario of the catalogue, and all of them for a long proof.
func some(n int) (all []scenarios.Scenario) {
	for i, s := range scenarios.Catalogue() {
		if long || i%n == 0 {
			all = append(all, s)
		}
	}
	return all
}
