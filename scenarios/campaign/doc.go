// Package campaign makes many runs: consecutive seeds of one scenario, side by side on as many workers as there are
// cores.
//
// A run is a pure function of its scenario and seed, so the workers share nothing, and what they find does not depend on
// how the seeds fell to them. A [Tally] counts what was found and names the seeds that went otherwise than expected;
// whoever wants one of those runs makes it again.
//
// A [Sweep] measures how often each property breaks at each place of a grid, a [Bounding] from where on, and a [Matrix]
// under which faults each kind of lock breaks. The seeds of all cells are the same, and a cell that stops early is stopped
// by a rule in whole numbers; so what they find is the same everywhere too.
//
// A [Death] holds a mutant against the reference: a scenario proves something of a lock only if it can tell it from one
// with a rule broken.
//
// A [Hunt] goes through the rows of a [Job] and tells violations apart by their signatures: the property, and the kinds of
// faults that it takes. The first run of each is shrunk, by a [Shrinking], to the least scenario that still breaks the
// property. A [Catching] searches for mutants in the same way, with no scenario to hint at them.
//
// A [Survey] counts the rows of any Job, cell by cell: how often each property broke and when, and the values of figures.
// Reports of campaigns are made of it, so that rows by the million need not be kept.
//
// A run that panics is a fault of Lockstorm's own. It ends the campaign with a panic that names the run: see [Broken].
//
// Goroutines are started here and nowhere else among the scenarios.
package campaign
