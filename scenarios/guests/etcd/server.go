package etcd

import (
	"fmt"
	"slices"
	"strings"
	"time"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/api/v3/mvccpb"
	"google.golang.org/grpc/codes"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/consensus"
)

// A group is the servers of one run.
type group struct {
	election time.Duration
	history  []change // in order of revisions
}

// A change is what one transaction did to one key.
type change struct {
	revision uint64
	deleted  bool
	key      consensus.KeyValue // as it was put, or as it was before
}

// record keeps the changes of a revision, which all servers make. If disks lose data, the log applied last is right.
func (g *group) record(revision uint64, changes []change) {
	first := slices.IndexFunc(g.history, func(c change) bool { return c.revision >= revision })
	if first < 0 {
		first = len(g.history)
	}
	last := first + len(changes)
	if last <= len(g.history) && slices.Equal(g.history[first:last], changes) {
		return
	}
	g.history = append(g.history[:first], changes...)
}

// A server is one of the group: a server of package consensus, behind a front.
type server struct {
	node  *consensus.Node
	group *group

	// The rest is memory, which a crash loses.
	asked    map[sim.Ask]*asking
	watchers []*watcher // in the order of their creation
	watches  int64      // watches so far
	seen     []consensus.KeyValue
	revision uint64
}

// An asking is a request without an answer yet, or one that was given up: then any answer is too late.
type asking struct {
	request *request
	over    bool
	timer   *sim.Timer
}

// A watcher is a client's watch. Its ask is the request that made it. Everything that it sees is part of the answer.
type watcher struct {
	ask     sim.Ask
	request *request
	id      int64
	op      consensus.Op
	next    uint64 // the first revision that it has not seen
}

// reset makes the server new.
func (s *server) reset(g *group) {
	s.group = g
	s.forget()
	s.seen, s.revision = s.seen[:0], 0
}

func (s *server) forget() { s.asked, s.watchers = map[sim.Ask]*asking{}, nil }

// Stop is called when the host goes off.
func (s *server) Stop(power bool) { s.forget(); s.node.Stop(power) }

// Start is called when the host is on again.
func (s *server) Start() { s.node.Start() }

// Settle is called when the host's clocks change.
func (s *server) Settle() { s.node.Settle() }

// Serve handles what a client asks, and hands the rest to the server behind the front.
func (s *server) Serve(asked any) any {
	r, ok := asked.(*request)
	if !ok {
		return s.node.Serve(asked)
	}
	switch r.do {
	case greet, ping:
		return &answer{request: r}
	case finish:
		s.leave(r)
		return &answer{request: r, last: true}
	case cancel:
		s.leave(r)
		return sim.Later // never: a client that has hung up gets no answer
	}
	what, err := translate(r.body)
	if err != nil {
		return &answer{request: r, code: codes.Unimplemented, why: err.Error()}
	}
	if w, ok := what.(*wanted); ok {
		return s.watch(r, w)
	}
	return s.pass(r, what)
}

// pass lets the server behind do what is asked.
func (s *server) pass(r *request, what any) any {
	h := s.node.Host()
	ask, a := h.Asking(), &asking{request: r}
	s.asked[ask] = a
	reply := s.node.ServeTo(ask, what)
	if k, ok := what.(*consensus.KeepAlive); ok && leaderless(reply) {
		a.timer = h.After(retry, func() { s.keepAlive(ask, a, k, h.Mono().Add(3*s.group.election)) })
		return sim.Later
	}
	if reply != sim.Later {
		a.over = true
		return s.said(r, reply)
	}
	s.await(ask, a)
	return sim.Later
}

// retry is how soon a server looks again for a leader.
const retry = 50 * time.Millisecond

// await waits for the answer of the server behind the front: as in etcd, five seconds and two elections.
func (s *server) await(ask sim.Ask, a *asking) {
	a.timer = s.node.Host().After(5*time.Second+2*s.group.election, func() {
		s.give(ask, a, s.refused(a.request, "etcdserver: request timed out"))
	})
}

// leaderless reports whether a server knew no leader. Its only other refusal of a keep-alive is that the lease is gone.
func leaderless(reply any) bool {
	err, ok := reply.(consensus.Error)
	return ok && err != consensus.ErrLease
}

// keepAlive retries until it finds a leader, or until a moment.
func (s *server) keepAlive(ask sim.Ask, a *asking, k *consensus.KeepAlive, until clock.Reading) {
	h := s.node.Host()
	reply := s.node.ServeTo(ask, k)
	switch {
	case !leaderless(reply) && reply != sim.Later:
		s.give(ask, a, s.said(a.request, reply))
	case reply == sim.Later:
		s.await(ask, a)
	case h.Mono() >= until:
		s.give(ask, a, s.refused(a.request, "etcdserver: no leader"))
	default:
		a.timer = h.After(retry, func() { s.keepAlive(ask, a, k, until) })
	}
}

// refused is the answer to a request that is impossible now.
func (s *server) refused(r *request, why string) *answer {
	return &answer{request: r, code: codes.Unavailable, why: why}
}

// Answer answers a request that was put off: a client's, or our own lock's, which needs no front.
func (s *server) Answer(ask sim.Ask, reply any) {
	switch a := s.asked[ask]; {
	case a == nil:
		s.node.Host().Answer(ask, reply)
	case !a.over:
		s.give(ask, a, s.said(a.request, reply))
	}
}

func (s *server) give(ask sim.Ask, a *asking, says *answer) {
	if a.over = true; a.timer != nil {
		a.timer.Stop()
	}
	s.node.Host().Answer(ask, says)
}

// said translates a reply of the server behind the front.
func (s *server) said(r *request, reply any) *answer {
	k, alive := r.body.(*pb.LeaseKeepAliveRequest)
	done, _ := reply.(*consensus.Reply)
	switch {
	case alive && reply == consensus.ErrLease:
		return &answer{request: r, body: &pb.LeaseKeepAliveResponse{Header: s.header(s.revision), ID: k.ID}, says: "no lease"}
	case reply == consensus.ErrLease:
		return &answer{request: r, code: codes.NotFound, why: "etcdserver: requested lease not found"}
	case done == nil:
		return s.refused(r, "etcdserver: no leader")
	case alive:
		ttl := int64(done.TTL / time.Second)
		return &answer{request: r, body: &pb.LeaseKeepAliveResponse{Header: s.header(s.revision), ID: k.ID, TTL: ttl}, says: "kept"}
	}
	body, says := response(s.header(done.Revision), r.body, done)
	return &answer{request: r, body: body, says: says, last: true}
}

// header returns the header of every answer.
func (s *server) header(revision uint64) *pb.ResponseHeader {
	return &pb.ResponseHeader{ClusterId: 1, MemberId: s.node.ID(), RaftTerm: s.node.Term(), Revision: int64(revision)}
}

// watch begins a watch, or ends one.
func (s *server) watch(r *request, w *wanted) any {
	ask := s.node.Host().Asking()
	if w.ends {
		s.drop(func(o *watcher) bool { return o.of(ask, r) && o.id == w.id })
		return &answer{request: r, body: &pb.WatchResponse{Header: s.header(s.revision), WatchId: w.id, Canceled: true}, says: "ended"}
	}
	if w.since == 0 {
		w.since = s.revision + 1
	}
	made := &watcher{ask: ask, request: r, id: s.watches, op: w.op, next: w.since}
	s.watches++
	s.watchers = append(s.watchers, made)
	s.push(made, &pb.WatchResponse{Created: true}, "watched")
	s.show()
	return sim.Later
}

// leave ends all watches of a call.
func (s *server) leave(r *request) {
	ask := s.node.Host().Asking()
	s.drop(func(o *watcher) bool { return o.of(ask, r) })
}

func (s *server) drop(which func(o *watcher) bool) { s.watchers = slices.DeleteFunc(s.watchers, which) }

// of reports whether the watch is of the call that a request belongs to.
func (o *watcher) of(ask sim.Ask, r *request) bool {
	return o.ask.Conn() == ask.Conn() && o.request.stream == r.stream
}

// Applied notes what has changed, and lets watchers see it.
func (s *server) Applied(n *consensus.Node) {
	now := n.Revision()
	if now == s.revision+1 {
		s.group.record(now, changed(now, s.seen, n.Keys()))
	}
	s.seen, s.revision = append(s.seen[:0], n.Keys()...), now
	s.show()
}

// changed returns what has changed between two revisions.
func changed(revision uint64, before, after []consensus.KeyValue) (all []change) {
	for _, k := range before {
		if !slices.ContainsFunc(after, func(o consensus.KeyValue) bool { return o.Key == k.Key && o.Create == k.Create }) {
			all = append(all, change{revision, true, k})
		}
	}
	slices.SortFunc(all, func(a, b change) int { return strings.Compare(a.key.Key, b.key.Key) }) // as etcd deletes a range
	for _, k := range after {
		if k.Mod == revision {
			all = append(all, change{revision, false, k})
		}
	}
	return all
}

// show sends watchers what they have not seen.
func (s *server) show() {
	s.drop(func(o *watcher) bool { return !o.ask.Conn().Open() })
	for _, w := range s.watchers {
		var events []*mvccpb.Event
		says := fmt.Sprintf("revision %d", s.revision)
		for _, c := range s.group.history {
			if c.revision < w.next || c.revision > s.revision || !w.wants(c.key.Key) {
				continue
			}
			if c.deleted {
				gone := &mvccpb.KeyValue{Key: []byte(c.key.Key), ModRevision: int64(c.revision)}
				events = append(events, &mvccpb.Event{Type: mvccpb.Event_DELETE, Kv: gone})
				says += " gone " + c.key.Key
			} else {
				events = append(events, &mvccpb.Event{Type: mvccpb.Event_PUT, Kv: keyValue(c.key)})
				says += " put " + c.key.Key
			}
		}
		w.next = max(w.next, s.revision+1)
		if events != nil {
			s.push(w, &pb.WatchResponse{Events: events}, says)
		}
	}
}

// wants reports whether the watch is of a key.
func (o *watcher) wants(key string) bool {
	return key == o.op.Key || o.op.Prefix && strings.HasPrefix(key, o.op.Key)
}

// push sends a watcher a part of the answer.
func (s *server) push(w *watcher, body *pb.WatchResponse, says string) {
	body.Header, body.WatchId = s.header(s.revision), w.id
	s.node.Host().Push(w.ask, &answer{request: w.request, body: body, says: says})
}
