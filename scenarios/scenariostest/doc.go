// Package scenariostest has generators for property tests with rapid, so that your properties draw from the same world
// as ours: universes (a scenario with random faults and settings), runs and their evidence, and histories of clients.
// Values stay sound while rapid shrinks them: a universe passes Check, a history is well-formed, and evidence is from a
// run.
//
// Package faultstest draws schedules alone. Put your lock into a universe as its Lock.New; [locktest.Fuzz] knows which
// promises it must keep there.
//
// [locktest.Fuzz]: https://pkg.go.dev/github.com/lockstorm/lockstorm/scenarios/locktest#Fuzz
package scenariostest
