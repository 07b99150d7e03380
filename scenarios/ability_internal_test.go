package scenarios

import (
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/scenarios/locks"
)

// bare lets a kind of lock do no more than acquire and release, for the time of a test.
func bare(t *testing.T, kind Kind) {
	t.Helper()
	whole := kinds[kind].Protocol
	less := *whole
	less.New = func(c locks.Config) locks.Lock { return struct{ locks.Lock }{whole.New(c)} }
	kinds[kind].Protocol = &less
	t.Cleanup(func() { kinds[kind].Protocol = whole })
}

func TestALockThatOnlyAcquiresAndReleasesRunsTheSame(t *testing.T) {
	s, _ := Find("baseline/fault-free")
	whole := Run(s, 1).Hash()
	bare(t, Redlock)
	if r := Run(s, 1); r.Hash() != whole || r.Verdict != Pass {
		t.Errorf("%s, and the run is another: %t", r.Verdict, r.Hash() != whole)
	}
}

func TestALockThatCantExtendIsNotAskedTo(t *testing.T) {
	s, _ := Find("distlock/extend")
	if len(Run(s, 1).Evidence.Renewals) == 0 {
		t.Fatal("nothing is extended")
	}
	bare(t, Redlock)
	bare(t, Single)
	if e := Run(s, 1).Evidence; len(e.Renewals) != 0 || len(e.Holds) == 0 {
		t.Errorf("%d extensions of %d holds", len(e.Renewals), len(e.Holds))
	}
}

func TestLockWithoutItsSessionIsNotExtended(t *testing.T) {
	s, _ := Find("etcd/any")
	s.Search, s.Work.Cycles = Search{}, 1
	s.Work.Work.Min, s.Work.Work.Max = 3*time.Second, 3*time.Second // longer than the session's TTL
	kept := Run(s, 1).Evidence
	bare(t, Etcd)
	left := Run(s, 1).Evidence
	if len(kept.Renewals) == 0 || len(left.Renewals) != 0 {
		t.Errorf("%d renewals with a session, %d without", len(kept.Renewals), len(left.Renewals))
	}
}

func TestARowLockDoesNotPretendToExtend(t *testing.T) {
	lock := locks.RowLockProtocol.New(locks.Config{Servers: []int{0}})
	if _, extends := lock.(locks.Extender); extends {
		t.Error("it has an Extend, and nothing to extend")
	}
	if _, transactional := lock.(locks.Transactional); !transactional {
		t.Error("it is a transaction, and does not say so")
	}
}

func TestALockOnASessionKeepsItsPromisesWithoutFencing(t *testing.T) {
	for _, id := range []string{"etcd/lock", "zookeeper/lock"} {
		s, found := Find(id)
		s.Fencing.Source = NoFencing
		r := Run(s, 1)
		for i, f := range r.Findings {
			if f.Property == "quorum" && (f.Verdict != r.Scenario.Expected(f.Property) || !found) {
				t.Errorf("%s: %s %s", id, f.Property, r.Findings[i].Verdict)
			}
		}
		for _, h := range r.Evidence.Holds {
			if h.Fence != 0 {
				t.Fatalf("%s: token %d is shown", id, h.Fence)
			}
		}
	}
}
