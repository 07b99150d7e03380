package locks

import "time"

// A round is what an operation asks of every server, and what they answer. Each operation has one of its own, so that
// those of one client may overlap: a release does not wait for the extension that a renewal has under way.
type round struct {
	*Redlock
	c       Client
	token   string
	command any           // what is sent to every server
	answers []answer      // by place in Config.Servers
	votes   int           // servers that granted what was asked
	need    int           // how many must
	faults  int           // servers that failed to answer, or answered with an error
	fence   uint64        // the token that came with the key, where there is one
	reached time.Duration // what the lock's clock showed when the votes sufficed, if that is what counts
}

// An answer is what is known of one server's answer.
type answer struct {
	came  bool // there was one
	freed bool // it acknowledged a release, or was not to be asked
}

func (l *Redlock) round(c Client, token string, need int) *round {
	return &round{Redlock: l, c: c, token: token, need: need, answers: make([]answer, len(l.config.Servers))}
}

// each does something for each server: one after the other, or all at once.
func (r *round) each(do func(r *round, i int)) {
	if r.config.Contact == Parallel {
		r.c.Together(len(r.answers), func(i int) { do(r, i) })
		return
	}
	for i := range r.answers {
		do(r, i)
	}
}

// call sends a command to one server. It is not ok if no answer came, or an error.
func (r *round) call(i int, command any) (reply any, ok bool) {
	reply, err := r.c.Call(r.config.Servers[i], command, r.config.Timeout)
	r.answers[i].came = err == nil
	_, bad := reply.(error)
	return reply, err == nil && !bad
}

// count counts one server's answer. The clock is read before the mark, so that a fault that strikes there comes after the
// last reading.
func (r *round) count(granted, ok bool) {
	if !ok {
		r.faults++
	}
	if !granted {
		return
	}
	if r.votes++; r.votes == r.need && r.config.Counted == AtQuorum {
		r.reached = r.now(r.c)
		r.c.Mark("quorum")
	}
}

// confirmed makes the further requests of a lock that needs more than its servers' answers.
func (r *round) confirmed() {
	if r.confirm != nil {
		r.confirm(r)
	}
}

// end returns when the round ended, for step three.
func (r *round) end() time.Duration {
	if r.config.Counted == AtQuorum && r.votes >= r.need {
		return r.reached
	}
	return r.now(r.c)
}
