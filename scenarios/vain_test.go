package scenarios_test

import (
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios"
)

// A first scenario can pass because its fault met no lock. The run says so.
func TestAFaultThatCouldHarmNoLockIsNamed(t *testing.T) {
	const failover, kept = "nodes: 3\nlock: {kind: failover}\n", "no holder lost a key when a node was hit"
	for _, c := range []struct{ file, want string }{
		{"schedule: |\n  when c1 asking pause c1 for 15s\n", "c1 did not hold the lock when it was paused"},
		{"schedule: |\n  when c1 asking suspend c1 for 15s\n", "c1 did not hold the lock when it slept"},
		{"schedule: |\n  when c1 released 10th pause c1 for 15s\n", "c1 did not hold the lock when it was paused"},
		{"work: {stagger: 1s}\nschedule: |\n  when c1 acquired pause c1 for 15s\n", ""},
		{failover + "schedule: |\n  when c1 acquired crash n1 for 3s\n", kept},
		{"persistence: aof-always\nschedule: |\n  when c1 acquired restart n1 for 1ms\n", kept},
		{"work: {stagger: 1s, work: 2s..3s}\nschedule: |\n  when c1 acquired restart n1 for 1ms\n", ""},
		{"work: {stagger: 1s, work: 2s..3s}\nschedule: |\n  when c1 acquired jump n1 +11s\n", ""},
		{"schedule: |\n  at 1s for 1s pause n1\n", ""},
	} {
		s, err := scenarios.Parse("a.yaml", []byte("title: a\nclients: 2\n"+c.file))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(runner(t).Run(&s, 1).Vain(), "; "); got != c.want {
			t.Errorf("%s: %q, want %q", c.file, got, c.want)
		}
	}
	// Its request reached the node before it crashed, so its key is there although it never held the lock.
	s := find(t, "distlock/setnx-then-expire")
	if got := runner(t).Run(&s, 1).Vain(); got != nil {
		t.Errorf("%s: %q", s.ID, got)
	}
}
