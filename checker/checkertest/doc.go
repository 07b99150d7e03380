// Package checkertest reads histories that tests write by hand. It is for tests of whatever takes a checker.History.
package checkertest
