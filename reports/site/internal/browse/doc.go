// Package browse makes the pages of lockstorm serve: the list of a store, a run, a campaign, two runs side by side.
//
// Its law is that of reports: a page is a pure function of what was read. Nothing here opens a file, knows the time, or
// listens; what a [Store], a [View] or a [Campaign] holds was read elsewhere. Pages have no scripts. All that can be
// chosen is a link or a form whose answer is another address, so an address says all there is to a page and can be kept.
//
// What is shown may have been written by anybody. Each text of others passes through reports.Plain, package reports escapes
// it, and a place in the store becomes part of an address letter by letter. The pages look as those of reports do, for
// they have the same style sheet; theirs only adds to it.
package browse
