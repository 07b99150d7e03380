package size

import (
	"math/big"
	"math/bits"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
)

// One is the share of all draws. Shares are counted in parts per billion.
const One = 1_000_000_000

// A Unit is the unit of a Dist.
type Unit uint8

// The units. A number of a Dist counts nanoseconds, or parts per billion.
const (
	Time Unit = iota
	Rate
)

// write returns a number in the unit.
func (u Unit) write(n int64) string {
	if u == Rate {
		return strings.TrimPrefix(clock.Rate(n).String(), "+")
	}
	return time.Duration(n).String()
}

// A Dist is a distribution of amounts. The zero Dist is always 0.
type Dist struct {
	unit   Unit
	name   string
	args   []string // as a user writes them
	points []point  // of rising share, from 0 to One
	step   int64    // draws are multiples of it
	lo, hi int64    // the part of all draws that it draws from; 0 and 0 for all
}

// A point says that a share of all draws is value or less.
type point struct{ share, value int64 }

// Unit returns the unit of the amounts.
func (d Dist) Unit() Unit { return d.unit }

// String returns the text that Parse reads.
func (d Dist) String() string {
	if d.name == "" {
		return "constant(0s)"
	}
	text := d.name + "(" + strings.Join(d.args, ",") + ")"
	if lo, hi := d.part(); lo > 0 || hi < One {
		text += "[" + writeShare(lo) + ".." + writeShare(hi) + "]"
	}
	return text
}

func (d Dist) part() (lo, hi int64) {
	if d.lo == d.hi {
		return 0, One
	}
	return d.lo, d.hi
}

// Draw draws an amount. It takes one number from the source.
func (d Dist) Draw(c faults.Source) int64 {
	lo, hi := d.part()
	return d.rounded(d.whole(lo + int64(c.Below(uint64(hi-lo)))))
}

// Quantile returns the amount that a share of all draws does not exceed. Shares go from 0 to One.
func (d Dist) Quantile(share int64) int64 {
	lo, hi := d.part()
	return d.rounded(d.whole(lo + scaled(hi-lo, min(max(share, 0), One), One)))
}

// Within returns the part between two quantiles. Shares go from 0 to One. A draw falls into the part with the
// probability (high-low)/One.
func (d Dist) Within(low, high int64) Dist {
	lo, hi := d.part()
	if low < 0 || low >= high || high > One {
		panic("size: a part from " + strconv.FormatInt(low, 10) + " to " + strconv.FormatInt(high, 10) + " billionths")
	}
	d.lo, d.hi = lo+scaled(hi-lo, low, One), lo+scaled(hi-lo, high, One)
	return d
}

// Mean returns the mean amount.
func (d Dist) Mean() int64 {
	lo, hi := d.part()
	twice, start := new(big.Int), point{lo, d.whole(lo)}
	add := func(end point) {
		sum := new(big.Int).Add(big.NewInt(start.value), big.NewInt(end.value))
		twice.Add(twice, sum.Mul(sum, big.NewInt(end.share-start.share)))
		start = end
	}
	for _, p := range d.points {
		if lo < p.share && p.share < hi {
			add(p)
		}
	}
	add(point{hi, d.whole(hi)})
	return twice.Quo(twice, big.NewInt(2*(hi-lo))).Int64()
}

// whole is the quantile of the whole distribution.
func (d Dist) whole(share int64) int64 {
	if len(d.points) == 0 {
		return 0
	}
	i := sort.Search(len(d.points), func(i int) bool { return d.points[i].share >= share })
	b := d.points[i]
	if b.share == share {
		return b.value
	}
	a := d.points[i-1]
	return a.value + scaled(b.value-a.value, share-a.share, b.share-a.share)
}

// scaled returns n·part/all, rounded down. No number must be negative, and part must not exceed all.
func scaled(n, part, all int64) int64 {
	high, low := bits.Mul64(uint64(n), uint64(part))
	q, _ := bits.Div64(high, low, uint64(all))
	return int64(q)
}

// rounded returns the multiple of the step that is nearest to n. Both ends of the table are multiples, so it stays
// between them.
func (d Dist) rounded(n int64) int64 {
	if d.step < 2 {
		return n
	}
	n += d.step / 2
	return n - ((n%d.step)+d.step)%d.step
}

// Word returns an amount as the line of a fault has it, without a plus.
func (d Dist) Word(n int64) string { return d.unit.write(n) }

// writeShare returns a share as a decimal.
func writeShare(share int64) string {
	text := strconv.FormatInt(One+share, 10)
	whole := strconv.Itoa(int(text[0] - '1'))
	return strings.TrimSuffix(whole+"."+strings.TrimRight(text[1:], "0"), ".")
}

// shares are the places in the table of a distribution with a formula. They are close together where an end may be far
// away: each power of ten from either end has ninety, down to a billionth. From a tenth to nine tenths there is one
// every half percent.
var shares = func() (all []int64) {
	for n := int64(0); n < 10; n++ {
		all = append(all, n)
	}
	for unit := int64(1); unit < One/100; unit *= 10 {
		for n := int64(10); n < 100; n++ {
			all = append(all, n*unit)
		}
	}
	low := slices.Clone(all)
	for n := int64(20); n <= 180; n++ {
		all = append(all, n*(One/200))
	}
	for _, n := range slices.Backward(low) {
		all = append(all, One-n)
	}
	return all
}()
