// Package leases is a platform for guests: an API server as Kubernetes has it, of which there is one object, a Lease, by which
// the candidates of an election find out who leads.
//
// The server knows nothing of elections. It keeps the object with a version, makes it, returns it, and replaces it if who asks
// has seen its latest version. Nothing ends by itself: a candidate takes the object over when it has not seen it change for as
// long as the object says, by its own clock. So what is told to the judges of the lives of the lock's key is this: the object
// names a holder from the write that put it there until another write names somebody else or nobody; or until it has not been
// renewed for the duration that it says, by the server's clock, which is when its word ends.
//
// [Kind] is our own lock on it, which does by one attempt after another what client-go's elector does in a loop. A library
// speaks to it by [NewWire], HTTP/1.1 without TLS, with bodies in any form that the library chooses, and answers in JSON.
package leases
