package stats

import "math/big"

// Fisher returns the p-value of Fisher's exact test, one-sided: if k of n things in one group and l of m in another are
// of some kind, and whether a thing is of that kind has nothing to do with its group, it is the chance that the first
// group has k of them or more. It is exact, so that what is decided by it is decided alike on every machine.
//
// Of all ways to choose which k+l of the n+m things are of that kind, those count in which i ≥ k are in the first
// group: Σ C(n,i)·C(m,k+l-i) / C(n+m,k+l).
func Fisher(k, n, l, m int) *big.Rat {
	mustCount(k, n)
	mustCount(l, m)
	both, ways, term := k+l, new(big.Int), new(big.Int)
	for i := k; i <= min(n, both); i++ {
		if both-i > m {
			continue
		}
		term.Mul(binomial(n, i), binomial(m, both-i))
		ways.Add(ways, term)
	}
	return new(big.Rat).SetFrac(ways, binomial(n+m, both))
}

func binomial(n, k int) *big.Int { return new(big.Int).Binomial(int64(n), int64(k)) }
