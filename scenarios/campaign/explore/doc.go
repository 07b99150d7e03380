// Package explore runs every schedule of a scenario within bounds, so that "holds" is more than "was not found".
//
// # A deviation is a fault
//
// The root is the scenario's run without changes, on a grid of time. A message takes a number of ticks, and each step
// of a client costs 1µs; the next message leaves at a tick again (sim.Config.Tick). A deviation is one line of the
// language of schedules. A late message is a slow link for the nanosecond of its sending. A lost message is a link
// that loses everything in that nanosecond. A message behind the others of its tick is late by a nanosecond. A fault
// hits at a mark, or before a tick. So an exploration enumerates schedules, and each of its runs is a plain run of a
// scenario. What breaks a promise is a file that run repeats, byte for byte.
//
// # The tree
//
// The schedules form a tree. A child has one more deviation than its parent, at a point of the parent's run after its
// last one; up to that point both runs are the same. So each set of deviations is visited once. Choices are read from
// the trace of a run: none is estimated or random. The tree is explored level by level, where a level is a number of
// deviations. So the first schedule that breaks a promise is among the shortest that do. A property that never broke
// holds within the bounds: at most that many messages late, behind or lost, and at most that many faults.
//
// # What is left out
//
// A run ends at a state that another run has reached with no more deviations and no more faults: the other run
// continues from there, with at least as much left to spend. The state (sim.Digest, scenarios.StateFunc) has
// everything that can matter later:
//
//   - What a client's code remembers can't be looked up, but it follows from the answers it has received, so those are
//     compared. If the scenario knows what its client still needs, the rest is forgotten (sim.Proc.Forget).
//   - A reply that no client waits for any more counts as lost, and is in no state.
//   - Evidence that has ended is judged when the run ends. The state has only what can still break a promise: held
//     locks, open windows, living keys, granted tokens.
//   - Whether a call took too long is not in it, so promises of liveness are not judged here.
//
// Nodes that are alike are interchangeable. A state lists them in order, and of the nodes that no deviation has
// touched, only the first is touched. Nodes are alike if the lock asks them in parallel and passes no mark while it
// asks one of them. Clients are not alike: at one tick the messages of the first are handled first.
//
// A test explores universes with and without each reduction. It compares all states, all properties that break, and
// the first schedule of each. Another test follows all runs that reach one state, and requires that each reaches the
// same next state. They agree on 80 universes.
//
// There are no sleep sets. A set of deviations has one order here, by true time, so there is no second order to leave
// out. What independent deviations share is found by their states.
//
// If the state of a lock or a platform is not known, schedules are enumerated without merging: see scenarios.Runner.
// It is known for redlock and single, on Redis nodes that write no log each second.
//
// # Replay, not forks
//
// Each run begins at the start. A world can't be copied in the middle: its clients are coroutines whose stacks Go
// does not copy, and its nodes are miniredis. So most of a run repeats what came before its last deviation; README
// states the cost.
//
// A run that would end immediately is skipped. The first state of a schedule with one more late or lost message is
// computed in the run of the schedule without it. Until then, only that message can differ (runner.go).
//
// # Units
//
// The root and the schedules of one deviation are the trunk. A unit is all schedules that begin with one of these. It
// is explored alone: it knows the states of the trunk and its own. So it does not matter who explores it, when, or
// with which others. A state that two units reach is counted in both, and both continue from it.
//
// # Without a bound
//
// If any number of messages may deviate (Explore.Unbounded), a run ends at a state that any run has reached with no
// more faults, however many messages were late. All schedules share their states, so there are no units. The
// exploration ends when a level has no new state.
package explore
