package consensus

import (
	"encoding/binary"

	"go.etcd.io/raft/v3"

	"github.com/lockstorm/lockstorm/sim"
)

// A linearizable read must see everything done before it was asked. So a server asks the leader for the read index: how
// far the log was committed at a moment when a majority confirmed the leader. When the server has applied the log that
// far, it answers from its own state. As in etcd, reads that come during the question for an index wait for the next
// question, and share it.

// A query is a read that waits, or a lease to extend once the leader is confirmed.
type query struct {
	ask   sim.Ask
	read  *Read
	renew *renewal
}

// reads are the linearizable reads of one server.
type reads struct {
	waiting []query // for the next question
	asked   []query // in the current question
	number  uint64  // of that question; 0 for none
	known   bool    // the index has come
	index   uint64
}

// read answers a Read, now or later.
func (n *Node) read(a sim.Ask, r *Read) any {
	switch {
	case r.Local && n.state.revision < r.Since:
		return errBehind
	case r.Local || n.cluster.config.Flaws.LocalReads:
		return n.range_(r)
	}
	n.reads.add(n, query{ask: a, read: r})
	return sim.Later
}

func (n *Node) range_(r *Read) *Reply {
	return &Reply{Revision: n.state.revision, Succeeded: true, Results: []Result{n.state.read(r.Op)}}
}

// add keeps a read until an index is known.
func (r *reads) add(n *Node, q query) {
	r.waiting = append(r.waiting, q)
	r.more(n)
}

// more asks for the next index, if reads wait and no question is open.
func (r *reads) more(n *Node) {
	if r.number == 0 && len(r.waiting) > 0 {
		r.asked, r.waiting = r.waiting, r.asked[:0]
		r.question(n)
	}
}

// question asks for an index. Raft does not report that the question, or its answer, was lost, so it is repeated after
// a while.
func (r *reads) question(n *Node) {
	r.number, r.known = n.cluster.ask(), false
	number := r.number
	n.after(retry, func() {
		if r.number == number && !r.known {
			r.question(n)
		}
	})
	n.step(func() error { n.raft.ReadIndex(binary.BigEndian.AppendUint64(nil, number)); return nil })
}

// confirm handles indices that have arrived. An answer to an earlier question is ignored: reads may have joined since.
func (r *reads) confirm(states []raft.ReadState) {
	for _, s := range states {
		if number := binary.BigEndian.Uint64(s.RequestCtx); number == r.number {
			r.known, r.index = true, s.Index
		}
	}
}

// serve answers the reads whose index has been applied.
func (r *reads) serve(n *Node) {
	if r.number == 0 || !r.known || n.applied < r.index {
		return
	}
	for _, q := range r.asked {
		n.reply(q)
	}
	clear(r.asked)
	r.asked, r.number = r.asked[:0], 0
}

// reply answers a read, or extends a lease.
func (n *Node) reply(q query) {
	if q.renew != nil {
		n.renewNow(*q.renew)
		return
	}
	n.tell(q.ask, n.range_(q.read))
}
