package redis

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/alicebob/miniredis/v2/server"
)

// An Error is an error reply. Its first word is the kind, as in "WRONGTYPE …".
type Error string

// Error gives the reply's text.
func (e Error) Error() string { return string(e) }

// do carries out one command. What locks are made of comes first, in the exact form in which they send it; everything
// else takes the long way, which is right for any command.
func (n *Node) do(args []string) any {
	switch name := args[0]; {
	case name == "SET" && len(args) == 6 && args[3] == "NX" && args[4] == "PX":
		return n.setNX(args)
	case (name == "GET" || name == "EXISTS") && len(args) == 2:
		return n.dispatch(args)
	case name == "DEL" && len(args) == 2:
		return n.del(args)
	case name == "PEXPIRE" && len(args) == 3:
		return n.pexpire(args)
	}
	switch name := strings.ToUpper(args[0]); name {
	case "EVAL":
		return n.eval(args)
	case "EVALSHA":
		return n.evalSHA(args)
	case "SCRIPT":
		return n.script(args)
	default:
		if !n.offers(name) {
			return unknown(args)
		}
		return n.full(args)
	}
}

// setNX is SET key value NX PX milliseconds: the way to take a lock.
func (n *Node) setNX(args []string) any {
	reply := n.dispatch(args)
	if reply == "OK" {
		ttl, _ := strconv.ParseInt(args[5], 10, 64) // miniredis has accepted it
		n.outlive(args[1], n.millis()+ttl)
		if args[1] == n.config.Watch && !n.replaying {
			n.born(args[2])
		}
	}
	return reply
}

// del is DEL key.
func (n *Node) del(args []string) any {
	reply := n.dispatch(args)
	if reply == int64(1) {
		n.forget(args[1])
		if args[1] == n.config.Watch && n.open && !n.replaying {
			n.close(n.host.World().Now())
		}
	}
	return reply
}

// pexpire is PEXPIRE key milliseconds: the way to extend a lock.
func (n *Node) pexpire(args []string) any {
	reply := n.dispatch(args)
	if reply == int64(1) {
		ttl, _ := strconv.ParseInt(args[2], 10, 64)
		n.forget(args[1])
		if ttl > 0 {
			n.outlive(args[1], n.millis()+ttl)
		}
		if args[1] == n.config.Watch {
			n.look()
		}
	}
	return reply
}

// full carries out any command: miniredis is told how long each key has left, and asked again afterwards.
func (n *Node) full(args []string) any {
	now := n.millis()
	n.mini.SetTime(time.UnixMilli(now))
	for _, l := range n.lives {
		// The nanosecond tells a key in its last millisecond from one without a deadline.
		n.mini.SetTTL(l.key, time.Duration(l.end-now)*time.Millisecond+1)
	}
	reply := n.dispatch(args)
	n.lives, n.next = n.lives[:0], never
	for _, key := range n.mini.Keys() {
		if ttl := n.mini.TTL(key); ttl != 0 {
			n.outlive(key, now+int64(ttl/time.Millisecond))
		}
	}
	n.look()
	return reply
}

// dispatch lets miniredis carry out a command.
func (n *Node) dispatch(args []string) any {
	if n.config.Tap != nil {
		n.config.Tap(slices.Clone(args))
	}
	n.raw.Reset()
	n.srv.Dispatch(n.peer, args)
	n.out.Flush()
	reply, _ := parse(n.raw.Bytes())
	return reply
}

// parse reads one reply in Redis's protocol, and gives what follows it. Only replies that lock scripts live on are
// worth a short cut.
func parse(b []byte) (any, []byte) {
	switch string(b) {
	case "+OK\r\n":
		return "OK", nil
	case "$-1\r\n":
		return nil, nil
	case ":0\r\n":
		return int64(0), nil
	case ":1\r\n":
		return int64(1), nil
	}
	end := strings.Index(string(b), "\r\n")
	if end < 1 {
		panic(fmt.Sprintf("redis: not a reply: %q", b))
	}
	line, rest := string(b[1:end]), b[end+2:]
	switch b[0] {
	case '+':
		return line, rest
	case '-':
		return Error(line), rest
	}
	size, err := strconv.ParseInt(line, 10, 64)
	if err != nil {
		panic(fmt.Sprintf("redis: not a reply: %q", b))
	}
	switch {
	case b[0] == ':':
		return size, rest
	case size < 0:
		return nil, rest
	case b[0] == '$':
		return string(rest[:size]), rest[size+2:]
	}
	list := make([]any, size)
	for i := range list {
		list[i], rest = parse(rest)
	}
	return list, rest
}

// refused are commands that miniredis has and a Node does not offer, for each would be a lie or a hang: they block,
// publish, replicate, keep a state for each connection, or count lives that the node's clock does not drive.
var refused = []string{
	"AUTH", "BLMOVE", "BLPOP", "BRPOP", "BRPOPLPUSH", "BZMPOP", "BZPOPMAX", "BZPOPMIN", "CLIENT", "CLUSTER", "DISCARD",
	"EXEC", "HELLO", "HEXPIRE", "HPERSIST", "HPTTL", "HSETEX", "HTTL", "INFO", "MOVE", "MULTI", "PSUBSCRIBE",
	"PUBLISH", "PUBSUB", "PUNSUBSCRIBE", "QUIT", "SELECT", "SUBSCRIBE", "SWAPDB", "UNSUBSCRIBE", "UNWATCH", "WAIT",
	"WATCH", "XREAD", "XREADGROUP",
}

// offers tells whether the node knows a command, by its name in capitals.
func (n *Node) offers(name string) bool {
	_, no := slices.BinarySearch(refused, name)
	return !no && n.srv.IsRegisteredCommand(name)
}

// unknown is Redis's answer to a command that it does not know.
func unknown(args []string) Error {
	var b strings.Builder
	fmt.Fprintf(&b, "ERR unknown command '%.128s', with args beginning with: ", args[0])
	for _, a := range args[1:] {
		if b.Len() >= 256 {
			break
		}
		fmt.Fprintf(&b, "'%.*s' ", 128, a)
	}
	return Error(b.String())
}

// guard refuses, inside a script, what the node does not offer.
func (n *Node) guard(p *server.Peer, name string, args ...string) bool {
	if n.offers(name) || strings.HasPrefix(name, "EVAL") {
		return false
	}
	p.WriteError(string(unknown(append([]string{name}, args...))))
	return true
}
