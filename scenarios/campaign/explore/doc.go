// Package explore runs every schedule of a scenario within bounds, so that "holds" is more than "was not found".
//
// # A deviation is a fault
//
// The root is the run of the scenario as it is, on a grid of time: a message takes a number of ticks, each step of a client
// costs 1µs, and what those add up to is lost at the next message (sim.Config.Tick). A deviation from it is one line of the
// language of schedules. A message that is late is a slow link for the nanosecond at which it is sent; one that is lost is a
// link that loses all in that nanosecond; behind all that is due at its tick is late by a nanosecond; and a fault strikes at
// a mark, or before a tick. So an exploration enumerates schedules, each run is a plain run of a scenario, and what breaks a
// promise is a file that run repeats, byte for byte.
//
// # The tree
//
// The schedules form a tree. The children of one have one deviation more, chosen at a point of its own run that comes
// after its last one; up to that point both runs are the same. So each set of deviations is visited once. Choices are read
// off the trace of a run: none is estimated, and none is drawn. The tree is explored level by level, a level being
// a number of deviations, so the first schedule that breaks a promise is among the shortest that do. A property that never broke
// holds within the bounds: at most so many messages late, behind or lost, and at most so many faults.
//
// # What is left out
//
// A run ends where it comes to a state that another run has come to with no more deviations and no more faults: the other goes on
// from there, with at least as much left to spend. The state (sim.Digest, scenarios.StateFunc) has all that can matter later:
//
//   - What a client's code remembers can't be looked up, but it follows from what the world has answered it, so the answers are
//     compared; if the scenario knows what its client still needs, the rest is forgotten (sim.Proc.Forget).
//   - A reply for which nobody waits any more is as good as lost, and in no state.
//   - Evidence that is over is judged when the run ends. Only what can still break a promise belongs to the state: locks that are
//     held, windows that are open, keys that live, tokens that were given out.
//   - Whether a call took too long is not in it, so promises of liveness are not judged here.
//
// Nodes that are alike stand for each other. In a state they are put in order, and of the nodes that no deviation has touched,
// only the first is touched. Nodes are alike if the lock asks them side by side and passes no mark while it asks one of them.
// Clients are not: at one tick the messages of the first come first.
//
// A test explores universes with and without each of both, and compares all states, all properties that break, and the first
// schedule of each. Another follows all runs that come to one state, and wants each to come to the same next state. They agree
// on 80 universes.
//
// There are no sleep sets. A set of deviations has one order here, that of true time, so there are no two orders of which one
// could be left out; what independent deviations have in common is found by their states.
//
// If the state of a lock or a platform is not known, schedules are enumerated without merging: see scenarios.Runner. It is known
// of redlock and single, on Redis nodes that write no log each second.
//
// # Replay, not forks
//
// Each run begins at the start. A world can't be copied in the middle: its clients are coroutines whose stacks Go does not
// copy, and its nodes are miniredis. So most of a run repeats what came before its last deviation; README says what that costs.
//
// A run is not made if it would end at once: the first state of a schedule that has one more message late or lost is computed in
// the run of the schedule without it, where nothing but that message can differ by then (runner.go).
//
// # Units
//
// The root and the schedules of one deviation are the trunk. All schedules that begin with one of these are a unit, and a unit is
// explored by itself: it knows the states of the trunk and its own. So it does not matter who explores it, when, or beside what.
// States that two units come to are counted, and gone on from, in both.
//
// # Without a bound
//
// If any number of messages may deviate (Explore.Unbounded), a run ends at a state that any run has come to with no more faults,
// however many messages were late. All schedules share their states, so there are no units, and the exploration ends when a level
// has no new state.
//
// # Stores and shards
//
// Units are pieces of work of campaign.Engine. What was found in a unit is kept as a part of an archive as soon as it is finished
// (Store), so the work can be stopped and resumed. A shard is a range of units; one that does not know what the others find goes
// on to all levels, and a Merger drops what one process would not have explored. Its report is made from the files by the code
// that makes every report.
package explore
