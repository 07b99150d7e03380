package sim

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

func TestDeadProcsDeferredUnlockIsNotSent(t *testing.T) {
	w := newPair(t, plain)
	w.c.Go("main", func(p *Proc) {
		defer func() {
			p.Call(w.n.ID, "unlock", time.Second)
			t.Error("the deferred call came back")
		}()
		p.Call(w.n.ID, "lock", time.Second)
		p.Sleep(time.Second)
		t.Error("the dead woke up")
	})
	w.At(10*ms, func() { w.c.Crash(true) })
	finishes(t, w.World)
	if !slices.Equal(w.server.seen, []any{"lock"}) {
		t.Errorf("the server saw %v", w.server.seen)
	}
}

// Whatever a deferred function does when it is not part of the run, is not part of the run.
func TestDeadProcIsInertWhateverItsDeferredFunctionsDo(t *testing.T) {
	w := newPair(t, plain)
	w.c.Go("main", func(p *Proc) {
		defer func() { panic("the lock was not even held") }()
		defer func() { recover(); p.Mark("recovered"); p.Call(w.n.ID, "unlock", time.Second) }()
		p.Sleep(time.Second)
	})
	w.At(ms, func() { w.c.Crash(true) })
	finishes(t, w.World)
	tells(t, w.World, "1ms crash c power")
}

func TestRequestOfADeadProcIsServedAndItsReplyDropped(t *testing.T) {
	w := newPair(t, plain)
	w.c.Go("main", func(p *Proc) { p.Call(w.n.ID, "x", time.Second) })
	w.At(50*us, func() { w.c.Crash(false) })
	finishes(t, w.World)
	tells(t, w.World, `
		1µs sent c>n x
		50µs crash c clean
		101µs served n>c x
		211µs late c>n`)
}

func TestRequestToAHostThatIsOffIsRefused(t *testing.T) {
	w := newPair(t, plain)
	w.c.Go("main", func(p *Proc) {
		if reply, err := p.Call(w.n.ID, "x", time.Second); reply != nil || err != ErrRefused {
			t.Errorf("got %v, %v", reply, err)
		}
	})
	w.At(0, func() { w.n.Crash(true) })
	finishes(t, w.World)
	tells(t, w.World, `
		0s crash n power
		1µs sent c>n x
		101µs refused n>c
		201µs received c>n`)
}

// The connection on which it was sent is gone, so a server that is back by then must not carry it out.
func TestRequestSentBeforeACrashIsRefusedAfterTheRestart(t *testing.T) {
	w := newPair(t, plain)
	w.c.Go("main", func(p *Proc) {
		_, err := p.Call(w.n.ID, "before", time.Second)
		_, again := p.Call(w.n.ID, "after", time.Second)
		if err != ErrRefused || again != nil {
			t.Errorf("got %v, then %v", err, again)
		}
	})
	w.during(50*us, 60*us, func() { w.n.Crash(false) }, w.n.Restart)
	finishes(t, w.World)
	if !slices.Equal(w.server.seen, []any{"after"}) {
		t.Errorf("the server saw %v", w.server.seen)
	}
}

func TestHeldRequestDoesNotOutliveACrashOfItsServer(t *testing.T) {
	w := newPair(t, plain)
	w.c.Go("main", func(p *Proc) {
		if _, err := p.Call(w.n.ID, "x", time.Second); err != ErrRefused {
			t.Errorf("got %v", err)
		}
	})
	hold := w.Hold(w.c, w.n)
	w.during(ms, 2*ms, func() { w.n.Crash(true) }, w.n.Restart)
	w.At(3*ms, hold.Release)
	finishes(t, w.World)
}

// A message has one end in the trace, this one too.
func TestCrashLosesWhatWaitedInTheBuffers(t *testing.T) {
	w := newPair(t, plain)
	w.c.Go("main", func(p *Proc) {
		if _, err := p.Call(w.n.ID, "x", 5*time.Millisecond); err != ErrTimeout {
			t.Errorf("got %v", err)
		}
	})
	w.during(0, 3*ms, w.n.Pause, w.n.Resume)
	w.during(ms, 2*ms, func() { w.n.Crash(true) }, w.n.Restart)
	finishes(t, w.World)
	tells(t, w.World, `
		0s pause n
		1µs sent c>n x
		1ms crash n power
		1ms lost c>n
		2ms start n
		3ms resume n
		5.001ms timeout c>n`)
}

func TestHostCrashesAtItsProcsMark(t *testing.T) {
	w := newPair(t, plain)
	w.c.Go("main", func(p *Proc) {
		defer p.Mark("unlocked")
		p.Mark("locked")
		p.Mark("worked")
	})
	w.OnMark(w.c, "locked", 1, func() { w.c.Crash(true) })
	finishes(t, w.World)
	tells(t, w.World, "0s mark c locked \n 0s crash c power")
}

func TestCrashesAddUp(t *testing.T) {
	w := newPair(t, plain)
	w.during(ms, 4*ms, func() { w.n.Crash(true) }, w.n.Restart)
	w.during(2*ms, 3*ms, func() { w.n.Crash(false) }, w.n.Restart)
	w.At(3*ms+1, func() {
		if w.n.Up() {
			t.Error("it is on while one crash is in force")
		}
	})
	finishes(t, w.World)
	tells(t, w.World, "1ms crash n power \n 4ms start n")
}

func TestRestartedClientRunsNewProcs(t *testing.T) {
	w := newPair(t, plain)
	w.c.Go("first", func(p *Proc) {
		for {
			p.Mark("first")
			p.Sleep(time.Millisecond)
		}
	})
	w.At(2500*us, func() { w.c.Crash(false) })
	w.At(5*ms, func() {
		w.c.Go("never", func(p *Proc) { p.Mark("ran on a host that is off") })
	})
	w.At(6*ms, func() {
		w.c.Restart()
		w.c.Go("second", func(p *Proc) { p.Mark("second") })
	})
	finishes(t, w.World)
	tells(t, w.World, `
		0s mark c first
		1.002ms mark c first
		2.004ms mark c first
		2.5ms crash c clean
		6ms start c
		6ms mark c second`)
}

// A diary is a service that notices what happens to its host.
type diary struct {
	echo
	host *Host
}

func (d *diary) note(what string)     { d.seen = append(d.seen, fmt.Sprint(what, " ", d.host.Wall())) }
func (d *diary) Stop(power bool)      { d.note(fmt.Sprint("stop ", power)) }
func (d *diary) Start()               { d.note("start") }
func (d *diary) Settle()              { d.note("settle") }
func (d *diary) Serve(any) any        { panic("nobody calls") }
func (d *diary) expects(w []any) bool { return slices.Equal(d.seen, w) }

func TestServiceNoticesCrashesAndBothSidesOfAChangeOfItsClock(t *testing.T) {
	w := newWorld(t, plain)
	d := &diary{}
	d.host = w.AddHost("n", d, 0, 0)
	step := func() { d.host.Step(10 * time.Second) }
	w.At(1*s, step)
	w.during(2*s, 4*s, func() { d.host.Crash(true) }, d.host.Restart)
	w.At(3*s, step) // no client is left to notice
	w.during(5*s, 6*s, func() { d.host.Crash(false) }, d.host.Restart)
	finishes(t, w)
	if !d.expects([]any{"settle 1s", "settle 11s", "stop true 12s", "start 24s", "stop false 25s", "start 26s"}) {
		t.Errorf("it noticed %q", d.seen)
	}
}
