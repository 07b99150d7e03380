// Package runs reports one run: as text for a screen, as Markdown, as JSON, as a page, and as the files of a store.
//
// Every report is a pure function of the result: the same result yields the same bytes. First comes what broke, when,
// by whom and after what; then a timeline; then why.
package runs
