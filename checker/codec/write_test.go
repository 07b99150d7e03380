package codec_test

import (
	"bytes"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/codec"
	"github.com/lockstorm/lockstorm/clock"
	"pgregory.net/rapid"
)

func TestAHistoryIsWrittenInJSONAndReadBack(t *testing.T) {
	h := checker.History{
		{Index: 0, Time: 5, Process: 1, Type: checker.Invoke, F: checker.Acquire},
		{Index: 1, Time: 9, Process: 1, Type: checker.OK, F: checker.Acquire, Value: checker.Value{Fence: 33}},
		{Index: 2, Time: 10, Process: 1, Type: checker.Invoke, F: checker.Read, Value: checker.Value{Fence: 33}},
		{Index: 3, Time: 11, Process: 1, Type: checker.OK, F: checker.Read, Value: checker.Value{Fence: 33}},
		{Index: 4, Time: 12, Process: 1, Type: checker.Invoke, F: checker.Write, Value: checker.Value{Fence: 33}},
		{Index: 5, Time: 13, Process: 1, Type: checker.OK, F: checker.Write, Value: checker.Value{Fence: 33, Plain: 1, Fenced: 0}},
		{Index: 6, Time: 13, Process: 1, Type: checker.Info, F: checker.Release, Error: "timeout \"n1\"\n"},
	}
	want := `{"index":0,"time":5,"process":1,"type":"invoke","f":"acquire","value":{}}
{"index":1,"time":9,"process":1,"type":"ok","f":"acquire","value":{"fence":33}}
{"index":2,"time":10,"process":1,"type":"invoke","f":"read","value":{"fence":33}}
{"index":3,"time":11,"process":1,"type":"ok","f":"read","value":{"fence":33,"plain":0,"fenced":0}}
{"index":4,"time":12,"process":1,"type":"invoke","f":"write","value":{"fence":33,"plain":0,"fenced":0}}
{"index":5,"time":13,"process":1,"type":"ok","f":"write","value":{"fence":33,"plain":1,"fenced":0}}
{"index":6,"time":13,"process":1,"type":"info","f":"release","value":{},"error":"timeout \"n1\"\u000a"}
`
	if got := string(codec.AppendJSON(nil, h)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func genOp(t *rapid.T, i int, at clock.Instant) checker.Op {
	return checker.Op{
		Index: i, Time: at, Process: rapid.IntRange(0, 1<<29).Draw(t, "process"),
		Type: checker.Type(rapid.IntRange(0, 3).Draw(t, "type")), F: checker.Func(rapid.IntRange(0, 4).Draw(t, "f")),
		Lock:  rapid.String().Draw(t, "lock"),
		Value: checker.Value{Fence: rapid.Uint64().Draw(t, "fence"), Plain: rapid.Uint64().Draw(t, "plain"), Fenced: rapid.Uint64().Draw(t, "fenced")},
		Error: rapid.String().Draw(t, "error"),
	}
}

func TestEveryASCIICharacterReadsBack(t *testing.T) {
	for c := range byte(0x80) {
		text := codec.AppendOp(nil, checker.Op{Error: string(rune(c))})
		back, err := codec.Reading{}.Read(bytes.NewReader(text))
		if err != nil || back.History[0].Error != string(rune(c)) {
			t.Errorf("%q became %s: %+v, %v", c, text, back, err)
		}
	}
}

func TestBadBytesInAnErrorBecomeReplacementCharacters(t *testing.T) {
	text := codec.AppendOp(nil, checker.Op{Error: "a\xffb"})
	back, err := codec.Reading{}.Read(bytes.NewReader(text))
	if err != nil || back.History[0].Error != "a\uFFFDb" {
		t.Errorf("%s read back as %+v, %v", text, back, err)
	}
}
