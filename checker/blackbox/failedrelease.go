package blackbox

import (
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
)

// EndFailedReleases returns a history and a model that together judge what this model would judge if a failed release
// had ended its client's hold, where there was one. To the models it has done nothing, but it shows a lease that the
// hold had ended. The plain mutex does not know whose hold a release ends, so it stays as it is.
//
// Mostly the history is rewritten for the same model, which keeps its fast judge. A failed release becomes an ok where
// its client holds the lock for certain: it has been granted it more often than it has released it, or a successful
// renewal has shown it since. In any order of the operations it then holds the lock there, so an ok says exactly that.
// It stays a fail where its client holds nothing for certain. An acquire with an unknown outcome makes no difference
// there: any order in which it takes effect before is as legal if it does so after, because nothing between the two
// needs it. That is so unless a fencing token distinguishes holds, as in reentrant-fenced-mutex.
//
// Elsewhere it is not known whether there was a hold: after a release with an unknown outcome, which may take effect at
// any time. Then the history stays, and the model becomes one in which a failed release is a step. It needs a search.
func (m Model) EndFailedReleases(h checker.History) (checker.History, Model) {
	if !m.owned || strings.HasPrefix(m.Name, "lease") {
		return h, m
	}
	ended := slices.Clone(h)
	held := map[clientLock]holdCount{} // looked up, never ranged over
	lock := map[int]string{}           // by process, the lock of its open operation; looked up, never ranged over
	for i := range ended {
		o := &ended[i]
		if o.Type == checker.Invoke {
			lock[o.Process] = o.Lock
			continue
		}
		if o.F == checker.Read || o.F == checker.Write || o.F == checker.CompareAndSet {
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

// endingOnFail returns the model in which a failed release succeeds if its client holds the lock, and does nothing if
// not. Less can be left out of its history: an unknown acquire that nothing confirms may be what a failed release
// ended, and without the failed release its client would continue to hold.
func (m Model) endingOnFail() Model {
	steps := m.machine
	m.owned, m.fast, m.removable = false, nil, []grouping{each(isRenewal)}
	m.means = func(f checker.Func, t checker.Type) (checker.Type, bool) {
		return t, f == checker.Acquire && t != checker.Fail || f == checker.Release ||
			f == checker.Renew && t == checker.OK
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

func (m *Model) client(process int) int {
	if m.Clients > 0 {
		return process % m.Clients
	}
	return process
}

// A clientLock is a client and a lock, and a holdCount what can be said about the two.
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
