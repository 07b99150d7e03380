package scenarios

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/consensus"
	"github.com/lockstorm/lockstorm/sim/redis"
	"github.com/lockstorm/lockstorm/sim/storage"
)

// Each kind of message, as a line of the trace. The order of the keys is part of the form.
func TestEachKindOfMessageHasOneForm(t *testing.T) {
	r := &Result{Hosts: []string{"n1", "c1"}}
	for _, c := range []struct {
		event sim.Event
		want  string
	}{
		{sim.Event{At: 1, Kind: sim.Sent, Host: 1, Peer: 0, Call: 7, Body: []string{"SET", "lock", "a b", "NX"}},
			`{"time":1,"kind":"sent","host":"c1","peer":"n1","call":7,"body":["SET","lock","a b","NX"]}`},
		{sim.Event{Kind: sim.Served, Host: 0, Peer: 1, Call: 7, Body: "OK"},
			`{"time":0,"kind":"served","host":"n1","peer":"c1","call":7,"body":"OK"}`},
		{sim.Event{Kind: sim.Served, Peer: 1, Call: 7, Body: nil}, `{"time":0,"kind":"served","host":"n1","peer":"c1","call":7,"body":null}`},
		{sim.Event{Kind: sim.Served, Peer: 1, Call: 7, Body: int64(-1)}, `{"time":0,"kind":"served","host":"n1","peer":"c1","call":7,"body":-1}`},
		{sim.Event{Kind: sim.Served, Peer: 1, Call: 7, Body: redis.Error(`ERR no "x"`)},
			`{"time":0,"kind":"served","host":"n1","peer":"c1","call":7,"body":{"error":"ERR no \"x\""}}`},
		{sim.Event{Kind: sim.Served, Peer: 1, Call: 7, Body: []any{int64(1), nil, "x", []any{}, redis.Error("E")}},
			`{"time":0,"kind":"served","host":"n1","peer":"c1","call":7,"body":[1,null,"x",[],{"error":"E"}]}`},
		{sim.Event{Kind: sim.Sent, Peer: 1, Call: 7, Body: []string{}}, `{"time":0,"kind":"sent","host":"n1","peer":"c1","call":7,"body":[]}`},
		{sim.Event{Kind: sim.Sent, Host: 1, Peer: 0, Call: 8, Body: storage.Read{Pass: storage.Pass{Fence: 33, Token: "f"}}},
			`{"time":0,"kind":"sent","host":"c1","peer":"n1","call":8,"body":{"read":{"fence":33,"token":"f"}}}`},
		{sim.Event{Kind: sim.Sent, Host: 1, Peer: 0, Call: 8, Body: &storage.Write{Pass: storage.Pass{Fence: 33}, Base: storage.State{Plain: 1, Fenced: 2}}},
			`{"time":0,"kind":"sent","host":"c1","peer":"n1","call":8,"body":{"write":{"fence":33,"token":"","base":{"plain":1,"fenced":2}}}}`},
		{sim.Event{Kind: sim.Served, Peer: 1, Call: 8, Body: storage.State{Plain: 2, Refused: true}},
			`{"time":0,"kind":"served","host":"n1","peer":"c1","call":8,"body":{"plain":2,"fenced":"refused"}}`},
		{sim.Event{Kind: sim.Sent, Host: 1, Peer: 0, Call: 9, Body: &consensus.KeepAlive{Lease: 3}},
			`{"time":0,"kind":"sent","host":"c1","peer":"n1","call":9,"body":"keep-alive 3"}`},
		{sim.Event{Kind: sim.Served, Peer: 1, Call: 9, Body: consensus.ErrLease},
			`{"time":0,"kind":"served","host":"n1","peer":"c1","call":9,"body":{"error":"requested lease not found"}}`},
		{sim.Event{Kind: sim.Received, Host: 1, Peer: 0, Call: 8}, `{"time":0,"kind":"received","host":"c1","peer":"n1","call":8}`},
		{sim.Event{Kind: sim.Marked, Host: 1, Peer: -1, Body: "acquired"}, `{"time":0,"kind":"mark","host":"c1","body":"acquired"}`},
		{sim.Event{At: 9e18, Kind: sim.Paused, Peer: -1}, `{"time":9000000000000000000,"kind":"pause","host":"n1"}`},
		{sim.Event{Kind: sim.Stepped, Peer: -1, Body: -1500 * time.Nanosecond}, `{"time":0,"kind":"step","host":"n1","body":"-1.5µs"}`},
		{sim.Event{Kind: sim.Drifted, Peer: -1, Body: 800 * clock.PPM}, `{"time":0,"kind":"drift","host":"n1","body":"+800ppm"}`},
		{sim.Event{Kind: sim.CutOff, Host: 1, Peer: 0}, `{"time":0,"kind":"cut","host":"c1","peer":"n1"}`},
	} {
		if got := string(r.appendEvent(nil, c.event)); got != c.want || !json.Valid([]byte(got)) {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// Whatever a string holds, its line stays one line of valid JSON, and says what the string said; of bytes that are no
// text, that they were not.
func TestNoStringBreaksATrace(t *testing.T) {
	strange := rapid.SampledFrom([]string{
		"", `"`, `\`, "\n", "\r\n", "\x00", "\x1f", "\x7f", "\xff\xfe", "\xc3", "\u2028\u2029", "µ", "é\xe9", "</script>", "😀", "\ufffd", "{\"a\":1}",
	})
	text := rapid.OneOf(strange, rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
	r := &Result{Hosts: []string{"c1", "n1"}}
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOf(text).Draw(t, "words")
		var list []any
		for _, w := range words {
			list = append(list, w, redis.Error(w))
		}
		var line struct {
			Body []string
		}
		b := r.appendEvent([]byte("before "), sim.Event{Kind: sim.Sent, Peer: 1, Call: 1, Body: words})
		if err := json.Unmarshal(b[len("before "):], &line); err != nil || strings.ContainsAny(string(b), "\n\r") || !utf8.Valid(b) {
			t.Fatalf("%q is told as %s: %v", words, b, err)
		}
		for i, w := range words {
			if line.Body[i] != strings.ToValidUTF8(w, "\ufffd") && utf8.ValidString(w) {
				t.Fatalf("%q is read back as %q", w, line.Body[i])
			}
		}
		if b := r.appendEvent(nil, sim.Event{Kind: sim.Served, Peer: 1, Call: 1, Body: list}); !json.Valid(b) || !utf8.Valid(b) {
			t.Fatalf("%q is told as %s", list, b)
		}
	})
}

func TestUnknownMessageKindPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("it was told all the same")
		}
	}()
	appendBody(nil, 3.5)
}

// Everything that the catalogue's scenarios put into their traces and histories is valid JSON, a value a line.
func TestEveryLineOfATraceIsJSON(t *testing.T) {
	for i, s := range Catalogue() {
		if !long && i%8 > 0 {
			continue
		}
		if s.Network.Loss = 20_000; s.Fencing.Source != OfService { // its schedule names the service's servers
			s.Fencing.Source, s.Fencing.Node = OnNode, 1
		}
		s.Horizon = min(s.Horizon, time.Minute)
		if !long {
			s.Horizon = min(s.Horizon, 10*time.Second)
		}
		r := Run(s, 1)
		lines := 0
		for line := range strings.Lines(string(r.HistoryJSONL()) + string(r.TraceJSONL())) {
			if lines++; !json.Valid([]byte(line)) {
				t.Fatalf("%s: %s", s.ID, line)
			}
		}
		if want := len(r.Evidence.History) + len(r.Trace); lines != want {
			t.Errorf("%s: %d lines for %d ops and events", s.ID, lines, want)
		}
	}
}
