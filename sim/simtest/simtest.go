package simtest

import (
	"flag"
	"os"
	"runtime/debug"
	"strconv"

	_ "pgregory.net/rapid" // its init defines the flags that are set below
)

// Long reports whether the long proofs run too; CONTRIBUTING says what they are.
var Long = os.Getenv("LOCKSTORM_LONG") == "1"

// Times returns how often a test does what it does: many times for a long proof.
func Times(few, many int) int {
	if Long {
		return many
	}
	return few
}

// collected is the percentage by which the heap of a test's process may grow before the collector runs, unless GOGC says
// otherwise. Tests make many runs and keep few of them: with Go's own 100, a fifth of their time is the collector's.
const collected = 400

// The flags of the command line are read after this, and so come before it.
func init() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(collected)
	}
	set("rapid.checks", strconv.Itoa(Times(40, 100))) // cases that a property draws; 100 is rapid's own number
	if os.Getenv("LOCKSTORM_FRESH") != "1" && flag.Lookup("rapid.seed").Value.String() == "0" {
		set("rapid.seed", "1")
	}
}

// set changes the default of a flag of rapid.
func set(name, value string) {
	if err := flag.Set(name, value); err != nil {
		panic(err) // both are numbers
	}
}
