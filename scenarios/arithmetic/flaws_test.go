package arithmetic_test

import (
	"bytes"
	"math"
	"slices"
	"strconv"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/arithmetic"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim/simtest"
)

type ms = time.Duration

const millisecond = time.Millisecond

// drift is the reference's allowance.
func drift(ttl ms) ms { return ttl/100 + 2*millisecond }

// flaws are rules with one error each, and the law that finds it.
var flaws = []struct {
	title string
	law   string
	rules arithmetic.Rules
}{
	{"half of n is taken for a majority", "quorums-meet", arithmetic.Rules{Quorum: func(n, _ int) int { return n / 2 }}},
	{"half of n is rounded up", "quorums-meet", arithmetic.Rules{Quorum: func(n, _ int) int { return (n + 1) / 2 }}},
	{"the majority is of those that answered", "quorums-meet", arithmetic.Rules{
		Quorum: func(_, answered int) int { return answered/2 + 1 }}},
	{"votes are compared with half by >=", "quorums-meet", arithmetic.Rules{Wins: func(n, votes int) bool { return 2*votes >= n }}},
	{"the quorum of five is written down", "quorums-meet", arithmetic.Rules{Quorum: func(int, int) int { return 3 }}},
	{"votes are compared with the majority by >", "quorum-within-reach", arithmetic.Rules{
		Wins: func(n, votes int) bool { return votes > n/2+1 }}},
	{"the allowance is added", "validity-within-key", arithmetic.Rules{
		Validity: func(ttl, elapsed ms) ms { return ttl - elapsed + drift(ttl) }}},
	{"one per cent in whole milliseconds is nothing for a short TTL", "allowance-covers", arithmetic.Rules{
		Allowance: func(ttl ms) ms { return ms(ttl.Milliseconds()/100) * millisecond }, Drift: 500}},
	{"two milliseconds are allowed for any TTL", "allowance-covers", arithmetic.Rules{
		Allowance: func(ms) ms { return 2 * millisecond }, Drift: 500}},
	{"one per cent in whole milliseconds, within the validity", "validity-within-key", arithmetic.Rules{
		Validity: func(ttl, elapsed ms) ms { return ttl - elapsed - ms(ttl.Milliseconds()/100)*millisecond }, Drift: 500}},
	{"an unsigned validity wraps when the attempt took too long", "validity-within-key", arithmetic.Rules{
		Validity: func(ttl, elapsed ms) ms {
			v := uint64(ttl) - uint64(elapsed) - uint64(drift(ttl))
			return ms(min(v, math.MaxInt64))
		}}},
	{"milliseconds in 32 bits end after 24.8 days", "ttl-is-a-time", arithmetic.Rules{
		Sent: func(ttl ms) int64 { return int64(int32(ttl.Milliseconds())) }}},
	{"milliseconds in unsigned 32 bits end after 49.7 days", "ttl-sent-in-full", arithmetic.Rules{
		Sent: func(ttl ms) int64 { return int64(uint32(ttl.Milliseconds())) }}},
	{"the TTL is cut to seconds", "ttl-sent-in-full", arithmetic.Rules{
		Sent: func(ttl ms) int64 { return int64(ttl / time.Second) }, Unit: time.Second}},
	{"the TTL is cut to seconds, and the validity counts on all of it", "validity-within-key", arithmetic.Rules{
		Sent: func(ttl ms) int64 { return max(int64(ttl/time.Second), 1) }, Unit: time.Second,
		Validity: func(ttl, elapsed ms) ms { return ttl - elapsed - drift(ttl) }}},
	{"seconds are sent where milliseconds are meant", "ttl-sent-in-full", arithmetic.Rules{
		Sent: func(ttl ms) int64 { return int64(ttl / time.Second) }}},
	{"nanoseconds are sent where milliseconds are meant", "ttl-is-a-time", arithmetic.Rules{
		Sent: func(ttl ms) int64 { return int64(ttl) }}},
	{"the elapsed time is not taken off", "validity-within-key", arithmetic.Rules{
		Validity: func(ttl, _ ms) ms { return ttl - drift(ttl) }}},
	{"the elapsed time is cut to seconds", "validity-within-key", arithmetic.Rules{
		Validity: func(ttl, elapsed ms) ms { return ttl - elapsed.Truncate(time.Second) - drift(ttl) }}},
	{"the elapsed time is taken without its sign", "validity-falls", arithmetic.Rules{
		Validity: func(ttl, elapsed ms) ms { return (ttl - drift(ttl) - elapsed).Abs() }}},
	{"an attempt of just the TTL is accepted", "accepted-in-time", arithmetic.Rules{
		Accepts: func(ttl, elapsed ms) bool { return elapsed <= ttl }}},
	{"the extension counts from its answer", "extension-within-keys", arithmetic.Rules{
		Extended: func(ttl, _, answered ms) ms { return answered + ttl - drift(ttl) }}},
	{"the extension is added to the time that was left", "extension-within-keys", arithmetic.Rules{
		Extended: func(ttl, asked, answered ms) ms { return asked + ttl + ttl/2 - (answered - asked) }}},
	{"a node stays away for half of the TTL", "away-long-enough", arithmetic.Rules{Away: func(ttl ms) ms { return ttl / 2 }}},
	{"a node stays away for the TTL less twice the allowance", "away-long-enough", arithmetic.Rules{
		Away: func(ttl ms) ms { return ttl - 2*drift(ttl) }, Allowance: drift}},
	{"a float of 32 bits loses the milliseconds of a long TTL", "ttl-sent-in-full", arithmetic.Rules{
		Sent: func(ttl ms) int64 { return int64(float32(ttl.Milliseconds()) * 0.9999999) }}},
	{"the rules divide by what may be zero", "validity-within-key", arithmetic.Rules{
		Validity: func(ttl, elapsed ms) ms { return ttl - elapsed/(ttl/time.Second) }}},
}

func TestEveryFlawIsFoundWithinAThousandDraws(t *testing.T) {
	for i, c := range flaws {
		if !simtest.Long && i%4 > 0 {
			continue
		}
		found, err := arithmetic.Find(c.rules, 1000, 1)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(found, func(f arithmetic.Flaw) bool { return f.Law.Name == c.law }) {
			t.Errorf("%s: %s finds nothing, only %v", c.title, c.law, found)
			continue
		}
		for i := range found {
			s, seed, why := found[i].Scenario()
			switch {
			case s == nil && why == "":
				t.Errorf("%s: %s has no scenario, and no reason why", c.title, &found[i])
			case s == nil:
				t.Logf("%s\n  %s\n  no scenario: %s", c.title, &found[i], why)
			default:
				t.Logf("%s\n  %s\n  seen with seed %d, at a TTL of %v", c.title, &found[i], seed, s.Lock.TTL)
				if again := scenarios.Run(*s, seed); again.Verdict != scenarios.Pass {
					t.Errorf("%s: the scenario of %s does not show it again", c.title, &found[i])
				}
			}
		}
		filesPass(t, c.rules, found)
	}
}

// filesPass requires that each file of a report has only what differs, and passes by its own expectation, with other
// seeds too.
func filesPass(t *testing.T, r arithmetic.Rules, found []arithmetic.Flaw) {
	t.Helper()
	files := map[string][]byte{}
	_, rows := arithmetic.Report(r, found, 1000, func(law string, file []byte) string {
		files[law] = file
		return law
	})
	for _, row := range rows {
		file, is := files[row[0]]
		if !is {
			continue
		}
		s, err := scenarios.Parse(row[0]+".yaml", file)
		if err != nil {
			t.Fatalf("%v\n%s", err, file)
		}
		seed, err := strconv.ParseUint(row[4], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		res := scenarios.Run(s, seed)
		if lines := bytes.Count(file, []byte("\n")); res.Verdict != scenarios.Pass || lines > 60 {
			t.Errorf("%s: the file of %d lines ends in %v: %v\n%s", row[0], lines, res.Verdict, res.Seen, file)
		}
		for other := range uint64(8) { // a difference of a microsecond shows by luck
			if v := scenarios.Run(s, other+1).Verdict; v != scenarios.Pass && s.Lock.TTL > millisecond {
				t.Errorf("%s, seed %d: %v\n%s", row[0], other+1, v, file)
			}
		}
	}
}

// correct are rules without an error.
var correct = []struct {
	title string
	rules arithmetic.Rules
}{
	{"ours", withDrift(arithmetic.Of(locks.Reference()), 4900)},
	{"two thirds", arithmetic.Rules{Quorum: func(n, _ int) int { return 2*n/3 + 1 }}},
	{"all of them", arithmetic.Rules{Quorum: func(n, _ int) int { return n }}},
	{"more than half, compared", arithmetic.Rules{Wins: func(n, votes int) bool { return votes > n/2 }}},
	{"twice the votes against n", arithmetic.Rules{Wins: func(n, votes int) bool { return 2*votes > n }}},
	{"a share in a float, as redsync has it", withDrift(arithmetic.Rules{
		Validity: func(ttl, elapsed ms) ms { return ttl - elapsed - ms(int64(float64(ttl)*0.01)) }}, 4900)},
	{"no allowance, for clocks that are right", arithmetic.Rules{Validity: func(ttl, elapsed ms) ms { return ttl - elapsed }}},
	{"the elapsed time in milliseconds, rounded up", arithmetic.Rules{
		Validity: func(ttl, elapsed ms) ms { return ttl - (elapsed + millisecond - 1).Truncate(millisecond) - drift(ttl) }}},
	{"the elapsed time in milliseconds, cut, with 2 ms allowed", withDrift(arithmetic.Rules{
		Validity: func(ttl, elapsed ms) ms { return ttl - elapsed.Truncate(millisecond) - drift(ttl) }}, 4900)},
	{"no validity is ever negative", arithmetic.Rules{
		Validity: func(ttl, elapsed ms) ms { return max(ttl-elapsed-drift(ttl), 0) }}},
	{"the allowance is of what is left", withDrift(arithmetic.Rules{
		Validity: func(ttl, elapsed ms) ms { left := ttl - elapsed; return left - ttl/50 }}, 4900)},
	{"the TTL in seconds, rounded up", arithmetic.Rules{
		Sent: func(ttl ms) int64 { return int64((ttl + time.Second - 1) / time.Second) }, Unit: time.Second}},
	{"the TTL in seconds, cut, and the validity counts on that", arithmetic.Rules{
		Sent: func(ttl ms) int64 { return max(int64(ttl/time.Second), 1) }, Unit: time.Second,
		Validity: func(ttl, elapsed ms) ms { return min(ttl.Truncate(time.Second), ttl) - elapsed }}},
	{"the TTL in microseconds", arithmetic.Rules{Sent: func(ttl ms) int64 { return ttl.Microseconds() }, Unit: time.Microsecond}},
	{"a little more is sent than is counted on", arithmetic.Rules{
		Sent:     func(ttl ms) int64 { return (ttl + drift(ttl)).Milliseconds() },
		Validity: func(ttl, elapsed ms) ms { return ttl - elapsed }}},
	{"attempts are refused at half of the TTL", arithmetic.Rules{Accepts: func(ttl, elapsed ms) bool { return elapsed < ttl/2 }}},
	{"attempts are refused at the TTL", arithmetic.Rules{Accepts: func(ttl, elapsed ms) bool { return elapsed < ttl }}},
	{"the extension counts from when it was asked for", withDrift(arithmetic.Rules{
		Extended: func(ttl, asked, _ ms) ms { return asked + ttl - drift(ttl) }}, 4900)},
	{"the extension counts as an attempt does", withDrift(arithmetic.Rules{
		Extended: func(ttl, asked, answered ms) ms { return answered + (ttl - (answered - asked) - drift(ttl)) }}, 4900)},
	{"a node stays away for the TTL", arithmetic.Rules{Away: func(ttl ms) ms { return ttl }}},
	{"a node stays away for the TTL less the allowance", arithmetic.Rules{
		Away: func(ttl ms) ms { return ttl - drift(ttl) }, Allowance: drift}},
	{"a node stays away for twice the TTL, with clocks that are wrong", withDrift(arithmetic.Rules{
		Away: func(ttl ms) ms { return 2 * ttl }, Allowance: drift}, 4900)},
	{"an eighth is allowed", withDrift(arithmetic.Rules{Allowance: func(ttl ms) ms { return ttl / 8 }}, 50_000)},
}

func withDrift(r arithmetic.Rules, perMillion int) arithmetic.Rules {
	r.Drift = perMillion
	return r
}

func TestCorrectRulesHaveNoFlaw(t *testing.T) {
	draws := 3000
	if simtest.Long {
		draws = 1_000_000
	}
	for _, c := range correct {
		found, err := arithmetic.Find(c.rules, draws, 1)
		if err != nil {
			t.Fatal(err)
		}
		for i := range found {
			t.Errorf("%s is accused: %s", c.title, &found[i])
		}
	}
}

// A law that is a property can be checked as any other.
func TestALawIsAPropertyOfRapid(t *testing.T) {
	for _, l := range arithmetic.Laws {
		if r := arithmetic.Of(locks.Reference()); l.Applies(r) {
			t.Run(l.Name, func(t *testing.T) { rapid.Check(t, l.Property(r, func(f arithmetic.Flaw) { t.Log(f.Sentence) })) })
		}
	}
}

// A validity of nothing is no lock; without the check any attempt wins.
func TestTheReferenceAcceptsWhileValidityIsLeft(t *testing.T) {
	checked := locks.Reference()
	unchecked := checked
	unchecked.ValidityCheck = false
	const ttl = 10 * time.Second
	last := ttl - drift(ttl)
	for _, c := range []struct {
		rules   locks.Rules
		elapsed ms
		want    bool
	}{{checked, last - 1, true}, {checked, last, false}, {checked, last + 1, false}, {unchecked, last, true}, {unchecked, ttl, true}} {
		if got := arithmetic.Of(c.rules).Accepts(ttl, c.elapsed); got != c.want {
			t.Errorf("check %t, after %s: %t", c.rules.ValidityCheck, c.elapsed, got)
		}
	}
}
