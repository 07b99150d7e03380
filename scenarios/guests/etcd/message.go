package etcd

import (
	"fmt"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
)

// A request is a message on one connection to a server: of a call of gRPC, or about the connection.
type request struct {
	do     verb
	stream uint32 // of HTTP/2
	method string
	body   proto.Message // for call
	data   [8]byte       // for ping
}

// A verb is what a request is about.
type verb uint8

const (
	greet  verb = iota // the connection's preface
	ping               // is the server there?
	call               // a message of a call
	finish             // the client has nothing more to say in a call
	cancel             // the client has given a call up
)

var verbs = [...]string{greet: "HTTP/2", ping: "ping", call: "call", finish: "finish", cancel: "cancel"}

// String describes the request in a trace. The text of a protobuf message differs from process to process.
func (r *request) String() string {
	if r.do != call {
		return fmt.Sprintf("%s %d", verbs[r.do], r.stream)
	}
	asked, err := translate(r.body)
	if err != nil {
		return fmt.Sprintf("%d %s: %v", r.stream, short(r.method), err)
	}
	return fmt.Sprintf("%d %s %v", r.stream, short(r.method), asked)
}

// Aside reports whether it is about the connection alone.
func (r *request) Aside() bool { return r.do == ping }

// Brief says it in a drawing.
func (r *request) Brief() string {
	if r.do == call {
		return short(r.method)
	}
	return verbs[r.do]
}

// short is a method without its service.
func short(method string) string { return method[strings.LastIndexByte(method, '/')+1:] }

// An answer is a message of a server, to a request or later in its call. A code other than OK ends the call.
type answer struct {
	request *request
	body    proto.Message // nil for none
	says    string        // of the body, for a trace
	code    codes.Code
	why     string // of a code that is not OK
	last    bool   // the call ends with it
}

// String describes the answer in a trace.
func (a *answer) String() string {
	if a.code != codes.OK {
		return fmt.Sprintf("%d %s: %s", a.request.stream, a.code, a.why)
	}
	return strings.TrimSpace(fmt.Sprintf("%d %s", a.request.stream, a.says))
}

// Brief says it in a drawing.
func (a *answer) Brief() string {
	switch {
	case a.code != codes.OK:
		return a.code.String()
	case a.says == "":
		return "OK"
	}
	return a.says
}
