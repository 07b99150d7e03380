package leases

import (
	"net/http"
	"strconv"
	"time"

	coordination "k8s.io/api/coordination/v1"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios/platform"
	"github.com/lockstorm/lockstorm/sim"
)

// A request is a request to the API server: GET, POST to create the object, or PUT to replace the version that the
// client has seen.
type request struct {
	do string
	object
}

// An object is the Lease.
type object struct {
	name, space string
	version     int // 0 while there is none
	spec        coordination.LeaseSpec
}

// String describes the request in a trace.
func (r *request) String() string {
	switch r.do {
	case http.MethodGet:
		return "GET lease"
	case http.MethodPost:
		return "POST lease of " + holder(&r.spec)
	}
	return "PUT lease of " + holder(&r.spec) + " over version " + strconv.Itoa(r.version)
}

// A reply is the object, or why there is none.
type reply struct {
	code int // of HTTP
	object
}

// String describes the reply in a trace.
func (r *reply) String() string {
	if r.code >= http.StatusBadRequest {
		return strconv.Itoa(r.code) + " " + http.StatusText(r.code)
	}
	return strconv.Itoa(r.code) + " lease of " + holder(&r.spec) + ", version " + strconv.Itoa(r.version)
}

// holder returns who has the lease; "" for no one.
func holder(s *coordination.LeaseSpec) string {
	if s.HolderIdentity == nil {
		return ""
	}
	return *s.HolderIdentity
}

// lasts returns how long an object counts without a renewal.
func lasts(s *coordination.LeaseSpec) time.Duration {
	if s.LeaseDurationSeconds == nil {
		return 0
	}
	return time.Duration(*s.LeaseDurationSeconds) * time.Second
}

// A server is the API server. What it has answered is on its disk.
type server struct {
	platform.Alone
	host *sim.Host
	site *platform.Site
	object
	renewed clock.Reading  // when it was last written, by the server's clock
	word    *sim.Timer     // when its word ends
	lives   []checker.Span // of the holders: the last one lasts while held
	held    bool
}

// Services returns the one server.
func (s *server) Services(*platform.Topology) (nodes, others []sim.Service) {
	return []sim.Service{s}, nil
}

// Attach resets it.
func (s *server) Attach(site *platform.Site) {
	s.Alone.Attach(site)
	*s = server{Alone: s.Alone, host: site.World.Hosts()[0], site: site}
}

// AppendKeys appends the times in which the object named a holder, and its word counted.
func (s *server) AppendKeys(keys, copies []checker.Span) ([]checker.Span, []checker.Span) {
	return append(keys, s.lives...), copies
}

// Serve answers a request.
func (s *server) Serve(asked any) any {
	r, _ := asked.(*request) // nothing else is ever asked
	switch {
	case r.do == http.MethodGet && s.version == 0:
		return &reply{code: http.StatusNotFound}
	case r.do == http.MethodGet:
		return s.shown(http.StatusOK)
	case r.do == http.MethodPost && s.version == 0:
		s.write(r.object)
		return s.shown(http.StatusCreated)
	case r.do == http.MethodPut && s.version > 0 && r.version == s.version:
		s.write(r.object)
		return s.shown(http.StatusOK)
	}
	return &reply{code: http.StatusConflict}
}

func (s *server) shown(code int) *reply { return &reply{code, s.object} }

// write replaces the object.
func (s *server) write(o object) {
	before := holder(&s.spec)
	o.version = s.version + 1
	s.object, s.renewed = o, s.host.Mono()
	now := holder(&o.spec)
	if s.held && now != before {
		why := checker.Overwritten
		if now == "" {
			why = checker.Deleted
		}
		s.end(why)
	}
	if now == "" {
		return
	}
	if !s.held {
		s.held = true
		s.lives = append(s.lives, checker.Span{Token: now, From: s.host.World().Now(), To: clock.Forever})
	}
	s.count()
}

// count schedules the end of the object's word: it has not been renewed for as long as it says.
func (s *server) count() {
	if s.word != nil {
		s.word.Stop()
	}
	left := lasts(&s.spec) - time.Duration(s.host.Mono()-s.renewed)
	s.word = s.host.After(max(left, 0), func() { s.end(checker.Expired) })
}

func (s *server) end(why checker.Cause) {
	if s.word != nil {
		s.word.Stop()
	}
	k := &s.lives[len(s.lives)-1]
	k.To, k.Ended = s.host.World().Now(), checker.Ending{Cause: why, Client: -1, Strike: -1}
	s.held = false
}

// Stop does nothing: everything is on the disk.
func (s *server) Stop(bool) {}

// Settle does nothing: the wall clock does not matter here.
func (s *server) Settle() {}

// Start counts again, because the timer is gone.
func (s *server) Start() {
	if s.held {
		s.count()
	}
}

// onServer is the platform.
type onServer struct{ platform.Nodes }

// Times counts the object's word, plus what the next candidate waits for.
func (onServer) Times(t *platform.Topology) platform.Times {
	return platform.Times{Life: t.Rules.TTL + t.Rules.TTL/2}
}

func (onServer) New() platform.Servers { return &server{} }
