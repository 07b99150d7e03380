// Package clocks holds what package scenarios must know about the clocks of hosted client libraries.
package clocks

// OfGuests is whether each client library has the clock of its client's host: it may run at another rate from the
// beginning, and be stepped. The host of the libraries sets it during start-up.
var OfGuests bool
