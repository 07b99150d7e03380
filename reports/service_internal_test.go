package reports

import (
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios"
)

// onService runs a scenario with its lock on a service.
func onService(t *testing.T, id string, set ...string) *scenarios.Result {
	t.Helper()
	s, ok := scenarios.Find(id)
	if !ok {
		t.Fatalf("there is no %s", id)
	}
	for _, a := range set {
		if err := s.Set(a); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	return scenarios.Run(s, 1)
}

// etcd's transactions are long. What does not fit on an arrow would run over the axis and the lines of others.
func TestALongRequestIsCutOnItsArrowAndToldInFull(t *testing.T) {
	r := onService(t, "baseline/fault-free", "lock.kind=etcd", "nodes=3", "persistence=aof-always", "lock.timeout=1s", "fencing.source=lock")
	l := newLadder(set(r).peace(), "x")
	l.draw()
	picture := string(SequenceSVG(r))
	if !strings.Contains(picture, ">txn if [create(&#34;lock/") || !strings.Contains(picture, "else [get &#34;lock/3&#34; get &#34;lock/&#34; prefix]; arrives") {
		t.Error("the transaction is not on its arrow, or not told in full to whoever points at it")
	}
	for _, b := range l.boxes {
		if b.top > ladderTop && b.right < l.notesAt && b.right-b.left > labelPixels {
			t.Errorf("a text over the arrows at %+v is wider than %.0f pixels", b, labelPixels)
		}
	}
	if a, b, found := clash(l.boxes); found {
		t.Errorf("texts at %+v and %+v overlap", a, b)
	}
}

// Servers of a cluster pass on what a client asked of one of them. That takes away a key, and is not a client's call.
func TestWhatServersTellEachOtherIsNoTheft(t *testing.T) {
	r := onService(t, "baseline/fault-free", "lock.kind=etcd", "nodes=3", "persistence=aof-always", "lock.timeout=1s", "fencing.source=lock")
	x := set(r).peace()
	for _, m := range x.messages {
		if m.From < r.Scenario.Nodes && !m.Reply {
			t.Errorf("the diagram has the message %q from %s", m.Text, x.name(m.From))
		}
	}
}

func TestALockOnTheHostOfStorageIsSeenToBeTaken(t *testing.T) {
	r := onService(t, "sql/paused")
	x := principal(set(r))
	taken := r.Evidence.Holds[x.holds[0]].From
	if len(x.messages) == 0 || x.messages[0].Sent >= taken {
		t.Errorf("nothing is said to the database before the lock is acquired at %s: the first message is %+v", taken, x.messages[0])
	}
}

// Whatever lock a scenario has, and however it then breaks, its pictures can be read.
func TestThePicturesOfEveryLockAreLegible(t *testing.T) {
	violated := 0
	for _, kind := range []string{"failover", "redisson", "redisson-red", "etcd", "zookeeper"} {
		kept := []string{"lock.kind=" + kind, "persistence=aof-always", "lock.timeout=1s"}
		for _, id := range []string{"kleppmann/gc-pause", "kleppmann/crash-restart", "baseline/bad-weather"} {
			r := onService(t, id, kept...)
			violated += legible(t, r)
			wellFormed(t, kind+" in "+id, SequenceSVG(r))
			wellFormed(t, kind+" in "+id, TimelineSVG(r))
		}
	}
	if violated < 10 {
		t.Errorf("only %d violations were drawn", violated)
	}
}

func TestTheObserverIsCalledSo(t *testing.T) {
	r := onService(t, "baseline/fault-free", "lock.kind=failover", "nodes=3")
	for name, text := range map[string]string{">observer<": string(SequenceSVG(r)), "participant h_o as observer\n": string(Mermaid(r))} {
		if !strings.Contains(text, name) {
			t.Errorf("there is no %q in\n%s", name, text)
		}
	}
}
