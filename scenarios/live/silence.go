package live

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// This file reports questions that a client leaves open: during the run, when its caller ends it, and in its result.

// graceMost is how long a client may be silent beyond its own time, because the machine may be busy.
const graceMost = 2 * time.Second

// ownTime is how long a client may take to answer a question. It asks each server at most twice, one by one.
func (a *agent) ownTime() time.Duration {
	return 2 * time.Duration(len(a.proxies)) * a.Scenario.Lock.Rules.Timeout
}

// owes returns how long the client has been able to answer a question without doing so.
func (a *agent) owes(sent int64) time.Duration {
	if a.pauses > 0 || a.World != nil && !a.Host(a.client).Up() {
		return 0
	}
	return time.Duration(Monotonic() - max(sent, a.touched, a.launched))
}

// expect reports a question that is still open after the client's own time and a grace period.
func (a *agent) expect(id int, q *openQuestion, d time.Duration) {
	q.overdue = time.AfterFunc(d, func() {
		a.Do(func() {
			patience := a.ownTime() + a.grace
			switch left := patience - a.owes(q.sent); {
			case a.open[id] != q:
			case left > 0: // it was stopped meanwhile, or restarted
				a.expect(id, q, left)
			default:
				q.told = true
				a.tell(a.silence(q) + a.ahead())
			}
		})
	})
}

// silence says what the client does not answer, and for how long.
func (a *agent) silence(q *openQuestion) string {
	what := fmt.Sprintf("has not answered %q", q.text)
	if !a.ready {
		what = `has not said "0 ready"`
	}
	return fmt.Sprintf("Client %s %s for %s.", a.name, what, a.owes(q.sent).Round(10*time.Millisecond))
}

// ahead says how long the run may still last.
func (a *agent) ahead() string {
	if end := a.Scenario.Horizon; a.Now() < clock.Instant(end) {
		return fmt.Sprintf(" The run continues, up to its horizon of %s.", end)
	}
	return ""
}

// silences says what the client has not answered although its own time has ended.
func (a *agent) silences() (all []string) {
	if !a.ready && a.launched > 0 && a.owes(a.launched) > a.ownTime() {
		return []string{a.silence(&openQuestion{})}
	}
	for _, id := range slices.Sorted(maps.Keys(a.open)) {
		if q := a.open[id]; a.owes(q.sent) > a.ownTime() {
			all = append(all, a.silence(q))
		}
	}
	return all
}

// mute reports whether a report said that the client does not answer, and it has not answered since.
func (a *agent) mute() bool {
	for _, q := range a.open {
		if q.told {
			return true
		}
	}
	return false
}

// unanswered says which questions the client has left open, if it was there to the end.
func (a *agent) unanswered() (all []string) {
	for _, id := range slices.Sorted(maps.Keys(a.open)) {
		if a.Host(a.client).Up() && a.pauses == 0 {
			all = append(all, fmt.Sprintf("Client %s has not answered %q.", a.name, a.open[id].text))
		}
	}
	return all
}
