package locks

// A Renewal extends a hold time and again, beside the work that the lock guards. It is a thread of control of its own,
// on the holder's machine.
type Renewal struct {
	Renew
	Lock    Extender
	Grant   *Grant // the hold
	stopped bool
}

// Run extends the hold until it is stopped, until the attempts are used up, or until the lock is lost. An extension that
// failed does not lose it: what was granted before is good until its deadline, and until then another try may bring the
// majority that this one missed.
func (r *Renewal) Run(c Client) {
	for n := 0; r.Every > 0 && (r.Attempts == 0 || n < r.Attempts); n++ {
		c.Sleep(r.Every)
		if r.stopped {
			return
		}
		if !r.Lock.Extend(c, r.Grant) && Left(r.Lock, c, *r.Grant) <= 0 {
			return
		}
	}
}

// Stop ends the renewal, as the holder must before it releases the lock. An extension that is under way is not called
// back, and need not be: it extends only what it finds.
func (r *Renewal) Stop() { r.stopped = r.StopAtFree }
