package guest

import (
	"flag"
	"testing"
)

// Main hosts a program in which guests are to run. There are bubbles in tests only, so the program becomes one: do is called with
// the test, and should end the process itself. The flags of tests are not for the program's user.
func Main(do func(t *testing.T)) {
	testing.Init()
	if err := flag.CommandLine.Parse(nil); err != nil { // else they would be read from the command line
		panic(err)
	}
	all := func(string, string) (bool, error) { return true, nil }
	testing.Main(all, []testing.InternalTest{{Name: "program", F: do}}, nil, nil)
}
