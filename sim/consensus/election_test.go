package consensus

import (
	"slices"
	"testing"
	"time"

	pb "go.etcd.io/raft/v3/raftpb"

	"github.com/lockstorm/lockstorm/sim"
)

// The leader goes off. The other two each draw when to start an election, between one and two timeouts after they last
// heard of it. By then each has stopped believing in the old leader, and votes for the first that asks.
func TestFirstCandidateIsElected(t *testing.T) {
	w, c := newWorld(t), NewCluster(3)
	total := time.Duration(0)
	const runs = 50
	for seed := range uint64(runs) {
		minute(w, c, seed, 0, func(s *storm, p *sim.Proc) {
			p.Sleep(time.Second)
			s.servers[c.leader()].Crash(true)
			at := p.Mono()
			for c.leader() < 0 {
				p.Sleep(5 * time.Millisecond)
			}
			total += p.Mono() - at
			if took := p.Mono() - at; took < 850*time.Millisecond || took > 2100*time.Millisecond {
				t.Errorf("seed %d: an election took %v", seed, took)
			}
		})
	}
	// The lesser of two draws is a third of the way on average, the greater two thirds.
	if mean := total / runs; mean < 1150*time.Millisecond || mean > 1450*time.Millisecond {
		t.Errorf("elections took %v on average", mean)
	}
}

// A server that could not hear the others stood for election in vain, and does not disturb them when it is back.
func TestReconnectedServerDoesNotDeposeTheLeader(t *testing.T) {
	r := newTrial(t, Flaws{})
	r.do(func(p *sim.Proc) {
		leader, away := r.cluster.leader(), r.other()
		r.each(away, r.Cut)
		p.Sleep(10 * time.Second)
		term := r.cluster.Nodes[leader].disk.written.hard.GetTerm()
		r.each(away, r.Mend)
		p.Sleep(5 * time.Second)
		n := r.cluster.Nodes[away]
		if r.cluster.leader() != leader || n.disk.written.hard.GetTerm() != term || n.leader != uint64(leader+1) {
			t.Errorf("%d leads, after %d, in term %v, after %d", r.cluster.leader(), leader, n.disk.written.hard.GetTerm(), term)
		}
	})
}

// A message of an earlier term may be late by an election. Its sender, who leads again, has not been heard from by it.
func TestALateMessageOfAnEarlierTermIsNoSignOfTheLeader(t *testing.T) {
	r := newTrial(t, Flaws{})
	r.do(func(p *sim.Proc) {
		p.Sleep(time.Second)
		leader, n := r.cluster.leader(), r.cluster.Nodes[r.other()]
		term := r.cluster.Nodes[leader].disk.written.hard.GetTerm()
		r.each(int(n.id)-1, r.Cut)
		p.Sleep(300 * time.Millisecond)
		before := n.heard
		for _, c := range []struct {
			term uint64
			want bool
		}{{term - 1, false}, {term, true}} {
			n.receive(&outgoing{messages: []*pb.Message{{
				Type: pb.MsgHeartbeat.Enum(), From: new(uint64(leader + 1)), To: new(n.id), Term: new(c.term), Commit: new(uint64(0)),
			}}})
			if now := n.host.Mono(); (n.heard != before) != c.want || c.want && n.heard != now {
				t.Errorf("of term %d, where it is %d: heard from at %v, and before at %v", c.term, term, n.heard, before)
			}
		}
	})
}

// Of ten entries that are applied there is one snapshot, on each server, so that the log stays short. A server begins
// with one of entry 1.
func TestASnapshotIsMadeOfEveryFewEntries(t *testing.T) {
	r := newTrial(t, Flaws{})
	r.cluster.Attach(r.servers, Config{Snapshot: 10, Few: 2})
	r.do(func(p *sim.Proc) {
		var made []uint64
		n := r.cluster.Nodes[r.other()]
		for range 40 {
			r.ask(p, r.cluster.leader(), put("k", 0))
			p.Sleep(time.Second)
			if at := n.disk.written.snap.GetMetadata().GetIndex(); len(made) == 0 || made[len(made)-1] != at {
				made = append(made, at)
			}
			if len(n.disk.written.log) > 10+2 {
				t.Errorf("the log has %d entries", len(n.disk.written.log))
			}
		}
		if want := []uint64{1, 11, 21, 31, 41}; !slices.Equal(made, want) {
			t.Errorf("snapshots up to %d, want %d", made, want)
		}
	})
}

// A follower has missed a write that a majority has. It knows from the leader how far it must be before it answers.
func TestAFollowerAnswersAReadWhenItHasAppliedAsMuchAsTheLeader(t *testing.T) {
	r := newTrial(t, Flaws{})
	r.do(func(p *sim.Proc) {
		behind := r.other()
		r.each(behind, r.Cut)
		r.ask(p, r.cluster.leader(), put("k", 0))
		r.each(behind, r.Mend)
		if got := r.ask(p, behind, &Read{Op: Op{Key: "k"}, Local: true}).Results[0]; len(got) != 0 {
			t.Fatalf("it was not behind: %v", got)
		}
		r.refused(p, behind, &Read{Op: Op{Key: "k"}, Local: true, Since: 2}, errBehind)
		if got := r.ask(p, behind, get("k")).Results[0]; len(got) != 1 {
			t.Errorf("it read %v", got)
		}
		if got := r.ask(p, behind, &Read{Op: Op{Key: "k"}, Local: true}).Results[0]; len(got) != 1 {
			t.Errorf("then it read %v locally", got)
		}
	})
}

// each does something to the links between one server and the others.
func (r *trial) each(server int, do func(from, to *sim.Host)) {
	for i, h := range r.servers {
		if i != server {
			do(h, r.servers[server])
			do(r.servers[server], h)
		}
	}
}

// It counts the answers that it had since it last looked: so it takes up to two timeouts.
func TestALeaderStepsDownAnElectionTimeoutAfterItIsAlone(t *testing.T) {
	r := newTrial(t, Flaws{})
	r.do(func(p *sim.Proc) {
		p.Sleep(time.Second)
		leader := r.cluster.leader()
		r.each(leader, r.Cut)
		at := r.Now()
		for r.cluster.Nodes[leader].leads {
			p.Sleep(time.Millisecond)
		}
		if took := r.Now().Sub(at); took < 900*time.Millisecond || took > 2100*time.Millisecond {
			t.Errorf("it took %v", took)
		}
	})
}

// A write that waits for a leader is not applied if its sender has long given up.
func TestAWriteThatWaitedTooLongForALeaderIsDropped(t *testing.T) {
	for _, c := range []struct {
		away time.Duration
		left bool
	}{{3 * time.Second, true}, {20 * time.Second, false}} {
		r := newTrial(t, Flaws{})
		r.do(func(p *sim.Proc) {
			alone := r.other()
			for i, h := range r.servers {
				if i != alone {
					r.At(r.Now()+1, func() { h.Crash(true) })
					r.At(r.Now().Add(c.away), h.Restart)
				}
			}
			p.Sleep(2500 * time.Millisecond)
			p.Call(r.servers[alone].ID, put("k", 0), 100*time.Millisecond)
			p.Sleep(c.away + 5*time.Second)
			if got := r.ask(p, alone, get("k")).Results[0]; (len(got) == 1) != c.left {
				t.Errorf("the others were away for %v: %v", c.away, got)
			}
		})
	}
}
