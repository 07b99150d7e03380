package live

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"

	"github.com/lockstorm/lockstorm/sim/redis"
)

// readReply reads one reply of a Redis server, of either version of its protocol. It returns the bytes as they came, and the
// value as a simulated node would answer: a string, an int64, nil, a redis.Error, or a list of them.
func readReply(r *bufio.Reader) (raw []byte, value any, err error) {
	head, err := r.ReadBytes('\n')
	if err != nil {
		return nil, nil, err
	}
	text := string(bytes.TrimRight(head[1:], "\r\n"))
	switch kind := head[0]; kind {
	case '+', ',', '#', '(':
		return head, text, nil
	case '-':
		return head, redis.Error(text), nil
	case ':':
		n, err := strconv.ParseInt(text, 10, 64)
		return head, n, err
	case '_':
		return head, nil, nil
	case '$', '=', '!', '*', '%', '~', '>':
		return readLong(r, head, kind, text)
	}
	return nil, nil, fmt.Errorf("%q is no reply of Redis", head)
}

// readLong reads what follows the head of a reply that says how long it is.
func readLong(r *bufio.Reader, head []byte, kind byte, length string) (raw []byte, value any, err error) {
	n, err := strconv.Atoi(length)
	if err != nil || n > 1<<29 {
		return nil, nil, fmt.Errorf("%q is no reply of Redis", head)
	}
	if n < 0 {
		return head, nil, nil
	}
	switch kind {
	case '$', '=', '!':
		body := make([]byte, n+2)
		if _, err := io.ReadFull(r, body); err != nil {
			return nil, nil, err
		}
		if kind == '!' {
			return append(head, body...), redis.Error(body[:n]), nil
		}
		return append(head, body...), string(body[:n]), nil
	case '%':
		n *= 2
	}
	list := []any{}
	for range n {
		one, v, err := readReply(r)
		if err != nil {
			return nil, nil, err
		}
		head, list = append(head, one...), append(list, v)
	}
	return head, list, nil
}

// encode returns a command as clients send it.
func encode(args ...string) []byte {
	b := fmt.Appendf(nil, "*%d\r\n", len(args))
	for _, a := range args {
		b = fmt.Appendf(b, "$%d\r\n%s\r\n", len(a), a)
	}
	return b
}
