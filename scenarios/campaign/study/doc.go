// Package study reads studies: files that say which runs are made, what is measured, and how it is drawn.
//
// A [Study] has a scenario, an axis of values, and lines to compare. It is a [campaign.Job] with a cell for each line and value,
// line by line; so it is made, kept, resumed, divided and merged as any other.
//
//	title: An update is lost, by how long the holder stands still
//	scenario: kleppmann/gc-pause
//	measure: storage
//	x: {label: pause ÷ TTL, values: 0.5..2:lin:7, faults: ["when c1 read pause c1 for @*lock.ttl"]}
//	lines:
//	  - {name: TTL 2 s, set: [lock.ttl=2s]}
//	  - {name: TTL 10 s, set: [lock.ttl=10s]}
//
// In settings and faults, @ stands for the value of the axis, @*lock.ttl for that many times a setting of the same cell, and
// @*1s for that many seconds: so one axis may be a ratio.
package study
