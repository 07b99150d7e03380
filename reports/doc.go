// Package reports is only this map of its folders. Each of them puts results before people or machines, and is a pure
// function of them: the same result has the same bytes.
//
//	onerun     one run: text, Markdown, JSON, a page, the files of a store
//	campaigns  many runs: a tally, searches, sweeps, the matrix, and the page of a campaign
//	suites     scenarios that are run as tests, and the claims that they test; ci has JUnit and annotations of them
//	bounds     where a property begins to break: as computed, and as measured
//	histories  what the models say of a recorded history
//	metrics    runs as OpenMetrics
//	debate     the argument about Redlock, tested by runs
//	browse     a store in a browser
//
// They are made of these:
//
//	layout         words on a screen, in Markdown and on a page
//	internal/draw  one run: timelines, sequence diagrams, a trace for Perfetto
//	internal/plot  data of campaigns: lines, maps, tiles
//
// A page allows its one style and its one script by their hashes, and nothing from outside.
package reports
