package sim

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// The famous one: the clock said 1µs, and what was done because of that was done a second later.
func TestPauseFallsBetweenReadingTheClockAndUsingIt(t *testing.T) {
	w := newPair(t, plain)
	w.c.Go("main", func(p *Proc) {
		read := p.Mono()
		p.Call(w.n.ID, read, time.Second)
	})
	w.during(us+us/2, s, w.c.Pause, w.c.Resume)
	finishes(t, w.World)
	tells(t, w.World, "1s sent c>n 1µs", Sent)
}

// With random steps too: wherever the pause begins, the reading is older than the pause, and its use is younger.
func TestEveryStepLeavesRoomForAPause(t *testing.T) {
	for seed := range uint64(100) {
		w := newPair(t, Config{Seed: seed})
		var read, used time.Duration
		w.c.Go("main", func(p *Proc) {
			p.Sleep(time.Millisecond)
			read = p.Mono()
			w.At(w.Now()+1, w.c.Pause) // the first moment after the reading
			w.At(s, w.c.Resume)
			used = p.Mono()
		})
		finishes(t, w.World)
		if read > 2*time.Millisecond || used < time.Second {
			t.Fatalf("seed %d: read at %v, used at %v", seed, read, used)
		}
	}
}

func TestPausesAddUp(t *testing.T) {
	w := newPair(t, plain)
	w.c.Go("main", func(p *Proc) {
		p.Sleep(time.Millisecond)
		p.Mark("awake")
	})
	w.during(0, 5*ms, w.c.Pause, w.c.Resume)
	w.during(4*ms, 9*ms, w.c.Pause, w.c.Resume)
	w.during(6*ms, 7*ms, w.c.Pause, w.c.Resume)
	finishes(t, w.World)
	tells(t, w.World, "10ms mark c awake", Marked) // it went to sleep at 9ms
}

// At the seam the host has gone on in no more than name.
func TestPauseThatFollowsAnotherLeavesNoGap(t *testing.T) {
	w := newPair(t, plain)
	w.c.Go("main", func(p *Proc) {
		p.Call(w.n.ID, "x", time.Second)
		p.Mark("answered")
	})
	w.during(50*us, 5*ms, w.c.Pause, w.c.Resume)
	w.during(5*ms, 9*ms, w.c.Pause, w.c.Resume)
	finishes(t, w.World)
	tells(t, w.World, "9ms received c>n \n 9ms mark c answered", Received, Marked)
}

func TestClocksOfAPausedHostRunOn(t *testing.T) {
	w := newPair(t, plain)
	var before, after [2]time.Duration
	w.c.Go("main", func(p *Proc) {
		before = [2]time.Duration{p.Wall(), p.Mono()}
		p.Sleep(time.Millisecond)
		after = [2]time.Duration{p.Wall(), p.Mono()}
	})
	w.during(500*us, s, w.c.Pause, w.c.Resume)
	finishes(t, w.World)
	for i := range before {
		if before[i] >= time.Millisecond || after[i] <= time.Second {
			t.Errorf("clock %d showed %v, then %v", i, before[i], after[i])
		}
	}
}

func TestReplyInTheBufferBeatsTheTimeoutThatPassedMeanwhile(t *testing.T) {
	w := newPair(t, plain)
	w.c.Go("main", func(p *Proc) {
		if reply, err := p.Call(w.n.ID, "x", time.Millisecond); reply != "x" || err != nil {
			t.Errorf("got %v, %v", reply, err)
		}
	})
	w.during(50*us, 5*ms, w.c.Pause, w.c.Resume)
	finishes(t, w.World)
	tells(t, w.World, "5ms received c>n", Received, TimedOut, Late)
}

// Here the timer is not in the buffer: it comes by itself, at the very instant at which the host continues.
func TestReplyInTheBufferBeatsTheTimeoutOfTheSameInstant(t *testing.T) {
	w := newPair(t, plain)
	w.c.Go("main", func(p *Proc) { p.Call(w.n.ID, "x", time.Millisecond) })
	w.during(50*us, ms+us, w.c.Pause, w.c.Resume)
	finishes(t, w.World)
	tells(t, w.World, "1.001ms received c>n", Received, TimedOut, Late)
}

func TestTimeoutThatPassedMeanwhileCountsWhenNoReplyWaits(t *testing.T) {
	w := newPair(t, plain)
	w.c.Go("main", func(p *Proc) {
		if reply, err := p.Call(w.n.ID, "x", time.Millisecond); reply != nil || err != ErrTimeout {
			t.Errorf("got %v, %v", reply, err)
		}
	})
	w.Cut(w.n, w.c)
	w.during(50*us, 5*ms, w.c.Pause, w.c.Resume)
	finishes(t, w.World)
	tells(t, w.World, "5ms timeout c>n", Received, TimedOut, Late)
}

func TestPausedServerFindsItsMessagesInTheOrderTheyCame(t *testing.T) {
	w := newPair(t, plain)
	for i, h := range []*Host{w.c, w.d} {
		h.Go("main", func(p *Proc) {
			p.Sleep(time.Duration(i) * 7 * time.Microsecond)
			p.Call(w.n.ID, h.Name, time.Second)
		})
	}
	w.during(0, ms, w.n.Pause, w.n.Resume)
	finishes(t, w.World)
	tells(t, w.World, "1ms served n>c c \n 1ms served n>d d", Served)
}

// d's request arrives at the instant of the resumption, when c's has long been in the buffer.
func TestMessageAtTheInstantOfTheResumptionDoesNotOvertake(t *testing.T) {
	for _, seam := range []bool{false, true} {
		w := newPair(t, plain)
		w.c.Go("main", func(p *Proc) { p.Call(w.n.ID, "c", time.Second) })
		w.d.Go("main", func(p *Proc) {
			p.Sleep(898 * time.Microsecond)
			p.Call(w.n.ID, "d", time.Second)
		})
		w.during(0, ms, w.n.Pause, w.n.Resume)
		if seam {
			w.during(ms, 2*ms, w.n.Pause, w.n.Resume)
		}
		finishes(t, w.World)
		if len(w.server.seen) != 2 || w.server.seen[0] != "c" {
			t.Errorf("with a second pause %v, served %v", seam, w.server.seen)
		}
	}
}

// A cut stops what is on the wire. These have left it.
func TestCutDoesNotReachIntoTheBuffer(t *testing.T) {
	w := newPair(t, plain)
	w.c.Go("main", func(p *Proc) {
		if _, err := p.Call(w.n.ID, "x", time.Second); err != nil {
			t.Error(err)
		}
	})
	w.during(50*us, 500*us, w.n.Pause, w.n.Resume)
	w.during(400*us, 550*us, func() { w.Cut(w.c, w.n) }, func() { w.Mend(w.c, w.n) })
	w.during(550*us, 900*us, w.c.Pause, w.c.Resume)
	w.during(700*us, ms, func() { w.Cut(w.n, w.c) }, func() { w.Mend(w.n, w.c) })
	finishes(t, w.World)
	tells(t, w.World, "500µs served n>c x \n 900µs received c>n", Served, Received, Lost)
}

// With EitherFirst, a proc that wakes to a reply and a passed deadline finds either first, at random or as chosen.
func TestAProcThatWakesLateFindsItsDeadlineOrTheReplyFirst(t *testing.T) {
	found := map[string]int{}
	outcome := func(c Config) string {
		c.EitherFirst, c.Latency, c.Serve, c.Step = true, plain.Latency, plain.Serve, plain.Step
		w := newPair(t, c)
		said := ""
		w.c.Go("main", func(p *Proc) {
			_, err := p.Call(w.n.ID, "x", time.Millisecond)
			said = fmt.Sprint(err)
			if reply, err := p.Call(w.n.ID, "y", time.Millisecond); reply != "y" || err != nil { // and continues
				t.Errorf("the next call: %v, %v", reply, err)
			}
		})
		w.during(50*us, 5*ms, w.c.Pause, w.c.Resume)
		finishes(t, w.World)
		return said
	}
	for seed := range uint64(40) {
		found[outcome(Config{Seed: seed})]++
	}
	if found["<nil>"] < 5 || found[ErrTimeout.Error()] < 5 || len(found) != 2 {
		t.Errorf("found %v", found)
	}
	for choice, want := range map[uint64]string{0: "<nil>", 1: ErrTimeout.Error()} {
		asked := 0
		got := outcome(Config{Choose: func(stream string, n uint64) uint64 {
			if stream != "wake/c/main" {
				return 0
			}
			asked++
			return choice
		}})
		if got != want || asked != 1 {
			t.Errorf("choice %d: %s, asked %d times; want %s, once", choice, got, asked, want)
		}
	}
}

// In time there is nothing to draw.
func TestNoDrawIfOnlyOneIsDue(t *testing.T) {
	for name, timeout := range map[string]time.Duration{"the reply": time.Second, "the deadline": time.Millisecond} {
		c := plain
		c.EitherFirst = true
		c.Choose = func(stream string, n uint64) uint64 {
			if strings.HasPrefix(stream, "wake/") {
				t.Errorf("only %s is due, and %s draws", name, stream)
			}
			return 0
		}
		w := newPair(t, c)
		w.c.Go("main", func(p *Proc) { p.Call(w.n.ID, "x", timeout) })
		if name == "the deadline" {
			w.Cut(w.n, w.c)
		}
		w.during(50*us, 5*ms, w.c.Pause, w.c.Resume)
		finishes(t, w.World)
	}
}
