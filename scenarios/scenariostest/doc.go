// Package scenariostest has generators for property tests with rapid, so that the properties of others draw from the
// same world as ours: universes (a scenario with a drawn schedule of faults and drawn settings), runs and their
// evidence, and histories of clients. What rapid shrinks stays sound: a universe passes Check, a history is
// well-formed, and evidence is that of a run.
//
// Schedules alone are drawn by package faultstest. Put your lock into a drawn
// universe as its Lock.New; which promises it owes there, [locktest.Fuzz] knows.
//
// [locktest.Fuzz]: https://pkg.go.dev/github.com/lockstorm/lockstorm/scenarios/locktest#Fuzz
package scenariostest
