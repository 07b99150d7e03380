package sim

import "github.com/lockstorm/lockstorm/clock"

// An Outside is where guests live: programs that run beside the world, and not in it. The world asks it before it takes its
// next event, so that one time counts in both.
type Outside interface {
	// Wait lets the guests come to rest, and then lets their time pass until next, or until one of them has acted. It returns
	// the moment that it is then, and reports whether any has acted. Where their time is real, it may be later than next: then
	// the next event happens late, at that moment.
	Wait(next clock.Instant) (now clock.Instant, acted bool)
	// Act does in the world what the guests have done since: it dials, sends, and wakes procs that are parked. It is called
	// when Wait has reported that they acted.
	Act()
}

// advanceBeside is advance for a world with guests, who may act before each event. A parked proc waits for one whose next
// event is not queued.
func (w *World) advanceBeside() *Proc {
	var e event
	for (!w.queue.empty() || w.parked > 0) && !w.done() && w.fault == nil {
		now, again := w.attend()
		if again {
			continue
		}
		w.queue.pop(&e)
		at := max(e.at, now)
		if w.bounded(at) {
			w.putBack(&e)
			w.overtake(at)
			return nil
		}
		w.now = at
		if e.kind == doTimer {
			e.proc.expects(e.at)
		}
		if p := w.happen(&e); p != nil {
			return p
		}
	}
	return nil
}

// attend lets the guests act before the next event. It returns the guests' time, and reports whether what is next must be
// found out anew.
func (w *World) attend() (now clock.Instant, again bool) {
	w.prune()
	now, acted := w.config.Outside.Wait(min(w.queue.next(), w.horizon.Add(1)))
	if !acted && !w.queue.empty() {
		return now, false
	}
	if w.bounded(now) {
		w.overtake(now)
		return now, true
	}
	w.now = max(w.now, now)
	if acted {
		w.do(w.config.Outside.Act)
	}
	return now, true
}

// overtake lets the world's time pass until the guests' time: theirs can't go back, and an epilogue may follow.
func (w *World) overtake(now clock.Instant) { w.now = max(w.now, min(now, w.horizon)) }

// prune takes timers that nobody waits for out of the front of the queue: time must not pass for them.
func (w *World) prune() {
	for !w.queue.empty() {
		e := w.queue.peek()
		if e.kind != doTimer || e.proc.timer == e.at && e.proc.waits() {
			return
		}
		e.proc.expects(e.at)
		var stale event
		w.queue.pop(&stale)
	}
}

// Park makes the proc wait until Unpark is called, by an Outside. It calls ask first, which is to set going what will lead to
// that; even if it does at once, the proc counts as parked by then.
func (p *Proc) Park(ask func()) {
	q := p.step()
	q.parked = true
	q.world.parked++
	ask()
	q.block()
}

// Unpark lets a parked proc go on, once its host is not paused. It does nothing for a proc that is not parked, or is gone.
func (p *Proc) Unpark() {
	if p.unparked() {
		p.wakeAt(p.world.now)
	}
}

// Mark notes that what an Outside runs for the host passes a named point, as [Proc.Mark] does. A fault may wait for it there.
func (h *Host) Mark(name string) {
	w := h.world
	w.note(Marked, h, nil, 0, w.boxed(name))
	w.passed(h, name)
}

// unparked notes that the proc does not wait for a guest any more, and reports whether it did.
func (p *Proc) unparked() bool {
	was := p.parked
	if was {
		p.parked = false
		p.world.parked--
	}
	return was
}

// Abandon ends the run where it is, and the proc with it, since its guest has failed. Of an epilogue only the beginning is
// carried out, which may look at what was.
func (p *Proc) Abandon() { p.Park(p.world.Abandon) }

// Abandon ends the run where it is, since a guest has failed. An Outside calls it in Wait or in Act.
func (w *World) Abandon() { w.end, w.over = Abandoned, true }
