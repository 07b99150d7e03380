package arithmetic

import (
	"fmt"
	"time"

	"pgregory.net/rapid"
)

// A Law is what a lock on independent servers needs of its arithmetic.
type Law struct {
	Name string // as in quorums-meet
	Asks string // the question that it asks

	asked  func(r *Rules) bool                                      // whether the functions that it is about are there
	draw   func(t *rapid.T, r *Rules) Numbers                       // numbers to look at
	breaks func(r *Rules, n Numbers) (sentence string, broken bool) // whether it does not hold there, and why

	// A scenario in which that shows, or why none does; with nil, hidden says why none can.
	show   func(r *Rules, n Numbers) (file, why string)
	hidden string
}

// Laws lists the laws.
var Laws = []Law{
	{"quorums-meet", "Do any two groups of nodes that win the lock share a node?",
		func(r *Rules) bool { return r.Quorum != nil || r.Wins != nil }, drawSplit, quorumsMeet, showSplit, ""},
	{"quorum-within-reach", "Does the lock win if all nodes grant it?",
		func(r *Rules) bool { return r.Quorum != nil || r.Wins != nil }, drawSplit, quorumWithinReach, nil,
		"a lock that is never held breaks no promise of mutual exclusion; deadlock-free breaks in any scenario"},
	{"ttl-sent-in-full", "Do the servers keep the key for as long as was asked?",
		func(r *Rules) bool { return r.Sent != nil && r.Validity == nil }, drawTTL, sentInFull, nil, sendsAsItIs},
	{"ttl-is-a-time", "Is what is sent to the servers a time, and near the TTL?",
		func(r *Rules) bool { return r.Sent != nil }, drawTTL, sentIsTime, nil, sendsAsItIs},
	{"allowance-covers", "Does the allowance cover clocks that are as wrong as may be?",
		func(r *Rules) bool { return r.Allowance != nil }, drawTTL, allowanceCovers, showAllowance, ""},
	{"validity-within-key", "Does the validity end before the first key does?",
		func(r *Rules) bool { return r.Validity != nil }, drawAttempt, validityWithinKey, showValidity, ""},
	{"validity-falls", "Is no validity longer after an attempt that took longer?",
		func(r *Rules) bool { return r.Validity != nil }, drawAttempt, validityFalls, nil,
		"each of the two validities may be within the life of the key, so it breaks no promise by itself"},
	{"accepted-in-time", "Is an attempt refused after which the first key may be gone?",
		func(r *Rules) bool { return r.Accepts != nil }, drawAttempt, acceptedInTime, nil,
		"for how long the lock is then held, Accepts does not say: give Validity too"},
	{"extension-within-keys", "Does an extended lock end before the keys that were extended?",
		func(r *Rules) bool { return r.Extended != nil }, drawExtension, extensionWithinKeys, showExtension, ""},
	{"away-long-enough", "Does a node that lost its data stay away until no validity counts on it?",
		func(r *Rules) bool { return r.Away != nil }, drawTTL, awayLongEnough, showAway, ""},
}

const sendsAsItIs = "a lock of ours sends its TTL as it is; put your lock into locktest.Run to see it"

func drawSplit(t *rapid.T, _ *Rules) Numbers {
	n := rapid.IntRange(1, 99).Draw(t, "nodes")
	return Numbers{Nodes: n, Part: rapid.IntRange(0, n).Draw(t, "part")}
}

func drawTTL(t *rapid.T, r *Rules) Numbers {
	return Numbers{TTL: ttls().Draw(t, "ttl"), Rate: rapid.SampledFrom(r.rates()).Draw(t, "rate")}
}

func drawAttempt(t *rapid.T, r *Rules) Numbers {
	n := drawTTL(t, r)
	n.Elapsed = r.elapsed(t, "elapsed", n.TTL)
	n.More = sum(n.Elapsed, r.grained(rapid.Int64Range(0, int64(2*n.TTL)).Draw(t, "more")))
	return n
}

func drawExtension(t *rapid.T, r *Rules) Numbers {
	n := drawTTL(t, r)
	n.More = r.elapsed(t, "asked", n.TTL)
	n.Elapsed = r.elapsed(t, "elapsed", n.TTL)
	return n
}

func (r *Rules) wins(nodes, answered, votes int) bool {
	if r.Wins != nil {
		return r.Wins(nodes, votes)
	}
	return votes >= r.Quorum(nodes, answered)
}

// quorumsMeet splits the nodes between two clients: each gets the votes of its part. Either all nodes answer both
// clients, or each client gets answers from its part alone.
func quorumsMeet(r *Rules, n Numbers) (string, bool) {
	rest := n.Nodes - n.Part
	for _, answered := range [][2]int{{n.Nodes, n.Nodes}, {n.Part, rest}} {
		if r.wins(n.Nodes, answered[0], n.Part) && r.wins(n.Nodes, answered[1], rest) {
			lost := ""
			if answered[0] != n.Nodes {
				lost = ", where each is answered by those nodes alone"
			}
			return fmt.Sprintf("of %s, %s for one client and %s for another both win the lock%s: "+
				"%d + %d = %d, and no node is in both groups",
				count(n.Nodes, "node"), count(n.Part, "vote"), count(rest, "vote"), lost, n.Part, rest, n.Nodes), true
		}
	}
	return "", false
}

func quorumWithinReach(r *Rules, n Numbers) (string, bool) {
	if r.wins(n.Nodes, n.Nodes, n.Nodes) {
		return "", false
	}
	needs := ""
	if r.Quorum != nil && r.Wins == nil {
		needs = fmt.Sprintf(": it takes %d", r.Quorum(n.Nodes, n.Nodes))
	}
	return fmt.Sprintf("with all votes of %s the lock is not won%s", count(n.Nodes, "node"), needs), true
}

func sentInFull(r *Rules, n Numbers) (string, bool) {
	kept, spare := r.kept(n.TTL), time.Duration(0)
	if r.Allowance != nil {
		spare = max(r.Allowance(n.TTL), 0)
	}
	if sum(kept, spare) >= n.TTL {
		return "", false
	}
	return fmt.Sprintf("for a TTL of %v the servers are sent %d, which is %v: the keys are gone %v too early",
		n.TTL, r.Sent(n.TTL), kept, n.TTL-kept), true
}

func sentIsTime(r *Rules, n Numbers) (string, bool) {
	sent, kept := r.Sent(n.TTL), r.kept(n.TTL)
	switch {
	case sent <= 0:
		return fmt.Sprintf("for a TTL of %v the servers are sent %d, which is no time: they refuse it, or keep the key without one",
			n.TTL, sent), true
	case kept > sum(n.TTL, sum(n.TTL, r.unit())):
		return fmt.Sprintf("for a TTL of %v the servers are sent %d, which is %v: a client that crashes blocks the lock for so long",
			n.TTL, sent, kept), true
	}
	return "", false
}

// allowanceCovers checks whether the TTL less the allowance ends on a slow clock before the TTL on a fast one.
func allowanceCovers(r *Rules, n Numbers) (string, bool) {
	a := r.Allowance(n.TTL)
	switch {
	case a < 0:
		return fmt.Sprintf("for a TTL of %v the allowance is %v: it is added, not taken off", n.TTL, a), true
	case a >= n.TTL || !outlives(n.TTL-a, n.TTL, n.Rate):
		return "", false
	}
	left := n.TTL - a
	return fmt.Sprintf("for a TTL of %v the allowance is %v, and %v - %v = %v lasts %v on a clock that is %s slow, "+
		"when a key of %v is gone after %v on one that is as much fast", n.TTL, a, n.TTL, a, left,
		shown(trueTime(left, n.Rate, false)), perMillion(n.Rate), n.TTL, shown(trueTime(n.TTL, n.Rate, true))), true
}

func validityWithinKey(r *Rules, n Numbers) (string, bool) {
	v := r.Validity(n.TTL, n.Elapsed)
	if v <= 0 || r.Accepts != nil && !r.Accepts(n.TTL, n.Elapsed) {
		return "", false
	}
	return compare(r, n, fmt.Sprintf("after an attempt of %v the validity is %v", n.Elapsed, v), n.Elapsed, v)
}

// compare looks whether start + length on a slow clock ends after the key that was set when that clock showed 0.
func compare(r *Rules, n Numbers, says string, start, length time.Duration) (string, bool) {
	end, key := sum(start, length), r.kept(n.TTL)
	if !outlives(end, key, n.Rate) {
		return "", false
	}
	sent := ""
	if key != n.TTL {
		sent = fmt.Sprintf(" (the servers are sent %d)", r.Sent(n.TTL))
	}
	clocks := fmt.Sprintf("and the first key at %v", shown(trueTime(key, 0, true)))
	if n.Rate > 0 {
		clocks = fmt.Sprintf("which a clock that is %s slow shows at %v; "+
			"and the first key ends at %v, by a server's clock that is as much fast",
			perMillion(n.Rate), shown(trueTime(end, n.Rate, false)), shown(trueTime(key, n.Rate, true)))
	}
	return fmt.Sprintf("with a TTL of %v%s, %s: it ends at %v + %v = %v, %s", n.TTL, sent, says, start, length, end,
		clocks), true
}

func validityFalls(r *Rules, n Numbers) (string, bool) {
	a, b := r.Validity(n.TTL, n.Elapsed), r.Validity(n.TTL, n.More)
	if b <= a || b <= 0 {
		return "", false
	}
	return fmt.Sprintf("with a TTL of %v the validity is %v after an attempt of %v, and %v after a longer one of %v",
		n.TTL, a, n.Elapsed, b, n.More), true
}

func acceptedInTime(r *Rules, n Numbers) (string, bool) {
	key := r.kept(n.TTL)
	late := trueTime(n.Elapsed, n.Rate, false).Cmp(trueTime(key, n.Rate, true)) >= 0
	if !late || !r.Accepts(n.TTL, n.Elapsed) {
		return "", false
	}
	if n.Rate == 0 {
		return fmt.Sprintf("with a TTL of %v an attempt that took %v is accepted, and the first key was gone at %v",
			n.TTL, n.Elapsed, key), true
	}
	return fmt.Sprintf("with a TTL of %v an attempt that took %v is accepted: on a clock that is %s slow that is %v, "+
		"and the first key was gone at %v by a clock that is as much fast", n.TTL, n.Elapsed,
		perMillion(n.Rate), shown(trueTime(n.Elapsed, n.Rate, false)), shown(trueTime(key, n.Rate, true))), true
}

func extensionWithinKeys(r *Rules, n Numbers) (string, bool) {
	asked, answered := n.More, sum(n.More, n.Elapsed)
	end := r.Extended(n.TTL, asked, answered)
	if end <= answered {
		return "", false // nothing is left
	}
	says := fmt.Sprintf("an extension asked for at %v is answered %v later, and leaves %v from then", asked, n.Elapsed,
		end-answered)
	return compare(r, n, says, n.Elapsed, end-answered)
}

// awayLongEnough counts from the loss. A validity that counts on the lost key began before that.
func awayLongEnough(r *Rules, n Numbers) (string, bool) {
	rest := r.kept(n.TTL)
	switch {
	case r.Validity != nil:
		rest = max(r.Validity(n.TTL, 0), 0)
	case r.Allowance != nil:
		rest = max(n.TTL-r.Allowance(n.TTL), 0)
	default:
		n.Rate = 0 // a lock that is right about clocks has its own allowance
	}
	away := r.Away(n.TTL)
	if rest <= 0 || away >= 0 && trueTime(rest, n.Rate, false).Cmp(trueTime(away, n.Rate, true)) <= 0 {
		return "", false
	}
	if n.Rate == 0 {
		return fmt.Sprintf("with a TTL of %v a node stays away for %v, and a validity may last for %v after it lost the key",
			n.TTL, away, rest), true
	}
	return fmt.Sprintf("with a TTL of %v a node stays away for %v, which is over after %v on a clock that is %s fast, "+
		"and a validity of %v may last %v on one that is as much slow", n.TTL, away,
		shown(trueTime(away, n.Rate, true)), perMillion(n.Rate), rest, shown(trueTime(rest, n.Rate, false))), true
}

func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func perMillion(rate int) string { return fmt.Sprintf("%d ppm", rate) }
