// Package failure tells of one run in a test that fails: in the 40 lines that a test can print, and in the files that it can
// keep.
//
// It is package reports without the reports of many runs, whose plots need libraries that nobody wants in the go.sum of a test.
package failure
