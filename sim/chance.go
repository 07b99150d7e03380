package sim

import (
	"math/bits"
	"time"
)

// A Chance is a named stream of random numbers. All randomness in a run comes from one.
//
// A stream is seeded from the run's seed and its own name. So draws in one part of the world never change draws in
// another: take a fault away, and the latencies stay as they were.
type Chance struct {
	state  uint64
	choose func(name string, n uint64) uint64
	name   string
}

// NewChance returns the stream of this name for this seed.
func NewChance(seed uint64, name string) Chance {
	return Chance{name: name, state: mix(seed ^ hash(name))}
}

// Below draws a number from 0 to n-1. Below(0) and Below(1) are 0, and draw nothing.
func (c *Chance) Below(n uint64) uint64 {
	if n <= 1 {
		return 0
	}
	if c.choose != nil {
		return c.choose(c.name, n) % n
	}
	c.state += 0x9e3779b97f4a7c15
	high, _ := bits.Mul64(mix(c.state), n)
	return high
}

// bits draws 64 bits.
func (c *Chance) bits() uint64 {
	return c.Below(1<<32)<<32 | c.Below(1<<32)
}

// In draws a duration from the range, both ends included.
func (c *Chance) In(r Range) time.Duration {
	if r.Max <= r.Min {
		return r.Min
	}
	return r.Min + time.Duration(c.Below(uint64(r.Max-r.Min)+1))
}

// Hit is true for perMillion of a million draws.
func (c *Chance) Hit(perMillion int) bool {
	return c.Below(1_000_000) < uint64(max(perMillion, 0))
}

// A Range is a span of durations to draw from, both ends included. A Max at or below Min means exactly Min.
type Range struct {
	Min, Max time.Duration
}

// mix is the finalizer of splitmix64 (Steele, Lea and Flood, 2014): every bit of x moves every bit of the result.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// hash is FNV-1a. It only has to distinguish a few dozen names.
func hash(s string) uint64 {
	h := uint64(0xcbf29ce484222325)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 0x100000001b3
	}
	return h
}
