package sim

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// A script is an Outside whose guests act at moments that are known beforehand.
type script struct {
	world *World
	acts  []scripted
	now   clock.Instant
}

type scripted struct {
	at time.Duration
	do func()
}

func (s *script) Wait(next clock.Instant) (clock.Instant, bool) {
	if len(s.acts) > 0 && clock.Instant(s.acts[0].at) <= next {
		s.now = max(s.now, clock.Instant(s.acts[0].at))
		return s.now, true
	}
	s.now = next
	return next, false
}

func (s *script) Act() {
	for len(s.acts) > 0 && clock.Instant(s.acts[0].at) <= s.now {
		do := s.acts[0].do
		s.acts = s.acts[1:]
		do()
	}
}

// heard notes what a guest hears on its stream, and when, in whole milliseconds.
type heard struct {
	world *World
	log   []string
}

func (h *heard) note(what any) {
	h.log = append(h.log, fmt.Sprint(int64(h.world.Now())/1e6, " ", what))
}

func (h *heard) Opened(err error)   { h.note(fmt.Sprint("opened ", err)) }
func (h *heard) Arriving(any)       {}
func (h *heard) Received(reply any) { h.note(reply) }
func (h *heard) Broken(err error)   { h.note(err) }

// listen runs a client that dials at 0 and sends 1, 2 … each 10 ms from 10 ms on, under faults. Messages take 1 ms.
func listen(t *testing.T, sends int, faults map[time.Duration]func(w *World, client, server *Host)) string {
	t.Helper()
	outside := &script{}
	ms := time.Millisecond
	w := New(Config{Latency: Range{ms, ms}, Serve: Range{1, 1}, Horizon: time.Second, Outside: outside})
	outside.world = w
	server := w.AddHost("n1", &echo{}, 0, 0)
	client := w.AddHost("c1", nil, 0, 0)
	h := &heard{world: w}
	var s *Stream
	outside.acts = append(outside.acts, scripted{0, func() { s = client.Dial(0, h) }})
	for i := range sends {
		outside.acts = append(outside.acts, scripted{time.Duration(i+1) * 10 * ms, func() { s.Send(i + 1) }})
	}
	client.Go("main", func(p *Proc) { p.Sleep(500 * ms) })
	for at, do := range faults {
		w.At(clock.Instant(at), func() { do(w, client, server) })
	}
	if end := w.Run(); end != Finished {
		t.Errorf("the run ends: %v", end)
	}
	return strings.Join(h.log, "; ")
}

func TestStreamCarriesRequestsAndRepliesInOrder(t *testing.T) {
	if got, want := listen(t, 3, nil), "2 opened <nil>; 12 1; 22 2; 32 3"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestStreamUnderFaults(t *testing.T) {
	const ms = time.Millisecond
	type strikes = map[time.Duration]func(w *World, client, server *Host)
	for _, c := range []struct {
		name   string
		faults strikes
		want   string
	}{
		{"a host that is off refuses a dial", strikes{0: func(_ *World, _, s *Host) { s.Crash(true) }}, "2 opened connection refused"},
		{"on a cut link a dial has no answer", strikes{0: func(w *World, c, s *Host) { w.Cut(c, s) }, 2 * ms: func(w *World, c, s *Host) { w.Mend(c, s) }}, ""},
		{
			"one lost message stalls what follows it, for good",
			strikes{15 * ms: func(w *World, c, s *Host) { w.Cut(c, s) }, 25 * ms: func(w *World, c, s *Host) { w.Mend(c, s) }},
			"2 opened <nil>; 12 1",
		},
		{
			"a lost reply stalls the way back alone",
			strikes{15 * ms: func(w *World, c, s *Host) { w.Cut(s, c) }, 25 * ms: func(w *World, c, s *Host) { w.Mend(s, c) }},
			"2 opened <nil>; 12 1",
		},
		{
			"a server that goes off breaks the connection, after the latency",
			strikes{15 * ms: func(_ *World, _, s *Host) { s.Crash(false) }, 16 * ms: func(_ *World, _, s *Host) { s.Restart() }},
			"2 opened <nil>; 12 1; 16 connection reset",
		},
		{
			"a client host that goes off breaks it at once",
			strikes{15 * ms: func(_ *World, c, _ *Host) { c.Crash(true) }},
			"2 opened <nil>; 12 1; 15 connection reset",
		},
		{
			"a paused client sends and hears nothing until it goes on",
			strikes{11 * ms: func(_ *World, c, _ *Host) { c.Pause() }, 50 * ms: func(_ *World, c, _ *Host) { c.Resume() }},
			"2 opened <nil>; 50 1; 52 2; 52 3",
		},
		{
			"the kernel of a paused server accepts all the same",
			strikes{0: func(_ *World, _, s *Host) { s.Pause() }, 50 * ms: func(_ *World, _, s *Host) { s.Resume() }},
			"2 opened <nil>; 51 1; 51 2; 51 3",
		},
		{
			"a suspended server accepts when it wakes",
			strikes{0: func(_ *World, _, s *Host) { s.Suspend() }, 50 * ms: func(_ *World, _, s *Host) { s.Wake() }},
			"51 opened <nil>; 51 1; 51 2; 51 3",
		},
		{
			"a paused server hears nothing until it goes on",
			strikes{5 * ms: func(_ *World, _, s *Host) { s.Pause() }, 50 * ms: func(_ *World, _, s *Host) { s.Resume() }},
			"2 opened <nil>; 51 1; 51 2; 51 3",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := listen(t, 3, c.faults); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// Other connections do not affect the draws of this one.
func TestStreamHasItsOwnChance(t *testing.T) {
	first := func(others int) (at []clock.Instant) {
		outside := &script{}
		w := New(Config{Seed: 7, Serve: Range{1, 1}, Outside: outside})
		w.AddHost("n1", &echo{}, 0, 0)
		client := w.AddHost("c1", nil, 0, 0)
		client.Go("main", func(p *Proc) { p.Sleep(time.Second) })
		h := &heard{world: w}
		outside.acts = []scripted{{0, func() {
			s := client.Dial(0, h)
			for range others {
				client.Dial(0, &heard{world: w}).Send(0)
			}
			s.Send(1)
		}}}
		w.Run()
		for _, e := range w.Trace() {
			if e.Kind == Received && e.Call == 1 {
				at = append(at, e.At)
			}
		}
		return at
	}
	if alone, among := first(0), first(5); len(alone) != 1 || !slices.Equal(alone, among) {
		t.Errorf("alone %v, among others %v", alone, among)
	}
}

// A guest may have done what a proc waits for before any time has passed.
func TestParkedProcContinuesWhenItsGuestHasActed(t *testing.T) {
	for _, after := range []time.Duration{0, time.Millisecond} {
		outside := &script{}
		w := New(Config{Outside: outside, Horizon: time.Second})
		went := false
		w.AddHost("c1", nil, 0, 0).Go("main", func(p *Proc) {
			p.Park(func() { outside.acts = append(outside.acts, scripted{time.Duration(w.Now()) + after, p.Unpark}) })
			went = true
		})
		if end := w.Run(); end != Finished || !went {
			t.Errorf("after %v: %v, went on %v", after, end, went)
		}
	}
}

func TestParkedProcIsCutShortAtTheHorizon(t *testing.T) {
	w := New(Config{Outside: &script{}, Horizon: time.Second})
	w.AddHost("c1", nil, 0, 0).Go("main", func(p *Proc) { p.Park(func() {}) })
	if end := w.Run(); end != horizonHit {
		t.Errorf("the run ends: %v", end)
	}
}

// A proc has no effect once its run is abandoned, and only the beginning of the epilogue comes after it.
func TestAbandonedRunEndsThere(t *testing.T) {
	w := New(Config{Outside: &script{}, Horizon: time.Second})
	var log []string
	h := w.AddHost("c1", nil, 0, 0)
	h.Go("main", func(p *Proc) {
		p.Sleep(time.Millisecond)
		p.Abandon()
		log = append(log, "went on")
	})
	h.Go("other", func(p *Proc) {
		p.Sleep(2 * time.Millisecond)
		log = append(log, "another went on")
	})
	w.Afterwards(time.Second, func(end End) {
		log = append(log, end.String())
		h.Go("late", func(*Proc) { log = append(log, "the epilogue went on") })
	})
	if end := w.Run(); end != Abandoned || !slices.Equal(log, []string{"a guest failed"}) {
		t.Errorf("the run ends: %v, %v", end, log)
	}
}

// Otherwise a fault would seem to have met no message.
func TestGuestsMessagesAreCounted(t *testing.T) {
	w := newPair(t, plain)
	w.Carried(w.c, w.n, false)
	w.Carried(w.c, w.n, true)
	if sent, lost := w.Sent(w.c, w.n), w.LostOn(w.c, w.n); sent != 2 || lost != 1 {
		t.Errorf("%d were sent and %d lost, of 2 and 1", sent, lost)
	}
}
