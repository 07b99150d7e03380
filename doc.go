// Package lockstorm is the root of a deterministic correctness simulator for distributed locks. It holds no code: the
// command is in cmd/lockstorm, and the packages beside this file are the parts that the command is made of, from clock
// at the bottom to reports at the top. Its one test, tidy_test.go, keeps the house: which package may import which,
// and what no simulated package may do.
package lockstorm
