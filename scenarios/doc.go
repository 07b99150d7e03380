// Package scenarios describes runs, and makes them.
//
// A [Scenario] is plain data: a topology, a lock, a workload, a schedule of faults, and what it expects of every
// property. [Run] is a pure function of a scenario and a seed. Its [Result] holds everything that the run produced: the
// evidence, the trace, the findings of the judges, and the hash by which equal runs are recognized.
//
// # The workload
//
// Each client goes through the same cycle: acquire the lock, read the guarded resource, work, perhaps look again
// whether its validity has passed, write, release, think. It passes marks on the way, at which faults may strike:
// asking and answered within the lock; then acquired, read, before-check, before-write, wrote, before-release,
// released; gave-up. Some rules of a lock have marks of their own: between, where a key is taken or freed in two steps,
// and quorum, where the votes are counted as soon as they suffice; taken, where a lock on a master waits for replicas;
// waiting, where one of Redisson's waits to be woken; and checked, where storage checks a token before the write. An
// extension passes extending and extension-answered. A lock on a session passes queued when its key is in the queue,
// woken when it looks again, and keep-alive whenever it sends one.
//
// # What a lock runs on
//
// Each kind of lock needs something to run on: independent Redis nodes; a Redis master with replicas and an observer;
// servers that agree by raft; or the database that holds the resource. Its servers are n1, n2 … whatever they are, so
// that a schedule that names them, or a majority of them, means the same for each lock. Options that a lock does not
// have, and topologies that it can't run on, are refused. A service has one key, whichever of its servers holds it, and
// one lane in the evidence. Package platform has a file for each platform.
//
// # Expectations
//
// A scenario expects a verdict of every property, and some things to have happened at least once. It passes only if all
// of this is so: a property that was expected to break and holds is as wrong as the other way round, and a run in which
// nothing happened proves nothing. A run that was cut short proves only what it saw.
//
// # The quiet period
//
// Every run ends with a quiet period. All faults heal, at once and whatever their end, clients that are not done are
// stopped, and a fresh client, the probe, asks for the lock by the same rules until it has it. How long that takes
// judges deadlock-free: whatever went wrong must not outlive its cause. The bound follows from the TTL and the
// timeouts.
//
// # Scenario files
//
// [Open] is the way to a scenario: a name in the catalogue or of a file, and settings that change it. A file holds a
// scenario as YAML: [Parse] reads it and reports all that is wrong with it, each problem with its line and column;
// [Scenario.YAML] and [Scenario.Commented] write it; and [Schema] describes it for an editor. All four follow from the
// tags of the struct, so that they can't disagree. What a file does not have is as in [Base]. The catalogue is a folder
// of such files. Any file is checked within a second, because the number of each thing is limited. How fields are
// written is in internal/yamlform, which does not know what they mean.
//
// # Names
//
// [Network], [Lock], [Fencing], [Storage], [Workload] and the like are the types of fields of a Scenario or a Result,
// and their values have names, so that other modules can build a Scenario as a literal and write functions of its
// parts.
//
// # Many runs
//
// A [Runner] makes one run after another and keeps its memory, nodes and stacks. It changes nothing about a run.
//
// # The source, from the ground up
//
// What is run: kind.go (kinds of locks), formula.go, scenario.go (the data), hosts.go (who is in a run). How values are
// named, read and written: scalar.go, options.go, settings.go. Whether a scenario is sound: problem.go, setup.go,
// claim.go, blackbox.go, guest.go, explore.go, and check.go above them. Where it comes from: search.go (drawn),
// file.go, catalogue.go. How it is run: result.go, runner.go (what a run consists of), fencing.go, evidence.go,
// state.go, marks.go, client.go, own.go (added), and run.go. How it is shown: messages.go. A file uses those named
// before it; kind.go, scenario.go, result.go name types of others.
package scenarios
