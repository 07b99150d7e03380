// Package scenarios describes runs, and runs them.
//
// A [Scenario] is plain data: a topology, a lock, a workload, a schedule of faults, and the verdict it expects of every
// property. [Run] is a pure function of a scenario and a seed. Its [Result] has the evidence, the trace, the findings
// of the judges, and the hash that identifies equal runs.
//
// # The workload
//
// Each client repeats one cycle: acquire the lock, read the guarded resource, work, perhaps check the validity again,
// write, release, think. It passes marks, where faults may hit: asking and answered within the lock; then acquired,
// read, before-check, before-write, wrote, before-release, released; gave-up. Some rules of a lock have further marks:
// between, where a key is set or deleted in two steps; quorum, once the votes suffice; taken, before a lock on a
// master waits for replicas; waiting, before one of Redisson's waits to be woken; checked, where storage checks a
// token before the write. An extension passes extending and extension-answered. A lock on a session passes queued when
// its key is in the queue, woken when it looks again, and keep-alive whenever it sends one.
//
// # What a lock runs on
//
// Each kind of lock runs on a platform: independent Redis nodes; a Redis master with replicas and an observer; servers
// that agree by raft; or the database that holds the resource. Package platform has a file for each. Servers are always
// n1, n2 …, so that a schedule that names them, or a majority of them, means the same for each lock. Check rejects
// options that a lock does not have, and topologies that it can't run on. A service has one key, whichever of its
// servers holds it, and one lane in the evidence.
//
// # Expectations
//
// A scenario expects a verdict of every property, and things that must happen at least once. It passes only if all of
// this is so: a property that should break and holds is as wrong as the reverse, and a run in which nothing happened
// proves nothing. A run that was cut short proves only what it saw.
//
// # The quiet period
//
// Every run ends with a quiet period. All faults heal, clients that are not done are stopped, and a fresh client, the
// probe, asks for the lock by the same rules until it has it. How long that takes judges deadlock-free: no effect of a
// fault may outlive the fault. The bound follows from the TTL and the timeouts.
//
// # Scenario files
//
// [Open] returns the scenario of a name in the catalogue or of a file, with settings that change it. A file holds a
// scenario as YAML: [Parse] reads it and reports everything that is wrong, with line and column; [Scenario.YAML] and
// [Scenario.Commented] write it; [Schema] describes it for an editor. All four follow from the tags of the struct, so
// they can't disagree. What a file does not have is as in [Base]. The catalogue is a folder of such files. Checking any
// file takes less than a second, because the number of each thing is limited. Package internal/yamlform writes fields,
// and does not know what they mean.
//
// # Names
//
// [Network], [Lock], [Fencing], [Storage], [Workload] and the like are types of fields, and their values have names, so
// that other modules can build a Scenario as a literal and write functions of its parts. A [Runner] makes many runs and
// reuses its memory, nodes and stacks. That changes nothing about a run.
//
// # The source, from the ground up
//
// What is run: kind.go (kinds of locks), formula.go, scenario.go (the data), hosts.go (who is in a run). How values
// are named, read and written: scalar.go, options.go, settings.go. Whether a scenario is sound: problem.go, setup.go,
// claim.go, blackbox.go, guest.go, explore.go, and check.go above them. Where it comes from: search.go (random),
// file.go, catalogue.go. How it is run: branch.go, result.go, runner.go (what a run consists of), fencing.go,
// evidence.go, state.go, marks.go, late.go (late grants), client.go, own.go (added), run.go. How it is shown:
// messages.go, vain.go (vain faults). A file uses those before it; kind.go, scenario.go and result.go name types of
// others.
package scenarios
