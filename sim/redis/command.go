package redis

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/sim"
)

// An Error is an error reply. Its first word is the kind, as in "WRONGTYPE …".
type Error string

// Error returns the reply's text.
func (e Error) Error() string { return string(e) }

// do carries out one command. The commands of locks, in the exact form that locks send, have fast paths. The slow path
// is right for any command.
func (n *Node) do(args []string) any {
	switch name := args[0]; {
	case name == "SET" && len(args) == 6 && args[3] == "NX" && args[4] == "PX" && short(args[5]):
		return n.setNX(args)
	case (name == "GET" || name == "EXISTS") && len(args) == 2:
		return n.dispatch(args)
	case name == "DEL" && len(args) == 2:
		return n.del(args)
	case name == "EVALSHA":
		return n.eval("evalsha", args, n.loaded)
	case name == "PEXPIRE" && len(args) == 3 && short(args[2]):
		return n.pexpire(args)
	case name == "INCR" && len(args) == 2 && n.countable(args[1]):
		return n.incr(args)
	}
	switch name := strings.ToUpper(args[0]); name {
	case "EVAL":
		return n.eval("eval", args, n.load)
	case "EVALSHA":
		return n.eval("evalsha", args, n.loaded)
	case "SCRIPT":
		return n.script(args)
	case "PUBLISH", "RECEIVE", "SUBSCRIBE", "UNSUBSCRIBE":
		return n.speak(name, args)
	default:
		if !n.offers(name) {
			return unknown(args)
		}
		return n.full(args)
	}
}

// setNX is SET key value NX PX milliseconds, which acquires a lock. Like a native script, it uses miniredis's data
// without a reply to write and read, which is most of the cost of a command.
func (n *Node) setNX(args []string) any {
	n.tap(args...)
	if n.db.Type(args[1]) != "" { // cheaper than Exists, which also notes the access
		return nil
	}
	if err := n.db.Set(args[1], args[2]); err != nil {
		panic("redis: a key that does not exist can't be set: " + err.Error())
	}
	n.status = true
	ttl, _ := strconv.ParseInt(args[5], 10, 64) // it can't fail: the text is short
	n.setDeadline(args[1], n.millis()+ttl)
	if args[1] == n.config.Watch && !n.replaying {
		n.born(args[2], false)
	}
	return ok
}

// ok is the reply OK, made once.
var ok any = "OK"

// del is DEL key.
func (n *Node) del(args []string) any {
	n.tap("DEL", args[1])
	if !n.db.Del(args[1]) {
		return int64(0)
	}
	n.deleted(args[1])
	return int64(1)
}

func (n *Node) deleted(key string) {
	n.forget(key)
	if key == n.config.Watch && len(n.open) > 0 && !n.replaying {
		n.close(n.host.World().Now(), n.deletion())
	}
}

// pexpire is PEXPIRE key milliseconds, which extends a lock.
func (n *Node) pexpire(args []string) any {
	n.tap(args...)
	if !n.db.Exists(args[1]) {
		return int64(0)
	}
	ttl, _ := strconv.ParseInt(args[2], 10, 64)
	n.setDeadline(args[1], n.millis()+ttl)
	if args[1] == n.config.Watch {
		n.look(n.deletion())
	}
	return int64(1)
}

// incr is INCR key, which draws a fencing token. It leaves the deadline as it is.
func (n *Node) incr(args []string) any {
	reply := n.dispatch(args)
	if args[1] == n.config.Watch {
		n.look(n.deletion())
	}
	return reply
}

// full carries out any command.
func (n *Node) full(args []string) any {
	now := n.lend()
	reply := n.attempt(args)
	n.takeBack(now)
	return reply
}

// lend sets each key's remaining life in miniredis, for a command that may look at it. takeBack reads the lives back.
func (n *Node) lend() (now int64) {
	if !n.seeded {
		n.mini.Seed(1)
		n.chance, n.seeded = sim.NewChance(1, "redis"), true
	}
	n.srv.SetPreHook(n.guard)
	now = n.millis()
	n.mini.SetTime(time.UnixMilli(now))
	for _, l := range n.lives {
		// The nanosecond distinguishes a key in its last millisecond from one without a deadline.
		n.mini.SetTTL(l.key, time.Duration(l.end-now)*time.Millisecond+1)
	}
	return now
}

func (n *Node) takeBack(now int64) {
	n.srv.SetPreHook(nil)
	n.lives, n.next = n.lives[:0], never
	for _, key := range n.mini.Keys() {
		if ttl := n.mini.TTL(key); ttl != 0 {
			n.setDeadline(key, now+int64(ttl/time.Millisecond))
		}
	}
	n.look(n.deletion())
}

// attempt is dispatch for a command at which miniredis may panic, with its lock held, although Redis does not. No
// client may crash the run.
func (n *Node) attempt(args []string) (reply any) {
	defer func() {
		if p := recover(); p != nil {
			n.mini.TryLock()
			n.mini.Unlock()
			n.out.Flush() // half a reply
			n.asking = false
			reply = Error(lineless.Replace(fmt.Sprint("ERR miniredis failed at this command: ", p)))
		}
	}()
	return n.dispatch(args)
}

// dispatch makes miniredis carry out a command.
func (n *Node) dispatch(args []string) any {
	n.tap(args...)
	n.raw.Reset()
	n.srv.Dispatch(n.peer, args)
	n.out.Flush()
	b := n.raw.Bytes()
	n.status = len(b) > 0 && b[0] == '+'
	reply, _ := parse(b)
	return reply
}

// parse reads one reply in Redis's protocol, and returns the bytes after it. The replies of lock scripts have a fast
// path.
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
	end := bytes.Index(b, []byte("\r\n"))
	if end < 1 {
		panic(fmt.Sprintf("redis: not a reply: %q", b))
	}
	rest := b[end+2:]
	switch b[0] {
	case '+':
		return string(b[1:end]), rest
	case '-':
		return Error(b[1:end]), rest
	}
	size, err := strconv.ParseInt(string(b[1:end]), 10, 64)
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

// unsupported are commands of miniredis that a Node lacks, because they would answer wrongly or hang: they block,
// have a state for each connection, reach other databases, count lives by another clock than the node's, bypass the
// node's script cache, or report facts about miniredis.
var unsupported = []string{
	"AUTH", "BLMOVE", "BLPOP", "BRPOP", "BRPOPLPUSH", "BZMPOP", "BZPOPMAX", "BZPOPMIN", "CLIENT", "CLUSTER", "COMMAND",
	"COPY", "DISCARD", "DUMP", "EVALSHA_RO", "EVAL_RO", "EXEC", "HELLO", "HEXPIRE", "HPERSIST", "HPTTL", "HSETEX",
	"HTTL", "INFO", "MEMORY", "MOVE", "MULTI", "OBJECT", "PSUBSCRIBE", "PUBSUB", "PUNSUBSCRIBE", "QUIT",
	"RESTORE", "SELECT", "SWAPDB", "UNWATCH", "WAIT", "WATCH", "XREAD", "XREADGROUP",
}

// offers reports whether the node knows a command, by its name in capitals.
func (n *Node) offers(name string) bool {
	_, no := slices.BinarySearch(unsupported, name)
	return !no && n.srv.IsRegisteredCommand(name)
}

// unknown is Redis's answer to an unknown command, with as much of the arguments as fits into 128 bytes.
func unknown(args []string) Error {
	var b strings.Builder
	for _, a := range args[1:] {
		if b.Len() >= 128 {
			break
		}
		fmt.Fprintf(&b, "'%s' ", first(a, 128-b.Len()))
	}
	return Error(lineless.Replace(
		"ERR unknown command '" + first(args[0], 128) + "', with args beginning with: " + b.String()))
}

// lineless removes line breaks from an error.
var lineless = strings.NewReplacer("\r", " ", "\n", " ")

// first returns at most n bytes of a text, as C prints it.
func first(text string, n int) string {
	text, _, _ = strings.Cut(text, "\x00")
	return text[:min(n, len(text))]
}
