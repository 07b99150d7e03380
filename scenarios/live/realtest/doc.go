// Package realtest helps tests to compare a simulated server with a real one on this machine. A [Wall] is the wall clock of
// the processes that a test starts: the test steps it, and no other process notices. The test is skipped where that cannot be.
package realtest
