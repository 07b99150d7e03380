package guest

import "slices"

// A passage passes the marks around the requests of one call, because a library passes none. The first mark comes
// before the first request with the lock's key, the last with the reply with which every server has answered one. A
// call that needed fewer servers passes the last mark as it returns. Several tries in one call pass them once.
//
// Only the world's side uses it: procs, Act and the callbacks of streams.
type passage struct {
	client      *Client
	first, last string
	asked       []int // the servers that were asked for the key
	answered    []int // the asked servers that have answered
	granted     int   // how many of these said yes
	begun, done bool
}

// The marks around an attempt, and around an extension.
var (
	attemptMarks   = [2]string{"asking", "answered"}
	extensionMarks = [2]string{"extending", "extension-answered"}
)

// begin begins a passage, in place of the latest one.
func (c *Client) begin(marks [2]string) {
	c.passage = &passage{client: c, first: marks[0], last: marks[1]}
}

// asks notes that a request leaves for a server.
func (p *passage) asks(node int, w Wire, request any) {
	if p == nil || p.done || !w.Names(request, p.client.Config.Key) {
		return
	}
	if !slices.Contains(p.asked, node) {
		p.asked = append(p.asked, node)
	}
	if !p.begun {
		p.begun = true
		p.client.host.Mark(p.first)
	}
}

// hears notes that a server answers.
func (p *passage) hears(node int, w Wire, reply any) {
	if p == nil || p.done || !slices.Contains(p.asked, node) || slices.Contains(p.answered, node) {
		return
	}
	answers, grants := w.Grants(reply)
	if !answers {
		return
	}
	if grants {
		p.granted++
	}
	if p.answered = append(p.answered, node); len(p.answered) == len(p.client.Nodes) {
		p.end()
	}
}

// end passes the last mark, if the first was and the last was not.
func (p *passage) end() {
	if p != nil && p.begun && !p.done {
		p.done = true
		p.client.host.Mark(p.last)
	}
}
