// Package reports puts results before people or machines. Each report is a pure function of results: the same result has the
// same bytes.
//
// A [Document] is a report that can be written in each format: text, Markdown, HTML, JSON and CSV. There is a way to one for
// each kind of result:
//
//	Run, List, Metrics   one run, or many as what operators watch; Timeline, Sequence and Mermaid draw it
//	Tally, Hunt, Sweep…  many runs: counts, searches, the matrix, bounds; Campaign is rows that are kept, on a page with figures
//	Suite                scenarios that are run as tests, also for CI systems
//	History              what models say of a recorded history
//	Debate               the argument about Redlock, tested by runs
//	Table                rows of words, of whatever else
//
// Each of these says what it says once, as blocks: its page has no template, but blocks that only a page has. So a new
// format is a file in internal/layout, and knows no report. The pages of a [Store], which shows runs and campaigns that are
// kept to a browser, are the exception: they have forms, and templates. What all of it is made of lies below internal:
// layout has words, tables and formats; draw the pictures of a run; plot those of campaigns.
//
// A page allows its one style and its one script by their hashes, and nothing from outside.
package reports
