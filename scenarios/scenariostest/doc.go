// Package scenariostest has generators for property tests with rapid, so that the properties of others draw from the
// same world as ours: universes (a scenario with a drawn schedule of faults and drawn settings), runs and their
// evidence, and histories of clients. What rapid shrinks stays sound: a universe passes Check, a history is
// well-formed, and evidence is that of a run.
//
// Schedules alone are drawn by package faultstest. A lock of one's own is tried in a drawn universe by locktest.Check.
package scenariostest
