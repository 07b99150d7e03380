package redis

import (
	"bytes"
	"errors"
	"strconv"
)

// errNotRESP is for those who write anything but commands of Redis.
var errNotRESP = errors.New("what was written is no command in Redis's protocol")

// ReadCommand reads one command, as an array of bulk strings. It returns nil if b does not hold the whole of it.
func ReadCommand(b []byte) (args []string, rest []byte, err error) {
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
