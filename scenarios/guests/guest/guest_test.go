package guest_test

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/guests/guest"
	"github.com/lockstorm/lockstorm/scenarios/internal/stuck"
	_ "github.com/lockstorm/lockstorm/sim/simtest" // memory is collected as in all tests
)

// A bad lock misbehaves as its fields say.
type bad struct {
	acquire func(ctx context.Context) error
	close   func()
}

func (b bad) Acquire(ctx context.Context) (string, time.Time, error) {
	return "", time.Time{}, b.acquire(ctx)
}
func (bad) Release(context.Context) error { return nil }
func (b bad) Close() {
	if b.close != nil {
		b.close()
	}
}

func (b bad) run(t *testing.T) (*scenarios.Result, error) {
	s, _ := scenarios.Find("baseline/fault-free")
	return guest.Run(t, &s, 1, func(*guest.Client) (guest.Lock, error) { return b, nil })
}

func TestACallThatNeverReturnsIsAFinding(t *testing.T) {
	for name, acquire := range map[string]func(context.Context) error{
		"until its context ends": func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
		"for ever":               func(context.Context) error { <-make(chan int); return nil },
	} {
		t.Run(name, func(t *testing.T) { neverReturns(t, acquire) })
	}
}

func neverReturns(t *testing.T, acquire func(context.Context) error) {
	res, err := bad{acquire: acquire}.run(t)
	if err != nil {
		t.Fatal(err)
	}
	if res.Verdict != scenarios.Fail || res.Evidence.Cut != "" || len(res.Hangs) != 3 || !strings.Contains(res.Failure, "guest_test.go") {
		t.Errorf("it ends as %v, cut short: %s\n%s", res.Verdict, res.Evidence.Cut, res.Failure)
	}
	if want := "c1's acquire hangs: it began at "; !strings.HasPrefix(res.Hangs[0], want) {
		t.Errorf("it says %q, want %s…", res.Hangs[0], want)
	}
	for _, f := range res.Findings {
		if f.Verdict == checker.Unknown {
			t.Errorf("%s is unknown", f.Property)
		}
	}
}

// The run ends before ten TTLs have passed, so it is unknown whether the call would have returned.
func TestRecentCallCutShortIsNotAHang(t *testing.T) {
	s, _ := scenarios.Find("baseline/fault-free")
	s.Horizon = 9 * s.Lock.TTL
	lock := bad{acquire: func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }}
	res, err := guest.Run(t, &s, 1, func(*guest.Client) (guest.Lock, error) { return lock, nil })
	if err != nil || res.Verdict != scenarios.Unknown || res.Hangs != nil {
		t.Errorf("it ends as %v, hangs: %q, %v", res.Verdict, res.Hangs, err)
	}
}

// A keeper is a lock that the first client keeps forever, while the others wait until their contexts end.
type keeper struct {
	bad
	first *sync.Once
}

func (k keeper) Acquire(ctx context.Context) (string, time.Time, error) {
	won := false
	if k.first.Do(func() { won = true }); won {
		return "first", guest.NoDeadline, nil
	}
	<-ctx.Done()
	return "", time.Time{}, ctx.Err()
}

// A wait counts only while no client has the lock. Behind a holder that works until the horizon all wait rightly.
// Behind a holder that released more than ten TTLs ago they hang; so do they behind one whose hold ended long ago.
func TestWaitBehindHolderIsNotAHang(t *testing.T) {
	for name, try := range map[string]struct {
		work  int // in TTLs
		hangs int
	}{
		"who works until the end":         {100, 0},
		"who released nine TTLs before":   {31, 0},
		"who released twenty TTLs before": {20, 2},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := scenarios.Find("baseline/fault-free")
			s.Horizon, s.Work.Cycles = 40*s.Lock.TTL, 1
			work := time.Duration(try.work) * s.Lock.TTL
			s.Work.Work.Min, s.Work.Work.Max = work, work
			lock := keeper{first: new(sync.Once)}
			res, err := guest.Run(t, &s, 1, func(c *guest.Client) (guest.Lock, error) {
				_, err := c.Dial(context.Background(), "tcp", c.Nodes[0])
				return lock, err
			})
			if err != nil || len(res.Evidence.Holds) != 1 || len(res.Hangs) != try.hangs || (res.Evidence.Cut == "") != (try.hangs > 0) {
				t.Errorf("%d holds, hangs: %q, cut short: %q, %v", len(res.Evidence.Holds), res.Hangs, res.Evidence.Cut, err)
			}
		})
	}
}

func TestGuestThatPanicsEndsTheRunWithItsStack(t *testing.T) {
	res, err := bad{acquire: func(context.Context) error { panic("no such thing") }}.run(t)
	if res.Verdict != scenarios.Unknown || len(res.Findings) == 0 {
		t.Errorf("it ends as %v", res.Verdict)
	}
	if err == nil || !strings.Contains(err.Error(), "no such thing") || !strings.Contains(err.Error(), "guest_test.go") {
		t.Errorf("got %v", err)
	}
}

func TestGuestThatLeaksAGoroutineIsNamedWithItsStack(t *testing.T) {
	var never chan struct{}
	res, err := bad{acquire: func(context.Context) error {
		go func() { <-never }()
		return errors.New("not won")
	}}.run(t)
	if res.Verdict != scenarios.Unknown {
		t.Errorf("it ends as %v", res.Verdict)
	}
	if err == nil || !strings.Contains(err.Error(), "left goroutines behind") || !strings.Contains(err.Error(), "guest_test.go") {
		t.Errorf("got %v", err)
	}
}

// Time passes for a guest that waits in tiny steps, but an hour would take hours. So steps count, not seconds.
func TestGuestThatNeverRestsEndsTheRunAsUnknown(t *testing.T) {
	for name, acquire := range map[string]func(context.Context) error{
		"for ever": func(context.Context) error {
			for {
				time.Sleep(time.Microsecond)
			}
		},
		"beside a call that returns": func(ctx context.Context) error {
			go func() {
				for ctx.Err() == nil {
					time.Sleep(time.Microsecond)
				}
			}()
			return errors.New("not won")
		},
	} {
		t.Run(name, func(t *testing.T) {
			defer func(most int) { guest.MostTurns = most }(guest.MostTurns)
			guest.MostTurns = 50_000
			res, err := bad{acquire: acquire}.run(t)
			if res.Verdict != scenarios.Unknown || res.Evidence.Cut == "" {
				t.Errorf("it ends as %v, cut short: %s", res.Verdict, res.Evidence.Cut)
			}
			if err == nil || !strings.Contains(err.Error(), "never rests") || !strings.Contains(err.Error(), "guest_test.go") {
				t.Errorf("got %v", err)
			}
		})
	}
}

// Nothing in Go can end a goroutine that never blocks, so the process ends; another one looks at it. One that lets
// others run is found out by how often it does, and only one that does not by the processor's time.
func TestGuestThatNeverBlocksEndsTheProcessWithItsStack(t *testing.T) {
	spins := map[string]func(context.Context) error{
		"a goroutine of a guest never blocks": func(context.Context) error {
			for { //nolint:staticcheck // it is to spin
			}
		},
		"wait for a mutex, whose holder waits for time": func(context.Context) error {
			var m sync.Mutex
			m.Lock()
			go m.Lock()
			time.Sleep(time.Second)
			return nil
		},
		"those of a guest never rest": func(context.Context) error {
			for {
				runtime.Gosched()
			}
		},
	}
	if want := os.Getenv("GUEST_SPINS"); want != "" {
		if stuck.Patience = time.Hour; strings.Contains(want, "blocks") {
			stuck.Patience = 200 * time.Millisecond
		}
		_, _ = bad{acquire: spins[want]}.run(t)
		return
	}
	for want := range spins {
		c := exec.Command(os.Args[0], "-test.run=^TestGuestThatNeverBlocks", "-test.timeout=60s")
		c.Env = append(os.Environ(), "GUEST_SPINS="+want)
		out, err := c.CombinedOutput()
		if text := string(out); err == nil || !strings.Contains(text, want) || !strings.Contains(text, "guest_test.go") {
			t.Errorf("%s: %v\n%s", want, err, out)
		}
	}
}

// A library that was not given the dialer dials by itself: it reaches no host, and the run proves nothing.
func TestADialPastTheSimulatedNetworkFailsAndIsNamed(t *testing.T) {
	s, _ := scenarios.Find("baseline/fault-free")
	s.Horizon = 10 * time.Second
	var dial error
	res, err := guest.Run(t, &s, 1, func(c *guest.Client) (guest.Lock, error) {
		return bad{acquire: func(context.Context) error {
			_, dial = net.Dial("tcp", c.Nodes[0])
			return dial
		}}, nil
	})
	if dial == nil || !strings.Contains(dial.Error(), "invalid port") {
		t.Errorf("the dial ends with %v", dial)
	}
	if res.Verdict != scenarios.Unknown || err == nil || !strings.Contains(err.Error(), "guest.Client.Dial") || !strings.Contains(res.Evidence.Cut, "no connection") {
		t.Errorf("it ends as %v, cut short: %s; %v", res.Verdict, res.Evidence.Cut, err)
	}
	if _, err := new(guest.Client).Dial(t.Context(), "tcp", "127.0.0.1:6379"); err == nil || !strings.Contains(err.Error(), "no node has this address") {
		t.Errorf("an address of no node: %v", err)
	}
}

// A name look-up fails with advice, in each run of a process: package net shares its resolver among bubbles.
func TestALookUpOfANameFailsAndSaysWhatToDo(t *testing.T) {
	for range 2 {
		said := ""
		_, _ = bad{acquire: func(ctx context.Context) error {
			_, err := new(net.Dialer).DialContext(ctx, "tcp", "redis:6379")
			said = err.Error()
			return err
		}}.run(t)
		if !strings.Contains(said, "guest.Client.Nodes") {
			t.Errorf("the library is told: %s", said)
		}
	}
}

func TestGuestThatCantBeMadeHasNotWon(t *testing.T) {
	s, _ := scenarios.Find("baseline/fault-free")
	s.Horizon = 10 * time.Second
	res, err := guest.Run(t, &s, 1, func(*guest.Client) (guest.Lock, error) { return nil, errors.New("no") })
	if err != nil || len(res.Evidence.Holds) > 0 {
		t.Errorf("%v, %d holds", err, len(res.Evidence.Holds))
	}
}

// A client whose host crashes ends its guest, and a new one begins after the restart.
func TestCrashOfAClientEndsItsGuest(t *testing.T) {
	s, _ := scenarios.Find("baseline/fault-free")
	schedule, err := faults.Parse("when c1 acquired crash c1 for 1s")
	if err != nil {
		t.Fatal(err)
	}
	s.Faults = schedule
	made, ended := 0, 0
	res, err := guest.Run(t, &s, 1, func(c *guest.Client) (guest.Lock, error) {
		made++
		lock, err := newOurs(c)
		return closing{lock, &ended}, err
	})
	if err != nil {
		t.Fatal(err)
	}
	if made != s.Clients+2 || ended != made { // one more after the crash, and the probe
		t.Errorf("%d guests were made, %d were closed", made, ended)
	}
	crashed := 0
	for _, h := range res.Evidence.Holds {
		if h.Crashed {
			crashed++
		}
	}
	if crashed != 1 {
		t.Errorf("%d holds ended in the crash", crashed)
	}
}

type closing struct {
	guest.Lock
	ended *int
}

func (c closing) Close() { *c.ended++; c.Lock.Close() }

// A careless lock says that it has released, and asks no server.
type careless struct{ guest.Lock }

func (careless) Release(context.Context) error { return nil }

// The judges don't trust a library about a release: its keys are left, and its word accuses no client of a leak.
func TestReleaseCountsAsAcknowledgedOnlyIfTheServersAnswered(t *testing.T) {
	s, _ := scenarios.Find("baseline/fault-free")
	s.Clients, s.Work.Cycles = 1, 1
	for _, answered := range []bool{true, false} {
		res, err := guest.Run(t, &s, 1, func(c *guest.Client) (guest.Lock, error) {
			lock, err := newOurs(c)
			if !answered {
				lock = careless{lock}
			}
			return lock, err
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, op := range res.Evidence.History {
			if op.F == checker.Release && op.Type != checker.Invoke && (op.Type == checker.OK) != answered {
				t.Errorf("answered %v: the release is recorded as %v", answered, op.Type)
			}
		}
	}
}

func TestFaultsImpossibleForGuestsAreRejected(t *testing.T) {
	for line, want := range map[string]string{
		"at 1s jump c1 +1s":                 "all servers",
		"at 1s for 1s drift c2 +100ppm":     "all servers",
		"at 1s jump clients +1s":            "all servers",
		"when c1 acquired jump holder +1s":  "all servers",
		"at 1s for 1s suspend a-client":     "give pause",
		"at 1s jump n1 +1s":                 "",
		"at 1s for 1s drift nodes +100ppm":  "",
		"at 1s for 1s pause c1":             "",
		"at 1s for 1s partition c1 | n1 n2": "",
	} {
		schedule, err := faults.Parse(line)
		if err != nil {
			t.Fatal(err)
		}
		s := scenarios.Base()
		s.Faults = schedule
		switch err := guest.Check(&s); {
		case want == "" && err != nil:
			t.Errorf("%s: %v", line, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: got %v, want %q in it", line, err, want)
		}
	}
}

func TestGuestsSeeTheirSchedule(t *testing.T) {
	s, _ := scenarios.Find("kleppmann/clock-jump")
	res, err := guest.Run(t, &s, 1, newOurs)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range res.Findings {
		if f.Property == "validity" && f.Verdict != checker.Violated {
			t.Errorf("validity: %v", f.Verdict)
		}
	}
	again, _ := guest.Run(t, &s, 1, newOurs)
	if res.Hash() != again.Hash() {
		t.Error("the same seed gives another run")
	}
}

// A dial to a server that is off ends as on a real network, because libraries look at the kind of error.
func TestADialToAServerThatIsOffIsRefused(t *testing.T) {
	s, _ := scenarios.Find("baseline/fault-free")
	s.Clients, s.Work.Cycles = 1, 1
	var err error
	if s.Faults, err = faults.Parse("at 0s for 10s crash n1"); err != nil {
		t.Fatal(err)
	}
	var dials []error
	_, err = guest.Run(t, &s, 1, func(c *guest.Client) (guest.Lock, error) {
		return bad{acquire: func(ctx context.Context) error {
			_, err := c.Dial(ctx, "tcp", c.Nodes[0])
			dials = append(dials, err)
			return err
		}}, nil
	})
	if err != nil || len(dials) == 0 || !errors.Is(dials[0], syscall.ECONNREFUSED) {
		t.Errorf("the dials end with %v, want %v at first; %v", dials, syscall.ECONNREFUSED, err)
	}
}

// A connection that was closed is closed: to close it again, as pools do that close all they have, changes nothing.
func TestAConnectionIsClosedOnce(t *testing.T) {
	s, _ := scenarios.Find("baseline/fault-free")
	s.Work.Cycles = 1
	closed := 0
	lock := bad{}
	res, err := guest.Run(t, &s, 1, func(c *guest.Client) (guest.Lock, error) {
		first, err := c.Dial(context.Background(), "tcp", c.Nodes[0])
		if err != nil {
			return nil, err
		}
		lock.acquire = func(context.Context) error {
			for range 3 {
				if err := first.Close(); err != nil {
					t.Error(err)
				}
				if _, err := first.Write([]byte("*1\r\n$4\r\nPING\r\n")); !errors.Is(err, net.ErrClosed) {
					t.Errorf("a write after it was closed: %v", err)
				}
				if _, err := first.Read(make([]byte, 1)); !errors.Is(err, net.ErrClosed) {
					t.Errorf("a read after it was closed: %v", err)
				}
			}
			closed++
			return errors.New("not won")
		}
		return lock, nil
	})
	if err != nil || closed == 0 || len(res.Evidence.Holds) > 0 {
		t.Errorf("%d closed, %d holds, %v", closed, len(res.Evidence.Holds), err)
	}
}
