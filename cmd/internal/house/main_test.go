// Package house has the tests that keep the repository in order: which package may import which, what simulated packages must
// not do, numbers that may only fall, links between pages, and the scripts of a release. It has no other code.
package house

import (
	"os"
	"testing"
)

// TestMain runs the tests in the root folder, so that names of files are those of the repository.
func TestMain(m *testing.M) {
	if err := os.Chdir("../../.."); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
