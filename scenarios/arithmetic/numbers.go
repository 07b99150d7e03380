package arithmetic

import (
	"math/big"
	"time"

	"pgregory.net/rapid"
)

// Numbers are the numbers with which a law is checked; each law uses some of them.
type Numbers struct {
	Nodes, Part int           // all nodes, and one side of a split
	TTL         time.Duration // whole milliseconds
	Elapsed     time.Duration // that an attempt took, or from asking for an extension to its answer
	More        time.Duration // a longer time that an attempt took; when an extension is asked for
	Rate        int           // by how many parts per million each clock is wrong, in the worse direction
}

const year = 365 * 24 * time.Hour

// ttls picks TTLs from a millisecond to a year, small ones more often, and values near which integers and units end.
func ttls() *rapid.Generator[time.Duration] {
	const most = int64(year / time.Millisecond)
	edges := []int64{10, 50, 99, 100, 999, 1000, 1001, 1500, 10_000, 65_535, 65_536, 86_400_000, 1<<31 - 1, 1 << 31,
		1 << 32, most}
	return rapid.Map(rapid.OneOf(
		rapid.Int64Range(1, most), rapid.SampledFrom(edges), rapid.Int64Range(1, 120_000),
	), func(ms int64) time.Duration { return time.Duration(ms) * time.Millisecond })
}

// elapsed picks times around every edge of a TTL: 0, near what an allowance leaves, near all of it, and beyond.
func (r *Rules) elapsed(t *rapid.T, label string, ttl time.Duration) time.Duration {
	near := []time.Duration{0, ttl, ttl - time.Millisecond, ttl + time.Millisecond}
	if r.Allowance != nil {
		near = append(near, ttl-tried(func() time.Duration { return r.Allowance(ttl) }))
	}
	if r.Validity != nil {
		near = append(near, tried(func() time.Duration { return r.Validity(ttl, 0) }))
	}
	d := rapid.OneOf(
		rapid.Int64Range(0, int64(2*ttl)),
		rapid.Custom(func(t *rapid.T) int64 {
			edge := rapid.SampledFrom(near).Draw(t, "near")
			return int64(edge) + rapid.Int64Range(-3, 3).Draw(t, "off")*int64(r.grain())
		}),
		rapid.Int64Range(0, int64(5*time.Millisecond)),
	).Draw(t, label)
	d = min(max(d, 0), int64(longest))
	return r.grained(d)
}

// tried returns what f returns, or 0 if it panics: the check of the law finds that panic.
func tried(f func() time.Duration) (d time.Duration) {
	defer func() {
		if u, ok := recover().(Unanswered); ok {
			panic(u)
		}
	}()
	return f()
}

// rates returns the rates to check, the smaller first: right clocks, and clocks that are as wrong as allowed.
func (r *Rules) rates() []int {
	if r.Drift <= 0 {
		return []int{0}
	}
	return []int{0, r.Drift}
}

const million = 1_000_000

// trueTime returns when d has passed in true time on a clock that is slow by rate, or fast by it.
func trueTime(d time.Duration, rate int, fast bool) *big.Rat {
	if !fast {
		rate = -rate
	}
	return new(big.Rat).Mul(new(big.Rat).SetInt64(int64(d)), big.NewRat(million, million+int64(rate)))
}

func outlives(d, key time.Duration, rate int) bool {
	return trueTime(d, rate, false).Cmp(trueTime(key, rate, true)) > 0
}

func shown(r *big.Rat) string {
	n := new(big.Int).Quo(r.Num(), r.Denom())
	if !n.IsInt64() {
		return "centuries"
	}
	return time.Duration(n.Int64()).String()
}

// sum adds two times, and stops at the longest.
func sum(a, b time.Duration) time.Duration {
	if a > longest-min(b, longest) {
		return longest
	}
	return a + b
}
