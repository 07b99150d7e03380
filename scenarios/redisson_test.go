package scenarios_test

import (
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
)

// The owner of a Redisson lock may acquire it again and again. An attempt that acquired the lock and got no fencing
// token releases it: otherwise the count rises, and one release no longer frees the lock.
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

// No client overtakes another in the queue of the fair lock; without a queue one does, in the same scenario.
func TestFairLockKeepsTheOrderOfWaiters(t *testing.T) {
	overtaken := func(kind string) (pairs int64) {
		s, err := scenarios.Open("redisson-fair/lock", "lock.kind="+kind)
		if err != nil {
			t.Fatal(err)
		}
		for seed := range uint64(30) {
			r := scenarios.Run(s, seed+1)
			for _, f := range new(checker.Judge).Figures(r.Evidence) {
				if f.Name == "overtaken" {
					pairs += f.Value
				}
			}
		}
		return pairs
	}
	if fair, plain := overtaken("redisson-fair"), overtaken("redisson"); fair != 0 || plain == 0 {
		t.Errorf("%d pairs overtake in the fair lock, %d in the plain one", fair, plain)
	}
}
