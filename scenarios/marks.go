package scenarios

import (
	"slices"
	"time"

	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
)

// A watched client is the Client of a user's lock, which passes no marks. It passes those around the lock's calls: the
// first before the first call, the last once every server has answered or timed out, before the lock does anything
// else, even look at its clock. A lock that passes them itself does so as one of the catalogue.
type watched struct {
	*sim.Proc
	client      *client
	servers     int // that the lock asks
	first, last string
	asked       []int // the servers, while the operation lasts
	open        int   // calls under way
	begun, due  bool  // the first was passed; the last will be
	done        bool  // the last was passed

	answered bool       // a server has answered in this attempt, or a call has timed out
	replied  readings   // when that last happened
	looks    []readings // when the lock looked at a clock since that first happened
}

// An operation's marks, before and after what it asks the servers.
var (
	attemptMarks   = [2]string{"asking", "answered"}
	extensionMarks = [2]string{"extending", "extension-answered"}
)

// watch returns the client for a user's lock: one that passes marks in its place.
func (r *Runner) watch(p *sim.Proc, marks [2]string) *watched {
	return &watched{Proc: p, servers: len(r.asked), first: marks[0], last: marks[1]}
}

// ours reports whether the lock passes its marks itself. Locks of the catalogue do, and a Host watches guests.
func (r *Runner) ours() bool { return r.scenario.Lock.New == nil || r.Outside != nil }

func (w *watched) begin() {
	w.asked, w.begun, w.due, w.done = w.asked[:0], false, false, false
	w.looks, w.answered = w.looks[:0], false
}

// end ends an operation. One that was content with fewer answers passes the last mark now.
func (w *watched) end() {
	w.due = w.begun && !w.done
	w.settle()
}

// settle passes the last mark, if it is due.
func (w *watched) settle() {
	if w.due {
		w.Mark(w.last)
	}
}

// Mark passes a mark, and each of the two only once.
func (w *watched) Mark(name string) {
	switch name {
	case w.first:
		if w.begun {
			return
		}
		w.begun = true
	case w.last:
		if w.done {
			return
		}
		w.done, w.due = true, false
	}
	w.Proc.Mark(name)
}

// Call passes the first mark before the first call.
func (w *watched) Call(server int, command any, timeout time.Duration) (any, error) {
	w.settle()
	if !w.begun {
		w.Mark(w.first)
	}
	if !slices.Contains(w.asked, server) {
		w.asked = append(w.asked, server)
	}
	w.open++
	reply, err := w.Proc.Call(server, command, timeout)
	w.heard()
	w.open--
	w.due = !w.done && w.open == 0 && len(w.asked) == w.servers
	return reply, err
}

// The lock may do more after the last mark.

func (w *watched) Wall() time.Duration            { return w.look((*sim.Proc).Wall) }
func (w *watched) Mono() time.Duration            { return w.look((*sim.Proc).Mono) }
func (w *watched) Awake() time.Duration           { return w.look((*sim.Proc).Awake) }
func (w *watched) Draw(n uint64) uint64           { w.settle(); return w.Proc.Draw(n) }
func (w *watched) Token() string                  { w.settle(); return w.Proc.Token() }
func (w *watched) Together(n int, do func(i int)) { w.settle(); w.Proc.Together(n, do) }

// Sleep notes how long a lock waits between its own tries.
func (w *watched) Sleep(d time.Duration) {
	w.settle()
	if w.client != nil {
		w.client.run.noteSleep(d)
	}
	w.Proc.Sleep(d)
}

// noteSleep notes how long a user's lock waits between its own tries, a day at most, and returns how much longer than
// before.
func (r *Runner) noteSleep(d time.Duration) (more time.Duration) {
	more = max(0, min(d, 24*time.Hour)-r.limits.slept)
	r.limits.slept += more
	return more
}

// A visitor is the Client of a user's lock in the probe. A lock that waits longer between its own tries than the
// scenario's locks may take that much longer.
type visitor struct {
	*sim.Proc
	run *Runner
}

func (v visitor) Sleep(d time.Duration) {
	if more := v.run.noteSleep(d); more > 0 {
		more = v.run.scenario.slowed(more)
		v.run.evidence.Probe.Bound += more
		v.run.world.Prolong(more)
	}
	v.Proc.Sleep(d)
}

var _ locks.Client = (*watched)(nil)

// A watchdog is the Client of a user's lock that keeps its holds alive. What it asks between two sleeps is one
// extension.
type watchdog struct{ *watched }

// Sleep ends an extension, unless some of its calls are under way.
func (w watchdog) Sleep(d time.Duration) {
	if w.open == 0 {
		w.end()
		w.begin()
	}
	w.Proc.Sleep(d)
}
