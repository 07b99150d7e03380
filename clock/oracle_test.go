package clock

import (
	"fmt"
	"math/big"
	"time"

	"pgregory.net/rapid"
)

// An oracle knows no segments. It keeps the requests and sums them up again for each question, in math/big: a rate
// counts since it began, and a slew counts since it began but no more than its total.
type oracle struct {
	wall Reading
	rate Rate
	done []act
}

type act struct {
	kind string // "step", "drift" or "slew"
	at   Instant
	by   time.Duration // of a step or slew
	rate Rate          // of a drift or slew
}

func (a act) String() string {
	return fmt.Sprintf("%s at %v by %v rate %v", a.kind, a.at, a.by, a.rate)
}

func (a act) apply(c *Clock) {
	switch a.kind {
	case "step":
		c.Step(a.at, a.by)
	case "drift":
		c.Drift(a.at, a.rate)
	case "slew":
		c.Slew(a.at, a.by, a.rate)
	}
}

func (o *oracle) clock() Clock {
	c := New(o.wall, o.rate)
	for _, a := range o.done {
		a.apply(&c)
	}
	return c
}

var billion = big.NewInt(1_000_000_000)

func (o *oracle) mono(t Instant) *big.Int {
	sum := product(int64(t), perfect+int64(o.rate))
	for _, a := range o.done {
		if t < a.at {
			continue
		}
		switch a.kind {
		case "drift":
			sum.Add(sum, product(int64(t-a.at), int64(a.rate)))
		case "slew":
			gain, asked := product(int64(t-a.at), int64(a.rate)), product(int64(a.by), perfect)
			if gain.CmpAbs(asked) > 0 {
				gain.Abs(asked)
			}
			if a.by < 0 {
				gain.Neg(gain)
			}
			sum.Add(sum, gain)
		}
	}
	return sum.Div(sum, billion) // Euclidean, hence floor for a positive divisor
}

func (o *oracle) wallAt(t Instant) *big.Int {
	sum := o.mono(t)
	sum.Add(sum, big.NewInt(int64(o.wall)))
	for _, a := range o.done {
		if a.kind == "step" && a.at <= t {
			sum.Add(sum, big.NewInt(int64(a.by)))
		}
	}
	return sum
}

func product(a, b int64) *big.Int { return new(big.Int).Mul(big.NewInt(a), big.NewInt(b)) }

// edges returns the instants between from and to at which something may happen, both ends included.
func (o *oracle) edges(from, to Instant) []Instant {
	edges := []Instant{from, to}
	add := func(t Instant) {
		for _, e := range []Instant{t - 1, t, t + 1} {
			if from <= e && e <= to {
				edges = append(edges, e)
			}
		}
	}
	for _, a := range o.done {
		add(a.at)
		if a.kind == "slew" {
			asked := new(big.Int).Abs(product(int64(a.by), perfect))
			asked.Div(asked, big.NewInt(int64(a.rate)))
			if length := asked.Int64(); asked.IsInt64() && length < int64(Forever-a.at)-2 {
				add(a.at + Instant(length))
				add(a.at + Instant(length) + 1)
			}
		}
	}
	return edges
}

const year = 365 * 24 * time.Hour

// drawOracle draws a clock that lives for about span, with changes that keep to the bounds.
func drawOracle(t *rapid.T, span time.Duration) *oracle {
	left := int64(RateMax)
	draw := func(low int64, label string) Rate {
		r := rapid.Int64Range(low, left).Draw(t, label)
		left -= max(r, -r)
		return Rate(r)
	}
	o := &oracle{wall: Reading(rapid.Int64Range(-int64(60*year), int64(60*year)).Draw(t, "wall"))}
	o.rate = draw(-left, "rate")
	for range rapid.SampledFrom([]int{0, 1, 2, 3, 5, 8}).Draw(t, "acts") {
		a := act{
			kind: rapid.SampledFrom([]string{"step", "drift", "slew"}).Draw(t, "kind"),
			at:   Instant(rapid.Int64Range(0, int64(span)).Draw(t, "at")),
		}
		if a.kind != "drift" {
			a.by = time.Duration(rapid.Int64Range(-int64(span), int64(span)).Draw(t, "by"))
		}
		switch {
		case a.kind == "drift":
			a.rate = draw(-left, "drift")
		case a.kind == "slew" && left == 0:
			continue
		case a.kind == "slew":
			a.rate = draw(1, "slew")
		}
		o.done = append(o.done, a)
	}
	return o
}

// drawSpan draws how long a clock lives: nanoseconds, where roundings show, or years, where overflows do.
func drawSpan(t *rapid.T) time.Duration {
	return rapid.SampledFrom([]time.Duration{100, 10_000, time.Second, time.Hour, 10 * year}).Draw(t, "span")
}

func drawInstant(t *rapid.T, span time.Duration, label string) Instant {
	return Instant(rapid.Int64Range(0, 2*int64(span)).Draw(t, label))
}
