package locks

// free frees the key on the servers that are to be cleaned, and reports whether each of them acknowledged.
func (r *round) free(where Cleanup) bool {
	for i := range r.answers {
		s := &r.answers[i]
		s.freed = where == CleanNone || where == CleanAnswered && !s.came
	}
	switch r.config.Free {
	case Delete:
		r.command = []string{"DEL", r.config.Key}
	case GetThenDelete:
		r.command = []string{"GET", r.config.Key}
	default:
		r.command = []string{"EVALSHA", r.freeing.sha, "1", r.config.Key, r.token}
	}
	r.each((*round).freeOn)
	for _, s := range r.answers {
		if !s.freed {
			return false
		}
	}
	return true
}

// freeOn frees the key on one server.
func (r *round) freeOn(i int) {
	s := &r.answers[i]
	switch {
	case s.freed:
	case over(r.c): // nothing is sent, so nothing is waited for: the key is left to expire
		s.freed = true
	case r.config.Free == Delete:
		_, s.freed = r.call(i, r.command)
	case r.config.Free == GetThenDelete:
		var held any
		if held, s.freed = r.call(i, r.command); held == r.token {
			r.c.Mark("between")
			_, s.freed = r.call(i, []string{"DEL", r.config.Key})
		}
	default:
		_, s.freed = r.run(&r.freeing, i)
	}
}
