package consensus

import (
	"time"

	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
)

// Raft counts its timeouts in ticks, and draws their jitter from a source that can't be seeded. So only leaders tick
// here. A leader draws nothing, sends a heartbeat at each tick, and once per election timeout checks whether it has
// heard from a majority; if not, it steps down. This file replaces the ticks of followers by the host's clock and a
// stream of the run. It decides when a server drops its leader (until then it refuses its vote to any other, as
// CheckQuorum demands), and when it starts an election.

// lull begins the wait for the leader, with a new draw.
func (n *Node) lull() {
	n.heard = n.host.Mono()
	n.wait = n.cluster.config.Election + time.Duration(n.jitter.Below(uint64(n.cluster.config.Election)))
}

// listen records a message of the leader. It is called after raft has seen the message and has determined the leader.
func (n *Node) listen(m *pb.Message) {
	switch m.GetType() {
	case pb.MsgApp, pb.MsgHeartbeat, pb.MsgSnap:
		if s := n.raft.BasicStatus(); s.Lead == m.GetFrom() && s.GetTerm() == m.GetTerm() {
			n.heard = n.host.Mono()
		}
	}
}

// wake checks whether the server has waited long enough. The timer is not set again at each heartbeat: when it rings
// and the leader was heard from, it is set for the rest.
func (n *Node) wake() {
	base, quiet := n.cluster.config.Election, n.host.Mono().Sub(n.heard)
	switch {
	case n.leads: // beat does it
		n.heard = n.host.Mono()
	case quiet >= n.wait:
		n.campaign()
	case quiet >= base && n.leader != 0:
		n.step(n.raft.ForgetLeader)
	}
	next := base
	if quiet = n.host.Mono().Sub(n.heard); n.leader == 0 || quiet >= base {
		next = n.wait
	}
	n.after(next-quiet, n.wake)
}

// campaign starts an election.
func (n *Node) campaign() {
	n.lull()
	n.step(n.raft.Campaign)
}

// turn records the leader, and the server's vote.
func (n *Node) turn(r *raft.Ready) {
	if h := n.disk.written.hard; h.GetVote() != n.ballot.GetVote() || h.GetTerm() != n.ballot.GetTerm() {
		n.ballot = h
		if h.GetVote() != 0 && h.GetVote() != n.id {
			n.lull() // a server that has voted waits for the result
		}
	}
	if r.SoftState == nil {
		return
	}
	n.leader = r.Lead
	switch leads := r.RaftState == raft.StateLeader; {
	case leads && !n.leads:
		n.leads = true
		n.lessor.promote(n)
		n.after(n.cluster.config.Heartbeat, n.beat(n.disk.written.hard.GetTerm()))
	case !leads && n.leads:
		n.leads = false
		n.lessor.demote()
		n.lull()
	}
}

// beat returns what a leader does at each heartbeat, while it leads in that term.
func (n *Node) beat(term uint64) func() {
	var again func()
	again = func() {
		if !n.leads || n.disk.written.hard.GetTerm() != term {
			return
		}
		n.step(func() error { n.raft.Tick(); return nil })
		n.after(n.cluster.config.Heartbeat, again)
	}
	return again
}

// hand sends the writes that waited for a leader. It is not called within drain, because raft must not be called
// between its Ready and its Advance.
func (n *Node) hand() {
	if n.leader == 0 || len(n.queued) == 0 {
		return
	}
	queued, now := n.queued, n.host.Mono()
	n.queued = nil
	for _, p := range queued {
		if now.Sub(p.at) <= n.cluster.config.late() {
			n.propose(p)
		}
	}
}
