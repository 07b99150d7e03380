package clock

import (
	"fmt"
	"strconv"
	"strings"
)

// A Rate is how much too fast a clock runs, in parts per billion of true time; negative is too slow. A clock at rate r
// counts 1e9 + r nanoseconds in a true second.
type Rate int64

// PPM is one part per million, the unit of crystal makers and of NTP: 86.4 ms a day.
const PPM Rate = 1000

// RateMax bounds the sum of the rates in force at any time, in both directions. It is below one, so that a clock always
// moves forward: from a tenth of true time to almost twice it.
const RateMax Rate = 900_000_000

// perfect is what a clock with rate 0 counts in a true second. A Rate divides a nanosecond into as many parts.
const perfect = 1_000_000_000

// String prints r in ppm with its sign, exactly and without trailing zeros: "+800ppm", "-0.5ppm", "0ppm".
func (r Rate) String() string {
	text := decimal(int64(r), 3) + "ppm"
	if r > 0 {
		return "+" + text
	}
	return text
}

// ParseRate reads a rate in ppm, as String writes it: with at most three decimals, and an optional plus.
func ParseRate(text string) (Rate, error) {
	number, isPPM := strings.CutSuffix(text, "ppm")
	whole, part, _ := strings.Cut(number, ".")
	if !isPPM || strings.Trim(whole, "+-") == "" || len(part) > 3 || strings.ContainsAny(part, "+-") {
		return 0, fmt.Errorf("%q is not a rate such as +800ppm: %w", text, strconv.ErrSyntax)
	}
	n, err := strconv.ParseInt(whole+part+strings.Repeat("0", 3-len(part)), 10, 64)
	return Rate(n), err
}

// within reports whether r keeps to the bound.
func (r Rate) within() bool { return -RateMax <= r && r <= RateMax }

// checked returns r, the rate of one change. It panics at one that could overflow a sum before the sum is checked.
func (r Rate) checked(t Instant) Rate {
	if !r.within() {
		panic(fmt.Sprintf("clock: change of rate by %v at %v, beyond RateMax (%v)", r, t, RateMax))
	}
	return r
}
