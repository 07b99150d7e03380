package guest

import (
	"slices"
	"strings"
)

// A passage passes the marks around what one call asks the servers, since a library shows none: the first before its first
// request that names the lock's key, the last with the reply with which every server has answered one. A call that was content
// with fewer passes the last mark as it returns. A library that tries several times in one call passes them once.
//
// Only the world's side uses it: procs, Act and what streams report.
type passage struct {
	client      *Client
	first, last string
	asked       []int // the servers that were asked for the key
	answered    []int // those of them that have answered
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
func (p *passage) asks(node int, args []string) {
	names := func(arg string) bool { return strings.Contains(arg, p.client.Config.Key) }
	if p == nil || p.done || !slices.ContainsFunc(args, names) {
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

// hears notes that a server answers. That it does not know a script is no answer: the library sends the script then.
func (p *passage) hears(node int, reply []byte) {
	if p == nil || p.done || !slices.Contains(p.asked, node) || slices.Contains(p.answered, node) ||
		strings.HasPrefix(string(reply), "-NOSCRIPT") {
		return
	}
	if reply[0] == '+' || reply[0] == ':' && reply[1] != '0' || reply[0] == '$' && reply[1] != '-' {
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
