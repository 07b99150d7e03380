package platform

import (
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/redis"
)

// Store is one server with one record, such as a row of a table or an object in a bucket. It compares and writes in one
// step. What it has answered is on its disk, unless it has none.
var Store Platform = onStore{}

// Leases is a Store whose judges take a record to end when its owner has not written it for as long as it Lasts, by the
// store's clock. The record itself stays.
var Leases Platform = onStore{lapse: true}

type onStore struct {
	onNodes
	lapse bool
}

func (onStore) Traits() Traits { return Traits{Service: "the store"} }

func (onStore) Settle(t *Topology) []string {
	t.Nodes, t.Persistence, t.Expiry = 1, redis.AOFAlways, redis.WallExpiry
	return []string{"nodes", "persistence"}
}

func (onStore) Check(t *Topology, must Must) {
	must(t.Nodes == 1, "nodes", "%d is the wrong number for lock.kind %s, whose record is in one store; give 1",
		t.Nodes, t.Kind)
	must(t.Persistence != redis.AOFEverySecond, "persistence",
		"the store of lock.kind %s writes all to disk or nothing; give aof-always or none", t.Kind)
	must.noExpiry(t)
	must.span("lock.record.within", t.Rules.Record.Within, 0)
}

func (onStore) CheckUnused(*Topology, Must) {}

// Times counts the record's time from when a waiting client sees it, which may be a whole wait later.
func (onStore) Times(t *Topology) Times {
	r := t.Rules
	return Times{Life: max(r.TTL, r.Record.Within) + r.Retry.Max + 2*r.Timeout + time.Millisecond}
}

func (on onStore) New() Servers { return &storeServers{store: store{lapse: on.lapse}} }

// storeServers are the one store.
type storeServers struct {
	Alone
	store store
}

func (s *storeServers) Services(*Topology) (nodes, others []sim.Service) {
	return []sim.Service{&s.store}, nil
}

func (s *storeServers) Attach(site *Site) {
	s.Alone.Attach(site)
	s.store = store{lapse: s.store.lapse, site: site, host: site.host(0), lives: s.store.lives[:0]}
}

func (s *storeServers) AppendKeys(keys, copies []checker.Span) ([]checker.Span, []checker.Span) {
	return append(keys, s.store.lives...), copies
}

// A store serves a record.
type store struct {
	site     *Site
	host     *sim.Host
	record   locks.Record
	versions uint64         // how many there have been: a version is not used again, even after a delete
	lives    []checker.Span // of owners
	alive    bool           // the last of them lasts
	lapse    bool           // a life ends when the record is not written in time
	written  clock.Reading  // when it was last written, by the store's clock
	lapses   *sim.Timer
}

// Serve answers a request.
func (s *store) Serve(request any) any {
	done := false
	if w, is := request.(*locks.Change); is && w.Holds(&s.record) {
		s.change(w)
		done = true
	}
	return locks.RecordReply{Record: s.record, Done: done, Now: time.Duration(s.host.Wall())}
}

// change makes a change. An owner's time lasts until another has the record, or none, unless it lapses.
func (s *store) change(w *locks.Change) {
	before := s.record.Owner
	s.versions++
	if s.record = w.Record; w.Delete {
		s.record = locks.Record{}
	} else {
		s.record.Version = s.versions
	}
	if w.Stamp {
		s.record.Expires = time.Duration(s.host.Wall()) + w.Lasts
	}
	why := checker.Deleted
	if s.record.Owner != "" {
		why = checker.Overwritten
	}
	s.owned(before, checker.Ending{Cause: why, Client: s.site.ClientAt(s.host.Asking().From()), Strike: -1})
	s.written = s.host.Mono()
	s.count()
}

// owned keeps the lives of owners, now that the record may have another than before.
func (s *store) owned(before string, ended checker.Ending) {
	owner := s.record.Owner
	if s.alive && owner != before {
		s.end(ended)
	}
	if !s.alive && owner != "" {
		s.alive = true
		s.lives = append(s.lives, checker.Span{Token: owner, From: s.host.World().Now(), To: clock.Forever})
	}
}

func (s *store) end(ended checker.Ending) {
	s.alive = false
	last := &s.lives[len(s.lives)-1]
	last.To, last.Ended = s.host.World().Now(), ended
}

// count schedules the end of a life that lapses.
func (s *store) count() {
	if s.lapses != nil {
		s.lapses.Stop()
	}
	if s.lapse && s.alive {
		left := s.record.Lasts - time.Duration(s.host.Mono()-s.written)
		s.lapses = s.host.After(max(left, 0), func() {
			s.end(checker.Ending{Cause: checker.Expired, Client: -1, Strike: -1})
		})
	}
}

// Stop loses the record of a store without a disk.
func (s *store) Stop(bool) {
	if before := s.record.Owner; s.site.Persistence == redis.None {
		s.record = locks.Record{}
		s.owned(before, checker.Ending{Cause: checker.Lost, Client: -1, Strike: s.host.World().Blamed()})
	}
}

// Start counts again, because the timer is gone. The record is as it was.
func (s *store) Start() { s.count() }

// Settle does nothing: only clients look at the clock.
func (s *store) Settle() {}
