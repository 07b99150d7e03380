package live

import (
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/sim/redis"
)

// A client of ours says itself when it passes a mark within the lock. An adapter does not, and so the proxy watches: the
// first request of an attempt that names the lock's key is the mark before it, and the reply with which all servers have
// answered is the mark after it. What is on its way then waits until the fault that strikes there is in force.

// A passage is what the proxy has seen of one question.
type passage struct {
	asked    []int    // the servers that were asked for the key
	answered []int    // those of them that have answered
	held     []func() // what waits at a mark; nil while nothing does
}

// proxyMarks are the marks before and after each verb.
var proxyMarks = map[string][2]string{"acquire": {"asking", "answered"}, "extend": {"extending", "extension-answered"}}

// watched returns the question whose marks the proxy sees: the latest of an adapter's.
func (a *agent) watched() *question {
	q := a.open[a.asked]
	if !a.silentAtMarks || q == nil || proxyMarks[q.verb] == [2]string{} {
		return nil
	}
	return q
}

// asks passes a request on, at once or when the mark has been passed that it stands for.
func (a *agent) asks(r *redis.Request, node int, send func()) {
	q := a.watched()
	names := func(arg string) bool { return strings.Contains(arg, a.run.key) }
	switch {
	case q == nil || q.marks.held == nil && !slices.ContainsFunc(r.Args, names):
		send()
	case q.marks.held != nil:
		q.marks.held = append(q.marks.held, send)
	case len(q.marks.asked) > 0:
		q.marks.asked = append(q.marks.asked, node)
		send()
	default:
		q.marks.asked = append(q.marks.asked, node)
		a.holdAt(q, proxyMarks[q.verb][0], send)
	}
}

// isAnswered passes a reply on, likewise.
func (a *agent) isAnswered(node int, receive func()) {
	q := a.watched()
	if q == nil || !slices.Contains(q.marks.asked, node) || slices.Contains(q.marks.answered, node) {
		receive()
		return
	}
	q.marks.answered = append(q.marks.answered, node)
	if len(q.marks.answered) < len(a.proxies) {
		receive()
		return
	}
	a.holdAt(q, proxyMarks[q.verb][1], receive)
}

// holdAt keeps something back while the client passes a mark.
func (a *agent) holdAt(q *question, mark string, do func()) {
	q.marks.held = []func(){do}
	q.heard = append(q.heard, said{line: line{verb: "mark", values: []string{pair("name", mark)}}, do: func() {
		held := q.marks.held
		q.marks.held = nil
		for _, do := range held {
			do()
		}
	}})
	q.proc.Unpark()
}
