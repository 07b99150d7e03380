package recorder_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/codec"
	"github.com/lockstorm/lockstorm/checker/recorder"
	"pgregory.net/rapid"
)

// stepped returns a Recorder whose clock goes a second on with each call.
func stepped() *recorder.Recorder {
	now := -time.Second
	return &recorder.Recorder{Clock: func() time.Duration { now += time.Second; return now }}
}

// verdict judges one promise, and explains it.
func verdict(t *testing.T, r *recorder.Recorder, property string) (checker.Verdict, string) {
	t.Helper()
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	e := r.Evidence()
	if err := errors.Join(e.Check(), r.History().Check()); err != nil {
		t.Fatal(err)
	}
	var j checker.Judge
	p, _ := checker.Lookup(property)
	f := j.Ask(e, p)
	return f.Verdict, e.Account(f).Text
}

func TestTwoHoldersAreReported(t *testing.T) {
	r := stepped()
	a, b := r.Client(), r.Client()
	a.Asking()                   // 0s
	a.Acquired(33, time.Second)  // 1s, until 2s
	b.Asking()                   // 2s
	b.Acquired(34, time.Minute)  // 3s
	a.Releasing()                // 4s
	a.Released()                 // 5s
	a.Asking()                   // 6s
	a.Failed(errors.New("busy")) // 7s
	b.Crashed()                  // 8s
	if v, says := verdict(t, r, "belief"); v != checker.Violated || !strings.Contains(says, "From 3 s to 4 s both c1 (token 33) and c2 (token 34)") {
		t.Errorf("belief %v: %s", v, says)
	}
	for _, p := range []string{"validity", "tokens"} {
		if v, says := verdict(t, r, p); v != checker.Holds {
			t.Errorf("%s %v: %s", p, v, says)
		}
	}
	e := r.Evidence()
	if h := e.Holds[1]; !h.Crashed || h.Gone != 8e9 || len(e.Tries) != 3 || e.Tries[2].Outcome != checker.NoQuorum {
		t.Errorf("%+v %+v", h, e.Tries)
	}
}

func TestAnExtensionLengthensTheValidity(t *testing.T) {
	r := stepped()
	a, b := r.Client(), r.Client()
	a.Asking()
	a.Acquired(0, 3*time.Second) // 1s, until 4s
	a.Extending()
	a.Extended(9 * time.Second) // 3s, until 12s
	b.Asking()
	b.Acquired(0, time.Second) // 5s
	if v, says := verdict(t, r, "validity"); v != checker.Violated || !strings.Contains(says, "From 5 s to 6 s") {
		t.Errorf("%v: %s", v, says)
	}
}

func TestOverwrittenUpdateIsReported(t *testing.T) {
	r := stepped()
	a, b := r.Client(), r.Client()
	a.Writing(33, 0)
	b.Writing(34, 0)
	b.Wrote(1)
	a.Wrote(2)
	if v, says := verdict(t, r, "storage"); v != checker.Violated || !strings.Contains(says, "c2's update (version 1, token 34)") {
		t.Errorf("%v: %s", v, says)
	}
}

// It is unknown which version a write with an unknown outcome made, so no promise holds for certain.
func TestALostWriteLeavesThePromisesUnknown(t *testing.T) {
	r := stepped()
	c := r.Client()
	c.Writing(0, 0)
	c.Lost(nil)
	c.Reading(0)
	c.Read(1)
	if v, says := verdict(t, r, "storage"); v != checker.Unknown || !strings.Contains(says, "not every write is on record") {
		t.Errorf("%v: %s", v, says)
	}
	if h := r.History(); h[2].Process != 1 || h[1].Type != checker.Info {
		t.Errorf("%+v", h)
	}
}

func TestACallThatDoesNotFitIsRefused(t *testing.T) {
	for want, call := range map[string]func(c *recorder.Client){
		"calls Acquired, but it is at no acquire": func(c *recorder.Client) { c.Acquired(0, 0) },
		"calls Failed, but it is at nothing":      func(c *recorder.Client) { c.Failed(nil) },
		"calls Stopped, but it holds nothing":     func(c *recorder.Client) { c.Stopped() },
		"calls Reading, but it is at its acquire": func(c *recorder.Client) { c.Asking(); c.Reading(0) },
		"calls Asking, but it has crashed":        func(c *recorder.Client) { c.Crashed(); c.Asking() },
		"calls Asking, but it holds the lock":     func(c *recorder.Client) { c.Asking(); c.Acquired(0, 0); c.Asking() },
	} {
		r := stepped()
		call(r.Client())
		if err := r.Err(); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "want ") {
			t.Errorf("got %v, want %s", err, want)
		}
		if n, err := r.WriteTo(&bytes.Buffer{}); n != 0 || err == nil {
			t.Error("it was written all the same")
		}
	}
}

// calls has every call of a client.
var calls = []func(t *rapid.T, c *recorder.Client){
	func(t *rapid.T, c *recorder.Client) { // what fits comes often
		c.Asking()
		c.Acquired(1, time.Duration(rapid.Int64Range(-3, 90).Draw(t, "long")))
	},
	func(_ *rapid.T, c *recorder.Client) { c.Releasing(); c.Released() },
	func(t *rapid.T, c *recorder.Client) {
		c.Extending()
		c.Extended(time.Duration(rapid.Int64Range(-3, 90).Draw(t, "longer")))
	},
	func(_ *rapid.T, c *recorder.Client) { c.Asking() },
	func(t *rapid.T, c *recorder.Client) {
		c.Acquired(rapid.Uint64Range(0, 3).Draw(t, "fence"), time.Duration(rapid.Int64Range(-3, 9).Draw(t, "validity")))
	},
	func(_ *rapid.T, c *recorder.Client) { c.Extending() },
	func(t *rapid.T, c *recorder.Client) {
		c.Extended(time.Duration(rapid.Int64Range(-3, 9).Draw(t, "validity")))
	},
	func(_ *rapid.T, c *recorder.Client) { c.Releasing() },
	func(_ *rapid.T, c *recorder.Client) { c.Released() },
	func(_ *rapid.T, c *recorder.Client) { c.Stopped() },
	func(_ *rapid.T, c *recorder.Client) { c.Reading(1) },
	func(_ *rapid.T, c *recorder.Client) { c.Read(2) },
	func(t *rapid.T, c *recorder.Client) { c.Writing(1, rapid.Uint64Range(0, 3).Draw(t, "base")) },
	func(t *rapid.T, c *recorder.Client) { c.Wrote(rapid.Uint64Range(0, 3).Draw(t, "made")) },
	func(_ *rapid.T, c *recorder.Client) { c.Failed(errors.New("no")) },
	func(_ *rapid.T, c *recorder.Client) { c.Lost(nil) },
}

// Whatever is called, and with whatever clock, the record is sound, and its file reads back.
func TestTheRecordIsSoundWhateverIsCalled(t *testing.T) {
	holds, released := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		r := &recorder.Recorder{Clock: func() time.Duration { return time.Duration(rapid.Int64Range(-2, 40).Draw(t, "now")) }}
		clients := []*recorder.Client{r.Client(), r.Client(), r.Client()}
		for range rapid.SampledFrom([]int{0, 20, 200, 600}).Draw(t, "calls") {
			c := clients[rapid.IntRange(0, 2).Draw(t, "client")]
			if rapid.IntRange(0, 60).Draw(t, "crash") == 60 {
				c.Crashed()
			}
			calls[rapid.IntRange(0, len(calls)-1).Draw(t, "call")](t, c)
		}
		h, e := r.History(), r.Evidence()
		if err := errors.Join(h.Check(), e.Check()); err != nil {
			t.Fatal(err)
		}
		holds += len(e.Holds)
		for _, try := range e.Tries {
			if try.Clean {
				released++
			}
		}
		back, err := codec.Reading{}.Read(bytes.NewReader(codec.AppendJSON(nil, h)))
		if len(h) > 0 && (err != nil || !slices.Equal(back.History, h)) {
			t.Fatalf("%v, %v", back, err)
		}
	})
	if t.Logf("%d holds, %d of them released", holds, released); released == 0 {
		t.Error("that shows nothing: nobody ever released the lock")
	}
}

// Goroutines that do call in turn, as the scheduler has it, leave a record in which a mutex excludes.
func TestGoroutinesLeaveASoundRecord(t *testing.T) {
	var r recorder.Recorder
	var lock sync.Mutex
	var all sync.WaitGroup
	for range 8 {
		c := r.Client()
		all.Go(func() {
			for range 50 {
				c.Asking()
				lock.Lock()
				c.Acquired(0, 0)
				c.Releasing()
				lock.Unlock()
				c.Released()
			}
		})
	}
	all.Wait()
	for _, p := range []string{"belief", "validity"} {
		if v, says := verdict(t, &r, p); v != checker.Holds {
			t.Errorf("%s %v: %s", p, v, says)
		}
	}
	if e := r.Evidence(); len(e.Holds) != 400 {
		t.Errorf("%d holds", len(e.Holds))
	}
}
