package sim

import (
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// breaks runs the world, and looks for what its panic says.
func breaks(t *testing.T, w *World, want string) {
	t.Helper()
	if got := panics(func() { w.Run() }); !strings.Contains(got, want) {
		t.Errorf("Run panics with %q, want %q", got, want)
	}
}

const notIn = "used by code that does not run in it"

func TestProcIsUsedInsideOnly(t *testing.T) {
	for name, misuse := range map[string]func(w *pair, p *Proc){
		"before the run":            func(_ *pair, p *Proc) { p.Mark("x") },
		"in a planned function":     func(w *pair, p *Proc) { w.At(ms, func() { p.Mono() }) },
		"by a proc of another host": func(w *pair, p *Proc) { w.d.Go("main", func(*Proc) { p.Sleep(1) }) },
		"by its neighbour":          func(w *pair, p *Proc) { w.c.Go("other", func(*Proc) { p.Draw(2) }) },
		"by its parent": func(w *pair, p *Proc) {
			var child *Proc
			w.c.Go("other", func(q *Proc) {
				q.Together(1, func(int) { child = q.world.running })
				child.Mono()
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newPair(t, plain)
			p := w.c.Go("main", func(p *Proc) { p.Sleep(time.Second) })
			if got := panics(func() { misuse(w, p); w.Run() }); !strings.Contains(got, notIn) {
				t.Errorf("it panics with %q", got)
			}
		})
	}
}

func TestHostsAreAddedBeforeTheRun(t *testing.T) {
	const late = "host late added to a world whose network is in use"
	w := newPair(t, plain)
	w.At(0, func() { w.AddHost("late", nil, 0, 0) })
	breaks(t, w.World, late)

	w = newPair(t, plain)
	w.Cut(w.c, w.n)
	if got := panics(func() { w.AddHost("late", nil, 0, 0) }); !strings.Contains(got, late) {
		t.Errorf("after a cut, it panics with %q", got)
	}
}

func TestHostsHaveNamesOfTheirOwn(t *testing.T) {
	w := newPair(t, plain)
	if got := panics(func() { w.AddHost("n", nil, 0, 0) }); !strings.Contains(got, "host n added twice") {
		t.Errorf("it panics with %q", got)
	}
}

func TestWorldRunsOnce(t *testing.T) {
	w := newPair(t, plain)
	finishes(t, w.World)
	breaks(t, w.World, "a world runs once")
	w.Reset(plain)
	finishes(t, w.World)
}

func TestOnlyServersAreCalled(t *testing.T) {
	w := newPair(t, plain)
	w.c.Go("main", func(p *Proc) { p.Call(w.d.ID, "x", time.Second) })
	breaks(t, w.World, "c calls d, which serves nothing")
}

var errBug = errors.New("a bug in a protocol")

type broken struct{}

func (broken) Serve(any) any { panic(errBug) }

// A panic that is not the world's own comes out of Run with its value, and it leaves a world that can be used again.
// It does so whose stack ever it happened on; no other proc gets to see it.
func TestRealPanicComesOutOfRun(t *testing.T) {
	bystander := func(w *pair) {
		w.d.Go("bystander", func(p *Proc) {
			defer func() { recover(); p.Mark("the bystander recovered") }()
			p.Sleep(time.Second)
		})
	}
	for name, bug := range map[string]func(w *pair){
		"in a proc":     func(w *pair) { w.c.Go("main", func(p *Proc) { p.Mono(); panic(errBug) }) },
		"in its child":  func(w *pair) { w.c.Go("main", func(p *Proc) { p.Together(2, func(int) { p.Mono(); panic(errBug) }) }) },
		"in an event":   func(w *pair) { w.At(ms, func() { panic(errBug) }) },
		"at a mark":     func(w *pair) { w.marks("a"); w.OnMark(w.c, "a", 1, func() { panic(errBug) }) },
		"in a service":  func(w *pair) { w.n.service = broken{}; w.calls(w.c, 1, time.Second) },
		"before others": func(w *pair) { w.At(0, func() { panic(errBug) }); litter(w) },
	} {
		t.Run(name, func(t *testing.T) {
			before := runtime.NumGoroutine()
			w := newPair(t, plain)
			bystander(w)
			bug(w)
			func() {
				defer func() {
					if r := recover(); r != errBug {
						t.Errorf("Run panics with %v", r)
					}
				}()
				w.Run()
			}()
			if slices.ContainsFunc(w.Trace(), func(e Event) bool { return e.Body == "the bystander recovered" }) {
				t.Error("a bystander noticed")
			}
			p := refill(w.World, plain)
			p.calls(p.c, 1, time.Second)
			finishes(t, p.World)
			tells(t, p.World, "211µs received c>n", Received)
			w.Close()
			if after := runtime.NumGoroutine(); after > before {
				t.Errorf("%d goroutines before, %d after Close", before, after)
			}
		})
	}
}

// A proc that panics still runs its deferred functions, as it would anywhere; and they still speak to the world.
func TestPanickingProcUnlocks(t *testing.T) {
	w := newPair(t, plain)
	w.c.Go("main", func(p *Proc) {
		defer p.Call(w.n.ID, "unlock", time.Second)
		p.Call(w.n.ID, "lock", time.Second)
		panic(errBug)
	})
	breaks(t, w.World, errBug.Error())
	if !slices.Equal(w.server.seen, []any{"lock", "unlock"}) {
		t.Errorf("the server saw %v", w.server.seen)
	}
}
