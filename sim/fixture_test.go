package sim

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

const (
	us = clock.Instant(time.Microsecond)
	ms = clock.Instant(time.Millisecond)
	s  = clock.Instant(time.Second)
)

func exactly(d time.Duration) Range { return Range{d, d} }

// plain leaves nothing to chance: a step takes 1µs, a message 100µs, a server 10µs. So the first call of a proc is sent
// at 1µs, served at 101µs, and answered at 211µs.
var plain = Config{
	Step: exactly(time.Microsecond), Latency: exactly(100 * time.Microsecond), Serve: exactly(10 * time.Microsecond),
}

// An echo is a service that answers each request with itself, and notes anything else that happens to it.
type echo struct{ seen []any }

func (e *echo) Serve(request any) any {
	e.seen = append(e.seen, request)
	return request
}

// A pair is the smallest world with a network: two clients and a server.
type pair struct {
	*World
	c, d, n *Host
	server  *echo
}

func newPair(t testing.TB, config Config) *pair {
	w := newWorld(t, config)
	server := &echo{}
	return &pair{
		World: w, server: server,
		c: w.AddHost("c", nil, 0, 0), d: w.AddHost("d", nil, 0, 0), n: w.AddHost("n", server, 0, 0),
	}
}

func newWorld(t testing.TB, config Config) *World {
	w := New(config)
	t.Cleanup(w.Close)
	return w
}

// during plans a fault and its end.
func (w *World) during(from, to clock.Instant, begin, end func()) {
	w.At(from, begin)
	w.At(to, end)
}

// story returns the lines of the trace that are of one of the kinds; without kinds, all.
func story(w *World, kinds ...Kind) []string {
	var lines []string
	for _, e := range w.Trace() {
		if len(kinds) > 0 && !slices.Contains(kinds, e.Kind) {
			continue
		}
		line := fmt.Sprintf("%v %v %s", time.Duration(e.At), e.Kind, w.hosts[e.Host].Name)
		if e.Peer >= 0 {
			line += ">" + w.hosts[e.Peer].Name
		}
		if e.Body != nil {
			line += fmt.Sprint(" ", e.Body)
		}
		lines = append(lines, line)
	}
	return lines
}

func tells(t *testing.T, w *World, want string, kinds ...Kind) {
	t.Helper()
	var lines []string
	for line := range strings.Lines(want) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	if got := story(w, kinds...); !slices.Equal(got, lines) {
		t.Errorf("the trace tells\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(lines, "\n\t"))
	}
}

func finishes(t *testing.T, w *World) {
	t.Helper()
	if end := w.Run(); end != Finished {
		t.Errorf("the run ended: %v", end)
	}
}

// panics returns the message of the panic of f.
func panics(f func()) (message string) {
	defer func() {
		if r := recover(); r != nil {
			message = fmt.Sprint(r)
		}
	}()
	f()
	return "no panic"
}
