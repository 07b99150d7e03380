package sim

import "github.com/lockstorm/lockstorm/clock"

// An Outside runs guests: programs that run next to the world, not in it. The world asks it before each event, so that
// both share one time.
type Outside interface {
	// Wait lets the guests finish what they do now, and then lets their time pass until next, or until one of them has
	// acted. It returns the time then, and reports whether any has acted. Where the guests' time is real, it may be
	// later than next: then the next event happens late, at that time.
	Wait(next clock.Instant) (now clock.Instant, acted bool)
	// Act does in the world what the guests have done since: it dials, sends, and wakes parked procs. It is called when
	// Wait has reported that they acted.
	Act()
}

// advanceBeside is advance for a world with guests, which may act before each event. The next event of a parked proc is
// not in the queue, so the loop waits for the guests then.
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

// attend lets the guests act before the next event. It returns the guests' time, and reports whether the next event may
// have changed.
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

// overtake moves the world's time to the guests' time: theirs can't go back, and an epilogue may follow.
func (w *World) overtake(now clock.Instant) { w.now = max(w.now, min(now, w.horizon)) }

// prune removes timers without a waiting proc from the front of the queue: time must not pass for them.
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

// Park makes the proc wait until an Outside calls Unpark. It calls ask first, which must start what leads to that. The
// proc counts as parked by then, so ask may unpark it immediately.
func (p *Proc) Park(ask func()) {
	q := p.step()
	q.parked = true
	q.world.parked++
	ask()
	q.block()
}

// Unpark lets a parked proc continue, once its host is not paused. It does nothing for a proc that is not parked, or is
// gone.
func (p *Proc) Unpark() {
	if p.unparked() {
		p.wakeAt(p.world.now)
	}
}

// Mark notes that a program of an Outside, on this host, passes a named point, like [Proc.Mark]. A fault may wait for
// it.
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

// Abandon ends the run now, and the proc with it, because its guest has failed. Only the beginning of an epilogue is
// carried out, which may look at what happened.
func (p *Proc) Abandon() { p.Park(p.world.Abandon) }

// Abandon ends the run now, because a guest has failed. An Outside calls it in Wait or in Act.
func (w *World) Abandon() { w.end, w.over = Abandoned, true }
