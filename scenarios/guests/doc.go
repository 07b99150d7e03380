// Package guests has adapters to client libraries, so that they run in the simulated world as they are: see package guest
// for how. It is a module of its own, so that nobody else needs the libraries.
package guests
