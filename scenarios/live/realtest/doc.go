// Package realtest helps tests to compare a simulated server with a real one on this machine. A [Wall] is the wall
// clock of the processes that a test starts: the test steps it, and no other process notices. Without support the test
// is skipped.
package realtest
