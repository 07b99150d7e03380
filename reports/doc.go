// Package reports puts results before people and machines: as text for a terminal, as JSON, as the files of a store.
// A [Suite] is what many scenarios came to, and has forms that CI systems read besides: Markdown, JUnit, annotations.
//
// Every report is a pure function of results: the same result gives the same bytes.
package reports
