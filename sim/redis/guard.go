package redis

import (
	"bufio"
	"bytes"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/alicebob/miniredis/v2/server"
)

// guard is called before miniredis on the slow path, also in scripts. It answers where miniredis would differ from
// Redis, and reports whether it has answered.
func (n *Node) guard(p *server.Peer, name string, args ...string) bool {
	if n.asking {
		return false
	}
	if !n.offers(name) {
		p.WriteError(string(unknown(append([]string{name}, args...))))
		return true
	}
	if n.barred(name) {
		p.WriteError(string(n.bar))
		return true
	}
	switch name {
	case "PUBLISH":
		n.answer(p, n.speak(name, append([]string{name}, args...)))
		return true
	case "EVAL", "EVALSHA", "SCRIPT", "SUBSCRIBE", "UNSUBSCRIBE":
		p.WriteError("ERR This Redis command is not allowed from script")
		return true
	case "TTL":
		return n.ttl(p, args)
	case "INCR", "INCRBY", "DECR", "DECRBY":
		return n.miscounts(p, args)
	case "RANDOMKEY":
		return n.randomKey(p, args)
	case "SDIFF", "SINTER", "SUNION":
		n.answer(p, sorted(n.ask(p, append([]string{name}, args...)...)))
		return true
	}
	e, ok := expiryOf(name, args)
	switch {
	case contradicts(name, args):
		p.WriteError("ERR syntax error")
		return true
	case name == "GETEX" && (ok && len(args) == 3 || len(args) == 2 && strings.EqualFold(args[1], "PERSIST")) &&
		isError(n.ask(p, "GET", args[0])):
		n.pass(p, []string{"GET", args[0]}) // miniredis would change the life of a key of the wrong type
		return true
	}
	return ok && (refuseNumber(p, args[e.at]) || n.beyond(p, name, args, e) || n.bygone(p, name, args, e))
}

// miscounts answers where the value to count is a number to Go but not to Redis.
func (n *Node) miscounts(p *server.Peer, args []string) bool {
	if len(args) == 0 {
		return false
	}
	text, _ := n.ask(p, "GET", args[0]).(string)
	return refuseNumber(p, text) || len(args) > 1 && refuseNumber(p, args[1])
}

// ttl is TTL key. Redis rounds to the nearest second; miniredis rounds down.
func (n *Node) ttl(p *server.Peer, args []string) bool {
	left, ok := n.ask(p, append([]string{"PTTL"}, args...)...).(int64)
	if !ok || left < 0 {
		return false
	}
	p.WriteInt(int(left+500) / 1000)
	return true
}

// randomKey is RANDOMKEY. In miniredis the order of a Go map decides, which differs from run to run.
func (n *Node) randomKey(p *server.Peer, args []string) bool {
	keys, _ := n.ask(p, "KEYS", "*").([]any)
	if len(args) > 0 || len(keys) == 0 {
		return false
	}
	n.answer(p, keys[n.chance.Below(uint64(len(keys)))])
	return true
}

// sorted sorts a list of strings. Redis promises no order for sets, and miniredis returns the order of a Go map.
func sorted(reply any) any {
	if list, ok := reply.([]any); ok {
		slices.SortFunc(list, func(a, b any) int { return strings.Compare(a.(string), b.(string)) })
	}
	return reply
}

// ask makes miniredis carry out a command for the node itself, in order to answer a command of p.
func (n *Node) ask(p *server.Peer, args ...string) any {
	var raw bytes.Buffer
	out := bufio.NewWriter(&raw)
	own := server.NewPeer(out)
	own.Ctx = p.Ctx // says whether a script is running
	n.pass(own, args)
	out.Flush()
	reply, _ := parse(raw.Bytes())
	return reply
}

func (n *Node) answer(p *server.Peer, reply any) {
	switch r := reply.(type) {
	case Error:
		p.WriteError(string(r))
	case string:
		p.WriteBulk(r)
	case int64:
		p.WriteInt(int(r))
	case []any:
		p.WriteLen(len(r))
		for _, e := range r {
			n.answer(p, e)
		}
	default:
		panic("redis: no such reply is ever passed on")
	}
}

func isError(reply any) bool {
	_, bad := reply.(Error)
	return bad
}

// An expiry says where a command has a time, and how to read it.
type expiry struct {
	at       int // its index among the arguments
	unit     time.Duration
	absolute bool
}

// dated are the commands that always have a time.
var dated = map[string]expiry{
	"SETEX": {1, time.Second, false}, "PSETEX": {1, time.Millisecond, false},
	"EXPIRE": {1, time.Second, false}, "PEXPIRE": {1, time.Millisecond, false},
	"EXPIREAT": {1, time.Second, true}, "PEXPIREAT": {1, time.Millisecond, true},
}

// options are the commands with optional words before a time, and where such words begin.
var options = map[string]int{"SET": 2, "GETEX": 1}

// announcing are these words.
var announcing = map[string]expiry{
	"EX": {0, time.Second, false}, "PX": {0, time.Millisecond, false},
	"EXAT": {0, time.Second, true}, "PXAT": {0, time.Millisecond, true},
}

func expiryOf(name string, args []string) (e expiry, ok bool) {
	if e, ok = dated[name]; ok {
		return e, len(args) > e.at
	}
	from, ok := options[name]
	for i := from; ok && i+1 < len(args); i++ {
		if e, ok := announcing[strings.ToUpper(args[i])]; ok {
			e.at = i + 1
			return e, true
		}
	}
	return expiry{}, false
}

// contradicts reports whether SET or GETEX has words that exclude each other, or a word without its number. miniredis
// accepts some of these.
func contradicts(name string, args []string) bool {
	from, ok := options[name]
	if !ok || len(args) <= from {
		return false
	}
	seen, times, hanging := map[string]bool{}, 0, false
	for _, a := range args[from:] {
		word := strings.ToUpper(a)
		seen[word] = true
		_, hanging = announcing[word]
		if hanging || word == "KEEPTTL" || word == "PERSIST" {
			times++
		}
	}
	return hanging || times > 1 || seen["NX"] && seen["XX"]
}

// refuseNumber answers where Go reads a number but Redis does not: "+5", "05".
func refuseNumber(p *server.Peer, number string) bool {
	v, err := strconv.ParseInt(number, 10, 64)
	if err != nil || strconv.FormatInt(v, 10) == number {
		return false
	}
	p.WriteError("ERR value is not an integer or out of range")
	return true
}

// lifeMax is the longest life of a key: beyond some 290 years, nanoseconds overflow.
const lifeMax = 100 * 365 * 24 * time.Hour

// beyond answers where a life would be longer than lifeMax, or where its length is missing.
func (n *Node) beyond(p *server.Peer, name string, args []string, e expiry) bool {
	v, err := strconv.ParseInt(args[e.at], 10, 64)
	unit := int64(e.unit / time.Millisecond)
	most, least := int64(lifeMax/time.Millisecond)/unit, math.MinInt64/unit
	if e.absolute {
		most += n.millis() / unit
	}
	if !strings.Contains(name, "EXPIRE") {
		least = 1
	}
	if err != nil || v >= least && v <= most {
		return false
	}
	p.WriteError("ERR invalid expire time in '" + strings.ToLower(name) + "' command")
	return true
}

// bygone carries out a command whose deadline has passed: the key is gone immediately. miniredis would keep the key
// forever if the deadline is now, would keep a past one for the key's successor, and would overflow if it is very long
// past.
func (n *Node) bygone(p *server.Peer, name string, args []string, e expiry) bool {
	v, err := strconv.ParseInt(args[e.at], 10, 64)
	now := int64(0)
	if e.absolute {
		now = n.millis() / int64(e.unit/time.Millisecond)
	}
	if err != nil || v > now {
		return false
	}
	past := append([]string{name}, args...)
	past[1+e.at] = "-1"
	switch name {
	case "SET":
		past[1+e.at] = "1"
		n.pass(p, past)
		if n.ask(p, "EXISTS", args[0]) == int64(0) {
			n.ask(p, "SET", args[0], "")
			n.ask(p, "DEL", args[0])
		}
	case "GETEX":
		n.pass(p, []string{"GETDEL", args[0]})
	default:
		n.pass(p, past)
	}
	return true
}

// pass makes miniredis carry out another command as the answer.
func (n *Node) pass(p *server.Peer, command []string) {
	n.asking = true
	n.srv.Dispatch(p, command)
	n.asking = false
}

// short reports whether a number must be a time of less than 32 years, which the fast path handles without checks.
func short(number string) bool {
	if len(number) == 0 || len(number) > 12 || number[0] == '0' {
		return false
	}
	for i := range len(number) {
		if number[i] < '0' || number[i] > '9' {
			return false
		}
	}
	return true
}
