package consensus

import (
	"bytes"
	"math"
	"slices"
	"time"

	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"
	"go.etcd.io/raft/v3/tracker"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// A Front is between a server and its clients. It may translate another protocol's requests, and hands them to Serve.
type Front interface {
	// Applied is called after each entry of the log that the server applies, and when it has started from a snapshot.
	Applied(n *Node)
	// Answer answers a request late, in place of [sim.Host.Answer].
	Answer(a sim.Ask, reply any)
}

// A Node is one server of the group. It is a sim.Service.
type Node struct {
	Front   Front // nil for none
	cluster *Cluster
	id      uint64 // its name in raft, from 1
	host    *sim.Host
	jitter  *sim.Chance // how long it waits before it starts an election
	disk    disk

	// The rest is memory, which a crash loses.
	raft    *raft.RawNode // nil while the host is off
	leads   bool
	leader  uint64 // as raft knows it; 0 for none
	state   state
	applied uint64
	ballot  *pb.HardState // its latest vote, with the term
	deaf    clock.Reading // until then it ignores the others' messages
	life    int           // counts its starts: an older timer does nothing

	heard  clock.Reading // when it last heard from the leader, voted, or stood for election
	wait   time.Duration // how long after that it starts an election
	mail   []outgoing    // by server: what it will send
	queued []*proposal   // writes that wait for a leader
	reads  reads
	watch  []watching
	lessor lessor

	forwarded []*pb.Entry // other servers' proposals in this step
}

// outgoing is everything that one server sends another at one moment: raft's messages, and its requests to the leader.
type outgoing struct {
	messages []*pb.Message
	renewals []renewal
	renewed  []renewal
}

// A proposal is a write, on its way into the log and through it.
type proposal struct {
	request  any
	origin   uint64 // the server that was asked; 0 for none
	ask      sim.Ask
	from     int           // the ID of the host that asked
	at       clock.Reading // when it was asked, by its clock
	answered bool          // the client has its answer
}

// A watching is an unanswered Watch.
type watching struct {
	ask   sim.Ask
	watch *Watch
	until clock.Reading // when it is answered in any case; 0 for never
}

// attach resets the server.
func (n *Node) attach(h *sim.Host) {
	n.host, n.jitter = h, h.World().Chance("raft/"+h.Name)
	n.disk.format(len(n.cluster.Nodes))
	n.boot()
}

// boot starts the server from its disk.
func (n *Node) boot() {
	c, snap := n.cluster.config, n.disk.written.snap
	var err error
	n.raft, err = raft.NewRawNode(&raft.Config{
		ID: n.id, Storage: &n.disk, Applied: snap.GetMetadata().GetIndex(), Logger: silence{},
		// Only a leader ticks, at each heartbeat. wake replaces the ticks of others.
		HeartbeatTick: 1, ElectionTick: max(int(c.Election/c.Heartbeat), 2),
		PreVote: true, CheckQuorum: true, ReadOnlyOption: raft.ReadOnlySafe,
		MaxSizePerMsg: math.MaxUint64, MaxInflightMsgs: 256,
	})
	if err != nil {
		panic("consensus: raft does not start: " + err.Error())
	}
	n.leads, n.leader, n.ballot = false, 0, n.disk.written.hard
	n.life++
	n.deaf = 0
	n.mail = slices.Grow(n.mail[:0], len(n.cluster.Nodes))[:len(n.cluster.Nodes)]
	clear(n.mail)
	n.queued, n.watch, n.reads = n.queued[:0], n.watch[:0], reads{waiting: n.reads.waiting[:0]}
	n.lessor, n.forwarded = lessor{due: n.lessor.due[:0]}, nil
	n.load(snap)
	n.lull()
	n.after(c.Election, n.wake)
}

// after sets a timer that a new start of the server cancels, like a crash of its host.
func (n *Node) after(d time.Duration, do func()) {
	life := n.life
	n.host.After(d, func() {
		if n.life == life {
			do()
		}
	})
}

// load sets the state to the state of a snapshot.
func (n *Node) load(s *pb.Snapshot) {
	defer n.applies()
	n.applied = s.GetMetadata().GetIndex()
	if len(s.Data) == 0 {
		n.state.restore(nil)
		return
	}
	n.state.restore(n.cluster.kept(s.Data).(*state))
}

// Host returns the host that the server is on.
func (n *Node) Host() *sim.Host { return n.host }

// Revision returns the revision that the server has applied.
func (n *Node) Revision() uint64 { return n.state.revision }

// Keys returns the keys as the server has applied them, in order of their create revisions. They must not be changed.
func (n *Node) Keys() []KeyValue { return n.state.keys }

// ID returns the server's number, from 1.
func (n *Node) ID() uint64 { return n.id }

// Term returns the term that the server is in.
func (n *Node) Term() uint64 { return n.disk.written.hard.GetTerm() }

// Stop is called when the host goes off.
func (n *Node) Stop(power bool) {
	n.raft, n.leads = nil, false
	if power {
		n.disk.lose()
	} else {
		n.disk.sync()
	}
}

// Start is called when the host is on again.
func (n *Node) Start() {
	if n.cluster.config.Flaws.Amnesia {
		n.disk.format(len(n.cluster.Nodes))
	}
	n.boot()
}

// Settle does nothing: the wall clock does not matter here.
func (n *Node) Settle() {}

// Serve handles a request, or a message of another server.
func (n *Node) Serve(request any) any { return n.ServeTo(n.host.Asking(), request) }

// ServeTo is Serve for another request than the current one, such as an earlier one.
func (n *Node) ServeTo(a sim.Ask, request any) any {
	switch r := request.(type) {
	case *outgoing:
		n.receive(r)
	case *Txn, *Grant, *Revoke:
		n.propose(&proposal{request: r, origin: n.id, ask: a, from: a.From(), at: n.host.Mono()})
	case *Read:
		return n.read(a, r)
	case *KeepAlive:
		return n.keepAlive(a, r)
	case *Watch:
		return n.look(a, r)
	default:
		panic("consensus: not a request of this package")
	}
	return sim.Later
}

// propose proposes a write for the log. A server that is not the leader forwards it. Raft never sends it again: if it
// is lost, no one learns of it. Without a known leader it waits for one.
func (n *Node) propose(p *proposal) {
	if n.leader == 0 {
		n.queued = append(n.queued, p)
		return
	}
	data := n.cluster.keep(p)
	n.step(func() error { return n.raft.Propose(data) })
	if n.cluster.config.Flaws.Eager && n.leads {
		n.answer(p, n.ahead())
	}
}

// ahead returns the reply to the last entry of the log, as if the whole log were committed.
func (n *Node) ahead() (reply any) {
	s, w := n.state.clone(), &n.disk.written
	for _, e := range w.log {
		if e.GetIndex() > n.applied && len(e.Data) > 0 {
			reply = s.apply(number(e.Data), n.cluster.kept(e.Data).(*proposal).request)
		}
	}
	return reply
}

// answer answers the client of a write a moment later. Otherwise a leader whose followers' disks lose data could find a
// write committed while it still serves the request.
func (n *Node) answer(p *proposal, reply any) {
	if p.origin == n.id && !p.answered {
		p.answered = true
		n.after(0, func() { n.tell(p.ask, reply) })
	}
}

func (n *Node) tell(a sim.Ask, reply any) {
	if n.Front != nil {
		n.Front.Answer(a, reply)
		return
	}
	n.host.Answer(a, reply)
}

// applies shows the front what was applied.
func (n *Node) applies() {
	if n.Front != nil {
		n.Front.Applied(n)
	}
}

// step passes input to raft, and does what raft then wants. Raft returns an error where it dropped the input, as a
// network may.
func (n *Node) step(input func() error) {
	defer n.survive()
	_ = input()
	n.drain()
	n.hand()
	n.reads.more(n)
	n.post()
}

// survive restarts a server whose disk lost data that it had promised to keep, like a supervisor, but later, or it
// would restart without end. With an honest disk raft has no reason to panic; if it does, that is a bug of ours.
func (n *Node) survive() {
	r := recover()
	if r == nil {
		return
	}
	if _, bad := r.(corrupt); !bad || !n.cluster.config.Flaws.forgets() {
		panic(r)
	}
	n.boot()
	n.deaf = n.host.Mono().Add(n.cluster.config.Election)
}

// drain does what raft wants, until there is nothing more. First it writes and syncs. Only then it sends, because
// others rely on the data. Then it applies what is committed.
func (n *Node) drain() {
	for n.raft.HasReady() {
		r := n.raft.Ready()
		n.disk.write(&r)
		// Raft's MustSync leaves snapshots out, though a server that has one reports its index to the leader.
		if r.MustSync || !raft.IsEmptySnap(r.Snapshot) {
			n.sync()
		}
		n.turn(&r)
		if n.leads {
			n.label(r.Entries)
		}
		for _, m := range r.Messages {
			n.send(m)
		}
		if !raft.IsEmptySnap(r.Snapshot) {
			n.load(r.Snapshot)
		}
		n.apply(r.CommittedEntries)
		n.reads.confirm(r.ReadStates)
		n.raft.Advance(r)
	}
	n.forwarded = n.forwarded[:0]
	n.settled()
}

// label records the index of a forwarded proposal in the log, so that its message shows the index in a trace. Raft
// itself puts a copy into the log.
func (n *Node) label(log []*pb.Entry) {
	for _, f := range n.forwarded {
		for _, e := range log {
			if bytes.Equal(e.Data, f.Data) {
				f.Index = e.Index
			}
		}
	}
}

// send adds one of raft's messages to the mail for its server.
func (n *Node) send(m *pb.Message) {
	to := m.GetTo()
	if to == n.id { // raft's messages to itself come with Advance
		return
	}
	m.Entries = slices.Clip(m.Entries)
	if m.GetType() == pb.MsgSnap {
		n.doubt(to)
	}
	l := &n.mail[to-1]
	l.messages = append(l.messages, m)
}

// doubt reports to raft, after a while, that a snapshot may have been lost: until then raft sends that server nothing
// more. If the snapshot has arrived, raft ignores the report.
func (n *Node) doubt(to uint64) {
	n.after(n.cluster.config.Election, func() {
		n.step(func() error { n.raft.ReportSnapshot(to, raft.SnapshotFailure); return nil })
	})
}

// post sends the mail of each server.
func (n *Node) post() {
	for i := range n.mail {
		if l := &n.mail[i]; len(l.messages)+len(l.renewals)+len(l.renewed) > 0 {
			n.host.Post(n.cluster.Nodes[i].host.ID, &outgoing{l.messages, l.renewals, l.renewed})
			*l = outgoing{}
		}
	}
}

// receive handles another server's mail.
func (n *Node) receive(l *outgoing) {
	if n.host.Mono() < n.deaf {
		return
	}
	n.step(func() error {
		for _, m := range l.messages {
			if m.GetType() == pb.MsgProp {
				n.forwarded = append(n.forwarded, m.Entries...)
			}
			if !n.futile(m) {
				_ = n.raft.Step(m)
				n.listen(m)
			}
		}
		return nil
	})
	for _, r := range l.renewals {
		n.renewFor(r)
	}
	for _, r := range l.renewed {
		n.lessor.renewed(n, r)
	}
}

// futile reports whether a message needs no answer. A follower with an honest disk never rejects what it has
// acknowledged. To a follower whose disk lost data, raft immediately sends the same again, which it rejects again, and
// so on at the speed of the network. So it must wait for the next heartbeat.
func (n *Node) futile(m *pb.Message) (is bool) {
	if m.GetType() == pb.MsgAppResp && m.GetReject() && n.leads && n.cluster.config.Flaws.forgets() {
		n.raft.WithProgress(func(id uint64, _ raft.ProgressType, p tracker.Progress) {
			is = is || id == m.GetFrom() && m.GetIndex() <= p.Match
		})
	}
	return is
}

// apply carries out committed entries.
func (n *Node) apply(entries []*pb.Entry) {
	for _, e := range entries {
		n.applied = e.GetIndex()
		if len(e.Data) == 0 {
			continue // a new leader begins its term with an empty entry
		}
		p := n.cluster.kept(e.Data).(*proposal)
		reply := n.state.apply(number(e.Data), p.request)
		n.cluster.record(e, p, &n.state)
		n.answer(p, reply)
		n.lessor.applied(n, p.request, reply)
		n.applies()
	}
	if len(entries) > 0 {
		n.compact()
	}
}

// compact makes a snapshot from time to time, so that the log stays short.
func (n *Node) compact() {
	c, last := n.cluster.config, n.disk.written.snap.GetMetadata()
	if n.applied-last.GetIndex() < uint64(c.Snapshot) {
		return
	}
	term, _ := n.disk.Term(n.applied) // no error: it was written before it was committed here
	n.disk.snapshot(snapshot(n.applied, term, last.ConfState, n.cluster.keep(n.state.clone())), uint64(c.Few))
	n.sync()
}

// sync makes written data survive a loss of power. Others rely on that.
func (n *Node) sync() {
	if !n.cluster.config.Flaws.Unsynced {
		n.disk.sync()
	}
}

// settled answers the requests that waited for this state.
func (n *Node) settled() {
	n.reads.serve(n)
	n.watch = slices.DeleteFunc(n.watch, func(w watching) bool {
		fired := n.state.fires(w.watch) || w.until != 0 && w.until <= n.host.Mono()
		if fired {
			n.tell(w.ask, n.seen(w.watch))
		}
		return fired
	})
}

// seen returns the reply to a Watch: with the key, if the Watch has a limit.
func (n *Node) seen(w *Watch) *Reply {
	r := &Reply{Revision: n.state.revision}
	if w.Wait > 0 {
		r.Results = []Result{n.state.read(Op{Key: w.Key})}
	}
	return r
}

// look answers a Watch, now or later.
func (n *Node) look(a sim.Ask, w *Watch) any {
	if n.state.fires(w) {
		return n.seen(w)
	}
	waits := watching{ask: a, watch: w}
	if w.Wait > 0 {
		waits.until = n.host.Mono().Add(w.Wait)
		n.after(w.Wait, n.settled)
	}
	n.watch = append(n.watch, waits)
	return sim.Later
}
