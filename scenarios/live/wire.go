package live

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/sim/redis"
)

// This file has the texts between processes: the lines of the driver and its clients, and the replies of Redis.

// A line is a line of the protocol between the driver and a client: whose it is, what it says, and the values that it
// names, words with single spaces between them. adapters/README.md has the protocol for authors of adapters.
type line struct {
	id     int
	verb   string
	values []string // KEY=VALUE
}

// parseLine reads "ID VERB KEY=VALUE …".
func parseLine(text string) (l line, err error) {
	words := strings.Fields(text)
	if len(words) < 2 {
		return l, fmt.Errorf("%q has fewer than two words; say ID WORD KEY=VALUE …", brief(text))
	}
	if l.id, err = strconv.Atoi(words[0]); err != nil {
		return l, fmt.Errorf("%q does not begin with the number of a question; say ID WORD KEY=VALUE …", brief(text))
	}
	l.verb, l.values = words[1], words[2:]
	return l, nil
}

// brief returns the beginning of a line that is long.
func brief(text string) string {
	const most = 200
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}

// value returns what a line says of a key; "" for nothing.
func (l line) value(key string) string {
	for _, v := range l.values {
		if value, ok := strings.CutPrefix(v, key+"="); ok {
			return value
		}
	}
	return ""
}

// token returns the token that a line names: as it is, or in hexadecimal digits if its bytes are not a word.
func (l line) token() string {
	if b, err := hex.DecodeString(l.value("hex")); err == nil && len(b) > 0 {
		return string(b)
	}
	return l.value("token")
}

// naming returns the word that names a token so.
func naming(token string) string {
	if token == "" || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return pair("hex", hex.EncodeToString([]byte(token)))
	}
	return pair("token", token)
}

// number returns a value that must be a whole number.
func (l line) number(key string) (int64, error) {
	n, err := strconv.ParseInt(l.value(key), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("%s=%q is no whole number", key, l.value(key))
	}
	return n, nil
}

// String returns the line as it is sent, without its end.
func (l line) String() string {
	return strings.Join(append([]string{strconv.Itoa(l.id), l.verb}, l.values...), " ")
}

// pair returns KEY=VALUE.
func pair[V int | int64 | uint64 | string | bool](key string, v V) string {
	return fmt.Sprintf("%s=%v", key, v)
}

// readReply reads one reply of a Redis server, of either version of its protocol. It returns the bytes as they came,
// and the value as a simulated node would answer: a string, an int64, nil, a redis.Error, or a list of them.
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
