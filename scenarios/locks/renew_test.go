package locks

import (
	"testing"
	"time"
)

// An observer is an Extender that takes notes, in the way in which a scenario would.
type observer struct {
	*Redlock
	asked []time.Duration
	ok    []bool
}

func (o *observer) Extend(c Client, g *Grant) bool {
	o.asked = append(o.asked, c.Mono())
	ok := o.Redlock.Extend(c, g)
	o.ok = append(o.ok, ok)
	return ok
}

// renewing is a lock that is held, and a renewal for it.
func renewing(change func(r *Renew)) (*bench, *observer, *Renewal) {
	c := config()
	c.Renew.Every = 3 * time.Second
	change(&c.Renew)
	b := newBench()
	b.cost = 0
	o := &observer{Redlock: NewRedlock(c)}
	g := o.Acquire(b)
	return b, o, &Renewal{Renew: c.Renew, Lock: o, Grant: &g}
}

func TestARenewalExtendsTheHoldUntilItIsStopped(t *testing.T) {
	b, o, r := renewing(func(*Renew) {})
	b.at = func(b *bench, name string) {
		if len(o.asked) == 4 && name == "extension-answered" {
			r.Stop()
		}
	}
	r.Run(b)
	for i, at := range o.asked {
		if want := time.Duration(i+1) * 3 * time.Second; at != want || !o.ok[i] {
			t.Errorf("extension %d at %s, want %s: %t", i+1, at, want, o.ok[i])
		}
	}
	if len(o.asked) != 4 || r.Grant.Deadline != 12*time.Second+9898*time.Millisecond {
		t.Errorf("%d extensions, deadline %s", len(o.asked), r.Grant.Deadline)
	}
}

func TestRenewalWithoutAnIntervalDoesNothing(t *testing.T) {
	b, o, r := renewing(func(r *Renew) { r.Every = 0 })
	if r.Run(b); len(o.asked) != 0 {
		t.Errorf("extended %d times", len(o.asked))
	}
}

func TestAHoldIsExtendedAsOftenAsItMayBe(t *testing.T) {
	for _, attempts := range []int{1, 5} {
		b, o, r := renewing(func(r *Renew) { r.Attempts = attempts })
		if r.Run(b); len(o.asked) != attempts {
			t.Errorf("%d attempts: %d", attempts, len(o.asked))
		}
	}
}

func TestRenewalAfterReleaseEndsWithItsKeys(t *testing.T) {
	for _, stop := range []bool{true, false} {
		b, o, r := renewing(func(r *Renew) { r.StopAtFree = stop })
		b.at = func(b *bench, name string) {
			if len(o.asked) == 2 && name == "extension-answered" {
				b.at = nil
				r.Stop()
				b.silence(0, 1, 2)
				o.Release(b, *r.Grant) // which three servers never receive
				clear(b.down)
				for server := range 3 {
					b.keys[server] = r.Grant.Token
				}
			}
		}
		b.after = func(b *bench, n int) {
			if b.now > time.Minute {
				clear(b.keys)
			}
		}
		r.Run(b)
		if outlived := len(o.asked) > 2; outlived == stop {
			t.Errorf("stop %t: %d extensions", stop, len(o.asked))
		}
		if !stop && (len(o.asked) < 20 || b.now < time.Minute) {
			t.Errorf("the key lived on for %d extensions only, until %s", len(o.asked), b.now)
		}
	}
}

func TestAnExtensionThatFailedIsTriedAgainUntilTheDeadline(t *testing.T) {
	b, o, r := renewing(func(*Renew) {})
	b.silence(0, 1, 2)
	b.at = func(b *bench, name string) {
		if len(o.asked) == 3 && name == "extending" {
			clear(b.down)
		}
		if len(o.asked) == 5 && name == "extending" {
			b.silence(0, 1, 2)
		}
	}
	r.Run(b)
	want := []bool{false, false, true, true, false, false, false, false}
	if len(o.ok) != len(want) {
		t.Fatalf("extensions %v at %v, want %v", o.ok, o.asked, want)
	}
	for i := range want {
		if o.ok[i] != want[i] {
			t.Errorf("extensions %v, want %v", o.ok, want)
		}
	}
	if left := o.Left(b, *r.Grant); left > 0 {
		t.Errorf("the renewal gave up with %s left", left)
	}
}
