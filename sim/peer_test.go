package sim

import (
	"slices"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// A slate is a service that holds back every answer until a post releases them.
type slate struct {
	host *Host
	asks []Ask
	told []any
}

func (s *slate) Serve(request any) any {
	if request == "answer" {
		for _, a := range s.asks {
			s.host.Answer(a, "at last")
		}
		s.asks = nil
		return nil
	}
	if _, ok := request.(int); ok {
		s.told = append(s.told, request)
		return nil
	}
	s.asks = append(s.asks, s.host.Asking())
	return Later
}

// A trio is a client and two servers: one that answers late, and one that prompts it.
type trio struct {
	*World
	c, n, m *Host
	slate   *slate
}

func newTrio(t testing.TB) *trio {
	w := newWorld(t, plain)
	sl := &slate{}
	r := &trio{World: w, slate: sl, c: w.AddHost("c", nil, 0, 0), n: w.AddHost("n", sl, 0, 0), m: w.AddHost("m", &echo{}, 0, 0)}
	sl.host = r.n
	return r
}

// ask lets the client ask n, and returns the outcome and its time.
func (r *trio) ask(timeout time.Duration) (reply any, at clock.Instant, err error) {
	r.c.Go("p", func(p *Proc) {
		reply, err = p.Call(r.n.ID, "when?", timeout)
		at = r.Now()
	})
	r.Run()
	return reply, at, err
}

func TestAnAnswerCanComeLate(t *testing.T) {
	r := newTrio(t)
	r.At(5*ms, func() { r.m.Post(r.n.ID, "answer") })
	if reply, at, err := r.ask(time.Second); reply != "at last" || err != nil || at != 5*ms+210*us {
		t.Errorf("%v, %v at %v", reply, err, at)
	}
}

func TestLateAnswerAfterTheTimeoutIsDropped(t *testing.T) {
	r := newTrio(t)
	r.At(5*ms, func() { r.m.Post(r.n.ID, "answer") })
	r.c.Go("q", func(p *Proc) { p.Sleep(10 * time.Millisecond) })
	if _, at, err := r.ask(time.Millisecond); err != ErrTimeout || at != ms+us {
		t.Errorf("%v at %v", err, at)
	}
	if e := r.Trace(); !slices.ContainsFunc(e, func(e Event) bool { return e.Kind == Late }) {
		t.Errorf("no late answer in %v", e)
	}
}

func TestCrashDropsLateAnswers(t *testing.T) {
	r := newTrio(t)
	r.At(2*ms, func() { r.n.Crash(true); r.n.Restart() })
	r.At(5*ms, func() { r.m.Post(r.n.ID, "answer") })
	if _, at, err := r.ask(20 * time.Millisecond); err != ErrTimeout || at != 20*ms+us {
		t.Errorf("%v at %v", err, at)
	}
}

func TestAnAnswerIsGivenOnce(t *testing.T) {
	r := newTrio(t)
	r.At(2*ms, func() { r.slate.asks = append(r.slate.asks, r.slate.asks[0]) })
	r.At(5*ms, func() { r.m.Post(r.n.ID, "answer") })
	defer func() {
		if recover() == nil {
			t.Error("answered twice")
		}
	}()
	r.ask(time.Second)
}

func TestAServerKnowsAConnectionUntilItIsGivenUp(t *testing.T) {
	r := newTrio(t)
	open := func() (open int) {
		for i, a := range r.slate.asks {
			if a.Conn().Open() {
				open++
			}
			if (a.Conn() == r.slate.asks[0].Conn()) != (i == 0) {
				t.Error("two procs, one connection")
			}
		}
		return open
	}
	seen := func(at clock.Instant, want int) {
		r.At(at, func() {
			if got := open(); got != want {
				t.Errorf("at %v: %d connections are open, want %d", r.Now(), got, want)
			}
		})
	}
	wait := func(d time.Duration) func(*Proc) { return func(p *Proc) { _, _ = p.Call(r.n.ID, "when?", d) } }
	r.c.Go("short", wait(3*time.Millisecond))
	r.c.Go("long", wait(10*time.Millisecond))
	seen(2*ms, 2)
	seen(4*ms, 1)
	r.At(5*ms, func() { r.c.Crash(true) })
	seen(6*ms, 0)
	r.Run()
	if (Ask{}).Conn().Open() {
		t.Error("no connection is open")
	}
}

func TestPostsKeepTheirOrderAndAreLostOnACut(t *testing.T) {
	r := newTrio(t)
	post := func(v int) func() { return func() { r.m.Post(r.n.ID, v) } }
	r.At(ms, func() { r.Slow(r.m, r.n, time.Millisecond) })
	r.At(ms+us, post(1))
	r.At(ms+2*us, func() { r.Slow(r.m, r.n, -time.Millisecond) })
	r.At(ms+3*us, post(2)) // faster, yet it must not overtake
	r.during(3*ms, 4*ms, func() { r.Cut(r.m, r.n) }, func() { r.Mend(r.m, r.n) })
	r.At(3*ms+us, post(3))
	r.At(5*ms, post(4))
	r.At(6*ms, r.n.Pause)
	r.At(6*ms+us, post(5))
	r.At(7*ms, r.n.Resume)
	r.At(8*ms, post(6)) // under way when the host goes off
	r.At(8*ms+us, func() { r.n.Crash(true); r.n.Restart() })
	r.At(9*ms, func() { r.m.Crash(true) })
	r.At(9*ms+us, post(7)) // a host that is off sends nothing
	r.At(10*ms, func() { r.m.Restart(); r.m.Post(r.n.ID, 8) })
	r.c.Go("p", func(p *Proc) { p.Sleep(20 * time.Millisecond) })
	if end := r.Run(); end != Finished || !slices.Equal(r.slate.told, []any{1, 2, 4, 5, 8}) {
		t.Errorf("%v, %v", end, r.slate.told)
	}
}

func TestTimersGoByTheHostsOwnClock(t *testing.T) {
	r := newTrio(t)
	var rang []clock.Instant
	ring := func() { rang = append(rang, r.Now()) }
	r.At(0, func() { r.n.After(2*time.Millisecond, ring) })
	r.during(3*ms, 8*ms, r.n.Pause, r.n.Resume)
	r.At(ms, func() { r.n.After(3*time.Millisecond, ring) }) // due at 4ms, while it is paused
	r.At(9*ms, func() { r.n.After(4*time.Millisecond, ring) })
	r.At(11*ms, func() { r.n.Drift(clock.PPM * 250_000) }) // from here on a quarter faster
	r.At(13*ms, func() { r.n.After(2*time.Millisecond, ring).Stop() })
	r.At(14*ms, func() { r.n.After(4*time.Millisecond, ring) })
	r.At(15*ms, func() { r.n.Crash(false); r.n.Restart() }) // takes it along
	r.At(16*ms, func() { r.n.After(2*time.Millisecond, ring) })
	r.c.Go("p", func(p *Proc) { p.Sleep(30 * time.Millisecond) })
	if end := r.Run(); end != Finished || !slices.Equal(rang, []clock.Instant{2 * ms, 8 * ms, 12*ms + 600*us, 17*ms + 600*us}) {
		t.Errorf("%v, %v", end, rang)
	}
}

func TestMessagesComeBeforeTheTimersOfAPausedHost(t *testing.T) {
	r := newTrio(t)
	told := -1
	r.At(0, func() { r.n.After(2*time.Millisecond, func() { told = len(r.slate.told) }) })
	r.during(ms, 5*ms, r.n.Pause, r.n.Resume)
	r.At(3*ms, func() { r.m.Post(r.n.ID, 1) })
	r.c.Go("p", func(p *Proc) { p.Sleep(10 * time.Millisecond) })
	if r.Run(); told != 1 {
		t.Errorf("the timer rang after %d messages", told)
	}
}

func TestServersThatTalkOnKeepNoRunGoing(t *testing.T) {
	r := newTrio(t)
	var tick func()
	tick = func() {
		r.m.Post(r.n.ID, 1)
		r.m.After(time.Millisecond, tick)
	}
	r.At(0, tick)
	r.c.Go("p", func(p *Proc) { p.Sleep(10 * time.Millisecond) })
	if end := r.Run(); end != Finished || r.Now() > 11*ms || len(r.slate.told) < 9 {
		t.Errorf("%v at %v, %d told", end, r.Now(), len(r.slate.told))
	}
}

// A server may set its timer again and again, for ever. The run ends with its last proc, and not at the horizon.
func TestARunDoesNotWaitForServersTimers(t *testing.T) {
	w := newWorld(t, plain)
	server, client := w.AddHost("n", nil, 0, 0), w.AddHost("c", nil, 0, 0)
	var again func()
	again = func() { server.After(time.Millisecond, again) }
	w.At(0, again)
	client.Go("main", func(p *Proc) { p.Sleep(5 * time.Millisecond) })
	finishes(t, w)
	if w.Now() > 10*ms {
		t.Errorf("it ended at %v", w.Now())
	}
}
