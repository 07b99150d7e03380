package redis

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
)

// A Wire is a connection in Redis's own protocol, as its server knows it. Its zero value speaks RESP2, like every
// connection before HELLO.
type Wire struct {
	ID    int64 // what CLIENT ID answers
	resp3 bool
	name  string
}

// A Request is a command from a Wire. The answer is a *Reply.
type Request struct {
	Wire *Wire
	Args []string
}

// A Reply is the answer to a Request, in Redis's bytes.
type Reply struct {
	Value any // as the answer to a plain command
	Bytes []byte
}

// table is a list of names, each with its value. RESP3 sends it as a map.
type table []any

// serveWire carries out a command from a wire.
func (n *Node) serveWire(r *Request) any {
	n.status = false
	value := n.talk(r)
	return &Reply{plainly(value), r.Wire.encode(nil, value, n.status)}
}

// plainly returns a reply in the types that a plain command returns.
func plainly(v any) any {
	if t, ok := v.(table); ok {
		return []any(t)
	}
	return v
}

// talk answers commands about the connection, and passes on the rest.
func (n *Node) talk(r *Request) any {
	n.status = true
	switch name := strings.ToUpper(r.Args[0]); name {
	case "HELLO":
		return n.hello(r)
	case "CLIENT":
		return n.client(r)
	case "SELECT":
		if len(r.Args) == 2 && r.Args[1] == "0" {
			return "OK"
		}
		return Error("ERR DB index is out of range")
	case "QUIT":
		return "OK"
	case "SUBSCRIBE", "UNSUBSCRIBE", "RECEIVE": // they differ from the protocol's
		return unknown(r.Args)
	}
	n.status = false
	return n.Serve(canonical(r.Args))
}

// hello is HELLO [version [AUTH user password] [SETNAME name]], as Redis 7.2 answers it.
func (n *Node) hello(r *Request) any {
	if len(r.Args) > 1 {
		if r.Args[1] != "2" && r.Args[1] != "3" {
			return Error("NOPROTO unsupported protocol version")
		}
		r.Wire.resp3 = r.Args[1] == "3"
	}
	for i := 2; i < len(r.Args); i++ {
		switch word := strings.ToUpper(r.Args[i]); {
		case word == "AUTH" && i+2 < len(r.Args): // there is no password
			i += 2
		case word == "SETNAME" && i+1 < len(r.Args):
			i++
			r.Wire.name = r.Args[i]
		default:
			return Error("ERR Syntax error in HELLO option '" + first(r.Args[i], 128) + "'")
		}
	}
	n.status = false
	version := int64(2)
	if r.Wire.resp3 {
		version = 3
	}
	return table{"server", "redis", "version", "7.2.4", "proto", version, "id", r.Wire.ID,
		"mode", "standalone", "role", "master", "modules", []any{}}
}

// client is CLIENT with the subcommands that a client sends when it connects. A node does not track what a client has
// read.
func (n *Node) client(r *Request) any {
	sub := ""
	if len(r.Args) > 1 {
		sub = strings.ToUpper(r.Args[1])
	}
	switch {
	case sub == "ID" && len(r.Args) == 2:
		return r.Wire.ID
	case sub == "SETNAME" && len(r.Args) == 3:
		r.Wire.name = r.Args[2]
		return "OK"
	case sub == "GETNAME" && len(r.Args) == 2:
		n.status = false
		return r.Wire.name
	case sub == "SETINFO" && len(r.Args) == 4, (sub == "NO-EVICT" || sub == "NO-TOUCH") && len(r.Args) == 3:
		return "OK"
	case sub == "":
		return arity("client")
	}
	return Error("ERR unknown subcommand '" + first(r.Args[1], 128) + "'. Try CLIENT HELP.")
}

// canonical spells the commands of locks like those with a fast path: names in capitals, and SET NX with PX.
func canonical(args []string) []string {
	name := strings.ToUpper(args[0])
	switch {
	case name == "SET" && len(args) == 6:
		if c := canonicalSet(args); c != nil {
			return c
		}
	case name != args[0]:
		return append([]string{name}, args[1:]...)
	}
	return args
}

// canonicalSet spells SET key value with NX and a life, in any order and unit; nil if it is another SET.
func canonicalSet(args []string) []string {
	rest := args[3:]
	switch {
	case strings.EqualFold(rest[0], "NX"):
		rest = rest[1:]
	case strings.EqualFold(rest[2], "NX"):
	default:
		return nil
	}
	life := rest[1]
	switch {
	case strings.EqualFold(rest[0], "EX") && short(life) && len(life) <= 9:
		life += "000"
	case !strings.EqualFold(rest[0], "PX") || !short(life):
		return nil
	}
	return []string{"SET", args[1], args[2], "NX", "PX", life}
}

// encode appends a reply in the wire's protocol. The status says how to write a string.
func (w *Wire) encode(b []byte, v any, status bool) []byte {
	switch v := v.(type) {
	case nil:
		if w.resp3 {
			return append(b, "_\r\n"...)
		}
		return append(b, "$-1\r\n"...)
	case int64:
		return header(b, ':', v)
	case Error:
		return append(append(append(b, '-'), v...), "\r\n"...)
	case string:
		if status {
			return append(append(append(b, '+'), v...), "\r\n"...)
		}
		return append(append(header(b, '$', int64(len(v))), v...), "\r\n"...)
	case table:
		if w.resp3 {
			return w.items(header(b, '%', int64(len(v)/2)), v)
		}
		return w.items(header(b, '*', int64(len(v))), v)
	case []any:
		return w.items(header(b, '*', int64(len(v))), v)
	}
	panic("redis: a reply that the protocol has no form for")
}

func (w *Wire) items(b []byte, list []any) []byte {
	for _, v := range list {
		b = w.encode(b, v, false)
	}
	return b
}

func header(b []byte, kind byte, n int64) []byte {
	return append(strconv.AppendInt(append(b, kind), n, 10), "\r\n"...)
}

// errNotRESP rejects bytes that are no command of Redis.
var errNotRESP = errors.New("what was written is no command in Redis's protocol")

// ReadCommand reads one command, an array of bulk strings or words on a line. It returns nil if b has only part of it.
func ReadCommand(b []byte) (args []string, rest []byte, err error) {
	if len(b) > 0 && ('A' <= b[0]&^0x20 && b[0]&^0x20 <= 'Z') {
		line, rest, whole := bytes.Cut(b, []byte("\n"))
		if !whole {
			return nil, b, nil
		}
		return strings.Fields(string(line)), rest, nil
	}
	n, rest, err := length(b, '*')
	if err != nil || rest == nil {
		return nil, b, err
	}
	for range n {
		var k int
		k, rest, err = length(rest, '$')
		if err != nil || rest == nil || len(rest) < k+2 {
			return nil, b, err
		}
		args = append(args, string(rest[:k]))
		rest = rest[k+2:]
	}
	if len(args) == 0 {
		return nil, b, errNotRESP
	}
	return args, rest, nil
}

// length reads a line such as *3. It returns a nil rest if the line is not whole.
func length(b []byte, kind byte) (n int, rest []byte, err error) {
	if len(b) > 0 && b[0] != kind {
		return 0, nil, errNotRESP
	}
	end := bytes.Index(b, []byte("\r\n"))
	if end < 0 {
		return 0, nil, nil
	}
	n, err = strconv.Atoi(string(b[1:end]))
	if err != nil || n < 0 {
		return 0, nil, errNotRESP
	}
	return n, b[end+2:], nil
}

// Bare returns a function that makes miniredis carry out a command on this node and does nothing else: no clock, no
// expiry, no parsing of the reply. The cost of simulation is measured against it.
func (n *Node) Bare() func(command []string) {
	return func(command []string) {
		n.raw.Reset()
		n.srv.Dispatch(n.peer, command)
		n.out.Flush()
	}
}
