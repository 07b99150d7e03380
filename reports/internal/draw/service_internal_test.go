package draw

import (
	"slices"
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

// etcd's transactions are long. A text too long for its arrow would run over the axis and the lines of others.
func TestLongRequestIsShortOnItsArrowAndFullElsewhere(t *testing.T) {
	r := onService(t, "baseline/fault-free", "lock.kind=etcd", "nodes=3", "persistence=aof-always", "lock.timeout=1s", "fencing.source=lock")
	l := newSequence(NewScene(r).Handover(), "x")
	l.draw()
	picture := string(SequenceSVG(r))
	if !strings.Contains(picture, ">put key</text>") || !strings.Contains(picture, "else [get &#34;lock/3&#34; get &#34;lock/&#34; prefix]; arrives") {
		t.Error("the transaction is not on its arrow, or not told in full to whoever points at it")
	}
	for _, b := range l.Texts {
		if b.Top > sequenceTop && b.Right < l.notesAt && b.Right-b.Left > labelPixels {
			t.Errorf("a text over the arrows at %+v is wider than %.0f pixels", b, labelPixels)
		}
	}
	if a, b, found := clash(l.Texts); found {
		t.Errorf("texts at %+v and %+v overlap", a, b)
	}
}

// Servers of a cluster pass on what a client asked of one of them. That takes away a key, and is not a client's call.
func TestServerMessagesAreNotClientCalls(t *testing.T) {
	r := onService(t, "baseline/fault-free", "lock.kind=etcd", "nodes=3", "persistence=aof-always", "lock.timeout=1s", "fencing.source=lock")
	x := NewScene(r).Handover()
	for _, m := range x.Messages {
		if m.From < r.Scenario.Nodes && !m.Reply {
			t.Errorf("the diagram has the message %q from %s", m.Text, x.name(m.From))
		}
	}
}

func TestLockOnTheStorageHostShowsItsRequest(t *testing.T) {
	r := onService(t, "sql/paused")
	x := Principal(NewScene(r))
	taken := r.Evidence.Holds[x.holds[0]].From
	if len(x.Messages) == 0 || x.Messages[0].Sent >= taken {
		t.Errorf("nothing is said to the database before the lock is acquired at %s: the first message is %+v", taken, x.Messages[0])
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

func TestObserverIsNamed(t *testing.T) {
	r := onService(t, "baseline/fault-free", "lock.kind=failover", "nodes=3")
	if text := string(SequenceSVG(r)); !strings.Contains(text, ">observer o<") {
		t.Errorf("there is no observer in\n%s", text)
	}
}

// A master that was cut off continues to grant: it has another key than the group. A picture with the group's key on
// each server would show c2's key on a node that c2 can't reach.
func TestEachServerShowsItsCopyOfTheKey(t *testing.T) {
	r := onService(t, "failover/split-brain")
	s := NewScene(r)
	owners := func(name string) (all []int) {
		for _, l := range s.lanes {
			for _, b := range l.bars {
				if l.name == name && b.kind == keyBar {
					all = append(all, b.owner)
				}
			}
		}
		return all
	}
	for name, want := range map[string][]int{"master": {0, 1, 1}, "n1": {0, 0}, "n2": {0, 1, 1}} {
		if got := owners(name); !slices.Equal(got, want) {
			t.Errorf("%s has keys of the clients %v, want %v", name, got, want)
		}
	}
	if text := string(SequenceSVG(r)); !strings.Contains(text, "c1 acquires the lock (token 34), though the master does not hold it for") {
		t.Error("the diagram does not say that the master knows nothing of the hold of c1")
	}
}

// The record of a raft service does not belong to any server: a server that is cut off does not know of it.
func TestTheKeyOfAClusterHasOneLane(t *testing.T) {
	s := NewScene(onService(t, "etcd/rolling-restart"))
	var names []string
	for _, l := range s.lanes {
		names = append(names, l.name)
		if l.hasKeys() != (l.name == "cluster") {
			t.Errorf("the lane of %s has keys: %t", l.name, l.hasKeys())
		}
	}
	if want := []string{"c1", "c2", "cluster", "n1", "n2", "n3", "s"}; !slices.Equal(names[:len(want)], want) {
		t.Errorf("the lanes are %q, want %q", names, want)
	}
}

func TestADatabaseHasOneLaneForItsLockAndItsWrites(t *testing.T) {
	r := onService(t, "sql/paused")
	var hosts []int
	for _, l := range NewScene(r).lanes {
		if l.kind != faultLane {
			hosts = append(hosts, l.host)
		}
		if l.kind == storageLane && (!l.hasKeys() || len(l.points) == 0) {
			t.Errorf("the lane has the bars %v and the points %v", l.bars, l.points)
		}
	}
	if slices.Sort(hosts); len(slices.Compact(slices.Clone(hosts))) != len(hosts) {
		t.Errorf("a host has two lanes: %v", hosts)
	}
	if picture := string(TimelineSVG(r)); !strings.Contains(picture, ">database s</text>") {
		t.Error("nothing says that s is the database")
	}
}

// Readers see the names of lanes in print, where they can't point at them.
func TestTheNameOfALaneIsNotCutWhileThereIsRoom(t *testing.T) {
	picture := string(TimelineSVG(onService(t, "failover/split-brain")))
	if !strings.Contains(picture, ">partition c1 n1 | c2 n2 n3 o</text>") || !strings.Contains(picture, ">c1, fencing would reject it</text>") {
		t.Error("the name of the partition, or whose write was refused, is cut")
	}
}
