package platform_test

import "github.com/lockstorm/lockstorm/sim/simtest"

// long reports whether the long proofs run too; CONTRIBUTING says what they are.
var long = simtest.Long
