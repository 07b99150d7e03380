package checker

import "strings"

// EndFailedReleases gives the history as it is to a model in which a release that failed has ended its client's hold all
// the same, if there was one. To the models as they are it has done nothing.
//
// It becomes an ok where its client holds the lock for certain: it has been granted it more often than it has let go, or a
// renewal that succeeded has shown it since. Any order of the calls then has it hold the lock there, so that an ok says
// just that. It stays a fail where its client holds nothing for certain. An acquire with an unknown outcome makes no difference there: whatever order has it take effect
// before is as legal if it does so after, for between the two nothing needs it. That is so unless a fencing token tells one
// hold from two, as in reentrant-fenced-mutex.
//
// Elsewhere nobody can tell whether the release ended something: after a release with an unknown outcome, which may take
// effect at any time, and under plain-mutex, which does not know who holds. The index of the first such is the doubt, or
// -1. A lease is as it was: there a failed release shows in any case that the hold had ended.
func (m Model) EndFailedReleases(h History) (ended History, doubt int) {
	if !m.owned && m.Name != "plain-mutex" || strings.HasPrefix(m.Name, "lease") {
		return h, -1
	}
	ended = append(History(nil), h...)
	held := map[claimant]claims{} // looked up, never ranged over
	for i := range ended {
		o := &ended[i]
		if o.Type == Invoke || o.F.guards() == 1 {
			continue
		}
		who := claimant{m.client(o.Process), o.Lock}
		has := held[who]
		if o.F == Release && o.Type == Fail {
			if m.doubts(has) {
				return nil, i
			}
			if has.times > 0 {
				o.Type = OK
			}
		}
		held[who] = has.after(o)
	}
	return ended, -1
}

// client gives the client of a process.
func (m Model) client(process int) int {
	if m.Clients > 0 {
		return process % m.Clients
	}
	return process
}

// A claimant is a client and a lock, and its claims are what is known of the two.
type (
	claimant struct {
		client int
		lock   string
	}
	claims struct {
		times    int  // how often the client holds the lock for certain
		asked    bool // an acquire has an unknown outcome
		released bool // a release has
	}
)

func (h claims) after(o *Op) claims {
	switch {
	case o.F == Renew && o.Type == OK:
		h.times = max(1, h.times)
	case o.F == Renew:
	case o.Type == OK && o.F == Acquire:
		h.times++
	case o.Type == OK:
		h.times = max(0, h.times-1)
	case o.Type == Info && o.F == Acquire:
		h.asked = true
	case o.Type == Info:
		h.released = true
	}
	return h
}

func (m Model) doubts(h claims) bool {
	return h.released || m.Name == "plain-mutex" || h.asked && m.Name == "reentrant-fenced-mutex"
}
