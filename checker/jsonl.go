package checker

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/lockstorm/lockstorm/clock"
)

// This file is the codec of history.jsonl: one Op a line, as a JSON object whose keys always come in the same order.
// Jepsen's EDN will be its neighbour.

// AppendJSON appends the op as one JSON object, without a newline. The time is in nanoseconds. The value has the fields
// that count for such an op, and any other that is not zero; the lock and the error are left out when they are empty. Their
// bytes that are not UTF-8 become U+FFFD, since JSON cannot hold them.
func (o Op) AppendJSON(dst []byte) []byte {
	dst = strconv.AppendInt(append(dst, `{"index":`...), int64(o.Index), 10)
	dst = strconv.AppendInt(append(dst, `,"time":`...), int64(o.Time), 10)
	dst = strconv.AppendInt(append(dst, `,"process":`...), int64(o.Process), 10)
	dst = appendString(append(dst, `,"type":`...), o.Type.String())
	dst = appendString(append(dst, `,"f":`...), o.F.String())
	if o.Lock != "" {
		dst = appendString(append(dst, `,"lock":`...), o.Lock)
	}
	dst = o.appendValue(append(dst, `,"value":`...))
	if o.Error != "" {
		dst = appendString(append(dst, `,"error":`...), o.Error)
	}
	return append(dst, '}')
}

// AppendJSON appends the whole history, one op a line.
func (h History) AppendJSON(dst []byte) []byte {
	for _, o := range h {
		dst = append(o.AppendJSON(dst), '\n')
	}
	return dst
}

func (o Op) appendValue(dst []byte) []byte {
	token, versions := o.counts()
	start := len(dst)
	dst = appendField(dst, `"fence":`, o.Value.Fence, token)
	dst = appendField(dst, `"plain":`, o.Value.Plain, versions)
	dst = appendField(dst, `"fenced":`, o.Value.Fenced, versions)
	if len(dst) == start {
		dst = append(dst, ',')
	}
	dst[start] = '{'
	return append(dst, '}')
}

// appendField appends a comma, which appendValue turns into the opening brace where it is the first, and the field.
func appendField(dst []byte, key string, value uint64, counts bool) []byte {
	if !counts && value == 0 {
		return dst
	}
	return strconv.AppendUint(append(append(dst, ','), key...), value, 10)
}

// counts says which fields of the Value mean something even when they are zero.
func (o Op) counts() (token, versions bool) {
	switch o.F {
	case Acquire:
		return o.Type == OK, false
	case Read:
		return true, o.Type == OK
	case Write:
		return true, o.Type == Invoke || o.Type == OK
	default:
		return false, false
	}
}

const hexDigits = "0123456789abcdef"

func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for _, r := range s { // which turns a bad byte into U+FFFD
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r < ' ':
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[r>>4], hexDigits[r&15])
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}

// ReadHistory reads what AppendJSON wrote. Empty lines are passed over. An error names the line, what is wrong with it,
// and what would be right; it also refuses a history whose indices do not count from 0 or whose time runs backwards.
// Whether each operation is invoked and closed in turn is for ReadChecked to say, or History.Check.
func ReadHistory(r io.Reader) (History, error) {
	return readHistory(r, func(Op) error { return nil })
}

// readHistory reads a history of which each op also passes the check.
func readHistory(r io.Reader, check func(Op) error) (History, error) {
	var h History
	in := bufio.NewReader(r)
	for line := 1; ; line++ {
		text, err := in.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if len(bytes.TrimSpace(text)) > 0 {
			op, bad := h.next(text)
			if bad == nil {
				bad = check(op)
			}
			if bad != nil {
				return nil, fmt.Errorf("line %d: %w", line, bad)
			}
			h = append(h, op)
		}
		if err == io.EOF {
			return h, nil
		}
	}
}

// keysOfOp is what a line must have, in words.
const keysOfOp = "index, time, process, type, f, value and perhaps lock and error"

// A record is an Op as the file has it. Pointers tell what is missing from what is zero.
type record struct {
	Index   *int
	Time    *clock.Instant
	Process *int
	Type    *string
	F       *string
	Lock    string
	Value   Value
	Error   string
}

// next reads the op that would follow this history.
func (h History) next(text []byte) (Op, error) {
	op, err := parseOp(text)
	switch {
	case err != nil:
		return Op{}, err
	case op.Index != len(h):
		return Op{}, fmt.Errorf("index is %d; want %d, its place in the history", op.Index, len(h))
	case op.Process < 0:
		return Op{}, fmt.Errorf("process is %d; want the number of a client, from 0", op.Process)
	case op.Time < 0:
		return Op{}, fmt.Errorf("time is %d; want nanoseconds since the run began", op.Time)
	case len(h) > 0 && op.Time < h[len(h)-1].Time:
		return Op{}, fmt.Errorf("time is %d; want %d or later, as in the op before", op.Time, h[len(h)-1].Time)
	}
	return op, nil
}

func parseOp(text []byte) (Op, error) {
	var r record
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&r); err != nil {
		return Op{}, fmt.Errorf("not an op: %s; want one JSON object with %s",
			strings.TrimPrefix(err.Error(), "json: "), keysOfOp)
	}
	if _, err := d.Token(); err != io.EOF {
		return Op{}, errors.New("more than one value; want one op a line")
	}
	if missing := r.missing(); missing != "" {
		return Op{}, fmt.Errorf("no %q; want %s", missing, keysOfOp)
	}
	op := Op{Index: *r.Index, Time: *r.Time, Process: *r.Process, Lock: r.Lock, Value: r.Value, Error: r.Error}
	t, err := number(types[:], *r.Type, "type")
	if err != nil {
		return Op{}, err
	}
	f, err := number(funcs[:], *r.F, "f")
	op.Type, op.F = Type(t), Func(f)
	return op, err
}

func (r *record) missing() string {
	switch {
	case r.Index == nil:
		return "index"
	case r.Time == nil:
		return "time"
	case r.Process == nil:
		return "process"
	case r.Type == nil:
		return "type"
	case r.F == nil:
		return "f"
	}
	return ""
}

// number is the inverse of word.
func number(words []string, word, key string) (uint8, error) {
	i := slices.Index(words, word)
	if i < 0 {
		return 0, fmt.Errorf("%s is %q; want one of %s", key, word, strings.Join(words, ", "))
	}
	return uint8(i), nil
}
