package guest

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/sim/redis"
)

// A Wire is the protocol of a library and a server on one connection. It parses bytes into requests of the world, and
// writes its replies as bytes.
type Wire interface {
	// Next returns the first request in what the library has written, nil if it is not whole yet, and the bytes after
	// it. A request whose method Aside reports true, such as a ping, is sent after all others of the same moment. A
	// library may write it from a separate goroutine, and the scheduler's random choice must not decide the order.
	Next(written []byte) (request any, rest []byte, err error)
	// Bytes returns a reply as the library reads it, and whether it is a reply of this protocol at all. One that the
	// library no longer waits for may have no bytes.
	Bytes(reply any) (text []byte, known bool)
	// Names reports whether a request asks for the lock with that key. Such requests pass the marks around a call.
	Names(request any, key string) bool
	// Grants reports whether a reply answers a request of that kind at all, and whether it says yes.
	Grants(reply any) (answers, yes bool)
}

// redisWire is the Wire of Redis.
type redisWire struct{ redis.Wire }

// newRedisWire returns the Wire of a connection with that number.
func newRedisWire(id int64) Wire { return &redisWire{redis.Wire{ID: id}} }

func (w *redisWire) Next(written []byte) (any, []byte, error) {
	if len(written) > 0 && written[0] != '*' { // a server also takes plain lines, which no library sends
		return nil, nil, errors.New("that is no command in Redis's protocol: servers of another one take their Kind.Wire")
	}
	args, rest, err := redis.ReadCommand(written)
	if err != nil || args == nil {
		return nil, rest, err
	}
	return &redis.Request{Wire: &w.Wire, Args: args}, rest, nil
}

func (w *redisWire) Bytes(reply any) ([]byte, bool) {
	r, known := reply.(*redis.Reply)
	if !known {
		return nil, false
	}
	return r.Bytes, true
}

func (w *redisWire) Names(request any, key string) bool {
	names := func(arg string) bool { return strings.Contains(arg, key) }
	return slices.ContainsFunc(request.(*redis.Request).Args, names)
}

// Grants does not count a server's reply that it doesn't know a script: the library sends the script then.
func (w *redisWire) Grants(reply any) (answers, yes bool) {
	b, known := w.Bytes(reply)
	if !known {
		return false, false
	}
	yes = b[0] == '+' || b[0] == ':' && b[1] != '0' || b[0] == '$' && b[1] != '-'
	return !strings.HasPrefix(string(b), "-NOSCRIPT"), yes
}

// isRefusal reports whether a reply is an error that a fault makes a server answer with. After NOSCRIPT the library
// sends the script.
func isRefusal(r *redis.Reply) bool {
	e, _ := r.Value.(redis.Error)
	word, _, _ := strings.Cut(string(e), " ")
	return word != "NOSCRIPT" && slices.Contains(faults.Errors, word)
}

// ReadHTTP reads the first request in what a library has written: its head, its body, and the bytes after it. The request
// is nil if it is not whole yet, or can't be read.
func ReadHTTP(written []byte) (r *http.Request, body, rest []byte, err error) {
	in := bytes.NewReader(written)
	b := bufio.NewReader(in)
	if r, err = http.ReadRequest(b); err == nil {
		body, err = io.ReadAll(r.Body)
	}
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, nil, written, nil
	case err != nil:
		return nil, nil, nil, err
	}
	return r, body, written[len(written)-in.Len()-b.Buffered():], nil
}
