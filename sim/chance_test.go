package sim

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

func draw(c *Chance, n int) []uint64 {
	drawn := make([]uint64, n)
	for i := range drawn {
		drawn[i] = c.Below(1000)
	}
	return drawn
}

func TestStreamIsAFunctionOfSeedAndName(t *testing.T) {
	stream := func(seed uint64, name string) []uint64 {
		c := NewChance(seed, name)
		return draw(&c, 20)
	}
	if !slices.Equal(stream(1, "a"), stream(1, "a")) {
		t.Error("the same seed and name give another stream")
	}
	if slices.Equal(stream(1, "a"), stream(2, "a")) || slices.Equal(stream(1, "a"), stream(1, "b")) {
		t.Error("another seed or name gives the same stream")
	}
}

func TestOneNameMeansOneStreamThroughoutARun(t *testing.T) {
	w := newWorld(t, plain)
	both := append(draw(w.Chance("a"), 5), draw(w.Chance("a"), 5)...)
	c := NewChance(0, "a")
	if !slices.Equal(both, draw(&c, 10)) {
		t.Errorf("the second use began anew: %v", both)
	}
	w.Reset(plain)
	if !slices.Equal(draw(w.Chance("a"), 5), both[:5]) {
		t.Error("Reset did not begin anew")
	}
}

func TestDrawsOfOneStreamMoveNoOther(t *testing.T) {
	w := newWorld(t, plain)
	draw(w.Chance("noise"), 17)
	alone := draw(w.Chance("a"), 20)
	w.Reset(plain)
	var among []uint64
	for range 20 {
		among = append(among, w.Chance("a").Below(1000))
		draw(w.Chance("noise"), 3)
	}
	if !slices.Equal(alone, among) {
		t.Errorf("%v, and among others %v", alone, among)
	}
}

// The same in a run: a proc that draws more, and one that is added, leave the other's trace as it was.
func TestDrawsOfOneProcMoveNoOther(t *testing.T) {
	run := func(draws int) []string {
		w := newPair(t, Config{Seed: 5})
		w.c.Go("main", func(p *Proc) {
			for range 20 {
				p.Call(w.n.ID, p.Token(), time.Second)
			}
		})
		if draws > 0 {
			w.d.Go("main", func(p *Proc) {
				for range draws {
					p.Draw(10)
					p.Token()
				}
			})
		}
		finishes(t, w.World)
		return story(w.World)
	}
	if !slices.Equal(run(0), run(1)) || !slices.Equal(run(1), run(100)) {
		t.Error("the draws of d moved c")
	}
}

// Chi-square with n-1 degrees of freedom lies below n + 5·√(2n) in all but one of a million samples; and above
// n - 5·√(2n), or the stream would be too even to be random.
func TestBelowIsUniform(t *testing.T) {
	const each = 200
	for _, n := range []uint64{2, 3, 10, 100, 1000, 4096} {
		for seed := range uint64(5) {
			c := NewChance(seed, "uniform")
			counts := make([]int64, n)
			for range n * each {
				counts[c.Below(n)]++
			}
			var chi int64
			for _, count := range counts {
				chi += (count - each) * (count - each)
			}
			chi /= each
			if off := chi - int64(n); off > 0 && off*off > 50*int64(n) || off < 0 && n > 100 && off*off > 50*int64(n) {
				t.Errorf("seed %d, n %d: chi-square is %d", seed, n, chi)
			}
		}
	}
}

func TestEveryBitIsFair(t *testing.T) {
	const draws = 10_000
	var ones [64]int
	c := NewChance(3, "bits")
	for range draws {
		bits := c.bits()
		for i := range ones {
			ones[i] += int(bits >> i & 1)
		}
	}
	for i, n := range ones {
		if n < draws/2-250 || n > draws/2+250 { // five standard deviations of 50
			t.Errorf("bit %d was set %d times of %d", i, n, draws)
		}
	}
}

func TestBelowOneDrawsNothing(t *testing.T) {
	c, d := NewChance(1, "a"), NewChance(1, "a")
	if c.Below(0) != 0 || c.Below(1) != 0 || c.In(exactly(5)) != 5 || c.In(Range{5, 3}) != 5 {
		t.Error("a draw without a choice")
	}
	if c.Below(1000) != d.Below(1000) {
		t.Error("it moved the stream")
	}
}

func TestInIncludesBothEnds(t *testing.T) {
	c := NewChance(1, "in")
	seen := map[time.Duration]int{}
	for range 1000 {
		seen[c.In(Range{3, 6})]++
	}
	if len(seen) != 4 || seen[3] < 200 || seen[6] < 200 {
		t.Errorf("drawn: %v", seen)
	}
}

func TestHitKeepsToItsShare(t *testing.T) {
	c := NewChance(1, "hit")
	for perMillion, want := range map[int]int{-1: 0, 0: 0, 100_000: 1000, 1_000_000: 10_000, 2_000_000: 10_000} {
		hits := 0
		for range 10_000 {
			if c.Hit(perMillion) {
				hits++
			}
		}
		if hits < want-150 || hits > want+150 || want%10_000 == 0 && hits != want {
			t.Errorf("%d of a million: %d of 10,000", perMillion, hits)
		}
	}
}

// A tape has what a run drew, by stream. Replayed through Choose, it repeats the run, with any seed.
func TestTapeReplaysARun(t *testing.T) {
	for seed := range uint64(20) {
		tape := map[string][]uint64{}
		seeded := map[string]*Chance{}
		record := func(stream string, n uint64) uint64 {
			if seeded[stream] == nil {
				c := NewChance(seed, stream)
				seeded[stream] = &c
			}
			x := seeded[stream].Below(n)
			tape[stream] = append(tape[stream], x)
			return x
		}
		replay := func(stream string, n uint64) uint64 {
			if len(tape[stream]) == 0 {
				t.Fatalf("seed %d: %s draws more than was recorded", seed, stream)
			}
			x := tape[stream][0]
			tape[stream] = tape[stream][1:]
			return x
		}
		run := func(config Config) []Event {
			config.Loss, config.Horizon = 50_000, time.Second
			w := newWorld(t, config)
			populate(w, seed)
			w.Run()
			return w.Trace()
		}
		straight := run(Config{Seed: seed})
		recorded := run(Config{Choose: record})
		replayed := run(Config{Seed: 99, Choose: replay})
		if !slices.Equal(straight, recorded) || !slices.Equal(recorded, replayed) {
			t.Fatalf("seed %d: the traces differ", seed)
		}
		for stream, rest := range tape {
			if len(rest) > 0 {
				t.Errorf("seed %d: %d draws of %s are left", seed, len(rest), stream)
			}
		}
	}
}

// An enumeration tries all choices. The answer to a draw is taken modulo the number of choices, so a tape that was
// recorded for another world still works.
func TestChooseIsBoundedByTheChoices(t *testing.T) {
	w := newPair(t, Config{Choose: func(string, uint64) uint64 { return 1<<64 - 1 }})
	w.c.Go("main", func(p *Proc) {
		p.Mark(fmt.Sprint(p.Draw(10), p.Token()))
	})
	finishes(t, w.World)
	if got := w.Trace()[0].Body; got != "5ffffffffffffffff" {
		t.Errorf("drew %v", got)
	}
}
