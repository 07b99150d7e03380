package live

import (
	"slices"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/sim/redis"
)

// A client of ours says itself when it passes a mark within the lock. An adapter does not, and so the proxy watches: the
// first request of an attempt that names the lock's key is the mark before it, and the reply with which all servers have
// answered is the mark after it. What is on its way then waits until the fault that strikes there is in force.
//
// A fault that strikes less than a millisecond after the mark before an attempt is to find the requests on their way. A process takes
// as long to wake up and to send them. So there the proxy watches for clients of ours too, and waits for a moment until all
// that is sent at once is there: then comes the mark, and then they go on.

// A passage is what the proxy has seen of one question.
type passage struct {
	asked    []int    // the servers that were asked for the key
	answered []int    // those of them that have answered
	held     []func() // what waits at a mark; nil while nothing does
}

// proxyMarks are the marks before and after each verb.
var proxyMarks = map[string][2]string{"acquire": {"asking", "answered"}, "extend": {"extending", "extension-answered"}}

// gathering is how long the proxy waits for requests that are sent at once; and a fault that comes so soon after a mark needs it.
const gathering = time.Millisecond

// gated reports whether a fault strikes so soon after a mark before an attempt that requests must be gathered there.
func gated(s *scenarios.Scenario) bool {
	return slices.ContainsFunc(s.Faults, func(f faults.Fault) bool {
		before := f.When.Name == proxyMarks["acquire"][0] || f.When.Name == proxyMarks["extend"][0]
		return before && 0 < f.When.After && f.When.After < gathering
	})
}

// watched returns the question whose marks the proxy sees, which is the latest; nil for none.
func (a *agent) watched() *question {
	q := a.open[a.asked]
	if !a.adapter && !a.gated || q == nil || proxyMarks[q.verb] == [2]string{} {
		return nil
	}
	return q
}

// isWatched reports whether a mark that a client says it passes is one that the proxy sees.
func (a *agent) isWatched(mark string) bool {
	return a.gated && (mark == proxyMarks["acquire"][0] || mark == proxyMarks["extend"][0])
}

// asks passes a request on, at once or when the mark has been passed that it stands for.
func (a *agent) asks(r *redis.Request, node int, send func()) {
	q := a.watched()
	names := func(arg string) bool { return strings.Contains(arg, a.run.key) }
	switch {
	case q == nil || q.marks.held == nil && !slices.ContainsFunc(r.Args, names):
		send()
	case q.marks.held != nil:
		q.marks.asked, q.marks.held = append(q.marks.asked, node), append(q.marks.held, send)
	case len(q.marks.asked) > 0:
		q.marks.asked = append(q.marks.asked, node)
		send()
	default:
		q.marks.asked = append(q.marks.asked, node)
		q.marks.held = []func(){send}
		if !a.gated {
			a.pass(q, proxyMarks[q.verb][0])
			return
		}
		a.run.world.At(a.run.world.Now().Add(gathering), func() { a.pass(q, proxyMarks[q.verb][0]) })
	}
}

// isAnswered passes a reply on, likewise.
func (a *agent) isAnswered(node int, receive func()) {
	q := a.watched()
	if q == nil || !a.adapter || !slices.Contains(q.marks.asked, node) || slices.Contains(q.marks.answered, node) {
		receive()
		return
	}
	q.marks.answered = append(q.marks.answered, node)
	if len(q.marks.answered) < len(a.proxies) {
		receive()
		return
	}
	q.marks.held = []func(){receive}
	a.pass(q, proxyMarks[q.verb][1])
}

// pass lets the client pass a mark, and then what is held.
func (a *agent) pass(q *question, mark string) {
	q.heard = append(q.heard, said{line: line{verb: "mark", values: []string{pair("name", mark)}}, do: func() {
		held := q.marks.held
		q.marks.held = nil
		for _, do := range held {
			do()
		}
	}})
	q.proc.Unpark()
}
