package live

import (
	"fmt"
	"strconv"
	"strings"
)

// The protocol between the driver and a client process is lines of words with single spaces between them. README.md has
// it for those who write an adapter.

// A line is one of them: whose it is, what it says, and the values that it names.
type line struct {
	id     int
	verb   string
	values []string // KEY=VALUE
}

// parseLine reads "ID VERB KEY=VALUE …".
func parseLine(text string) (l line, err error) {
	words := strings.Fields(text)
	if len(words) < 2 {
		return l, fmt.Errorf("%q has fewer than two words; say ID WORD KEY=VALUE …", text)
	}
	if l.id, err = strconv.Atoi(words[0]); err != nil {
		return l, fmt.Errorf("%q does not begin with the number of a question; say ID WORD KEY=VALUE …", text)
	}
	l.verb, l.values = words[1], words[2:]
	return l, nil
}

// value returns what a line says of a key; "" if nothing.
func (l line) value(key string) string {
	for _, v := range l.values {
		if value, ok := strings.CutPrefix(v, key+"="); ok {
			return value
		}
	}
	return ""
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

// pair writes a value.
func pair[V int | int64 | uint64 | string | bool](key string, v V) string {
	return fmt.Sprintf("%s=%v", key, v)
}
