package blackbox

import (
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
)

// EndFailedReleases returns a history and a model that together judge what this model would judge if a release
// that failed has ended its client's hold all the same, where there was one. To the models as they are it has done
// nothing, but to a lease it shows in any case that the hold had ended. The plain mutex does not know whose hold a
// release ends, so it stays as it is.
//
// Mostly the history is written anew for the model as it is, and keeps its fast judge. A failed release becomes an ok
// where its client holds the lock for certain: it has been granted it more often than it has let go, or a renewal that
// succeeded has shown it since. Any order of the operations then has it hold the lock there, so that an ok says just
// that. It stays a fail where its client holds nothing for certain. An acquire with an unknown outcome makes no
// difference there: whatever order has it take effect before is as legal if it does so after, for between the two
// nothing needs it. That is so unless a fencing token tells one hold from two, as in reentrant-fenced-mutex.
//
// Elsewhere it is not known whether there was a hold: after a release with an unknown outcome, which may take effect at any
// time. Then the history stays, and the model becomes one in which a failed release is a step. It needs a search.
func (m Model) EndFailedReleases(h checker.History) (checker.History, Model) {
	if !m.owned || strings.HasPrefix(m.Name, "lease") {
		return h, m
	}
	ended := slices.Clone(h)
	held := map[clientLock]holdCount{} // looked up, never ranged over
	lock := map[int]string{}           // by process, that of its open operation, which names it for sure; looked up only
	for i := range ended {
		o := &ended[i]
		if o.Type == checker.Invoke {
			lock[o.Process] = o.Lock
			continue
		}
		if o.F == checker.Read || o.F == checker.Write {
			continue
		}
		who := clientLock{m.client(o.Process), lock[o.Process]}
		has := held[who]
		if o.F == checker.Release && o.Type == checker.Fail {
			if m.uncertain(has) {
				return h, m.endingOnFail()
			}
			if has.times > 0 {
				o.Type = checker.OK
			}
		}
		held[who] = has.after(o)
	}
	return ended, m
}

// endingOnFail returns the model in which a failed release is one that succeeds if its client holds the lock, and
// nothing if not. Of its history less can be left out: an unknown acquire for which nothing speaks later may be what a
// failed release ended, and without a failed release its client would go on holding.
func (m Model) endingOnFail() Model {
	steps := m.machine
	m.owned, m.fast, m.removable = false, nil, []grouping{each(isRenewal)}
	m.means = func(f checker.Func, t checker.Type) (checker.Type, bool) {
		return t, f == checker.Acquire && t != checker.Fail || f == checker.Release || f == checker.Renew && t == checker.OK
	}
	m.machine = func(m *Model) machine {
		inner := steps(m)
		return machine{inner.start, func(s any, c *operation) (any, bool) {
			next, legal := inner.step(s, c)
			if c.f == checker.Release && c.outcome == checker.Fail && !legal {
				return s, true
			}
			return next, legal
		}}
	}
	return m
}

func (m Model) client(process int) int {
	if m.Clients > 0 {
		return process % m.Clients
	}
	return process
}

// A clientLock is a client and a lock, and a holdCount what is known of the two.
type (
	clientLock struct {
		client int
		lock   string
	}
	holdCount struct {
		times    int  // how often the client holds the lock for certain
		asked    bool // an acquire has an unknown outcome
		released bool // a release has
	}
)

func (h holdCount) after(o *checker.Op) holdCount {
	switch {
	case o.F == checker.Renew && o.Type == checker.OK:
		h.times = max(1, h.times)
	case o.F == checker.Renew:
	case o.Type == checker.OK && o.F == checker.Acquire:
		h.times++
	case o.Type == checker.OK:
		h.times = max(0, h.times-1)
	case o.Type == checker.Info && o.F == checker.Acquire:
		h.asked = true
	case o.Type == checker.Info:
		h.released = true
	}
	return h
}

func (m Model) uncertain(h holdCount) bool {
	return h.released || h.asked && m.Name == "reentrant-fenced-mutex"
}
