package checkertest

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
)

// The words for each type and func, in the order of their numbers.
var (
	types = strings.Fields("invoke ok fail info")
	funcs = strings.Fields("acquire release read write renew cas")
)

// Parse reads a history as a person writes it: "0 acquire, 0 ok f33" is process 0 that acquires and gets token 33. v3
// is version 3 in both registers, d3 and e3 the value 3 and the expected one, la the lock a, shared an acquire that is
// shared. An ok, fail or info closes what its process has open, unless it names another func.
func Parse(t testing.TB, text string) checker.History {
	t.Helper()
	var h checker.History
	open := map[int]checker.Op{}
	for part := range strings.SplitSeq(text, ",") {
		words := strings.Fields(part)
		if len(words) == 0 {
			continue
		}
		p, err := strconv.Atoi(words[0])
		o := checker.Op{Index: len(h), Time: clock.Instant(len(h)), Process: p, F: open[p].F}
		for _, w := range words[1:] {
			i, k := slices.Index(types, w), slices.Index(funcs, w)
			n, bad := strconv.ParseUint(w[1:], 10, 64)
			switch {
			case i >= 0:
				o.Type = checker.Type(i)
			case k >= 0:
				o.F = checker.Func(k)
			case w == "shared":
				o.Value.Shared = true
			case w[0] == 'l':
				o.Lock = w[1:]
			case bad != nil || err != nil:
				t.Fatalf("%q is not an op", part)
			case w[0] == 'f':
				o.Value.Fence = n
			case w[0] == 'd':
				o.Value.Data = uint32(n)
			case w[0] == 'e':
				o.Value.Expected = uint32(n)
			default:
				o.Value.Plain, o.Value.Fenced = n, n
			}
		}
		open[p] = o
		h = append(h, o)
	}
	return h
}
