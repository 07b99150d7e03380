package scenarios

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/redis"
	"github.com/lockstorm/lockstorm/sim/sql"
	"github.com/lockstorm/lockstorm/sim/storage"
)

// appendEvent appends one line of the trace, without its end: the keys are in a fixed order, and empty ones are
// left out.
func (r *Result) appendEvent(b []byte, e sim.Event) []byte {
	b = strconv.AppendInt(append(b, `{"time":`...), int64(e.At), 10)
	b = append(append(b, `,"kind":"`...), e.Kind.String()...)
	b = append(append(b, `","host":"`...), r.Hosts[e.Host]...)
	if e.Peer >= 0 {
		b = append(append(b, `","peer":"`...), r.Hosts[e.Peer]...)
	}
	b = append(b, '"')
	if e.Call > 0 {
		b = strconv.AppendUint(append(b, `,"call":`...), uint64(e.Call), 10)
	}
	if e.Body != nil || e.Kind == sim.Served {
		b = appendBody(append(b, `,"body":`...), e.Body)
	}
	return append(b, '}')
}

// appendBody appends a request, a reply, or what a fault did.
func appendBody(b []byte, body any) []byte {
	switch v := body.(type) {
	case nil:
		return append(b, "null"...)
	case string:
		return appendString(b, v)
	case int64:
		return strconv.AppendInt(b, v, 10)
	case error:
		return append(appendString(append(b, `{"error":`...), v.Error()), '}')
	case sql.In:
		b = appendString(append(b, `{"session":`...), v.Session)
		return append(appendBody(append(b, `,"request":`...), v.Request), '}')
	case []string:
		return appendList(b, len(v), func(b []byte, i int) []byte { return appendString(b, v[i]) })
	case *redis.Request:
		return appendBody(b, v.Args)
	case *redis.Reply:
		return appendBody(b, v.Value)
	case []any:
		return appendList(b, len(v), func(b []byte, i int) []byte { return appendBody(b, v[i]) })
	case time.Duration:
		return append(append(append(b, '"'), v.String()...), '"')
	case clock.Rate:
		return append(append(append(b, '"'), v.String()...), '"')
	case storage.Read:
		return append(appendPass(append(b, `{"read":{`...), v.Pass), "}}"...)
	case storage.Ask:
		return append(appendPass(append(b, `{"ask":{`...), v.Pass), "}}"...)
	case *storage.Write:
		b = appendPass(append(b, `{"write":{`...), v.Pass)
		if v.Asked {
			b = append(b, `,"asked":true`...)
		}
		return append(appendState(append(b, `,"base":`...), v.Base), "}}"...)
	case bool:
		return strconv.AppendBool(b, v)
	case storage.State:
		return appendState(b, v)
	case fmt.Stringer: // messages between servers describe themselves
		return appendString(b, v.String())
	}
	panic("scenarios: a trace can't hold this kind of message")
}

func appendPass(b []byte, p storage.Pass) []byte {
	b = strconv.AppendUint(append(b, `"fence":`...), p.Fence, 10)
	return appendString(append(b, `,"token":`...), p.Token)
}

func appendState(b []byte, s storage.State) []byte {
	b = strconv.AppendUint(append(b, `{"plain":`...), s.Plain, 10)
	if s.Refused {
		return append(b, `,"fenced":"refused"}`...)
	}
	return append(strconv.AppendUint(append(b, `,"fenced":`...), s.Fenced, 10), '}')
}

func appendList(b []byte, n int, item func(b []byte, i int) []byte) []byte {
	b = append(b, '[')
	for i := range n {
		if i > 0 {
			b = append(b, ',')
		}
		b = item(b, i)
	}
	return append(b, ']')
}

// appendString appends a JSON string. Almost all of them need no escape.
func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' || c >= 0x7f {
			quoted, _ := json.Marshal(s) // a string always marshals
			return append(b, quoted...)
		}
	}
	return append(append(append(b, '"'), s...), '"')
}
