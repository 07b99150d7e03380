package sim

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

func TestChildrenRunSideBySide(t *testing.T) {
	w := newPair(t, plain)
	replies := make([]any, 3)
	w.c.Go("main", func(p *Proc) {
		p.Together(3, func(i int) {
			replies[i], _ = p.Call(w.n.ID, i, time.Second)
		})
		if !slices.Equal(replies, []any{0, 1, 2}) {
			t.Errorf("the parent sees %v", replies)
		}
		p.Mark("together")
	})
	finishes(t, w.World)
	tells(t, w.World, "212µs mark c together", Marked) // one call takes 211µs, and its parent a step before
}

func TestParentWaitsForTheLastChild(t *testing.T) {
	w := newPair(t, plain)
	w.c.Go("main", func(p *Proc) {
		p.Together(3, func(i int) {
			p.Sleep(time.Duration(3-i) * time.Millisecond)
			p.Mark(fmt.Sprint("child ", i))
		})
		p.Mark("parent")
	})
	finishes(t, w.World)
	tells(t, w.World, `
		1.002ms mark c child 2
		2.002ms mark c child 1
		3.002ms mark c child 0
		3.003ms mark c parent`)
}

func TestTogetherOfNothingIsAStep(t *testing.T) {
	w := newPair(t, plain)
	w.c.Go("main", func(p *Proc) {
		p.Together(0, func(int) { t.Error("ran") })
		p.Together(-1, func(int) { t.Error("ran") })
		p.Mark("done")
	})
	finishes(t, w.World)
	tells(t, w.World, "2µs mark c done")
}

func TestTogetherNests(t *testing.T) {
	w := newPair(t, plain)
	sum := 0
	w.c.Go("main", func(p *Proc) {
		for range 3 {
			p.Together(2, func(i int) {
				p.Together(4, func(j int) {
					p.Sleep(time.Duration(1 + j))
					sum += 10*i + j
				})
				p.Mark(fmt.Sprint(i))
			})
		}
	})
	finishes(t, w.World)
	if sum != 3*(6+6+40) || len(w.Trace()) != 6 {
		t.Errorf("sum %d, and %v", sum, story(w.World))
	}
}

func TestEachChildHasItsOwnChance(t *testing.T) {
	w := newPair(t, plain)
	seen := map[string]bool{}
	w.c.Go("main", func(p *Proc) {
		for range 10 {
			p.Together(10, func(int) { seen[p.Token()] = true })
			seen[p.Token()] = true
		}
	})
	finishes(t, w.World)
	if len(seen) != 110 {
		t.Errorf("%d of 110 tokens differ", len(seen))
	}
}

func TestPauseStopsEveryChild(t *testing.T) {
	w := newPair(t, plain)
	w.c.Go("main", func(p *Proc) {
		p.Together(3, func(i int) { p.Call(w.n.ID, i, time.Millisecond) })
		p.Mark("parent")
	})
	w.Cut(w.n, w.c)
	w.during(500*us, 5*ms, w.c.Pause, w.c.Resume)
	finishes(t, w.World)
	tells(t, w.World, `
		5ms timeout c>n
		5ms timeout c>n
		5ms timeout c>n
		5ms mark c parent`, TimedOut, Marked)
}

func TestCrashTakesParentAndChildrenAndTheirChildren(t *testing.T) {
	w := newPair(t, plain)
	w.c.Go("main", func(p *Proc) {
		defer p.Mark("parent's deferred")
		p.Together(2, func(i int) {
			defer p.Mark("child's deferred")
			p.Together(2, func(int) {
				defer p.Mark("grandchild's deferred")
				p.Sleep(time.Second)
			})
			p.Mark("child went on")
		})
		p.Mark("parent went on")
	})
	w.At(ms, func() { w.c.Crash(true) })
	finishes(t, w.World)
	tells(t, w.World, "1ms crash c power")
}

func TestChildThatCrashesItsOwnHostTakesItsSiblingsAlong(t *testing.T) {
	w := newPair(t, plain)
	w.c.Go("main", func(p *Proc) {
		p.Together(3, func(i int) {
			p.Sleep(time.Duration(1+i) * time.Millisecond)
			p.Mark(fmt.Sprint(i))
		})
		p.Mark("parent went on")
	})
	w.OnMark(w.c, "1", 1, func() { w.c.Crash(true) })
	finishes(t, w.World)
	tells(t, w.World, "1.002ms mark c 0 \n 2.002ms mark c 1 \n 2.002ms crash c power")
}
