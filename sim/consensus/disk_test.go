package consensus

import (
	"testing"
	"time"

	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
	"go.etcd.io/raft/v3/tracker"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// A server that was away so long that the log it misses is gone gets a snapshot. It confirms that to the leader, who
// counts on it from then on; so it must be on disk by then. Raft itself does not ask for that, and fails without it.
func TestASnapshotIsSyncedBeforeItIsAcknowledged(t *testing.T) {
	r := newTrial(t, Flaws{})
	r.cluster.Attach(r.servers, Config{Snapshot: 5, Few: 1})
	r.do(func(p *sim.Proc) {
		away := r.other()
		r.servers[away].Crash(true)
		for range 29 { // the last of them ends in a snapshot: no entry comes after it, with which it would be synced
			r.ask(p, r.cluster.leader(), put("k", 0))
		}
		r.servers[away].Restart()
		p.Sleep(3 * time.Second)
		if n := r.cluster.Nodes[away]; n.applied != n.disk.written.snap.GetMetadata().GetIndex() || n.disk.written.first < 20 {
			t.Fatalf("it has applied %d, and its log begins at %d", n.applied, n.disk.written.first)
		}
		r.servers[away].Crash(true)
		r.servers[away].Restart()
		p.Sleep(time.Second)
		if got := r.ask(p, away, get("k")); got.Results[0][0].Version != 29 {
			t.Errorf("it has %v", got)
		}
	})
}

// Raft sends a server nothing more until it knows the outcome of the snapshot, and the network never reports one.
func TestASnapshotThatIsLostIsSentAgain(t *testing.T) {
	r := newTrial(t, Flaws{})
	r.cluster.Attach(r.servers, Config{Snapshot: 5, Few: 1})
	r.do(func(p *sim.Proc) {
		leader, away := r.cluster.leader(), r.other()
		r.servers[away].Crash(true)
		for range 29 {
			r.ask(p, leader, put("k", 0))
		}
		sends := false // it believes that a snapshot is under way
		for r.servers[away].Restart(); !sends; p.Sleep(10 * time.Microsecond) {
			r.cluster.Nodes[leader].raft.WithProgress(func(id uint64, _ raft.ProgressType, progress tracker.Progress) {
				sends = sends || id == uint64(away+1) && progress.State == tracker.StateSnapshot
			})
		}
		r.Cut(r.servers[leader], r.servers[away])
		p.Sleep(time.Millisecond)
		r.Mend(r.servers[leader], r.servers[away])
		p.Sleep(10 * time.Millisecond)
		if got := r.cluster.Nodes[away].applied; got > 20 {
			t.Fatalf("the snapshot was not lost: it has applied %d", got)
		}
		p.Sleep(2 * time.Second)
		if got := r.cluster.Nodes[away].applied; got < 31 {
			t.Errorf("it has applied %d", got)
		}
	})
}

// A snapshot takes the log's place, so that a long run stays small.
func TestTheLogStaysShort(t *testing.T) {
	r := newTrial(t, Flaws{})
	r.cluster.Attach(r.servers, Config{Snapshot: 20, Few: 5})
	r.do(func(p *sim.Proc) {
		for range 200 {
			r.ask(p, r.other(), put("k", 0))
		}
	})
	for i, n := range r.cluster.Nodes {
		if got := len(n.disk.written.log); got > 25 {
			t.Errorf("server %d has a log of %d entries", i, got)
		}
	}
}

// Synced data survives everything; data that was only written survives a crash of the process.
func TestALossOfPowerTakesWhatWasNotSynced(t *testing.T) {
	for _, c := range []struct {
		flaws Flaws
		power bool
		left  bool
	}{
		{Flaws{}, true, true},
		{Flaws{}, false, true},
		{Flaws{Unsynced: true}, true, false},
		{Flaws{Unsynced: true}, false, true},
		{Flaws{Amnesia: true}, false, false},
	} {
		r := newTrial(t, c.flaws)
		r.do(func(p *sim.Proc) {
			r.ask(p, 0, put("k", 0))
			for _, h := range r.servers {
				h.Crash(c.power)
			}
			for _, h := range r.servers {
				h.Restart()
			}
			p.Sleep(5 * time.Second)
			if got := r.ask(p, 0, get("k")).Results[0]; (len(got) == 1) != c.left {
				t.Errorf("%+v: left: %v", c, got)
			}
		})
	}
}

// Entries that raft has taken from the disk may be under way to others when a new leader has them replaced.
func TestReplacedEntriesAreUnchangedForOthers(t *testing.T) {
	d := &disk{}
	d.format(3)
	entries := func(term uint64, from, to uint64) (e []*pb.Entry) {
		for i := from; i <= to; i++ {
			e = append(e, &pb.Entry{Index: new(i), Term: new(term)})
		}
		return e
	}
	d.write(&raft.Ready{Entries: entries(1, 2, 9)})
	d.sync()
	old, _ := d.Entries(4, 8, 0)
	d.write(&raft.Ready{Entries: entries(2, 5, 6)})
	if last, _ := d.LastIndex(); old[1].GetTerm() != 1 || last != 6 {
		t.Errorf("taken: %v; the log ends at %d", old, last)
	}
	if d.lose(); len(d.written.log) != 8 || d.written.log[3].GetTerm() != 1 {
		t.Errorf("synced: %v", d.written.log)
	}
	old, _ = d.Entries(2, 10, 0)
	if d.write(&raft.Ready{Entries: entries(3, 10, 12)}); len(old) != 8 || cap(old) != 8 {
		t.Errorf("taken: %v", old)
	}
}

// Raft compares the term of the entry before those that it sends, which may be the last one that a snapshot has taken.
func TestTermBeforeTheLogIsTheRemovedEntrysTerm(t *testing.T) {
	d := &disk{}
	d.format(3)
	for i := uint64(2); i <= 9; i++ { // terms 2, 2, 3, 3, 4, 4, 5, 5
		d.append([]*pb.Entry{{Index: new(i), Term: new(i/2 + 1)}})
	}
	d.snapshot(snapshot(8, 5, nil, nil), 2)
	before := d.written.first - 1
	if d.written.first != 6 || d.written.term != before/2+1 {
		t.Errorf("the log begins at %d, after term %d", d.written.first, d.written.term)
	}
}

// A disk that forgets breaks promises, and never the run: raft may find a write committed too early, or stop.
func TestADiskThatForgetsBreaksThePromisesAndNotTheRun(t *testing.T) {
	w, c := newWorld(t), NewCluster(3)
	for seed := range uint64(60) {
		for _, flaws := range []Flaws{{Amnesia: true}, {Unsynced: true}, {Eager: true}} {
			run(w, c, seed, flaws)
		}
	}
}

// Judges no longer see a key that all servers have forgotten, and no later key has its number.
func TestForgottenKeyIsReplacedByTheNext(t *testing.T) {
	r := newTrial(t, Flaws{Amnesia: true})
	r.cluster.config.Prefix = "k/"
	r.do(func(p *sim.Proc) {
		first := r.ask(p, 0, &Grant{TTL: time.Hour}).Lease
		r.ask(p, 0, put("k/a", first))
		for _, h := range r.servers {
			h.Crash(false)
		}
		for _, h := range r.servers {
			h.Restart()
		}
		p.Sleep(5 * time.Second)
		before := r.Now()
		second := r.ask(p, 0, &Grant{TTL: time.Hour}).Lease
		r.refused(p, 0, &KeepAlive{first}, ErrLease)
		r.ask(p, 0, put("k/b", second))
		s := r.cluster.Spans()
		if len(s) != 2 || s[0].Key != "k/a" || s[0].To < before || s[0].Ended != (Ending{Lost, -1}) || s[1].Key != "k/b" || s[1].To != clock.Forever || first == second {
			t.Errorf("leases %d and %d, keys %+v", first, second, s)
		}
	})
}
