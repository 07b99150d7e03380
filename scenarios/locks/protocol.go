package locks

import (
	"slices"
	"strings"
	"time"
)

// A Protocol is what there is to know of a kind of lock before one is made. Each is declared in the file of its steps.
type Protocol struct {
	Name    string            // as scenarios write it
	New     func(Config) Lock // makes one client's lock
	Options []string          // its options, as files write them below lock; one that ends in a dot is a section with all in it

	OneServer bool             // it asks the first server alone
	Counts    func(Rules) bool // reports whether its fencing tokens are its own; nil for never
	Complete  func(*Rules)     // gives a lock that becomes one of this kind what belongs to it; nil for nothing

	// Attempt returns the longest that one attempt can take with its cleanup, by the client's clock, if each call to one of
	// the servers may reach its timeout. Nil is two calls to each server to take the key, and two to free it.
	Attempt func(r Rules, servers int) time.Duration
}

// Has reports whether such a lock has the option.
func (p *Protocol) Has(option string) bool {
	section, _, inner := strings.Cut(option, ".")
	return slices.Contains(p.Options, option) || inner && slices.Contains(p.Options, section+".")
}

// Longest returns the longest that one attempt can take: see Attempt.
func (p *Protocol) Longest(r Rules, servers int) time.Duration {
	if p.Attempt == nil {
		return calls(r, 4*servers)
	}
	return p.Attempt(r, servers)
}

// making returns a constructor's Lock of any type as a Lock.
func making[L Lock](construct func(Config) L) func(Config) Lock {
	return func(c Config) Lock { return construct(c) }
}

// always is for locks that count fencing tokens whatever their rules.
func always(Rules) bool { return true }

// calls returns how long so many calls take that all reach the timeout. A year is long enough: a sum of them must not
// overflow.
func calls(r Rules, n int) time.Duration {
	const year = 366 * 24 * time.Hour
	return min(r.Timeout, year/time.Duration(n)) * time.Duration(n)
}
