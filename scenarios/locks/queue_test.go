package locks

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// A shelf is a coordination service without a simulator: keys in the order of their creation.
type shelf struct {
	b        *bench
	revision uint64
	keys     []Key
	ended    []uint64       // sessions that are no more
	lost     map[string]int // how many answers to a request are lost, by its name; the request is still done
	asked    []string
	woken    func(k Key) // is called in place of waiting
}

func newShelf() (*bench, *shelf) {
	b := newBench()
	return b, &shelf{b: b, revision: 1, lost: map[string]int{}}
}

var errLost = errors.New("no reply in time")

var (
	_ Extender = (*Queue)(nil)
	_ Keys     = (*shelf)(nil)
)

// answer takes its time, or is lost.
func (s *shelf) answer(request string, said error) error {
	s.asked = append(s.asked, request)
	if s.lost[request] > 0 {
		s.lost[request]--
		s.b.now += time.Second
		return errLost
	}
	s.b.now += s.b.cost
	return said
}

func (s *shelf) Grant(Client, time.Duration, time.Duration) (uint64, error) {
	s.revision++
	return 100 + s.revision, s.answer("grant", nil)
}

func (s *shelf) KeepAlive(_ Client, session uint64) error {
	if slices.Contains(s.ended, session) {
		return s.answer("keep-alive", ErrSession)
	}
	return s.answer("keep-alive", nil)
}

func (s *shelf) Create(_ Client, k Key, sequential bool) (Key, View, error) {
	if slices.Contains(s.ended, k.Session) {
		return Key{}, View{}, s.answer("create", ErrSession)
	}
	if sequential {
		k.Name += fmt.Sprintf("%010d", s.revision)
	}
	i := slices.IndexFunc(s.keys, func(o Key) bool { return o.Name == k.Name })
	if i < 0 {
		i = len(s.keys)
		s.put(k.Name, k.Session)
	}
	return s.keys[i], s.view(), s.answer("create", nil)
}

// put creates a key of any session.
func (s *shelf) put(name string, session uint64) {
	s.revision++
	s.keys = append(s.keys, Key{Name: name, Session: session, Created: s.revision})
}

func (s *shelf) view() View { return View{s.revision, slices.Clone(s.keys)} }

func (s *shelf) List(Client, string, bool) (View, error) { return s.view(), s.answer("list", nil) }

func (s *shelf) Await(_ Client, _ string, k Key, _ uint64, _ time.Duration) error {
	s.woken(k)
	return s.answer("await "+k.Name, nil)
}

func (s *shelf) Delete(_ Client, k Key) error {
	s.drop(func(o Key) bool { return o.Name == k.Name && (k.Created == 0 || k.Created == o.Created) })
	return s.answer("delete", nil)
}

func (s *shelf) drop(which func(Key) bool) {
	s.revision++
	s.keys = slices.DeleteFunc(s.keys, which)
}

// end ends a session, and its keys.
func (s *shelf) end(session uint64) {
	s.ended = append(s.ended, session)
	s.drop(func(k Key) bool { return k.Session == session })
}

func (s *shelf) lock(recipe func(Config) *Queue, change func(*SessionRules)) *Queue {
	r := SessionReference()
	if change != nil {
		change(&r)
	}
	return recipe(s.config(r))
}

func (s *shelf) config(r SessionRules) Config {
	return Config{Rules: Rules{TTL: r.TTL, Timeout: r.Timeout, Session: r}, Key: "lock", Keys: s}
}

var queues = map[string]func(Config) *Queue{"etcd": NewEtcd, "zookeeper": NewZooKeeper}

func TestTheFirstInTheQueueHoldsTheLockAndItsTokenIsTheRevisionOfItsKey(t *testing.T) {
	for name, recipe := range queues {
		b, s := newShelf()
		l := s.lock(recipe, nil)
		var last uint64
		for range 3 {
			g := l.Acquire(b)
			if !g.Won() || len(s.keys) != 1 || g.Token != s.keys[0].Name || g.Fence != s.keys[0].Created || g.Fence <= last {
				t.Fatalf("%s: %+v after %d, keys %v", name, g, last, s.keys)
			}
			last = g.Fence
			if !l.Release(b, g) || len(s.keys) != 0 {
				t.Errorf("%s: keys left: %v", name, s.keys)
			}
		}
		if grants := slices.DeleteFunc(s.asked, func(a string) bool { return a != "grant" }); len(grants) != 1 {
			t.Errorf("%s: %d sessions", name, len(grants))
		}
	}
}

// Two are before the waiter. It watches one, and looks again, as that one may have left without the lock.
func TestAWaiterWatchesItsPredecessorOrEverybody(t *testing.T) {
	for name, recipe := range queues {
		for watch, want := range map[Watch]string{Predecessor: "[await b await a]", Everybody: "[await  await ]"} {
			b, s := newShelf()
			s.put("a", 1)
			s.put("b", 2)
			s.woken = func(Key) { s.end(s.keys[min(1, len(s.keys)-2)].Session) } // b goes first, then a
			g := s.lock(recipe, func(r *SessionRules) { r.Watch = watch }).Acquire(b)
			got := slices.DeleteFunc(s.asked, func(a string) bool { return !strings.HasPrefix(a, "await") })
			if !g.Won() || fmt.Sprint(got) != want {
				t.Errorf("%s, watch %d: %+v after %v", name, watch, g, got)
			}
		}
	}
}

// Its session ends while it queues, and another's key comes first. Its own clock may know, or the service: either saves
// it.
func TestAWaiterWhoseSessionEndedIsNotGrantedTheLock(t *testing.T) {
	for name, recipe := range queues {
		for check, won := range map[Check]bool{CheckBoth: false, CheckKey: false, CheckSession: false, CheckNone: true} {
			b, s := newShelf()
			s.put("a", 1)
			l := s.lock(recipe, func(r *SessionRules) { r.Check = check })
			s.woken = func(Key) {
				b.now += 20 * time.Second
				s.end(l.id)
				s.end(1)
				s.put("b", 2)
			}
			if g := l.Acquire(b); g.Won() != won {
				t.Errorf("%s, check %d: %+v, keys %v", name, check, g, s.keys)
			}
		}
	}
}

func TestAKeepAliveCountsFromWhenItWasSentAndOnlyIfItIsAnswered(t *testing.T) {
	for _, c := range []struct {
		rule     string
		change   func(*SessionRules)
		answered time.Duration // what is left after an answer that took a second
		lost     time.Duration // and after none in five seconds more
	}{
		{"the reference", nil, 8900 * time.Millisecond, 3900 * time.Millisecond},
		{"no margin", func(r *SessionRules) { r.Margin = 0 }, 9 * time.Second, 4 * time.Second},
		{"from the answer on", func(r *SessionRules) { r.Sent = false }, 9900 * time.Millisecond, 4900 * time.Millisecond},
		{"when it is sent", func(r *SessionRules) { r.Confirm = false }, 8900 * time.Millisecond, 8900 * time.Millisecond},
	} {
		b, s := newShelf()
		l := s.lock(NewEtcd, c.change)
		g := l.Acquire(b)
		b.now += 2 * time.Second // what counts is this keep-alive, and no request before it
		b.cost = time.Second
		if !l.Extend(b, &g) || l.Left(b, g) != c.answered || g.Deadline != b.now+c.answered {
			t.Errorf("%s: answered, and %s are left", c.rule, l.Left(b, g))
		}
		b.now += 4 * time.Second
		s.lost["keep-alive"] = 1
		if l.Extend(b, &g) || l.Left(b, g) != c.lost {
			t.Errorf("%s: not answered, and %s are left", c.rule, l.Left(b, g))
		}
	}
}

func TestClientStopsWhenItLearnsThatItsSessionEnded(t *testing.T) {
	b, s := newShelf()
	var moved []time.Duration
	l := NewEtcd(s.config(SessionReference()))
	l.OnDeadline(func(_ Client, until time.Duration) { moved = append(moved, until) })
	g := l.Acquire(b)
	s.end(l.id)
	if l.Extend(b, &g) || l.Left(b, g) > 0 || g.Deadline > b.now {
		t.Errorf("%s left of %+v", l.Left(b, g), g)
	}
	if want := []time.Duration{9900 * time.Millisecond, b.now}; !slices.Equal(moved, want) {
		t.Errorf("it was told %v, want %v", moved, want)
	}
	if g = l.Acquire(b); !g.Won() || l.Left(b, g) <= 0 {
		t.Errorf("with a new session: %+v, %s left", g, l.Left(b, g))
	}
}

// A client that was away for longer than its session lasts begins another before it asks for a key.
func TestAnExpiredSessionIsNotUsedAgain(t *testing.T) {
	for name, recipe := range queues {
		b, s := newShelf()
		l := s.lock(recipe, nil)
		l.Release(b, l.Acquire(b))
		before := l.id
		b.now += 20 * time.Second
		if g := l.Acquire(b); !g.Won() || l.id == before || l.Left(b, g) <= 0 {
			t.Errorf("%s: %+v under session %d, after %d, with %s left", name, g, l.id, before, l.Left(b, g))
		}
	}
}

// While a keep-alive is under way the client ends its session and begins another. The answer is about the first.
func TestAnAnswerAboutAnEarlierSessionDoesNotMoveTheDeadlineOfTheNext(t *testing.T) {
	for name, change := range map[string]func(s *shelf, session uint64){
		"kept alive": func(*shelf, uint64) {},
		"refused":    func(s *shelf, session uint64) { s.ended = append(s.ended, session) },
	} {
		b, s := newShelf()
		l := s.lock(NewEtcd, nil)
		l.Acquire(b)
		change(s, l.id)
		var left time.Duration
		b.at = func(b *bench, mark string) {
			if mark == "keep-alive" {
				b.at = nil
				l.leave(b)
				l.open(b)
				left = l.until
				b.now += time.Second
			}
		}
		if l.keepAlive(b) || l.id == 0 || l.until != left {
			t.Errorf("%s: session %d until %s, want %s", name, l.id, l.until, left)
		}
	}
}

// The first of two tries to delete arrives after the client has acquired the lock again.
func TestALateDeleteLeavesAKeyThatWasGrantedSince(t *testing.T) {
	for _, compare := range []bool{true, false} {
		b, s := newShelf()
		l := s.lock(NewEtcd, func(r *SessionRules) { r.Compare = compare })
		old := l.Acquire(b)
		s.lost["delete"] = 1
		l.Release(b, old)
		fresh := l.Acquire(b)
		l.free(b, old)
		if kept := len(s.keys) == 1; !fresh.Won() || kept != compare {
			t.Errorf("compare %t: after %+v and %+v: keys %v", compare, old, fresh, s.keys)
		}
	}
}

// A client that keeps a session with a leftover key waits for itself.
func TestASessionUnderWhichAKeyMayBeLeftIsGivenUp(t *testing.T) {
	for _, lost := range []string{"delete", "create"} {
		for _, giveUp := range []bool{true, false} {
			b, s := newShelf()
			l := s.lock(NewEtcd, func(r *SessionRules) { r.GiveUp = giveUp })
			first := l.Acquire(b)
			before := l.id
			s.lost[lost] = 3
			l.Release(b, first)
			l.Acquire(b)
			if kept := l.id == before; kept == giveUp {
				t.Errorf("three answers to %s lost, give up %t: the session was kept: %t", lost, giveUp, kept)
			}
		}
	}
}

func TestLostCreateEndsTheSessionWithTheHold(t *testing.T) {
	b, s := newShelf()
	l := s.lock(NewEtcd, nil)
	s.lost["create"] = 1
	g := l.Acquire(b)
	if !g.Won() || !l.Release(b, g) || l.id != 0 {
		t.Errorf("%+v, and its session is %d", g, l.id)
	}
}

// The guid is how the client knows its own node.
func TestACreateWithoutAnAnswerIsLookedForBeforeAnother(t *testing.T) {
	for _, look := range []bool{true, false} {
		b, s := newShelf()
		s.woken = func(Key) { b.now += time.Minute }
		s.lost["create"] = 1
		l := s.lock(NewZooKeeper, func(r *SessionRules) { r.OwnNode = look })
		g := Retry{Attempts: 1}.Acquire(b, l, 30*time.Second)
		if g.Won() != look || len(s.keys) != 1 {
			t.Errorf("look %t: %+v, keys %v", look, g, s.keys)
		}
	}
}

func TestWaiterLeavesTheQueueWhenItsPatienceEnds(t *testing.T) {
	for name, recipe := range queues {
		b, s := newShelf()
		s.put("a", 1)
		s.woken = func(Key) { b.now += 2 * time.Second }
		g := Retry{Attempts: 1}.Acquire(b, s.lock(recipe, nil), 5*time.Second)
		if g.Outcome != NoQuorum || !g.Clean || len(s.keys) != 1 || b.now > 7*time.Second {
			t.Errorf("%s: %+v at %s, keys %v", name, g, b.now, s.keys)
		}
	}
}

// A third of the TTL apart; sooner after one that had no answer. A session that was given up is left alone.
func TestASessionIsKeptAliveUntilItIsStopped(t *testing.T) {
	b, s := newShelf()
	b.cost = 0
	l := s.lock(NewEtcd, func(r *SessionRules) { r.TTL = 9 * time.Second })
	l.Acquire(b)
	var at []time.Duration
	b.at = func(b *bench, mark string) {
		if mark != "keep-alive" {
			return
		}
		switch at = append(at, b.now); len(at) {
		case 2:
			s.lost["keep-alive"] = 1
		case 4:
			s.end(l.id)
		}
	}
	done := Client(stopper{b, func() {
		if b.now > time.Minute {
			l.Stop()
		}
	}})
	l.Keep(done)
	if want := []time.Duration{3 * time.Second, 6 * time.Second, 7500 * time.Millisecond, 10500 * time.Millisecond}; !slices.Equal(at, want) {
		t.Errorf("kept alive at %v, want %v", at, want)
	}
}

// A stopper is a bench that looks, before each sleep, whether it is time to stop.
type stopper struct {
	*bench
	look func()
}

func (s stopper) Sleep(d time.Duration) {
	s.look()
	s.bench.Sleep(d)
}
