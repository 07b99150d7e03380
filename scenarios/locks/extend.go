package locks

// Extend is what the documentation's "Making the algorithm more reliable: Extending the lock" describes, in the steps of
// acquiring.
func (l *Redlock) Extend(c Client, g *Grant) bool {
	r, old := l.round(c, g.Token, l.extensionNeeds()), g.Deadline

	// 1. Get the current time.
	start := l.now(c)
	c.Mark("extending")
	if !l.config.Renew.Confirm {
		g.Deadline = start + l.config.Validity(0)
	}

	// 2. Extend the TTL of the key on all servers, if it exists and its value is still the token.
	r.extend()
	r.confirmed()

	// 3. The lock is extended only if a majority did so, and within the validity time: that of the new life, as when the
	// lock was acquired, and that of the old, or there was a time in which nothing was promised.
	c.Mark("extension-answered")
	now := r.end()
	validity := l.config.Validity(now - start)
	inTime := validity > 0 && now < old
	if r.votes >= r.need && (inTime || !l.config.Renew.Check) {
		// 4. What is left of the validity is what counts.
		g.Deadline = now + validity
		return true
	}

	// 5. If not, the old deadline stands, and so do the keys: to release them would end the hold before its time.
	if !l.config.Renew.KeepFailed {
		r.free(CleanAll)
	}
	return false
}

// extensionNeeds is how many servers must extend the key.
func (l *Redlock) extensionNeeds() int {
	if !l.config.Renew.Quorum {
		return 1
	}
	return l.config.Need()
}

// extend asks every server to let the key live longer.
func (r *round) extend() {
	if !r.config.Renew.Compare {
		r.command = []string{"SET", r.config.Key, r.token, "PX", r.px}
		r.each((*round).set)
		return
	}
	r.command = []string{"EVALSHA", r.extending.sha, "1", r.config.Key, r.token, r.px}
	r.each((*round).extendOn)
}

// extendOn asks one server.
func (r *round) extendOn(i int) {
	reply, ok := r.run(&r.extending, i)
	r.count(reply == int64(1), ok)
}
