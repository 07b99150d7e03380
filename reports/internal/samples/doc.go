// Package samples has suites and metrics that the tests of reports share.
package samples
