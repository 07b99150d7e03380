// Package lockstorm is the root of a deterministic correctness simulator for distributed locks. It holds no code: the
// command is in cmd/lockstorm, and the packages beside this file are the parts that the command is made of, from clock
// at the bottom to reports at the top. Its tests keep the table of which package may
// import which, what no simulated package may do (tidy_test.go), and that no link in a document is broken.
//
// # What may be built on
//
// These packages are meant for other modules. A change that breaks their users stands in CHANGELOG.md:
//
//   - scenarios: a Scenario as a value or a file, Run, and its Result; the catalogue.
//   - scenarios/locks: the interface Lock, the optional ones beside it, and Client, against which a lock is written.
//   - scenarios/locktest: tests of a lock of your own.
//   - scenarios/campaign: many runs.
//   - faults: schedules of faults, their text form and the table of kinds.
//   - checker: evidence, properties and verdicts. checker/recorder records evidence in a test of your own, checker/blackbox
//     judges a history alone, checker/codec reads and writes histories, checker/checkertest helps tests to write them by hand.
//   - clock and sim: time, hosts, procs and the network, on which another protocol can be simulated.
//
// # What may change
//
// All else is made for this module and may change with any commit: cmd, reports and all below it, the servers below sim,
// checker/blackbox/oracle, faults/faultstest, scenarios/platform, scenarios/guest and what lies below scenarios/campaign. The files that
// the command writes say their schema_version; they, its flags and its exit codes are stable, and the Go code that makes
// them is not.
package lockstorm
