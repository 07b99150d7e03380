package consensus

import (
	"testing"
	"time"

	pb "go.etcd.io/raft/v3/raftpb"

	"github.com/lockstorm/lockstorm/sim"
)

// A follower rejects what it has acknowledged: its disk forgot. Raft would resend it immediately, again and again.
func TestForgetfulFollowerIsRetriedAtTheNextHeartbeat(t *testing.T) {
	for _, c := range []struct {
		flaws  Flaws
		atOnce bool
	}{{Flaws{}, true}, {Flaws{Amnesia: true}, false}, {Flaws{Unsynced: true}, false}} {
		r := newTrial(t, c.flaws)
		r.do(func(p *sim.Proc) {
			p.Sleep(50 * time.Millisecond)
			leader, follower := r.cluster.Nodes[r.cluster.leader()], uint64(r.other()+1)
			leader.step(func() error { leader.raft.ReportUnreachable(follower); return nil })
			last, _ := leader.disk.LastIndex()
			refusal := &pb.Message{Type: pb.MsgAppResp.Enum(), From: new(follower), To: new(leader.id), Index: new(last), RejectHint: new(last), Reject: new(true)}
			refusal.Term = leader.disk.written.hard.Term
			before := len(r.Trace())
			leader.receive(&outgoing{messages: []*pb.Message{refusal}})
			if told := len(r.Trace()) > before; told != c.atOnce {
				t.Errorf("%+v: told at once: %v", c.flaws, told)
			}
		})
	}
}
