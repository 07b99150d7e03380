package checker

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/lockstorm/lockstorm/clock"
	"pgregory.net/rapid"
)

func TestAHistoryInJSON(t *testing.T) {
	h := History{
		{Index: 0, Time: 5, Process: 1, Type: Invoke, F: Acquire},
		{Index: 1, Time: 9, Process: 1, Type: OK, F: Acquire, Value: Value{Fence: 33}},
		{Index: 2, Time: 10, Process: 1, Type: Invoke, F: Read, Value: Value{Fence: 33}},
		{Index: 3, Time: 11, Process: 1, Type: OK, F: Read, Value: Value{Fence: 33}},
		{Index: 4, Time: 12, Process: 1, Type: Invoke, F: Write, Value: Value{Fence: 33}},
		{Index: 5, Time: 13, Process: 1, Type: OK, F: Write, Value: Value{33, 1, 0}},
		{Index: 6, Time: 13, Process: 1, Type: Info, F: Release, Error: "timeout \"n1\"\n"},
	}
	want := `{"index":0,"time":5,"process":1,"type":"invoke","f":"acquire","value":{}}
{"index":1,"time":9,"process":1,"type":"ok","f":"acquire","value":{"fence":33}}
{"index":2,"time":10,"process":1,"type":"invoke","f":"read","value":{"fence":33}}
{"index":3,"time":11,"process":1,"type":"ok","f":"read","value":{"fence":33,"plain":0,"fenced":0}}
{"index":4,"time":12,"process":1,"type":"invoke","f":"write","value":{"fence":33,"plain":0,"fenced":0}}
{"index":5,"time":13,"process":1,"type":"ok","f":"write","value":{"fence":33,"plain":1,"fenced":0}}
{"index":6,"time":13,"process":1,"type":"info","f":"release","value":{},"error":"timeout \"n1\"\u000a"}
`
	if got := string(h.AppendJSON(nil)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	back, err := ReadHistory(strings.NewReader(want))
	if err != nil || !slices.Equal(back, h) {
		t.Errorf("read back %+v, %v", back, err)
	}
}

func TestAHistoryReadsBackAsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := make(History, rapid.IntRange(0, 5).Draw(t, "ops"))
		at := clock.Instant(0)
		for i := range h {
			at += clock.Instant(rapid.Int64Range(0, 1<<60).Draw(t, "later"))
			h[i] = genOp(t, i, at)
		}
		text := h.AppendJSON(nil)
		for line := range bytes.Lines(text) {
			if !json.Valid(line) {
				t.Fatalf("not JSON: %s", line)
			}
		}
		back, err := ReadHistory(bytes.NewReader(text))
		if err != nil || !slices.Equal(back, h) {
			t.Fatalf("%s\nread back as %+v, %v", text, back, err)
		}
	})
}

func genOp(t *rapid.T, i int, at clock.Instant) Op {
	return Op{
		Index: i, Time: at, Process: rapid.IntRange(0, 1<<40).Draw(t, "process"),
		Type: Type(rapid.IntRange(0, 3).Draw(t, "type")), F: Func(rapid.IntRange(0, 4).Draw(t, "f")),
		Lock:  rapid.String().Draw(t, "lock"),
		Value: Value{rapid.Uint64().Draw(t, "fence"), rapid.Uint64().Draw(t, "plain"), rapid.Uint64().Draw(t, "fenced")},
		Error: rapid.String().Draw(t, "error"),
	}
}

func TestEveryASCIICharacterReadsBack(t *testing.T) {
	for c := range byte(0x80) {
		text := Op{Error: string(rune(c))}.AppendJSON(nil)
		back, err := ReadHistory(bytes.NewReader(text))
		if err != nil || back[0].Error != string(rune(c)) {
			t.Errorf("%q became %s: %+v, %v", c, text, back, err)
		}
	}
}

func TestBadBytesInAnErrorBecomeReplacementCharacters(t *testing.T) {
	text := Op{Error: "a\xffb"}.AppendJSON(nil)
	back, err := ReadHistory(bytes.NewReader(text))
	if err != nil || back[0].Error != "a\uFFFDb" {
		t.Errorf("%s read back as %+v, %v", text, back, err)
	}
}

func TestReadHistorySaysWhatIsWrong(t *testing.T) {
	good := `{"index":0,"time":5,"process":1,"type":"ok","f":"read","value":{}}` + "\n\n"
	for text, want := range map[string]string{
		good + `{"index":2,"time":5,"process":1,"type":"ok","f":"read"}`: "line 3: index is 2; want 1, its place in the history",
		good + `{"index":1,"time":4,"process":1,"type":"ok","f":"read"}`: "line 3: time is 4; want 5 or later, as in the op before",
		`{"index":0,"time":-4,"process":1,"type":"ok","f":"read"}`:       "line 1: time is -4; want nanoseconds since the run began",
		`{"index":0,"time":4,"process":-1,"type":"ok","f":"read"}`:       "line 1: process is -1; want the number of a client, from 0",
		`{"index":0,"time":4,"process":1,"type":"okay","f":"read"}`:      `line 1: type is "okay"; want one of invoke, ok, fail, info`,
		`{"index":0,"time":4,"process":1,"type":"ok","f":"cas"}`:         `line 1: f is "cas"; want one of acquire, release, read, write`,
		`{"index":0,"process":1,"type":"ok","f":"read"}`:                 `line 1: no "time"; want index, `,
		`{}`: `line 1: no "index"; want index, `,
		`{"index":0,"time":4,"type":"ok","f":"read"}`:     `line 1: no "process"`,
		`{"index":0,"time":4,"process":1,"f":"read"}`:     `line 1: no "type"`,
		`{"index":0,"time":4,"process":1,"type":"ok"}`:    `line 1: no "f"`,
		`{"index":0,"when":4}`:                            `line 1: not an op: unknown field "when"; want one JSON object with index, `,
		`{"index":0,`:                                     "line 1: not an op: unexpected EOF; want",
		good + good:                                       "line 3: index is 0; want 1",
		strings.TrimSpace(good) + strings.TrimSpace(good): "line 1: more than one value; want one op a line",
	} {
		if _, err := ReadHistory(strings.NewReader(text)); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s\n got %v\nwant %s", text, err, want)
		}
	}
	broken := errors.New("disk on fire")
	if _, err := ReadHistory(iotest.ErrReader(broken)); !errors.Is(err, broken) {
		t.Errorf("got %v; want %v", err, broken)
	}
}
