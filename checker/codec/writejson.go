package codec

import (
	"strconv"
	"unicode/utf8"

	"github.com/lockstorm/lockstorm/checker"
)

// This file writes history.jsonl: one Op a line, as a JSON object whose keys always come in the same order. Reading.Read
// reads it.

// AppendOp appends the op as one JSON object, without a newline. The time is in nanoseconds. The value has the fields
// that count for such an op, and any other that is not zero; the lock and the error are left out when they are empty. Their
// bytes that are not UTF-8 become U+FFFD, since JSON cannot hold them.
func AppendOp(dst []byte, o checker.Op) []byte {
	dst = strconv.AppendInt(append(dst, `{"index":`...), int64(o.Index), 10)
	dst = strconv.AppendInt(append(dst, `,"time":`...), int64(o.Time), 10)
	dst = strconv.AppendInt(append(dst, `,"process":`...), int64(o.Process), 10)
	dst = appendString(append(dst, `,"type":`...), o.Type.String())
	dst = appendString(append(dst, `,"f":`...), o.F.String())
	if o.Lock != "" {
		dst = appendString(append(dst, `,"lock":`...), o.Lock)
	}
	dst = appendValue(append(dst, `,"value":`...), o)
	if o.Error != "" {
		dst = appendString(append(dst, `,"error":`...), o.Error)
	}
	return append(dst, '}')
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
