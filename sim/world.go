package sim

import (
	"runtime/debug"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// A Config says what world to make. Its zero value is a small, healthy data centre.
type Config struct {
	Seed    uint64        // seeds every Chance of the run
	Step    Range         // true time that one step of a proc costs; zero: 50ns to 2µs
	Serve   Range         // true time that a server takes to answer; zero: 2µs to 20µs
	Latency Range         // true time that a message takes one way; zero: 100µs to 500µs
	Loss    int           // how many of a million messages every link loses
	Steps   int           // events and steps after which the run is cut short; zero: 10 million
	Horizon time.Duration // true time after which the run is cut short; zero: one hour

	// EitherFirst lets a proc that wakes from a pause late, with a reply in its host's buffer, find its deadline or the reply first,
	// as is drawn; without it, the reply.
	EitherFirst bool

	// Tick, when set, puts the network on a grid: a message sets off at the latest multiple of Tick, whenever after that it is
	// sent, and so arrives on the grid if its latency and what slows it are multiples. What steps cost is then lost at each
	// message, and two courses that differ in it alone meet again.
	Tick time.Duration

	// Look, when set, is called between two events, in the first moment at which nothing is left to happen before a multiple
	// of Tick, and is given that instant. The run ends there if it returns false; see World.Stopped. Without a Tick it is never
	// called.
	Look func(t clock.Instant) (goOn bool)

	// Recent makes the world remember, from each look to the next, which messages were sent: for World.WithFault.
	Recent bool

	// Choose, when set, answers every draw instead of the seeded streams: a recorded tape, or the enumeration of all
	// choices, is passed in here. It is given the stream's name and the number of choices.
	Choose func(stream string, n uint64) uint64

	// Outside, when set, is where guests live, who have connections with servers of the world. Only they can make a run differ
	// from another of the same configuration.
	Outside Outside
}

// withDefaults fills the zero fields.
func (c Config) withDefaults() Config {
	orRange := func(r *Range, d Range) {
		if *r == (Range{}) {
			*r = d
		}
	}
	orRange(&c.Step, Range{50 * time.Nanosecond, 2 * time.Microsecond})
	orRange(&c.Serve, Range{2 * time.Microsecond, 20 * time.Microsecond})
	orRange(&c.Latency, Range{100 * time.Microsecond, 500 * time.Microsecond})
	if c.Steps == 0 {
		c.Steps = 10_000_000
	}
	if c.Horizon == 0 {
		c.Horizon = time.Hour
	}
	return c
}

// An End is why a run ended.
type End uint8

// The ends of a run. Only Finished saw everything: each proc came to its end, or its host crashed, and no message was
// under way. The others cut the run short; stuck is a proc that waits for what never comes, on a host that is paused for
// ever, say; Abandoned is a guest that failed.
const (
	Finished End = iota
	horizonHit
	StepsHit
	stuck
	Abandoned // by Proc.Abandon
)

// String returns the end in words.
func (e End) String() string {
	return [...]string{"finished", "time horizon reached", "step budget used up", "a client never went on", "a guest failed"}[e]
}

// A World is one run: a queue of events, a source of chance, and the hosts they happen to.
type World struct {
	config  Config
	now     clock.Instant
	horizon clock.Instant
	steps   int
	end     End
	started bool          // by Run: no host comes after that, and no second Run
	blamed  int           // who acts on the world from outside, by number from 1; 0 for nobody
	over    bool          // the run, or its epilogue, has come to its end
	stopped bool          // by Config.Look
	look    clock.Instant // when Config.Look is called next; Forever for never
	fault   any           // a real panic, on its way to the caller of Run
	stack   []byte        // of that panic

	epilogue func(End)     // what begins when the run has ended; nil for nothing
	limit    time.Duration // how long it may take

	queue queue
	hosts []*Host
	links []link // from the host of row i to the host of column j, once the world runs
	cuts  int    // how many cuts are in force, anywhere

	disturbed []int // the links to which anything was done in this run, in order

	chances map[string]*Chance
	watches []watch
	marks   []any // the names of marks, as the trace holds them: few, and passed again and again
	trace   []Event

	running    *Proc  // the proc whose code runs now
	ready      *Proc  // the proc that is to run, when one has yielded that can't enter it
	calls      uint32 // made so far
	opened     uint32 // connections, so far
	inFlight   int    // calls that have a message under way
	live       int    // procs that have not ended, without those in the background
	background int    // procs that the run does not wait for, and that have not ended
	planned    int    // functions that are still to be called
	posted     int    // timers set by servers and messages sent by them or guests so far: a run that has any may go on forever
	parked     int    // procs that wait for a guest
	streams    []*Stream

	// Spare parts, kept from run to run.
	pending    []*event // what is due, in order, for a digest
	recent     []Recent
	learned    Digest // of the latest reply that has one
	spareHosts []*Host
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
	w.config = c.withDefaults()
	w.now, w.horizon, w.steps, w.end, w.calls, w.opened = 0, clock.Instant(0).Add(w.config.Horizon), 0, Finished, 0, 0
	w.queue.reset()
	w.spareHosts = append(w.spareHosts, w.hosts...)
	w.hosts, w.links, w.watches, w.trace = w.hosts[:0], w.links[:0], w.watches[:0], w.trace[:0]
	w.running, w.ready, w.started, w.over, w.fault, w.stack, w.epilogue, w.blamed = nil, nil, false, false, nil, nil, nil, 0
	w.stopped, w.look = false, clock.Forever
	if c.Look != nil && c.Tick > 0 {
		w.look = 0
	}
	w.cuts, w.inFlight, w.live, w.background, w.planned, w.posted, w.parked = 0, 0, 0, 0, 0, 0, 0
	w.disturbed, w.recent = w.disturbed[:0], w.recent[:0]
	clear(w.streams)
	w.streams = w.streams[:0]
	clear(w.chances)
}

// Close ends the coroutines that the world keeps for the next run. The world is of no use afterwards, until Reset.
func (w *World) Close() {
	w.reclaim() // procs that were never run
	for _, c := range w.coroutines {
		c.stop()
	}
	w.coroutines = nil
}

// Now is the present moment of true time, for those who judge; no host may know it.
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

// Chance returns the stream of this name. The same name gives the same stream throughout a run.
func (w *World) Chance(name string) *Chance {
	c := w.chances[name]
	if c == nil {
		c = new(w.chance(name))
		w.chances[name] = c
	}
	return c
}

// chance makes a stream that its owner keeps.
func (w *World) chance(name string) Chance {
	c := NewChance(w.config.Seed, name)
	c.choose = w.config.Choose
	return c
}

// At plans something at a moment of true time: a fault, or its end. What is planned for the past happens now.
func (w *World) At(t clock.Instant, do func()) {
	w.planned++
	w.queue.push(max(t, w.now), event{kind: doFunc, do: do})
}

// Afterwards plans an epilogue: once the run has come to its end, whatever that was, begin is called, and what it starts
// goes on until all of it has ended, for so long at most. Run returns the end of the run itself. Properties of
// safety are judged without the epilogue, those of liveness by it.
func (w *World) Afterwards(limit time.Duration, begin func(End)) { w.epilogue, w.limit = begin, limit }

// A watch waits for a proc to pass a mark.
type watch struct {
	host *Host // nil for any
	mark string
	left int
	do   func()
}

// OnMark plans something for the moment when a proc on h passes the mark for the nth time, counted from 1. A nil h stands
// for any host: then the passings of all are counted together.
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

// passed counts a mark for the watches that wait for it. Few runs watch more than one.
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

// Run carries out events until nothing more is due or a bound is hit. Then it reclaims every proc, without effect.
// A panic of a proc, a service or a planned function comes out here, once all is reclaimed.
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
		w.config.Steps = w.steps + Config{}.withDefaults().Steps // a budget of its own
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

// advance carries out events until one of them makes a proc go on, and returns that proc; nil at the end of the run. It
// runs on whichever stack finds itself waiting, so that a proc that wakes itself costs no switch at all.
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
			continue // nobody waits for it: it must not move the clock, nor hit a bound
		}
		if w.config.Tick > 0 && (w.live == 0 || e.at > w.horizon) && e.unwanted() {
			w.drop(e.call)
			continue // likewise: where states are compared, a run must not last longer for it
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

// looked calls Config.Look for the latest multiple of Tick up to the next event, and reports whether the run goes on. A
// timer that rings for nobody, too early or on a paused host is no event, and neither is a reply that nobody waits for.
// Without Look nobody looks, not even at what is due at the end of time.
func (w *World) looked(next *event) bool {
	if w.config.Look == nil {
		return true
	}
	if w.overlooked(next) {
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

// overlooked reports whether nobody looks for an event: it is no reason to.
func (w *World) overlooked(e *event) bool {
	p := e.proc
	if e.kind == doTimer && (p.timer != e.at || !p.waits() || p.host.pauses > 0 || p.host.clock.Mono(e.at) < p.deadline) {
		return true
	}
	return e.unwanted()
}

// onGrid returns the latest multiple of Config.Tick up to t, or t itself where there is no grid.
func (w *World) onGrid(t clock.Instant) clock.Instant {
	if w.config.Tick > 0 {
		t -= t % clock.Instant(w.config.Tick)
	}
	return t
}

// Stopped reports whether Config.Look ended the run. Then there was no epilogue.
func (w *World) Stopped() bool { return w.stopped }

// guard keeps a panic of a service or a planned function from the proc on whose stack it happened to run: that proc
// would run its deferred functions, and might even recover from a panic that is not its own.
func (w *World) guard() {
	if r := recover(); r != nil {
		w.fault, w.stack = r, debug.Stack()
	}
}

// PanicStack returns where the code panicked that ended the run; nil if none did. Run itself panics elsewhere: on its caller's
// stack.
func (w *World) PanicStack() []byte { return w.stack }

// done reports whether the run is at its end although the queue is not empty: procs in the background go on for ever.
func (w *World) done() bool {
	return w.over || w.background+w.posted > 0 && w.live == 0 && w.inFlight == 0 && w.planned == 0
}

// putBack keeps an event that a bound keeps from happening, for the epilogue.
func (w *World) putBack(e *event) {
	if e.kind == doTimer {
		e.proc.timer = e.at
	}
	w.queue.push(e.at, *e)
}

// bounded reports whether a bound ends the run before an event at this moment. If all procs have ended and no message is
// under way, then the horizon cuts nothing short: what is left are plans that nobody is there to see.
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

// happen carries out one event, and returns the proc that it makes go on, if any.
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

// do carries out what the world's owner planned.
func (w *World) do(planned func()) {
	defer w.guard()
	planned()
}

// serve lets a server handle a request.
func (w *World) serve(h *Host, request any) (reply any) {
	defer w.guard()
	return h.service.Serve(request)
}
