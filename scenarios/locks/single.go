package locks

// NewSingle makes one client's lock on a single server: SET NX PX with a random token, and a release that compares it.
// It is what the Redis documentation calls the correct implementation with a single instance, and Redlock with one
// server is the same: a majority of one is one. The drift allowance is kept, for a client's clock and the server's can
// run at different rates however many servers there are.
func NewSingle(c Config) *Redlock {
	if len(c.Servers) != 1 {
		panic("locks: a single-instance lock needs exactly one server")
	}
	return NewRedlock(c)
}

// SingleProtocol is the protocol of NewSingle.
var SingleProtocol = Protocol{
	Name: "single", New: making(NewSingle), Options: redlockOptions, OneServer: true, Attempt: redlockAttempt,
}
