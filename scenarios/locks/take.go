package locks

// take asks every server for the key. The documentation does it by one command: then no key is ever without a TTL, and no two
// clients both find it free.
func (r *round) take() {
	switch r.config.Take {
	case SetNXThenExpire:
		r.each((*round).setThenExpire)
		return
	case GetThenSet:
		r.command = []string{"SET", r.config.Key, r.token, "PX", r.px}
		r.each((*round).getThenSet)
		return
	case takeAndCount:
		r.each((*round).takeAndCount)
		return
	case SetNXPXAT:
		r.command = []string{"SET", r.config.Key, r.token, "NX", "PXAT", millis(r.c.Wall() + r.config.TTL)}
	default:
		r.command = []string{"SET", r.config.Key, r.token, "NX", "PX", r.px}
	}
	r.each((*round).set)
}

// set asks one server, in one step.
func (r *round) set(i int) {
	reply, ok := r.call(i, r.command)
	r.count(reply == "OK", ok)
}

// setThenExpire asks one server for a key, and sets its TTL in a second step. The client may have crashed by then.
func (r *round) setThenExpire(i int) {
	reply, ok := r.call(i, []string{"SETNX", r.config.Key, r.token})
	if reply == int64(1) {
		r.c.Mark("between")
		reply, ok = r.call(i, []string{"PEXPIRE", r.config.Key, r.px})
	}
	r.count(reply == int64(1), ok)
}

// getThenSet reads the key on one server, and sets it in a second step. Another client may have done so by then.
func (r *round) getThenSet(i int) {
	reply, ok := r.call(i, []string{"GET", r.config.Key})
	if ok && reply == nil {
		r.c.Mark("between")
		r.set(i)
		return
	}
	r.count(false, ok)
}
