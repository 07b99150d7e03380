package codec

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"github.com/lockstorm/lockstorm/checker"
)

// This file writes history.jsonl: one Op a line, as a JSON object whose keys always come in the same order. Reading.Read
// reads it.

// AppendOp appends the op as one JSON object, without a newline. The time is in nanoseconds. The value has the fields
// that count for such an op, and any other that is not zero; the lock and the error are left out when they are empty. Their
// bytes that are not UTF-8 become U+FFFD, since JSON cannot hold them. Values of a register are as their numbers.
func AppendOp(dst []byte, o checker.Op) []byte {
	if o.Value.Data|o.Value.Expected != 0 || o.F == checker.CompareAndSet {
		return appendOp(dst, o, func(dst []byte, o checker.Op) []byte {
			return appendData(dst, o, func(n uint32) string { return strconv.FormatUint(uint64(n), 10) })
		})
	}
	return appendOp(dst, o, appendValue)
}

// AppendOp appends the i-th op as it came: with its own index and process, and the values of a register.
func (r *Recording) AppendOp(dst []byte, i int) []byte {
	o := r.History[i]
	o.Index, o.Process = r.Index(i), r.Process(i)
	if guards(o.F) == 0 || !r.HasValues() {
		return AppendOp(dst, o)
	}
	return appendOp(dst, o, func(dst []byte, o checker.Op) []byte { return appendData(dst, o, r.valueInJSON) })
}

// valueInJSON returns a value of a register: as it is, if that is JSON, or else as a string.
func (r *Recording) valueInJSON(n uint32) string {
	switch s := r.Values[n]; {
	case n == 0:
		return "null"
	case json.Valid([]byte(s)):
		return s
	}
	return string(appendString(nil, r.Values[n]))
}

func appendOp(dst []byte, o checker.Op, value func([]byte, checker.Op) []byte) []byte {
	dst = strconv.AppendInt(append(dst, `{"index":`...), int64(o.Index), 10)
	dst = strconv.AppendInt(append(dst, `,"time":`...), int64(o.Time), 10)
	dst = strconv.AppendInt(append(dst, `,"process":`...), int64(o.Process), 10)
	dst = appendString(append(dst, `,"type":`...), o.Type.String())
	dst = appendString(append(dst, `,"f":`...), o.F.String())
	if o.Lock != "" {
		dst = appendString(append(dst, `,"lock":`...), o.Lock)
	}
	dst = value(append(dst, `,"value":`...), o)
	if o.Error != "" {
		dst = appendString(append(dst, `,"error":`...), o.Error)
	}
	return append(dst, '}')
}

// appendData appends the value of an op on a register of values: one, or two of a compare-and-set.
func appendData(dst []byte, o checker.Op, text func(uint32) string) []byte {
	if o.F == checker.CompareAndSet {
		return append(dst, "["+text(o.Value.Expected)+","+text(o.Value.Data)+"]"...)
	}
	return append(dst, text(o.Value.Data)...)
}

// AppendJSON appends the whole history, one op a line.
func AppendJSON(dst []byte, h checker.History) []byte {
	for _, o := range h {
		dst = append(AppendOp(dst, o), '\n')
	}
	return dst
}

func appendValue(dst []byte, o checker.Op) []byte {
	token, versions := counts(o)
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

// counts reports which fields of the Value mean something even when they are zero.
func counts(o checker.Op) (token, versions bool) {
	switch o.F {
	case checker.Acquire:
		return o.Type == checker.OK, false
	case checker.Read:
		return true, o.Type == checker.OK
	case checker.Write:
		return true, o.Type == checker.Invoke || o.Type == checker.OK
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
