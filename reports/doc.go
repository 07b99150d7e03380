// Package reports puts results before people and machines: as text for a terminal, as JSON, as the files of a store.
//
// Every report is a pure function of results: the same result gives the same bytes.
package reports
