// Package samples has suites that the tests of reports share.
package samples
