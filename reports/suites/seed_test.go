package suites_test

import _ "github.com/lockstorm/lockstorm/sim/simtest" // properties draw from a fixed seed
