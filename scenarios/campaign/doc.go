// Package campaign makes many runs in parallel, counts what they show, and shrinks what breaks.
//
// A run is a pure function of its scenario and seed. So workers share nothing, and their findings do not depend on
// which worker makes which run.
//
// # One engine
//
// An [Engine] has workers, each on a goroutine, which process pieces of work and show the outcomes, in order where
// that matters. It ends early when Done or Stop says so, and names the run that panics. It does all work in this
// package and below:
//
//	work                         a piece                         its outcome
//	a [Job]                      a block: seeds of one cell      a [Row] for each run: run, fuzz, study
//	a [Plan]                     a batch of seeds                a [Tally]: test
//	a [BoundSearch]              a seed, at one value            a row: the study bounds
//	counterexamples              a cell                          the [Counterexample] that breaks it
//	an exploration               a unit of schedules             what it breaks: package explore
//
// A [Job] is a campaign as data: a scenario, the cells of a grid, and the seeds, which are the same in all cells. Its
// rows come in blocks. A block is a pure function of its job. So any worker can make it at any time, and the package
// archive keeps blocks.
//
// A job can be written as JSON, so other processes of the same program get it. Package study makes jobs from files that
// say what varies and what is measured, and the command sweep writes such a file. A [BoundSearch] finds the value from
// which a property breaks.
//
// # Memory
//
// A campaign holds the blocks in work, one per worker, and what it counts; nothing in it grows with the number of
// seeds. Resident memory of two searches that kept their rows, read from /proc every five seconds on a machine with
// other work:
//
//	fuzz baseline/single-instance, one cycle, no faults, two workers    fuzz redlock/any, delay, loss and pause, one worker
//	  seeds, in millions   0.3   0.9   2.2   4.2   6.0   8.3   9.6        seeds, in thousands    10    50   100   210   380
//	  resident, in MB      124   140   121   128   129   141   148        resident, in MB       145   105   108   107   122
//	  highest until then   157   157   167   167   167   211   211        highest until then    191   191   191   191   191
//
// The first search was ended at ten million seeds, after 160 s and with 223 MB of rows on the disk; the second at
// 380,000, after 300 s. The garbage collector causes the changes: by its setting it runs seldom. The highest value of
// the first was reached while a compiler used the cores.
//
// # What is looked for
//
// A [MutantResult] compares a mutant with the reference: a scenario proves something of a lock only if a lock with a
// rule broken fails it.
//
// A [Hunt] reads the rows of a [Job] and sorts violations by their signatures: the property, and the kinds of faults
// that broke it. A [Shrinker] shrinks the first run of each to the smallest scenario that still breaks the property.
//
// A [Survey] counts the rows of any Job, cell by cell: how often each property broke and when, and the values of
// figures. Reports of campaigns use it, so that a campaign does not keep rows by the million.
//
// A run that panics is a defect of Lockstorm. It ends the campaign with a panic that names the run: see [Broken].
//
// Goroutines are started by the engine, in package guest for client libraries that start their own, in package live,
// which runs in real time, and where code waits for hangs or signals.
package campaign
