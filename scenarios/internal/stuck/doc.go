// Package stuck finds out whether a lock on trial will ever go on: it may wait for nothing but the world that it runs
// in. Those who run locks that others wrote use it: package locktest, and the hosting of client libraries.
package stuck
