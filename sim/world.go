package sim

import (
	"cmp"
	"runtime/debug"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// A Config says what world to make. Its zero value is a small, healthy data centre. Ranges and times are of true time.
type Config struct {
	Seed    uint64        // seeds every Chance of the run
	Step    Range         // how long one step of a proc takes; zero: 50ns to 2µs
	Serve   Range         // how long a server takes to answer; zero: 2µs to 20µs
	Latency Range         // how long a message takes one way; zero: 100µs to 500µs
	Loss    int           // how many of a million messages every link loses
	Steps   int           // events and steps after which the run is cut short; zero: 10 million
	Horizon time.Duration // when the run is cut short; zero: one hour

	// EitherFirst lets a proc that wakes late from a pause, with a reply in its host's buffer, find its deadline or the
	// reply first, at random. Otherwise it finds the reply.
	EitherFirst bool

	// Tick, when set, puts the network on a grid: a message leaves at the latest multiple of Tick, even if it is sent
	// later. So it arrives on the grid if its latency and its delays are multiples. Each message then forgets what
	// steps cost, and two courses that differ only in that cost meet again.
	Tick time.Duration

	// Look, when set, is called between two events, as soon as nothing is due before a multiple of Tick, with that
	// instant. The run ends there if it returns false; see World.Stopped. Without a Tick it is never called.
	Look func(t clock.Instant) (goOn bool)

	// Recent makes the world remember, from each look to the next, which messages were sent, for World.WithFault.
	Recent bool

	// Choose, when set, answers every draw instead of the seeded streams: a recorded tape, or an enumeration of all
	// choices. It is given the stream's name and the number of choices.
	Choose func(stream string, n uint64) uint64

	// Outside, when set, runs guests that connect to servers of the world. Only they can make two runs of the same
	// configuration differ.
	Outside Outside
}

// withDefaults fills the zero fields.
func (c Config) withDefaults() Config {
	c.Step = cmp.Or(c.Step, Range{50 * time.Nanosecond, 2 * time.Microsecond})
	c.Serve = cmp.Or(c.Serve, Range{2 * time.Microsecond, 20 * time.Microsecond})
	c.Latency = cmp.Or(c.Latency, Range{100 * time.Microsecond, 500 * time.Microsecond})
	c.Steps = cmp.Or(c.Steps, 10_000_000)
	c.Horizon = cmp.Or(c.Horizon, time.Hour)
	return c
}

// An End is why a run ended.
type End uint8

// The ends of a run. Only a Finished run is complete: each proc has ended, or its host crashed, and no message is on
// its way. The others were cut short. Stuck means that a proc waits forever, such as one on a host that is never
// resumed.
const (
	Finished End = iota
	horizonHit
	StepsHit
	stuck
	Abandoned // a guest failed: see Proc.Abandon
)

// String returns the end in words.
func (e End) String() string {
	return [...]string{"finished", "time horizon reached", "step budget used up",
		"a client never continued", "a guest failed"}[e]
}

// A World is one run: a queue of events, a source of chance, and the hosts they happen to.
type World struct {
	config  Config
	now     clock.Instant
	horizon clock.Instant
	steps   int
	end     End
	started bool          // by Run: no host can be added, and there is no second Run
	blamed  int           // who acts on the world from outside, by number from 1; 0 for none
	over    bool          // the run, or its epilogue, has ended
	stopped bool          // by Config.Look
	look    clock.Instant // when Config.Look is called next, or Forever
	fault   any           // a real panic, on its way to the caller of Run
	stack   []byte        // of that panic

	epilogue func(End)     // begins after the run; nil for none
	limit    time.Duration // the longest epilogue

	queue queue
	hosts []*Host
	links []link // from the host of row i to the host of column j, once the world runs
	cuts  int    // how many cuts are in force, anywhere

	disturbed []int // the links that were changed in this run, in order

	chances map[string]*Chance
	watches []watch
	marks   []any // the names of marks, as the trace holds them: few, but often passed
	trace   []Event

	running    *Proc  // the proc whose code runs now
	ready      *Proc  // the proc to run, after a proc that can't enter it has yielded
	calls      uint32 // made so far
	opened     uint32 // connections, so far
	inFlight   int    // calls with a message on its way
	live       int    // procs that have not ended, without those in the background
	background int    // procs in the background that have not ended
	planned    int    // functions to be called
	posted     int    // timers of servers, and messages of servers and guests, so far: they may never end
	parked     int    // procs that wait for a guest
	streams    []*Stream

	// Spare parts, kept from run to run.
	pending    []*event // what is due, in order, for a digest
	recent     []Recent
	learned    Digest  // of the latest reply with one
	procs      []*Proc // of this run, dead or alive
	spareHosts []*Host
	spareProcs []*Proc
	spareCalls []*call
	spareConns []*conn
	coroutines []*coroutine
}

// New makes a world.
func New(c Config) *World {
	w := &World{chances: map[string]*Chance{}}
	w.Reset(c)
	return w
}

// Reset makes the world new, as New would, and keeps its memory.
func (w *World) Reset(c Config) {
	w.reclaim() // procs that were never run
	w.queue.reset()
	clear(w.streams)
	clear(w.chances)
	c = c.withDefaults()
	*w = World{
		config: c, horizon: clock.Instant(0).Add(c.Horizon), look: clock.Forever, queue: w.queue,
		hosts: w.hosts[:0], links: w.links[:0], disturbed: w.disturbed[:0], chances: w.chances, watches: w.watches[:0],
		marks: w.marks, trace: w.trace[:0], streams: w.streams[:0], pending: w.pending, recent: w.recent[:0],
		learned: w.learned, procs: w.procs[:0], spareHosts: append(w.spareHosts, w.hosts...),
		spareProcs: append(w.spareProcs, w.procs...), spareCalls: w.spareCalls,
		spareConns: w.spareConns, coroutines: w.coroutines,
	}
	if c.Look != nil && c.Tick > 0 {
		w.look = 0
	}
}

// Close ends the coroutines that the world keeps for the next run. The world can't be used afterwards, until Reset.
func (w *World) Close() {
	w.reclaim() // procs that were never run
	for _, c := range w.coroutines {
		c.stop()
	}
	w.coroutines = nil
}

// Now is the present moment of true time, for judges; no host may know it.
func (w *World) Now() clock.Instant { return w.now }

// Hosts lists the hosts in the order they were added; a host's ID is its index.
func (w *World) Hosts() []*Host { return w.hosts }

// Host finds a host by name; nil when there is none.
func (w *World) Host(name string) *Host {
	for _, h := range w.hosts {
		if h.Name == name {
			return h
		}
	}
	return nil
}

// Trace is what every host did, in true time. It is valid until Reset.
func (w *World) Trace() []Event { return w.trace }

// Live is the number of procs that have not ended.
func (w *World) Live() int { return w.live }

// Steps is the number of events and steps that the run took.
func (w *World) Steps() int { return w.steps }

// Chance returns the stream of this name. The same name means the same stream throughout a run.
func (w *World) Chance(name string) *Chance {
	c := w.chances[name]
	if c == nil {
		c = new(w.chance(name))
		w.chances[name] = c
	}
	return c
}

// chance makes a stream for an owner that keeps it.
func (w *World) chance(name string) Chance {
	c := NewChance(w.config.Seed, name)
	c.choose = w.config.Choose
	return c
}

// At plans a function at a moment of true time, such as a fault, or its end. A function planned for the past happens
// now.
func (w *World) At(t clock.Instant, do func()) {
	w.planned++
	w.queue.push(max(t, w.now), event{kind: doFunc, do: do})
}

// Afterwards plans an epilogue: once the run has ended in any way, begin is called. The procs that it starts continue
// until all have ended, for limit at most. Run returns the end of the run itself. Safety is judged without the
// epilogue, liveness with it.
func (w *World) Afterwards(limit time.Duration, begin func(End)) { w.epilogue, w.limit = begin, limit }

// Prolong lets the run, or its epilogue, last longer.
func (w *World) Prolong(d time.Duration) { w.horizon = w.horizon.Add(d) }

// A watch waits for a proc to pass a mark.
type watch struct {
	host *Host // nil for any
	mark string
	left int
	do   func()
}

// OnMark plans a function for the moment when a proc on h passes the mark for the nth time, counted from 1. A nil h
// means any host: then the passings of all are counted together.
func (w *World) OnMark(h *Host, mark string, nth int, do func()) {
	w.watches = append(w.watches, watch{h, mark, max(nth, 1), do})
}

// boxed returns a mark's name as the trace holds it, without making a new value each time.
func (w *World) boxed(mark string) any {
	for _, m := range w.marks {
		if m.(string) == mark {
			return m
		}
	}
	w.marks = append(w.marks, mark)
	return w.marks[len(w.marks)-1]
}

// passed counts a mark for the watches that wait for it.
func (w *World) passed(h *Host, mark string) {
	for i := range w.watches {
		m := &w.watches[i]
		if m.left == 0 || m.host != nil && m.host != h || m.mark != mark {
			continue
		}
		if m.left--; m.left == 0 {
			m.do()
		}
	}
}

// Run carries out events until nothing more is due or a bound is hit. Then it ends every proc, without effect. A panic
// of a proc, a service or a planned function comes out here, after that.
func (w *World) Run() End {
	if w.started {
		panic("sim: a world runs once; Reset it first")
	}
	w.started = true
	w.drive(nil)
	if w.end == Finished && w.live > 0 {
		w.end = stuck
	}
	end := w.end
	w.look = clock.Forever
	if w.epilogue != nil && w.fault == nil && !w.stopped {
		w.horizon, w.end, w.over = w.now.Add(w.limit), Finished, end == Abandoned
		w.config.Steps = w.steps + Config{}.withDefaults().Steps // a separate budget
		w.do(func() { w.epilogue(end) })
		w.drive(nil)
	}
	w.reclaim()
	if w.config.Outside != nil {
		w.Close() // coroutines must end where the guests do
	}
	if w.fault != nil {
		panic(w.fault)
	}
	return end
}

// advance carries out events until one of them makes a proc continue, and returns that proc; nil at the end of the run.
// It runs on the stack that waits, so that a proc that wakes itself costs no switch.
func (w *World) advance() *Proc {
	var e event
	if w.config.Outside != nil {
		return w.advanceBeside()
	}
	for !w.queue.empty() && !w.done() && w.fault == nil {
		if w.queue.next() >= w.look && !w.looked(w.queue.peek()) {
			return nil
		}
		w.queue.pop(&e)
		if e.kind == doTimer && !e.proc.expects(e.at) {
			continue // no proc waits for it: it must not move the clock or hit a bound
		}
		if w.config.Tick > 0 && (w.live == 0 || e.at > w.horizon) && e.unwanted() {
			w.drop(e.call)
			continue // likewise: where states are compared, it must not prolong a run
		}
		if w.bounded(e.at) {
			w.putBack(&e)
			return nil
		}
		w.now = e.at
		if p := w.happen(&e); p != nil {
			return p
		}
	}
	return nil
}

// looked calls Config.Look for the latest multiple of Tick up to the next event, and reports whether the run continues.
func (w *World) looked(next *event) bool {
	if w.config.Look == nil || w.overlooked(next) {
		return true
	}
	at := w.onGrid(next.at)
	w.look = at.Add(w.config.Tick)
	if !w.config.Look(at) {
		w.stopped, w.over, w.now = true, true, max(w.now, at)
	}
	w.recent = w.recent[:0]
	return !w.stopped
}

// overlooked reports whether an event is no reason to look: a timer that no proc waits for, that is too early or on a
// paused host, or a reply that no proc waits for.
func (w *World) overlooked(e *event) bool {
	if e.kind != doTimer {
		return e.unwanted()
	}
	p := e.proc
	return p.timer != e.at || !p.waits() || p.host.pauses > 0 || p.host.clock.Mono(e.at) < p.deadline
}

// onGrid returns the latest multiple of Config.Tick up to t; t itself if there is no grid.
func (w *World) onGrid(t clock.Instant) clock.Instant {
	if w.config.Tick > 0 {
		t -= t % clock.Instant(w.config.Tick)
	}
	return t
}

// Stopped reports whether Config.Look ended the run. Then there was no epilogue.
func (w *World) Stopped() bool { return w.stopped }

// guard keeps a panic of a service or a planned function away from the proc on whose stack it happened: that proc would
// run its deferred functions, and might even recover from the panic.
func (w *World) guard() {
	if r := recover(); r != nil {
		w.fault, w.stack = r, debug.Stack()
	}
}

// PanicStack returns where the code panicked that ended the run; nil if none did. Run itself panics on its caller's
// stack.
func (w *World) PanicStack() []byte { return w.stack }

// done reports whether the run has ended although the queue is not empty: procs in the background never end.
func (w *World) done() bool {
	return w.over || w.background+w.posted > 0 && w.live == 0 && w.inFlight == 0 && w.planned == 0
}

// putBack keeps an event that a bound has stopped, for the epilogue.
func (w *World) putBack(e *event) {
	if e.kind == doTimer {
		e.proc.timer = e.at
	}
	w.queue.push(e.at, *e)
}

// bounded reports whether a bound ends the run before an event at this moment. If all procs have ended and no message
// is on its way, then the horizon cuts nothing short: only plans are left, with no one to notice them.
func (w *World) bounded(t clock.Instant) bool {
	w.steps++
	switch {
	case t > w.horizon && w.live == 0 && w.inFlight == 0:
		w.over = true
	case t > w.horizon:
		w.end, w.over = horizonHit, true
	case w.steps > w.config.Steps:
		w.end, w.over = StepsHit, true
	}
	return w.over
}

// happen carries out one event, and returns the proc that it makes continue, if any.
func (w *World) happen(e *event) *Proc {
	switch e.kind {
	case doWake:
		return e.proc.wake()
	case doTimer:
		return e.proc.ring()
	case doRequest:
		w.arrive(e)
	case doReply:
		return w.answer(e)
	case doSend:
		w.leave(e)
	case doFunc:
		w.planned--
		w.do(e.do)
	case doTick:
		w.do(e.do)
	}
	return nil
}

// do carries out a planned function.
func (w *World) do(planned func()) {
	defer w.guard()
	planned()
}

// serve lets a server handle a request.
func (w *World) serve(h *Host, request any) (reply any) {
	defer w.guard()
	return h.service.Serve(request)
}
