package locktest_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/locktest"
)

// edges are TTLs whose milliseconds overflow 31 and 32 bits.
var edges = []time.Duration{1 << 31 * time.Millisecond, (1<<32 + 1000) * time.Millisecond}

func fuzzEdges(t *testing.T, lock locktest.Constructor) {
	for _, ttl := range edges {
		t.Run(ttl.String(), func(t *testing.T) {
			locktest.Fuzz(t, "single/any", lock, locktest.Set("lock.ttl="+ttl.String()), locktest.Seeds(60))
		})
	}
}

// A lock that sends its TTL in 32 bits, and counts on all of it.
var cut = ways{take: func(l *stranger, c locks.Client, server int, token string) bool {
	px := strconv.FormatUint(uint64(uint32(l.TTL.Milliseconds())), 10)
	reply, ok := l.call(c, server, "SET", l.Key, token, "NX", "PX", px)
	return ok && reply == "OK"
}}.made()

// A search takes no longer with a TTL of weeks, accuses no right lock of it, and finds one that cuts it.
func TestSearchesTakeTTLsAboveTheirBits(t *testing.T) {
	if text, passes := output(t, t.TempDir(), "edges right"); !passes {
		t.Errorf("a right lock is called broken:\n%s", text)
	}
	red(t, t.TempDir(), "edges cut", `validity`)
}
