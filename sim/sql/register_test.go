package sql

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/storage"
)

// attach attaches the server to its own host in a world where nothing happens.
func attach(s *Server, c Config) *sim.World {
	w := sim.New(sim.Config{})
	s.Attach(w.AddHost("db", s, 0, 0), c)
	return w
}

func newServer(tb testing.TB, c Config) *Server {
	s := &Server{}
	attach(s, c)
	return s
}

// request draws a request of package storage. Tokens are few, so that they meet.
func request(t *rapid.T, c storage.Check) any {
	pass := storage.Pass{
		Fence: rapid.Uint64Range(0, 5).Draw(t, "fence"),
		Token: rapid.SampledFrom([]string{"", "a", "b", "it's"}).Draw(t, "token"),
	}
	switch rapid.IntRange(0, 4).Draw(t, "request") {
	case 0:
		return storage.Read{Pass: pass}
	case 1:
		if c != storage.Version { // which has no pass to ask about
			return storage.Ask{Pass: pass}
		}
	}
	return &storage.Write{
		Pass: pass, Client: rapid.IntRange(0, 3).Draw(t, "client"), Op: rapid.IntRange(0, 99).Draw(t, "op"),
		Base: storage.State{Fenced: rapid.Uint64Range(0, 4).Draw(t, "base")}, Asked: rapid.Bool().Draw(t, "asked"),
	}
}

// Package storage defines the registers in Go, and this one in SQL. A reader sees the same in a session or alone.
func TestSQLSaysWhatStorageSays(t *testing.T) {
	s := &Server{}
	rapid.Check(t, func(t *rapid.T) {
		c := storage.Config{
			Check:     rapid.SampledFrom([]storage.Check{storage.Order, storage.Equality, storage.Version}).Draw(t, "check"),
			Above:     rapid.Bool().Draw(t, "above"),
			ReadsMark: rapid.Bool().Draw(t, "reads mark"),
		}
		w := attach(s, Config{Config: c})
		var plain storage.Store
		plain.Attach(w, c)
		inSession := rapid.Bool().Draw(t, "session")
		if inSession {
			s.Serve([]string{"BEGIN IMMEDIATE", "s"})
		}
		for range rapid.IntRange(1, 20).Draw(t, "length") {
			r := request(t, c.Check)
			want, given := plain.Serve(r), r
			if inSession {
				given = In{"s", r}
			}
			if got := s.Serve(given); got != want {
				t.Fatalf("%+v gives %+v, want %+v", r, got, want)
			}
		}
		if inSession {
			s.Serve([]string{"COMMIT", "s"})
		}
		if !slices.Equal(s.Updates(), plain.Updates()) {
			t.Fatalf("updates %+v, want %+v", s.Updates(), plain.Updates())
		}
	})
}

func TestVersionColumnRejectsWritesFromOlderReads(t *testing.T) {
	s := newServer(t, Config{Config: storage.Config{Check: storage.Version}})
	for i, step := range []struct {
		base uint64
		want storage.State
	}{
		{0, storage.State{Plain: 1, Fenced: 1}},
		{0, storage.State{Plain: 2, Refused: true}}, // it read what the first one overwrote
		{1, storage.State{Plain: 3, Fenced: 2}},
		{3, storage.State{Plain: 4, Refused: true}}, // no client can have read that
	} {
		if got := s.Serve(&storage.Write{Base: storage.State{Fenced: step.base}}); got != step.want {
			t.Errorf("step %d: %+v, want %+v", i+1, got, step.want)
		}
	}
	if got := s.Serve(storage.Read{}); got != (storage.State{Plain: 4, Fenced: 2}) {
		t.Errorf("in the end %+v", got)
	}
	if got, _ := s.Serve(storage.Ask{}).(Error); !strings.HasPrefix(string(got), "feature_not_supported: ") {
		t.Errorf("asked about a pass it says %q", got)
	}
}

// A token that a bigint can't hold would come back as a negative one, lower than all others.
func TestATokenBeyondABigintIsRefusedAndNothingIsDone(t *testing.T) {
	s := newServer(t, Config{Config: storage.Config{ReadsMark: true}})
	large := storage.Pass{Fence: 1 << 63}
	for _, r := range []any{storage.Read{Pass: large}, storage.Ask{Pass: large}, &storage.Write{Pass: large}} {
		got, _ := s.Serve(r).(Error)
		if got != "numeric_value_out_of_range: 9223372036854775808 is more than a bigint holds, 9223372036854775807 at most" {
			t.Errorf("%T: %q", r, got)
		}
	}
	if got := s.Serve(&storage.Write{Pass: storage.Pass{Fence: 1<<63 - 1}}); got != (storage.State{Plain: 1, Fenced: 1}) {
		t.Errorf("the largest that is good: %+v", got)
	}
	if len(s.Updates()) != 1 {
		t.Errorf("updates %+v", s.Updates())
	}
}

func TestUnknownRequestPanics(t *testing.T) {
	s := newServer(t, Config{})
	for _, r := range []any{"read", In{"s", "read"}} {
		s.Attach(s.host, s.config) // whatever the panic has left open is no matter in the next run
		s.Serve([]string{"BEGIN IMMEDIATE", "s"})
		if _, inSession := r.(In); !inSession {
			s.Serve([]string{"COMMIT", "s"})
		}
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); got != "sql: string is not a request of package storage" {
					t.Errorf("%v panics with %q", r, got)
				}
			}()
			s.Serve(r)
		}()
	}
	s.Attach(s.host, s.config)
	if got := s.Serve(storage.Read{}); got != (storage.State{}) {
		t.Errorf("after all that a read gives %v", got)
	}
}
