package storage

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

func attached(w *sim.World) *Store {
	s := &Store{}
	s.Attach(w, Config{ReadsMark: true})
	return s
}

func newStore(t testing.TB) *Store {
	w := sim.New(sim.Config{})
	t.Cleanup(w.Close)
	return attached(w)
}

// Each line is a request that carries a token, and its outcome.
func TestRegistersSideBySide(t *testing.T) {
	type (
		r = Read
		w = Write
	)
	for name, history := range map[string][]struct {
		request any
		want    State
	}{
		"a new store has versions 0": {
			{r{}, State{}},
		},
		"without tokens both apply every write": {
			{&w{}, State{Plain: 1, Fenced: 1}},
			{&w{}, State{Plain: 2, Fenced: 2}},
			{r{}, State{Plain: 2, Fenced: 2}},
		},
		"33 after 34 is refused by the fenced one only": {
			{&w{Pass: Pass{Fence: 34}}, State{Plain: 1, Fenced: 1}},
			{&w{Pass: Pass{Fence: 33}}, State{Plain: 2, Refused: true}},
			{r{Pass: Pass{Fence: 34}}, State{Plain: 2, Fenced: 1}},
		},
		"a read raises the mark": {
			{r{Pass: Pass{Fence: 34}}, State{}},
			{&w{Pass: Pass{Fence: 33}}, State{Plain: 1, Refused: true}},
			{&w{Pass: Pass{Fence: 34}}, State{Plain: 2, Fenced: 1}},
		},
		"a stale read is refused, and sees the plain one": {
			{&w{Pass: Pass{Fence: 34}}, State{Plain: 1, Fenced: 1}},
			{r{Pass: Pass{Fence: 33}}, State{Plain: 1, Refused: true}},
		},
		"what is refused does not lower the mark": {
			{&w{Pass: Pass{Fence: 34}}, State{Plain: 1, Fenced: 1}},
			{&w{Pass: Pass{Fence: 33}}, State{Plain: 2, Refused: true}},
			{&w{Pass: Pass{Fence: 33}}, State{Plain: 3, Refused: true}},
		},
		"equal tokens pass": {
			{&w{Pass: Pass{Fence: 33}}, State{Plain: 1, Fenced: 1}},
			{r{Pass: Pass{Fence: 33}}, State{Plain: 1, Fenced: 1}},
			{&w{Pass: Pass{Fence: 33}}, State{Plain: 2, Fenced: 2}},
		},
		"no token is the stalest": {
			{&w{Pass: Pass{Fence: 1}}, State{Plain: 1, Fenced: 1}},
			{&w{}, State{Plain: 2, Refused: true}},
		},
	} {
		s := newStore(t)
		for i, h := range history {
			if got := s.Serve(h.request); got != h.want {
				t.Errorf("%s: line %d gives %+v, want %+v", name, i+1, got, h.want)
			}
		}
	}
}

func TestUpdatesRecordRequestsAndTheirEffects(t *testing.T) {
	w := sim.New(sim.Config{})
	defer w.Close()
	s := attached(w)
	first, second := Write{Client: 1, Op: 7, Pass: Pass{Fence: 34}}, Write{Client: 2, Op: 8, Pass: Pass{Fence: 33}, Base: State{Plain: 1}}
	w.At(5, func() { s.Serve(&first) })
	w.At(6, func() { s.Serve(Read{Pass: Pass{Fence: 40}}) }) // no update
	w.At(9, func() { s.Serve(&second) })
	w.Run()
	want := []Update{
		{first, clock.Instant(5), State{Plain: 1, Fenced: 1}},
		{second, clock.Instant(9), State{Plain: 2, Refused: true}},
	}
	if !slices.Equal(s.Updates(), want) {
		t.Errorf("updates %+v", s.Updates())
	}
}

func TestAttachMakesTheStoreNew(t *testing.T) {
	s := newStore(t)
	s.Serve(&Write{Pass: Pass{Fence: 34}})
	s.Attach(s.world, s.config)
	if len(s.Updates()) != 0 {
		t.Errorf("updates %v", s.Updates())
	}
	if got := s.Serve(&Write{Pass: Pass{Fence: 1}}); got != (State{Plain: 1, Fenced: 1}) {
		t.Errorf("it remembers: %+v", got)
	}
}

func TestUnknownRequestPanics(t *testing.T) {
	defer func() {
		if r := fmt.Sprint(recover()); !strings.Contains(r, "not a request of this package") {
			t.Errorf("it panics with %q", r)
		}
	}()
	newStore(t).Serve("read")
}

// Why fencing works: what the fenced register applied has tokens that never fall, and no client with the highest token
// so far is ever rejected. The plain one applies all there is.
func TestFencedRegisterNeverGoesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := attached(sim.New(sim.Config{}))
		var mark, applied, writes uint64
		for _, step := range rapid.SliceOf(rapid.IntRange(0, 19)).Draw(t, "steps") {
			fence := uint64(step / 2)
			var got State
			if step%2 == 0 {
				got = s.Serve(Read{Pass: Pass{Fence: fence}}).(State)
			} else {
				got = s.Serve(&Write{Pass: Pass{Fence: fence}}).(State)
				writes++
			}
			if got.Refused != (fence < mark) {
				t.Fatalf("token %d after %d: refused %v", fence, mark, got.Refused)
			}
			mark = max(mark, fence)
			if step%2 == 1 && !got.Refused {
				applied++
			}
			if got.Plain != writes || !got.Refused && got.Fenced != applied {
				t.Fatalf("%+v after %d writes, %d of them fenced", got, writes, applied)
			}
		}
	})
}

// c2 has acquired after c1, and has not written yet. Only its read can show storage that c1 is late.
func TestAStaleWriteSlipsInBeforeTheFirstFreshOneUnlessReadsMark(t *testing.T) {
	for _, marks := range []bool{true, false} {
		s := &Store{}
		s.Attach(sim.New(sim.Config{}), Config{ReadsMark: marks})
		s.Serve(Read{Pass{Fence: 34}})
		if got := s.Serve(&Write{Pass: Pass{Fence: 33}}).(State); got.Refused != marks {
			t.Errorf("reads mark %t: %+v", marks, got)
		}
	}
}

// Random tokens have no order, but a compare-and-set needs none: the last client has set its own.
func TestEqualityTakesTheTokenThatWasSetLast(t *testing.T) {
	s := &Store{}
	s.Attach(sim.New(sim.Config{}), Config{Check: Equality, ReadsMark: true})
	steps := []struct {
		request any
		refused bool
	}{
		{Read{Pass{Token: "a"}}, false},
		{Read{Pass{Token: "b"}}, false},
		{&Write{Pass: Pass{Token: "a"}}, true},
		{&Write{Pass: Pass{Token: "b"}}, false},
		{&Write{Pass: Pass{Token: "b"}}, false},
		{Read{Pass{Token: "a"}}, false},
		{&Write{Pass: Pass{Token: "b"}}, true},
	}
	for i, step := range steps {
		if got := s.Serve(step.request).(State); got.Refused != step.refused {
			t.Errorf("step %d: %+v", i+1, got)
		}
	}
}

// 33 asks, then 34 reads, then 33 writes: what storage had said is out of date.
func TestAnAnswerToAskingIsOutOfDateWhenTheWriteComes(t *testing.T) {
	s := newStore(t)
	if s.Serve(Ask{Pass{Fence: 33}}) != true {
		t.Error("33 is refused, though nobody has come with more")
	}
	s.Serve(Read{Pass{Fence: 34}})
	if s.Serve(Ask{Pass{Fence: 33}}) != false {
		t.Error("33 is admitted after 34")
	}
	if got := s.Serve(&Write{Pass: Pass{Fence: 33}, Asked: true}).(State); got.Refused {
		t.Errorf("checked again, and refused: %+v", got)
	}
	if got := s.Serve(&Write{Pass: Pass{Fence: 33}}).(State); !got.Refused {
		t.Errorf("a write that did not ask is admitted: %+v", got)
	}
}

func BenchmarkReadAndWrite(b *testing.B) {
	w := sim.New(sim.Config{})
	defer w.Close()
	s := attached(w)
	read, write := any(Read{Pass: Pass{Fence: 1}}), any(&Write{Pass: Pass{Fence: 1}})
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i%1000 == 0 {
			s.Attach(w, Config{ReadsMark: true})
		}
		s.Serve(read)
		s.Serve(write)
	}
}

// Client 1 is so late that its token is stale. Both writes are based on version 0.
func Example() {
	w := sim.New(sim.Config{})
	defer w.Close()
	s := &Store{}
	s.Attach(w, Config{ReadsMark: true})
	host := w.AddHost("store", s, 0, 0)
	for i, late := range []time.Duration{time.Second, time.Millisecond} {
		w.AddHost(fmt.Sprint("c", i+1), nil, 0, 0).Go("main", func(p *sim.Proc) {
			p.Sleep(late)
			p.Call(host.ID, &Write{Client: i + 1, Pass: Pass{Fence: uint64(33 + i)}}, time.Second)
		})
	}
	w.Run()
	for _, u := range s.Updates() {
		fmt.Printf("client %d with token %d made %+v\n", u.Client, u.Fence, u.Made)
	}
	// Output:
	// client 2 with token 34 made {Plain:1 Fenced:1 Refused:false}
	// client 1 with token 33 made {Plain:2 Fenced:0 Refused:true}
}

func TestAWriteOnAnOldVersionIsRefusedWhereVersionsDecide(t *testing.T) {
	var s Store
	s.Attach(sim.New(sim.Config{}), Config{Check: Version, ReadsMark: true})
	base := s.Serve(Read{}).(State)
	first := s.Serve(&Write{Pass: Pass{Fence: 2}, Base: base}).(State)
	second := s.Serve(&Write{Pass: Pass{Fence: 3}, Base: base}).(State)
	third := s.Serve(&Write{Pass: Pass{Fence: 1}, Base: first}).(State)
	if first.Refused || !second.Refused || third.Refused || third.Plain != 3 || third.Fenced != 2 {
		t.Errorf("%+v, %+v, %+v", first, second, third)
	}
}

// The tokens that fenced storage accepts when it has seen 5: only higher ones with Above, otherwise the same one too.
// Where versions decide, any.
func TestWhichTokensAreAdmitted(t *testing.T) {
	for _, c := range []struct {
		config Config
		want   string
	}{
		{Config{}, "5 6"}, {Config{Above: true}, "6"}, {Config{Check: Version}, "0 4 5 6"}, {Config{Check: Version, Above: true}, "0 4 5 6"},
	} {
		s := newStore(t)
		s.config, s.highest = c.config, 5
		var taken []string
		for _, fence := range []uint64{0, 4, 5, 6} {
			if s.admits(Pass{Fence: fence}) {
				taken = append(taken, fmt.Sprint(fence))
			}
		}
		if got := strings.Join(taken, " "); got != c.want {
			t.Errorf("%+v takes %s, and should take %s", c.config, got, c.want)
		}
	}
}
