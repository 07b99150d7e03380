package sim

import (
	"slices"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// A Service is what a server does: a request in, a reply out, no other effect. It may read its host's clocks.
type Service interface {
	Serve(request any) (reply any)
}

// A Starter is a Service that is notified when its host goes off and on again, or when its clocks change.
type Starter interface {
	Service
	Stop(power bool) // the host goes off: suddenly if power failed, otherwise in good order
	Start()          // the host is on again
	Settle()         // the host's clocks are about to change, or have just changed
}

// A Host is a machine: a name, a clock, and either procs or a service.
type Host struct {
	ID      int
	Name    string
	world   *World
	clock   clock.Clock
	service Service
	starter Starter
	boot    func() // is called when the host is on again; nil for nothing
	serving Chance // how long the service takes to answer
	procs   []*Proc

	pauses int // how many pauses are in force, suspensions among them
	downs  int // how many crashes are in force
	epoch  int // counts its crashes: connections end at one

	suspensions  int           // how many suspensions are in force
	sleeps       []sleep       // the times in which it was suspended
	clockChanges []clockChange // the changes of its clock

	stalls     int      // how many stalls of its disk are in force
	stallTimes []stall  // the times in which its disk stalled
	syncing    bool     // its service waits for the disk, and so everything on it does
	unsent     []func() // each sends a message that waits for the service to finish, or for the disk

	refusals []string // why its service answers with errors

	alarms  []*alarm
	timers  []*Timer
	conns   []*conn // to other servers, for its posts; nil where it has none
	asking  *call   // the request that its service is handling
	inbox   []event // messages in the kernel's buffer of a paused host
	stalled []event // steps and timers that were due while it was paused
	backlog int     // messages from the inbox that are due after a pause, but not handled yet
}

// AddHost adds a host whose wall clock shows wall at the start of the run, and whose clocks run fast by rate. The
// service is nil for a client. The name must be unique in the world because random streams are seeded from it.
func (w *World) AddHost(name string, service Service, wall clock.Reading, rate clock.Rate) *Host {
	if w.started || len(w.links) > 0 {
		panic("sim: host " + name + " added to a world whose network is in use")
	}
	if w.Host(name) != nil {
		panic("sim: host " + name + " added twice")
	}
	h := reused(&w.spareHosts)
	*h = Host{
		ID: len(w.hosts), Name: name, world: w, clock: h.clock, service: service,
		procs: h.procs[:0], inbox: h.inbox[:0], stalled: h.stalled[:0],
		sleeps: h.sleeps[:0], clockChanges: h.clockChanges[:0], stallTimes: h.stallTimes[:0],
	}
	h.starter, _ = service.(Starter)
	if service != nil {
		h.serving = w.chance("serve/" + name)
	}
	h.clock.Reset(wall, rate)
	w.hosts = append(w.hosts, h)
	return h
}

// Wall is what the host's wall clock shows now.
func (h *Host) Wall() clock.Reading { return h.clock.Wall(h.world.now) }

// Mono is what the host's monotonic clock shows now.
func (h *Host) Mono() clock.Reading { return h.clock.Mono(h.world.now) }

// Clock is the host's clock, for judges. Only the host's own methods may change it.
func (h *Host) Clock() *clock.Clock { return &h.clock }

// World is the world of the host.
func (h *Host) World() *World { return h.world }

// Crashes is how often the host has gone off in this run.
func (h *Host) Crashes() int { return h.epoch }

// Live reports whether any proc of the host that the run waits for has not ended.
func (h *Host) Live() bool {
	return slices.ContainsFunc(h.procs, func(p *Proc) bool { return !p.dead && !p.background })
}

// Serves reports whether the host is a server.
func (h *Host) Serves() bool { return h.service != nil }

// Up reports whether the host is on.
func (h *Host) Up() bool { return h.downs == 0 }

// Waits reports whether a message, a step or a timer waits on the host for the end of a pause.
func (h *Host) Waits() bool { return len(h.inbox)+len(h.stalled) > 0 }

// Pause stops everything on the host, except its clocks. Pauses add up: it continues when each has been resumed.
func (h *Host) Pause() {
	h.pauses++
	h.world.note(Paused, h, nil, 0, nil)
}

// Resume ends one Pause. Everything that waited is now due: messages first, in order, then steps and timers. With
// Config.EitherFirst a proc whose reply waits, and whose deadline has passed too, finds either first.
func (h *Host) Resume() {
	h.world.note(Resumed, h, nil, 0, nil)
	h.unpause()
}

// unpause ends one pause, or the pause of a suspension.
func (h *Host) unpause() {
	h.pauses--
	if h.pauses > 0 {
		return
	}
	now := h.world.now
	if h.world.config.EitherFirst {
		h.drawFirst()
	}
	for _, e := range h.inbox {
		h.world.queue.push(now, e)
	}
	for _, e := range h.stalled {
		if e.kind == doTimer {
			e.proc.timer = now
		}
		h.world.queue.push(now, e)
	}
	h.backlog += len(h.inbox)
	h.inbox, h.stalled = h.inbox[:0], h.stalled[:0]
}

// drawFirst draws, for each proc whose reply waits in the buffer and whose deadline has passed, which of them it finds.
// A poll that returns finds data before it finds its deadline. But a timer with its own thread or goroutine may run
// first, and cancel the call. A draw is needed only where both are due.
func (h *Host) drawFirst() {
	for i := range h.inbox {
		p := h.inbox[i].call.proc
		if h.inbox[i].kind != doReply || p == nil || !p.waits() || h.Mono() < p.deadline {
			continue
		}
		if p.wakes.name == "" {
			p.wakes = h.world.chance("wake/" + h.Name + "/" + p.name)
		}
		if p.wakes.Below(2) == 1 {
			p.hasty = true
			p.ringAt(h.world.now)
		}
	}
}

// buffers keeps a message in the kernel's buffer, if the host is paused. A message that comes at the instant at which
// the host continues must not overtake those that wait: it goes to their end.
func (h *Host) buffers(e *event) bool {
	switch {
	case !e.buffered && h.backlog > 0:
		e.buffered = true
		h.backlog++
		h.world.queue.push(h.world.now, *e)
	case h.pauses > 0:
		e.buffered = true
		h.inbox = append(h.inbox, *e)
	default:
		return false
	}
	return true
}

// Crash turns the host off: suddenly if power failed, otherwise in good order. Its procs and its buffers are gone.
// Crashes add up: it is on again when each has been restarted.
func (h *Host) Crash(power bool) {
	h.downs++
	if h.downs > 1 {
		return
	}
	manner := "clean"
	if power {
		manner = "power"
	}
	h.world.note(Crashed, h, nil, 0, manner)
	h.epoch++
	h.unsync()
	for _, p := range h.procs {
		if !p.dead {
			p.dead = true
			p.unparked()
			h.world.count(p, -1)
		}
	}
	for _, e := range h.inbox {
		h.world.lose(e.call, int(e.kind-doRequest))
	}
	h.world.hangUp(h)
	h.inbox, h.stalled, h.timers, h.conns = h.inbox[:0], h.stalled[:0], nil, nil
	if h.starter != nil {
		h.starter.Stop(power)
	}
}

// Restart ends one Crash.
func (h *Host) Restart() {
	h.downs--
	if h.downs > 0 {
		return
	}
	h.world.note(Started, h, nil, 0, nil)
	if h.starter != nil {
		h.starter.Start()
	}
	if h.boot != nil {
		h.boot()
	}
}

// OnStart sets a function that is called whenever the host is on again, such as one that starts its procs.
func (h *Host) OnStart(do func()) { h.boot = do }

// Step moves the host's wall clock by d, forward or back.
func (h *Host) Step(d time.Duration) {
	h.world.note(Stepped, h, nil, 0, d)
	h.change(func() { h.clock.Step(h.world.now, d) })
}

// Drift changes the rate of the host's clocks by r. Changes add up, so Drift(-r) undoes Drift(r).
func (h *Host) Drift(r clock.Rate) {
	h.world.note(Drifted, h, nil, 0, r)
	h.change(func() { h.clock.Drift(h.world.now, r) })
}

// Slew corrects the host's clocks by d at no more than rate, like NTP. It returns the end of the correction.
func (h *Host) Slew(d time.Duration, rate clock.Rate) (end clock.Instant) {
	h.world.note(Slewed, h, nil, 0, d)
	h.change(func() { end = h.clock.Slew(h.world.now, d, rate) })
	return end
}

// Unslew stops a correction that began at start, and keeps what it has corrected. The trace shows it as a correction of
// 0s.
func (h *Host) Unslew(start clock.Instant, d time.Duration, rate clock.Rate) {
	h.world.note(Slewed, h, nil, 0, time.Duration(0))
	h.change(func() { h.clock.Unslew(h.world.now, start, d, rate) })
}

// change alters the clock. The service is called just before and just after, so that it misses no reading. Timers that
// are now due earlier are set again.
func (h *Host) change(alter func()) {
	h.settle()
	alter()
	h.clockChanges = append(h.clockChanges, clockChange{h.world.now, h.world.Blamed()})
	h.settle()
	for _, p := range h.procs {
		if p.waits() {
			p.arm()
		}
	}
	for _, a := range h.alarms {
		h.ring(a)
	}
	for _, t := range h.timers {
		t.arm()
	}
}

// An alarm is a function that is due when the host's wall clock shows a reading.
type alarm struct {
	reading clock.Reading
	next    clock.Instant // when the host checks the reading again
	do      func()
}

// OnWall plans a function for the first moment at which the host's wall clock shows that much more than now. The clock
// runs on while the host is off or paused, and a jump of the clock moves the moment.
func (h *Host) OnWall(after time.Duration, do func()) {
	a := &alarm{reading: h.Wall().Add(after), next: clock.Forever, do: do}
	h.alarms = append(h.alarms, a)
	h.ring(a)
}

// ring calls do if the alarm is due. Otherwise it plans the next check.
func (h *Host) ring(a *alarm) {
	now := h.world.now
	switch at := h.clock.WhenWall(a.reading, now); {
	case a.do == nil || at >= a.next && a.next > now:
	case at > now:
		a.next = at
		h.world.At(at, func() { h.ring(a) })
	default:
		do := a.do
		a.do = nil
		do()
	}
}

func (h *Host) settle() {
	if h.starter != nil && h.Up() {
		h.starter.Settle()
	}
}
