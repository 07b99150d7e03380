// Package leases is a platform for guests: a Kubernetes API server with one object, a Lease. The candidates of an
// election learn from it who leads.
//
// The server knows nothing of elections. It is the store of lock.kind record behind HTTP. It creates the object,
// returns it with a version, and replaces it if the writer has seen its latest version. It does not keep when the
// holder acquired the object, because no candidate reads that. Nothing ends by itself. A candidate takes the object
// over when it has not seen it change for as long as the object says, by its own clock. So the judges see this life of
// the lock's key: the object names a holder from the write that put it there until another write names a different
// holder or no one. The life also ends when the object has not been renewed for its duration, by the server's clock,
// which is when its word ends.
//
// [Kind] is our own lock on it: the record lock, whose attempts do what client-go's elector does in a loop. A library
// uses [NewWire], HTTP/1.1 without TLS, with bodies in any form that the library chooses, and gets answers in JSON.
package leases
