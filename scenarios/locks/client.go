package locks

import "time"

// A Client is what a lock client may do. In a simulation a sim.Proc is one; the same protocol runs against real servers
// with another.
type Client interface {
	// Wall returns what the client's wall clock shows, since the Unix epoch. It can be stepped, forward and back.
	Wall() time.Duration
	// Mono returns what its monotonic clock shows, since some moment of its own. It only goes forward.
	Mono() time.Duration
	// Awake returns what a monotonic clock shows that stands still while the client's host is suspended.
	Awake() time.Duration
	// Sleep waits.
	Sleep(d time.Duration)
	// Draw draws a number from 0 to n-1.
	Draw(n uint64) uint64
	// Token draws a value that nobody else draws.
	Token() string
	// Call sends a command to a server and waits for its reply: a string, an int64, nil for Redis's nil, or a value that
	// is an error for an error reply. The error result is for a reply that did not come.
	Call(server int, command any, timeout time.Duration) (reply any, err error)
	// Together does n things side by side and returns when all are done. They take turns, as all that is done with one
	// lock must: each goes on alone until it blocks in one of these methods.
	Together(n int, do func(i int))
	// Mark is called at a named point. A simulation may let a fault strike there.
	Mark(name string)
}
