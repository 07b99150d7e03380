package locks

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// holding is a lock that has been held for some time.
func holding(c Config, since time.Duration) (*bench, *Redlock, Grant) {
	b, l := newBench(), NewRedlock(c)
	g := l.Acquire(b)
	b.now += since
	b.calls, b.marks = nil, nil
	return b, l, g
}

func TestExtensionResetsTheKeysLifeAndTheDeadline(t *testing.T) {
	b, l, g := holding(config(), 5*time.Second)
	clear(b.lives)
	start := b.now
	if !l.Extend(b, &g) {
		t.Fatal("not extended")
	}
	// 5 ms elapsed, which come off the new life as they did off the old.
	if want := start + 10*time.Second - 102*time.Millisecond; g.Deadline != want || l.Left(b, g) != want-start-5*time.Millisecond {
		t.Errorf("deadline %s, want %s", g.Deadline, want)
	}
	for server := range 5 {
		if b.lives[server] != "PX 10000" {
			t.Errorf("server %d has a life of %q", server, b.lives[server])
		}
	}
	if !l.Release(b, g) || len(b.keys) != 0 {
		t.Errorf("after the release: %v", b.keys)
	}
}

func TestAnExtensionIsOfTheHoldThatItIsGiven(t *testing.T) {
	b, l, g := holding(config(), time.Second)
	if l.Acquire(b).Won() {
		t.Fatal("acquired twice")
	}
	if !l.Extend(b, &g) {
		t.Error("the first hold is not extended")
	}
}

func TestAnExtensionNeedsAsManyVotesAsTheLock(t *testing.T) {
	for _, quorum := range []bool{true, false} {
		for lost := range 6 {
			c := config()
			c.Renew.Quorum = quorum
			b, l, g := holding(c, time.Second)
			for server := range lost {
				delete(b.keys, server)
			}
			old := g.Deadline
			want := lost <= 2 || !quorum && lost < 5
			if got := l.Extend(b, &g); got != want || (g.Deadline > old) != want {
				t.Errorf("quorum %t, %d keys lost: %t, deadline %s", quorum, lost, got, g.Deadline)
			}
		}
	}
}

func TestAnExtensionTakesOnlyItsOwnKey(t *testing.T) {
	for _, compare := range []bool{true, false} {
		c := config()
		c.Renew.Compare = compare
		b, l, g := holding(c, time.Second)
		b.taken(0, 1)
		delete(b.keys, 2)
		extended := l.Extend(b, &g)
		if extended == compare || b.ours("another's") != map[bool]int{true: 2, false: 0}[compare] || (b.keys[2] == "") != compare {
			t.Errorf("compare %t: extended %t, keys %v", compare, extended, b.keys)
		}
	}
}

func TestAnExtensionMustBeBackWithinTheValidity(t *testing.T) {
	const life = 10*time.Second - 102*time.Millisecond
	for name, slow := range map[string]func(b *bench, n int){
		"the old deadline passes": func(b *bench, n int) {
			if n == 5 {
				b.now += 9 * time.Second
			}
		},
		"the new life is spent": func(b *bench, n int) { b.now += 2 * time.Second },
	} {
		for _, check := range []bool{true, false} {
			c := config()
			c.Renew.Check = check
			b, l, g := holding(c, time.Second)
			b.after = slow
			old, start := g.Deadline, b.now
			if got := l.Extend(b, &g); got == check {
				t.Errorf("%s, check %t: extended %t", name, check, got)
			}
			if want := map[bool]time.Duration{true: old, false: start + life}[check]; g.Deadline != want {
				t.Errorf("%s, check %t: deadline %s, want %s", name, check, g.Deadline, want)
			}
		}
	}
}

// The holder's keys outlive its deadline on server 1, whose clock has stepped back, and another client takes the others
// and releases them. Then a late request of the holder's own attempt reaches server 2. It has a majority once more.
func TestAMajorityThatALateRequestBroughtBackIsNoExtension(t *testing.T) {
	for _, check := range []bool{true, false} {
		c := config()
		c.Servers, c.Renew.Check = []int{0, 1, 2}, check
		b, l, g := holding(c, 0)
		delete(b.keys, 2) // where its request is still under way
		b.now = g.Deadline
		delete(b.keys, 0)
		other := NewRedlock(c)
		between := other.Acquire(b)
		if !between.Won() || between.Votes != 2 {
			t.Fatalf("the other client: %+v", between)
		}
		other.Release(b, between)
		b.keys[2] = g.Token
		if got := l.Extend(b, &g); got == check {
			t.Errorf("check %t: extended %t", check, got)
		}
	}
}

// The new life has time left. The old one has ended, and other clients can acquire from its end.
func TestAnExtensionThatComesBackAtTheOldDeadlineIsTooLate(t *testing.T) {
	for spare, want := range map[time.Duration]bool{0: false, 1: true} {
		b, l, g := holding(config(), 0)
		b.now = g.Deadline - 5*time.Millisecond - spare
		if got := l.Extend(b, &g); got != want {
			t.Errorf("%s before the deadline: extended %t", spare, got)
		}
	}
}

// And here it is the new one: a hold so long that only the extension's own slowness counts.
func TestAnExtensionThatSpentItsOwnLifeIsTooLate(t *testing.T) {
	c := config()
	for spare, want := range map[time.Duration]bool{0: false, 1: true} {
		b, l, g := holding(c, 0)
		g.Deadline = time.Hour
		b.cost = 0
		b.after = func(b *bench, n int) {
			if n == 5 {
				b.now += c.Validity(0) - spare
			}
		}
		if got := l.Extend(b, &g); got != want {
			t.Errorf("%s of validity left: extended %t", spare, got)
		}
	}
}

func TestTheDeadlineMovesWhenTheVotesAreIn(t *testing.T) {
	for _, confirm := range []bool{true, false} {
		c := config()
		c.Renew.Confirm = confirm
		b, l, g := holding(c, time.Second)
		b.silence(0, 1, 2)
		old, during := g.Deadline, time.Duration(0)
		b.after = func(*bench, int) { during = g.Deadline }
		start := b.now
		if l.Extend(b, &g) {
			t.Errorf("confirm %t: extended without a majority", confirm)
		}
		want := old
		if !confirm {
			want = start + c.Validity(0)
		}
		if during != want || g.Deadline != want {
			t.Errorf("confirm %t: deadline %s, then %s, want %s", confirm, during, g.Deadline, want)
		}
	}
}

func TestFailedExtensionChangesNothing(t *testing.T) {
	for _, keep := range []bool{true, false} {
		c := config()
		c.Renew.KeepFailed = keep
		b, l, g := holding(c, time.Second)
		b.taken(0, 1, 2)
		old := g.Deadline
		if l.Extend(b, &g) || g.Deadline != old {
			t.Errorf("keep %t: the deadline is %s, was %s", keep, g.Deadline, old)
		}
		if kept := b.ours(g.Token) == 2; kept != keep || b.ours("another's") != 3 {
			t.Errorf("keep %t: keys %v", keep, b.keys)
		}
	}
}

func TestASlowLastReplyOfAnExtensionCountsAsItDoesForTheLock(t *testing.T) {
	for counted, want := range map[Counted]bool{AtTheEnd: false, AtQuorum: true} {
		c := config()
		c.Counted = counted
		b, l, g := holding(c, time.Second)
		b.after = func(b *bench, n int) {
			if n == 10 {
				b.now += 9 * time.Second
			}
		}
		b.calls = make([]string, 5)
		if got := l.Extend(b, &g); got != want {
			t.Errorf("counted %d: extended %t", counted, got)
		}
	}
}

func TestAServerThatForgotTheExtensionsScriptIsGivenItsText(t *testing.T) {
	c := config()
	c.Servers = []int{7}
	b, l, g := holding(c, 0)
	l.Extend(b, &g)
	l.Extend(b, &g)
	b.loaded[7] = nil // it has restarted
	l.Extend(b, &g)
	if want := []string{"7 EVAL", "7 EVALSHA", "7 EVALSHA", "7 EVAL"}; !slices.Equal(b.calls, want) {
		t.Errorf("calls %v, want %v", b.calls, want)
	}
	b.calls = nil
	l.Release(b, g)
	if want := []string{"7 EVAL"}; !slices.Equal(b.calls, want) { // which is another script
		t.Errorf("calls %v, want %v", b.calls, want)
	}
}

// The holder can release the lock at each point of an extension, and the extension can continue at each point of the
// release. Whichever reaches a server first, no key is left, and neither hinders the other.
func TestAReleaseThatOvertakesAnExtensionFreesTheLockForGood(t *testing.T) {
	for _, compare := range []bool{true, false} {
		for _, contact := range []Contact{Sequential, Parallel} {
			left := 0
			for at := range 6 {
				c := config()
				c.Renew.Compare, c.Contact = compare, contact
				b, l, g := holding(c, time.Second)
				released := false
				release := func(b *bench) {
					b.after, released = nil, l.Release(b, g)
				}
				b.after = func(b *bench, n int) {
					if n == at {
						release(b)
					}
				}
				if at == 0 {
					b.at = func(b *bench, name string) {
						if name == "extending" {
							release(b)
						}
					}
				}
				extended := l.Extend(b, &g)
				if !released || compare && extended != (at >= 3) {
					t.Errorf("compare %t, released after call %d: released %t, extended %t", compare, at, released, extended)
				}
				left += len(b.keys)
			}
			if (left == 0) != compare {
				t.Errorf("compare %t: %d keys left", compare, left)
			}
		}
	}
}

func TestAnExtensionWithinAReleaseFindsWhatIsStillThere(t *testing.T) {
	for at := 1; at <= 5; at++ {
		b, l, g := holding(config(), time.Second)
		extended := false
		b.after = func(b *bench, n int) {
			if n == at {
				b.after, extended = nil, l.Extend(b, &g)
			}
		}
		if !l.Release(b, g) || len(b.keys) != 0 || extended != (at <= 2) {
			t.Errorf("extended after call %d of the release: %t, keys %v", at, extended, b.keys)
		}
	}
}

// The arithmetic of an extension, for any rules and any slowness: what it promises is TTL − drift from before its first
// request, whatever was promised before, and only if all of it was there in time.
func TestExtensionArithmetic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := config()
		c.Servers = make([]int, rapid.IntRange(1, 9).Draw(t, "servers"))
		for i := range c.Servers {
			c.Servers[i] = i
		}
		c.TTL = time.Duration(rapid.IntRange(10, 2000).Draw(t, "ttl_ms")) * time.Millisecond
		c.Quorum = rapid.IntRange(0, len(c.Servers)).Draw(t, "quorum")
		c.DriftFactor = Share(rapid.IntRange(0, 200_000).Draw(t, "drift_factor"))
		c.Contact = Contact(rapid.IntRange(0, 1).Draw(t, "contact"))
		c.Timeout = time.Hour
		b, l := newBench(), NewRedlock(c)
		b.cost = 0
		g := l.Acquire(b)
		for range rapid.IntRange(1, 4).Draw(t, "extensions") {
			b.now += time.Duration(rapid.Int64Range(0, int64(c.TTL)).Draw(t, "pause"))
			b.cost = time.Duration(rapid.Int64Range(0, int64(c.TTL)/int64(len(c.Servers))).Draw(t, "cost"))
			for server := range c.Servers {
				if rapid.IntRange(0, 4).Draw(t, "lost") == 0 {
					delete(b.keys, server)
				}
			}
			start, old := b.now, g.Deadline
			extended := l.Extend(b, &g)
			promised := start + c.TTL - c.Drift()
			if want := b.ours(g.Token) >= c.Need() && b.now < old && b.now < promised; extended != want {
				t.Fatalf("extended %t from %s to %s, with %d of %d keys, the old deadline at %s and the new at %s",
					extended, start, b.now, b.ours(g.Token), c.Need(), old, promised)
			}
			want := old
			if extended {
				want = promised
			}
			if g.Deadline != want {
				t.Fatalf("the deadline is %s, want %s", g.Deadline, want)
			}
			if extended && g.Deadline < old {
				t.Fatalf("an extension took from %s to %s", old, g.Deadline)
			}
		}
	})
}
