package locks

import (
	"slices"
	"testing"
	"time"
)

// refused is a bench on which no attempt can win: all servers but two have another client's key.
func refused() *bench {
	b := newBench()
	b.taken(0, 1, 2)
	return b
}

func TestAnAcquireEndsWithItsPatience(t *testing.T) {
	b, retry := refused(), Retry{Min: 300 * time.Millisecond, Max: 300 * time.Millisecond}
	b.now = time.Hour
	// The fourth wait is cut short.
	if g := retry.Acquire(b, NewRedlock(config()), time.Second); g.Won() || b.now != time.Hour+time.Second || b.tokens != 4 {
		t.Errorf("grant %+v after %d attempts and %s", g, b.tokens, b.now)
	}
}

func TestAcquireWithoutPatienceContinuesUntilItWins(t *testing.T) {
	b, retry := refused(), Retry{Min: time.Second, Max: time.Second}
	b.at = func(b *bench, _ string) {
		if b.now > time.Hour {
			clear(b.keys)
		}
	}
	if g := retry.Acquire(b, NewRedlock(config()), 0); !g.Won() {
		t.Errorf("grant %+v after %s", g, b.now)
	}
}

func TestPatienceDoesNotOutlastTheAttempts(t *testing.T) {
	b, retry := refused(), Retry{Attempts: 3, Min: time.Second, Max: time.Second}
	if g := retry.Acquire(b, NewRedlock(config()), time.Hour); g.Won() || b.tokens != 3 || b.now > 3*time.Second {
		t.Errorf("grant %+v after %d attempts and %s", g, b.tokens, b.now)
	}
}

func TestAnAcquireThatWinsOnTheLastOfItsPatienceHasWon(t *testing.T) {
	b := newBench()
	if g := (Retry{}).Acquire(b, NewRedlock(config()), 5*time.Millisecond); !g.Won() || b.now != 5*time.Millisecond {
		t.Errorf("grant %+v after %s", g, b.now)
	}
}

func TestPatienceCapsTheWaitForEachServer(t *testing.T) {
	b := newBench()
	b.silence(0, 1, 2)
	g := Retry{}.Acquire(b, NewRedlock(config()), 120*time.Millisecond)
	// Two servers cost 50 ms each, and the third the 20 ms that were left; the others were not asked for the key.
	want := []string{"0 SET", "1 SET", "2 SET", "0 EVAL", "1 EVAL", "2 EVAL", "3 EVAL", "4 EVAL"}
	if g.Outcome != NoQuorum || !slices.Equal(b.calls, want) {
		t.Errorf("grant %+v after %v", g, b.calls)
	}
	// The cleanup had its own time: 50 ms for each of the silent.
	if want := 120*time.Millisecond + 152*time.Millisecond; b.now != want {
		t.Errorf("it took %s, want %s", b.now, want)
	}
}

func TestCleanupEndsWithPatienceUnlessOwnTime(t *testing.T) {
	for patience, want := range map[time.Duration][]string{
		120 * time.Millisecond: {"0 SET", "1 SET", "2 SET"}, // nothing is left, and so nothing is sent
		// 12 ms are left: 10 of them for n1, which is silent.
		112 * time.Millisecond: {"0 SET", "1 SET", "2 SET", "3 SET", "4 SET", "0 EVAL"},
	} {
		b, c := newBench(), config()
		c.OwnTime = false
		b.silence(0, 1)
		if patience == 120*time.Millisecond {
			b.silence(2)
		} else {
			b.taken(2)
		}
		g := Retry{}.Acquire(b, NewRedlock(c), patience)
		owed := want[len(want)-1] == "0 EVAL" // a release that was sent, and not acknowledged
		if g.Won() || g.Clean == owed || !slices.Equal(b.calls, want) || b.now != patience {
			t.Errorf("patience %s: %+v after %v and %s", patience, g, b.calls, b.now)
		}
		if b.ours(g.Token) == 0 {
			t.Errorf("patience %s: no orphan, keys %v", patience, b.keys)
		}
	}
}

func TestTheReleaseOfAHoldTakesItsTime(t *testing.T) {
	b, c := newBench(), config()
	c.OwnTime = false
	l := NewRedlock(c)
	g := Retry{}.Acquire(b, l, 10*time.Millisecond)
	b.now += time.Second
	if !l.Release(b, g) || len(b.keys) != 0 {
		t.Errorf("keys %v", b.keys)
	}
}
