package scenarios

// A Formula is a law that gives a bound by reckoning.
type Formula uint8

// The laws, under the names that scenarios use: restart-delay, slew-rate, fast-node, slow-client.
const (
	RestartDelay Formula = iota // how long a node that lost its data must stay away
	FastNode                    // how fast a node's clock may run, or be slewed
	SlowClient                  // how slow a client's clock may run
)

// FormulaNames lists the laws as scenarios write them.
var FormulaNames = []string{"restart-delay", "fast-node", "slow-client"}
