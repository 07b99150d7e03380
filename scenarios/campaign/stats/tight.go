package stats

import "math/big"

// Tight reports whether the interval of Wilson for k of n, at 95 %, is no wider than so many millionths. It is decided in
// whole numbers, so that a campaign that stops by it stops at the same run on every machine.
//
// The width is 2z/(n+z²) · √(k(n-k)/n + z²/4). With z² = 38415/10000, which is a little more than the true 3.841459, both
// sides of "width ≤ w" are squared and freed of their denominators.
func Tight(k, n, width int) bool {
	mustCount(k, n)
	if n == 0 || width <= 0 {
		return false
	}
	const a, b, million = 38_415, 10_000, 1_000_000 // z² = a/b
	left := product(4*a*b, k, n-k)
	left.Add(left, product(a, a, n))
	left.Mul(left, product(million, million))
	within := new(big.Int).Add(product(b, n), big.NewInt(a))
	right := product(width, width, n)
	right.Mul(right, within.Mul(within, within))
	return left.Cmp(right) <= 0
}

func product(factors ...int) *big.Int {
	all := big.NewInt(1)
	for _, f := range factors {
		all.Mul(all, big.NewInt(int64(f)))
	}
	return all
}
