// Package lockstorm is the root of a deterministic correctness simulator for distributed locks. It has no code: the
// command is in cmd/lockstorm, and the packages below this folder are its parts. Tests in cmd/internal/house check
// which package imports which, what simulated packages must not do, and that every link in a page leads somewhere.
//
// # What may be built on
//
// Every package that another module can import is meant for it. CHANGELOG.md names every change that breaks its users:
//
//   - scenarios: a Scenario as a value or a file, Run, and its Result; the catalogue.
//   - scenarios/locks: the interface Lock, the optional interfaces, and Client, against which a lock is written.
//   - scenarios/locktest: tests of a lock of your own.
//   - scenarios/scenariostest: generators of universes, runs, evidence and histories for property tests with rapid.
//   - scenarios/arithmetic: the sums of a lock under property tests. scenarios/sentence: what a sentence about runs may say.
//   - scenarios/campaign: many runs; scenarios/campaign/stats: what follows from counts of them.
//   - faults: schedules of faults, their text form and the table of kinds.
//   - checker: evidence, properties and verdicts. checker/recorder records evidence in a test of your own, checker/blackbox
//     judges a history alone, checker/codec reads and writes histories, checker/checkertest helps tests to write them by hand.
//   - clock and sim: time, hosts, procs and the network, on which another protocol can be simulated. sim/redis, sim/storage,
//     sim/sql and sim/consensus are servers for it.
//
// # What may change
//
// Everything else may change with any commit, wherever it is: the command, reports, explorations, live runs
// (scenarios/live), the files of campaigns, platforms. The files that the command writes state their schema_version.
// These files, the flags and the exit codes are stable; the Go code behind them is not.
package lockstorm
