// Package reports makes documents, and writes each in every format: as text for a screen, as Markdown, HTML, JSON and CSV.
//
// A report says what it says once, as a [Document] of blocks, and this package writes them in a format. A format is a file that
// writes blocks, and a line in the table of format.go; it knows nothing of what is reported. What reports on results is in the
// packages beside it, each of which imports this one:
//
//	runs        one run, or many as what operators watch
//	campaigns   many runs: counts, searches, the matrix, bounds, studies
//	suites      scenarios that are run as tests, also for CI systems
//	histories   what models say of a recorded history
//	forecasts   how often locks break in an environment
//	debate      the argument about Redlock, tested by runs
//
// A [Screen] is plain data, so the same words on the same screen are the same bytes; the zero Screen is a file. Texts of
// others, such as titles and names, pass through [Plain] before they are shown, and are escaped where the form is
// written.
//
// What only one medium needs, such as a picture or the braces around what a page frames, is a block or a [Span] with In. The
// Class of a block or of words is for the style of a page, and says nothing that the words don't say. A page allows its one style
// and its one script by their hashes, and nothing from outside.
package reports
