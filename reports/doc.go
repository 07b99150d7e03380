// Package reports writes a report once, and in every format: text for a screen, Markdown, HTML, JSON and CSV.
//
// A report is a [Document]: blocks in their order, such as paragraphs, tables and figures. The example builds one. Its
// Text, Markdown, HTML, JSON and CSV write the blocks; a block or a [Span] that only some formats need says so with
// In. The same document yields the same bytes. Text is laid out for a [Screen]; the zero Screen is a file.
//
// This package knows nothing about locks or runs. Packages next to it turn results into documents:
//
//	runs        one run, or many as operators watch them
//	campaigns   many runs: counts, searches, the matrix, studies
//	suites      scenarios that run as tests, also for CI systems
//	histories   what models say about a recorded history
//	stores      the page of what a directory keeps
//	debate      the argument about Redlock, tested by runs
//
// Texts of others, such as titles and names, pass through [Plain] before they are shown. Each format escapes them. A
// page allows its one style and its one script by their hashes, and nothing from outside. A Class only styles a page;
// it says nothing that the words don't say.
package reports
