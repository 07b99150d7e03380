// Package study reads studies: files that say which runs to make, what to measure, and which figure to show.
//
// A [Study] has a scenario, an axis of values, and lines to compare. It is a [campaign.Job] with a cell for each line
// and value, line by line. So it is run, kept and resumed like any other job.
//
//	title: An update is lost, by the length of the holder's pause
//	scenario: kleppmann/gc-pause
//	measure: storage
//	x: {label: pause ÷ TTL, values: 0.5..2:lin:7, faults: ["when c1 read pause c1 for @*lock.ttl"]}
//	lines:
//	  - {name: TTL 2 s, set: [lock.ttl=2s]}
//	  - {name: TTL 10 s, set: [lock.ttl=10s]}
//
// In settings and faults, @ is the value of the axis, @*lock.ttl that many times a setting of the same cell, and @*1s
// that many seconds: so one axis may be a ratio.
//
// A matrix has locks of the table as lines, columns of the list of faults as values, and several promises. Where one
// breaks, the study finds the smallest schedule that breaks it:
//
//	title: Which promises break, by lock and by class of faults
//	scenario: redlock/any
//	measure: validity, belief, storage
//	least: 200
//	x: {columns: ["*"]}
//	locks: ["redlock*"]
//
// A measure is a promise, a figure, or one of two as a share of the other: overlaps of holds, or blackbox.lease of
// belief. The measure blackbox counts what each view of a black box sees of each promise.
//
// An axis may be halved instead of having values: then the study finds where promises begin to break. It needs another
// number of runs at each value, so it keeps no rows.
//
//	title: From which rate on a majority is lost
//	scenario: antirez/rate-drift
//	measure: quorum
//	x: {halve: clocks.n3=0ppm..50000ppm}
package study
