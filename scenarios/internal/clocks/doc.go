// Package clocks holds what the hosting of client libraries tells package scenarios of their clocks.
package clocks

// OfGuests is whether each client library has the clock of its client's host: it may run at another rate from the
// beginning, and be stepped. What hosts them sets it during start-up.
var OfGuests bool
