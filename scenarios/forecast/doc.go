// Package forecast estimates how often a year a lock breaks in an environment, and how sure that is.
//
// # The model
//
// A lock is used steadily: clients acquire it, work, write, release, and think, without end. Events follow Poisson
// processes, independent of each other and of the work. Then violations a year are a sum,
//
//	Σ rate(c) · P(breaks | an event of c)  +  Σ rate(c) · rate(d) · window · P(breaks | d within the window after c)  +  …
//
// in which each P is a share of runs. A run begins with use that becomes steady. An event hits at a uniformly random
// moment of a cycle of the work. The run continues until the effect of the event has shown. It ends at its horizon,
// in the midst of work, so its end is not an event. Violations that would have happened without the event, or by one
// of two events alone, are subtracted. Terms of three or more events are left out. Where they count, violations are
// so frequent that brute force is quicker.
//
// # Strata
//
// Large sizes are rare and break most. So a cause's sizes are divided into bands, at the quantiles 0.5, 0.9, 0.99 and
// 0.999. Each band has the same number of runs; its share of the events is its weight. Then more runs follow where
// they make the interval narrower (Neyman's allocation).
//
// # Intervals
//
// An interval covers the uncertainty of the runs and of the rates: see [Sample.Estimate]. Of 400 intervals in each of
// nine worlds whose truth is known, 93 to 97% cover it, and all where hardly anything was seen. Long runs in rough
// environments, with events at their natural rates, break as often as the forecast says.
//
// A rate with two ends is a log-normal number. The value of an estimate has each rate at its middle, its median. The
// mean is the number to expect; over two powers of ten it is twice the value.
//
// # Differences
//
// A change of the lock, or another lock, runs the same seeds: the same events at the same moments. Only runs that
// differ count, and both share the rates. So the sign of a difference is often known where two intervals overlap. It is
// known once an interval of melded confidence limits excludes 0: see [Difference]. For one stratum that is McNemar's
// test with mid-P. While the sign is open, more runs follow, in four steps, and the interval must hold at every step.
// If the sign is still open then, the forecast says that it can't tell.
//
// # Time without events
//
// Time without any event is a stratum, too. If no message is lost, arithmetic bounds it: a use ends before the lock
// does. So the runs of that stratum lose more messages, and count for proportionally less: see [Calm].
//
// # Common starts
//
// If clients start together, a run is one round: each client works once, and starts a random gap later than the one
// before. An event hits within the time that a round may take, so it counts for that share of the time between rounds.
// Earlier events are left out, because nothing is locked then; so are pairs of events.
//
// # Rules for callers
//
// Call Prepare on a [Model], then Run, and then ask it for its [Result]. Runs decide in whole numbers. Floating point
// appears only in the estimate, after the runs, so the same program makes the same forecast everywhere.
package forecast
