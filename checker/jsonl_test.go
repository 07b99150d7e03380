package checker

import (
	"bytes"
	"testing"

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
	if got := string(AppendJSON(nil, h)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
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
		text := AppendOp(nil, Op{Error: string(rune(c))})
		back, err := Reading{}.Read(bytes.NewReader(text))
		if err != nil || back.History[0].Error != string(rune(c)) {
			t.Errorf("%q became %s: %+v, %v", c, text, back, err)
		}
	}
}

func TestBadBytesInAnErrorBecomeReplacementCharacters(t *testing.T) {
	text := AppendOp(nil, Op{Error: "a\xffb"})
	back, err := Reading{}.Read(bytes.NewReader(text))
	if err != nil || back.History[0].Error != "a\uFFFDb" {
		t.Errorf("%s read back as %+v, %v", text, back, err)
	}
}
