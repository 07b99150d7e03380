package simtest

import (
	"flag"
	"os"
	"runtime/debug"

	_ "pgregory.net/rapid" // its init defines the flags that are set below
)

// Long reports whether the long proofs run too; CONTRIBUTING says what they are.
var Long = os.Getenv("LOCKSTORM_LONG") == "1"

// collected is the percentage by which the heap of a test's process may grow before the collector runs, unless GOGC says
// otherwise. Tests make many runs and keep few of them: with Go's own 100, a fifth of their time is the collector's.
const collected = 400

// few is how many cases a property draws, unless -rapid.checks says how many. The long proofs draw rapid's own 100.
const few = "40"

// The flags of the command line are read after this, and so come before it.
func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collected)
	}
	if !Long {
		set("rapid.checks", few)
	}
	if os.Getenv("LOCKSTORM_FRESH") != "1" && flag.Lookup("rapid.seed").Value.String() == "0" {
		set("rapid.seed", "1")
	}
}

// set gives a flag of rapid another default.
func set(name, value string) {
	if err := flag.Set(name, value); err != nil {
		panic(err) // both are numbers
	}
}
