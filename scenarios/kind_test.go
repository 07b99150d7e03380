package scenarios_test

import (
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/scenarios"
)

func TestAScenarioBecomesOneOfAnyKind(t *testing.T) {
	seeds := uint64(20)
	if !long {
		seeds = 5
	}
	for kind, name := range scenarios.KindNames {
		s, _ := scenarios.Find("redlock/any")
		s.ChangeKind(scenarios.Kind(kind))
		if err := s.Check(); err != nil {
			t.Errorf("redlock/any as %s: %v", name, err)
			continue
		}
		for seed := range seeds {
			u := s.Universes().At(seed)
			if r := scenarios.Run(u, seed); u.Lock.Kind != scenarios.Kind(kind) || len(r.Evidence.Holds) == 0 {
				t.Errorf("redlock/any as %s, seed %d: kind %d, %d holds", name, seed, u.Lock.Kind, len(r.Evidence.Holds))
			}
		}
	}
}

func TestSettingTheKindSetsTheServers(t *testing.T) {
	for _, from := range scenarios.KindNames {
		for _, to := range scenarios.KindNames {
			s, _ := scenarios.Find("redlock/any")
			for _, kind := range []string{from, to} {
				if err := s.Set("lock.kind=" + kind); err != nil {
					t.Fatal(err)
				}
			}
			if err := s.Check(); err != nil || s.Lock.Kind.String() != to {
				t.Errorf("redlock/any as %s, then %s: %v", from, to, err)
			}
		}
	}
}

func TestSuitableNumberOfNodesIsKept(t *testing.T) {
	for _, c := range []struct {
		kind           string
		nodes, becomes int
	}{
		{"etcd", 5, 5}, {"etcd", 4, 3}, {"zookeeper", 1, 3}, {"failover", 5, 5}, {"failover", 1, 3}, {"single", 5, 5}, {"sql-row-lock", 5, 0}, {"record", 5, 1},
	} {
		s := scenarios.Scenario{Nodes: c.nodes}
		if err := s.Set("lock.kind=" + c.kind); err != nil || s.Nodes != c.becomes {
			t.Errorf("%s of %d nodes: %d, %v; want %d", c.kind, c.nodes, s.Nodes, err, c.becomes)
		}
	}
}

func TestALockThatBecomesRedissonsHasItsWatchdog(t *testing.T) {
	s, _ := scenarios.Find("kleppmann/gc-pause")
	if err := s.Set("lock.kind=redisson"); err != nil || s.Lock.Renew.Every != s.Lock.TTL/3 {
		t.Errorf("it renews every %v, %v", s.Lock.Renew.Every, err)
	}
}

func TestChangingTheKindRemovesMutantsAndBounds(t *testing.T) {
	s, _ := scenarios.Find("antirez/rate-drift")
	if len(s.Mutants) == 0 || len(s.Bounds) == 0 {
		t.Fatal("the scenario has none")
	}
	if err := s.Set("lock.kind=redisson"); err != nil || s.Check() != nil || s.Mutants != nil || s.Bounds != nil {
		t.Errorf("%v, %v: %v, %v", err, s.Check(), s.Mutants, s.Bounds)
	}
}

func TestKindIsSetBeforeTheLocksSettings(t *testing.T) {
	s := scenarios.Base()
	err := s.SetAll([]string{"lock.session.poll=1s", "nodes=5", "lock.kind=etcd", "lock.ttl=2s"})
	if err != nil || s.Lock.Kind != scenarios.Etcd || s.Nodes != 5 || s.Lock.Session.Poll != time.Second {
		t.Errorf("%v: %v on %d nodes, poll %v", err, s.Lock.Kind, s.Nodes, s.Lock.Session.Poll)
	}
}

// Redisson extends a lease after a third of it, unless it is configured otherwise.
func TestALockWithAWatchdogRenewsEachThirdOfItsLease(t *testing.T) {
	for _, kind := range []string{"redisson", "redisson-red", "redisson-rw", "redisson-fair", "redisson-sentinel"} {
		s, _ := scenarios.Find("kleppmann/gc-pause")
		if err := s.Set("lock.kind=" + kind); err != nil || s.Lock.Renew.Every != s.Lock.TTL/3 {
			t.Errorf("%s renews a lease of %s each %s: %v", kind, s.Lock.TTL, s.Lock.Renew.Every, err)
		}
	}
}
