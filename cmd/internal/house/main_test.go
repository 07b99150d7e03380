// Package house has the tests that keep the repository in order: which package may import which, what simulated
// packages must not do, numbers that may only fall, links between pages, and the scripts of a release. It has no other
// code.
package house

import "testing"

// atRoot runs a test in the root folder, so that file names are relative to the repository. A TestMain that changes the
// folder would do so before Go notes which files tests read: their results would be cached whatever the files say.
func atRoot(t *testing.T) {
	t.Helper()
	t.Chdir("../../..")
}
