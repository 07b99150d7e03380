package scenarios_test

import (
	"testing"

	"github.com/lockstorm/lockstorm/scenarios"
)

// The owner of a Redisson lock may acquire it again and again. An attempt that had the lock and could not use it, for want of
// a fencing token, gives it back: else the count rises, and one release no longer frees it.
func TestAnAttemptThatGetsNoTokenLeavesNoCountBehind(t *testing.T) {
	for _, kind := range []string{"redisson", "redisson-red"} {
		s, err := scenarios.Parse("a.yaml", []byte(`
title: The node that counts tokens is down for a second.
clients: 2
nodes: 3
lock: {kind: `+kind+`, ttl: 10s, renew: {every: 3s}, redisson: {depth: 2}}
fencing: {source: node, node: 3}
work: {cycles: 2}
schedule: at 0s for 1s crash n3
sometimes: [fault-struck, acquired-by-two]
`))
		if err != nil {
			t.Fatal(err)
		}
		if r := scenarios.Run(s, 1); r.Verdict != scenarios.Pass {
			t.Errorf("%s: %s: %v", kind, r.Verdict, r.Findings)
		}
	}
}
