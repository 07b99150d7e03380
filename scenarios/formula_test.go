package scenarios_test

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/locks"
)

func TestTheLawsForTheReferencesFigures(t *testing.T) {
	for _, c := range []struct {
		factor   locks.Share
		constant time.Duration
		law      scenarios.Formula
		want     int64
	}{
		{10_000, 2 * time.Millisecond, scenarios.RestartDelay, 9_898_000_000},
		{10_000, 2 * time.Millisecond, scenarios.FastNode, 10_305_112},
		{10_000, 2 * time.Millisecond, scenarios.SlowClient, -10_200_000},
		{0, 0, scenarios.RestartDelay, 10_000_000_000},
		{0, 0, scenarios.FastNode, 0},
		{0, 0, scenarios.SlowClient, 0},
		{1_000_000, time.Second, scenarios.RestartDelay, 0}, // no validity is ever left, so nothing can break it
		{1_000_000, time.Second, scenarios.FastNode, int64(clock.RateMax)},
		{1_000_000, time.Second, scenarios.SlowClient, -int64(clock.RateMax)},
		{1_000_000, 0, scenarios.FastNode, int64(clock.RateMax)},
	} {
		rules := locks.Rules{TTL: 10 * time.Second, DriftFactor: c.factor, DriftConstant: c.constant}
		if got := c.law.Bound(rules); got != c.want {
			t.Errorf("%v with %d and %s: %d, want %d", c.law, c.factor, c.constant, got, c.want)
		}
	}
}

// The laws are the smallest and the largest that the theorem's fourth assumption allows: T × (s − c) / (1 + s) ≤ A.
func TestTheLawsOfDriftAreTheTheoremsFourthAssumption(t *testing.T) {
	allowed := func(ttl, a, server, client int64) bool { // in whole numbers: T(s-c) ≤ A(1+s)
		const one = 1_000_000_000
		return ttl*(server-client) <= a*(one+server)
	}
	rapid.Check(t, func(t *rapid.T) {
		ttl := rapid.Int64Range(2, 5000).Draw(t, "ttl in ms")
		r := locks.Rules{TTL: time.Duration(ttl) * time.Millisecond, DriftConstant: time.Duration(rapid.Int64Range(0, ttl*2/5).Draw(t, "a in ms")) * time.Millisecond}
		a := r.Drift().Milliseconds()
		if s := scenarios.FastNode.Bound(r); !allowed(ttl, a, s, 0) || allowed(ttl, a, s+1, 0) {
			t.Fatalf("a node at %d", s)
		}
		if c := scenarios.SlowClient.Bound(r); !allowed(ttl, a, 0, c) || allowed(ttl, a, 0, c-1) {
			t.Fatalf("a client at %d", c)
		}
	})
}
