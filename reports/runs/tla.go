package runs

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/redis"
	"github.com/lockstorm/lockstorm/sim/storage"
)

// TLA returns a run as a module of TLA+: the constants of its scenario, and its steps. TLC checks with it whether the
// run is a behaviour of Lease, Redlock or Fencing. The error says why no specification has such runs, and what would
// be right.
func TLA(r *scenarios.Result) (string, error) {
	s := r.Scenario
	spec, err := specification(s)
	if err != nil {
		return "", err
	}
	t := tracer{spec: spec, run: r, calls: map[uint32]tlaStep{}, begun: map[int16]int{},
		clients: make([]tracedClient, s.Clients)}
	for i := range r.Trace {
		if err := t.add(&r.Trace[i]); err != nil {
			return "", err
		}
	}
	rest := s.Lock.Retry.Min
	if s.Lock.Retry.Attempts > 0 { // a client that gave up may begin its next work at once
		rest = 0
	}
	var b strings.Builder
	fmt.Fprintf(&b, "---- MODULE Traces ----\n\\* %s, seed %d, by Lockstorm. TLC checks it with Trace%s.tla, of "+
		"scenarios/campaign/explore/tla/traces.\nEXTENDS Integers\nTraceClients == 1..%d\nTraceServers == 1..%d\n"+
		"TraceTTL == %d\nTraceAllowance == %d\nTraceTimeout == %d\nTraceRetry == %d\nTraceBusy == %d\n"+
		"TracePatience == %d\nTraceWall == %s\nTraceReadsMark == %s\nSteps == <<<<\n",
		wording.Plain(s.ID), r.Seed, spec, s.Clients, s.Nodes,
		s.Lock.TTL.Microseconds(), s.Lock.Drift().Microseconds(), s.Lock.Timeout.Microseconds(),
		rest.Microseconds(), s.Work.Work.Min.Microseconds(), s.Work.StorageTimeout.Microseconds(),
		inTLA(s.Lock.Clock == locks.Wall), inTLA(s.Fencing.ReadsMark))
	for i, step := range t.all {
		fmt.Fprintf(&b, "%s[time |-> %d, step |-> %q, client |-> %d, server |-> %d, kind |-> %q, token |-> %d, "+
			"answer |-> %s, won |-> %s, fence |-> %d, amount |-> %d]\n",
			strings.Repeat(",", min(i, 1)), micros(step.at), step.name, step.client, step.server, step.kind,
			micros(step.token), inTLA(step.answer), inTLA(step.won), step.fence, step.amount)
	}
	return b.String() + ">>>>\n====\n", nil
}

func inTLA(b bool) string { return strings.ToUpper(fmt.Sprint(b)) }

func micros(t clock.Instant) int64 { return int64(t) / 1000 }

// open are how the keys begin of settings that no specification fixes.
var open = []string{
	"lock.kind", "lock.ttl", "lock.timeout", "lock.contact", "lock.drift_", "lock.retry.", "fencing.first",
	"fencing.node", "fencing.reads_mark", "work.cycles", "work.warm", "work.stagger", "work.work", "work.think",
	"work.keep", "work.storage_timeout",
}

// specification returns the specification that has the scenario's lock and settings.
func specification(s *scenarios.Scenario) (string, error) {
	spec, base := "Redlock", scenarios.Base()
	switch {
	case s.Lock.Kind == scenarios.Single && s.Fencing.Source == scenarios.NoFencing:
		spec = "Lease"
	case s.Lock.Kind == scenarios.Single:
		spec = "Fencing"
	case s.Lock.Kind != scenarios.Redlock:
		return "", fmt.Errorf("there is no TLA+ specification of lock.kind %s; there is one of single and of redlock",
			scenarios.KindNames[s.Lock.Kind])
	}
	base.Lock.Kind = s.Lock.Kind
	if s.Lock.Clock == locks.Wall {
		base.Lock.Clock = locks.Wall
	}
	if s.Fencing.Source == scenarios.NoFencing {
		base.Fencing.Source = scenarios.NoFencing
	}
	sections := []string{"lock", "clocks"}
	if spec == "Fencing" { // the others don't have storage
		sections = append(sections, "fencing", "storage", "work")
	}
	var right []string
	for _, k := range scenarios.Settings(s) {
		section, _, _ := strings.Cut(k.Key, ".")
		want := k.Get(s)
		switch {
		case section == "clocks":
			want = clock.Rate(0).String()
		case k.Key == "fencing.source", slices.Contains(sections, section) && s.Uses(k) &&
			!slices.ContainsFunc(open, func(prefix string) bool { return strings.HasPrefix(k.Key, prefix) }):
			want = k.Get(&base)
		case k.Key == "persistence" && s.Persistence == redis.AOFAlways: // answers wait for the disk
			want = redis.None.String()
		}
		if want != k.Get(s) {
			right = append(right, "--set "+k.Key+"="+want)
		}
	}
	if right != nil {
		return "", fmt.Errorf("%s.tla does not have all settings of this scenario; it would with %s", spec,
			strings.Join(right, " "))
	}
	return spec, nil
}

// A tlaStep is a line of a trace.
type tlaStep struct {
	at             clock.Instant
	name           string
	client, server int
	kind           string        // of a message: take, free, read or write
	token          clock.Instant // when the attempt began
	answer         bool          // the message is the answer, not the request
	won            bool          // serve: the key was granted, or the write accepted
	fence          uint64        // the fencing token
	amount         int64         // of a fault, in microseconds
	again          bool          // the node lacks the script, and gets the message again
}

// A tracer makes the steps of a run.
type tracer struct {
	spec    string
	run     *scenarios.Result
	calls   map[uint32]tlaStep // what is known of the message of each call
	begun   map[int16]int      // by host: the step in which its pause or restart began
	clients []tracedClient
	all     []tlaStep
}

type tracedClient struct {
	asked         clock.Instant
	asking, heard bool
	hold          int // the step in which it got the lock
}

// add adds the step of an event, if it is one.
func (t *tracer) add(e *sim.Event) error {
	nodes := t.run.Scenario.Nodes
	s, known := t.calls[e.Call]
	if who := int(e.Host) - nodes; who >= 1 && who <= len(t.clients) {
		s.client = who // clients begin at 1, after the nodes and storage
	} else if !known {
		s.server = int(e.Host) + 1
	}
	s.at = e.At
	toEnd := micros(t.run.Evidence.End) - micros(e.At)
	atClient, atServer := s.server == 0 || known, e.Host == 0 || int(e.Host) < nodes && t.spec == "Redlock"
	switch {
	case known:
		s.name = t.message(e, &s)
	case e.Kind == sim.Sent && atClient && int(e.Peer) <= nodes:
		s.name = t.sent(e, &s)
	case e.Kind == sim.Marked && atClient:
		s.name = t.marked(e, &s)
	case e.Kind == sim.Resumed, e.Kind == sim.Woken, e.Kind == sim.Started:
		if i, ok := t.begun[e.Host]; ok {
			t.all[i].amount = micros(e.At) - micros(t.all[i].at)
			delete(t.begun, e.Host)
		}
	case (e.Kind == sim.Paused || e.Kind == sim.Suspended) && atClient: // after that of a node, its answers are late
		s.name, s.amount, t.begun[e.Host] = "pause", toEnd, len(t.all)
	case e.Kind == sim.Crashed && atServer && t.run.Scenario.Persistence == redis.None:
		s.name, s.amount, t.begun[e.Host] = "restart", toEnd, len(t.all)
	case e.Kind == sim.Stepped && atClient:
		s.name, s.amount = "step", e.Body.(time.Duration).Microseconds()
	case e.Kind == sim.Stepped && atServer && t.run.Scenario.Expiry == redis.WallExpiry:
		s.name, s.amount = "jump", e.Body.(time.Duration).Microseconds()
	case (atClient || atServer) &&
		slices.Contains([]sim.Kind{sim.Crashed, sim.Drifted, sim.Slewed, sim.Refusing, sim.Evicting}, e.Kind):
		return fmt.Errorf("at %s the trace has %q of %s, and %s.tla has no faults but pauses of clients, "+
			"restarts of nodes without a disk, steps of clocks, and late and lost messages; leave others out", e.At, e.Kind,
			t.run.Hosts[e.Host], t.spec)
	}
	if s.name != "" {
		t.all = append(t.all, s)
	}
	return nil
}

// marked returns the step of a client that passed a mark.
func (t *tracer) marked(e *sim.Event, s *tlaStep) (name string) {
	c := &t.clients[s.client-1]
	switch e.Body {
	case "asking":
		name, *c = "ask", tracedClient{asked: s.at, asking: true}
	case "acquired":
		name, s.kind, s.answer = "hold", "take", true
		c.asking, c.hold = false, len(t.all)
	case "before-release":
		name = "free"
	}
	s.token = c.asked
	return name
}

// sent returns the step of a client that sends a request to a node or to storage. Of requests for the lock, the first
// that frees the key is a step: others follow from steps.
func (t *tracer) sent(e *sim.Event, s *tlaStep) string {
	c := &t.clients[s.client-1]
	s.token = c.asked
	switch body := e.Body.(type) {
	case storage.Read:
		s.kind, s.fence, t.all[c.hold].fence = "read", body.Fence, body.Fence
	case *storage.Write:
		s.kind, s.fence = "write", body.Fence
	case []string:
		if s.kind, s.server = "free", int(e.Peer)+1; body[0] == "SET" {
			s.kind = "take"
		}
	default: // a question to storage
		return ""
	}
	t.calls[e.Call] = *s
	if s.kind == "free" && c.asking {
		s.kind, s.answer, s.server, c.asking = "take", c.heard, 0, false
		return "clean"
	}
	if s.server == 0 {
		return s.kind
	}
	return ""
}

// message returns the step of what happened to a request or to its answer.
func (t *tracer) message(e *sim.Event, s *tlaStep) string {
	_, bad := e.Body.(error)
	made, isState := e.Body.(storage.State)
	switch {
	case e.Kind == sim.Served && bad:
		s.again = true
		t.calls[e.Call] = *s
	case e.Kind == sim.Served, e.Kind == sim.Refused:
		s.won = e.Body == "OK" || isState && !made.Refused
		return "serve"
	case e.Kind == sim.Lost, e.Kind == sim.Late && s.again: // with again, the request remains to be served
		s.answer = int(e.Host) <= t.run.Scenario.Nodes && !s.again
		return "lost"
	case e.Kind == sim.TimedOut:
		return "timeout"
	case e.Kind == sim.Late:
		s.answer = true
		return "late"
	case e.Kind == sim.Received && !s.again:
		s.answer, t.clients[s.client-1].heard = true, true
		return "heard"
	}
	return ""
}
