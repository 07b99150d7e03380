package codec_test

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"olympos.io/encoding/edn"
	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/checker/checkertest"
	"github.com/lockstorm/lockstorm/checker/codec"
	"github.com/lockstorm/lockstorm/clock"
)

// bare returns a history without lock names, whose times are its indices.
func bare(ops ...checker.Op) checker.History {
	for i := range ops {
		ops[i].Index, ops[i].Time = i, clock.Instant(i)
	}
	return ops
}

// One history in every shape: each text means the same.
func TestOneHistoryIsReadInManyShapes(t *testing.T) {
	plain := bare(checker.Op{Type: checker.Invoke, F: checker.Acquire}, checker.Op{Type: checker.OK, F: checker.Acquire, Value: checker.Value{Fence: 7}},
		checker.Op{Type: checker.Invoke, F: checker.Release}, checker.Op{Type: checker.Fail, F: checker.Release, Error: "timeout"})
	named := slices.Clone(plain)
	for i := range named {
		named[i].Lock = "a"
	}
	for name, c := range map[string]struct {
		text string
		want checker.History
	}{
		"one map a line": {`{:process 0, :type :invoke, :f :acquire, :value nil}
			{:process 0, :type :ok, :f :acquire, :value {:fence 7}}
			{:process 0, :type :invoke, :f :release, :value nil}
			{:process 0, :type :fail, :f :release, :value nil, :error "timeout"}`, plain},
		"one vector, tagged": {`[#jepsen.history.Op{:process 0, :type :invoke, :f :acquire}
			#jepsen.history.Op{:process 0, :type :ok, :f :acquire, :value 7}
			#knossos.history.Op {:process 0, :type :invoke, :f :release} #Op{:process 0 :type :fail :f :release :error :timeout}]`,
			withError(plain, ":timeout")},
		"strings for keywords, synonyms for functions": {`{"process" 0 "type" "invoke" "f" "lock"} {"process" 0 "type" "ok" "f" "lock" "value" {"fence" 7}}
			{"process" 0 "type" "invoke" "f" "unlock"} {"process" 0 "type" "fail" "f" "unlock" "error" "timeout"}`, plain},
		"JSON lines": {`{"process":0,"type":"invoke","f":"acquire","value":null}
			{"process":0,"type":"ok","f":"acquire","value":{"fence":7,"ttl":30.5}}
			{"process":0,"type":"invoke","f":"release"}
			{"process":0,"type":"fail","f":"release","error":"timeout"}`, plain},
		"a JSON array": {`[{"f":"lock","type":"invoke","process":0}, {"f":"lock","type":"ok","process":0,"value":7},
			{"f":"unlock","type":"invoke","process":0},{"f":"unlock","type":"fail","process":0,"error":"timeout"}]`, plain},
		"an error of any shape": {`{:process 0 :type :invoke :f :acquire} {:process 0 :type :ok :f :acquire :value {:fence 7N}}
			{:process 0 :type :invoke :f :release} {:process 0 :type :fail :f :release :error [:timeout {:after 22/7 #_of} "n\n1"] :exception #object[java.lang.Error "0x1" "e"]}`,
			withError(plain, `[:timeout {:after 22/7} "n\n1"]`)},
		"the nemesis and a clock between": {`{:process :nemesis :type :info :f :start} {:process 0 :type :invoke :f :acquire} {:process "clock" :type :info :f 3}
			{:process 0 :type :ok :f :acquire :value {:fence 7}} {:process 0 :type :invoke :f :release}
			{:process 0 :type :fail :f :release :error "timeout"} {:process nemesis}`, plain},
		"nil where nothing is known": {`{:process 0 :type :invoke :f :acquire :index nil :time nil :lock nil :error nil}
			{:process 0 :type :ok :f :acquire :value {:fence 7 :plain nil}} {:process 0 :type :invoke :f :release} {:process 0 :type :fail :f :release :error "timeout"}`, plain},
		"an ok that is true": {`{:process 0 :type :invoke :f :acquire} {:process 0 :type :ok :f :acquire :value {:fence 7}}
			{:process 0 :type :invoke :f :release} {:process 0 :type :fail :f :release :error "timeout"}`, plain},
		"the lock under :lock":    {locked(`:lock "a"`, ":value {:fence 7}"), named},
		"the lock under :key":     {locked(`:key :a`, ":key a :value 7"), named},
		"the lock in the value":   {locked(`:value {:lock "a"}`, `:value {:key "a" :fence 7}`), named},
		"the lock as the value":   {locked(`:value "a"`, ":value {:fence 7}"), named},
		"the lock as a keyword":   {locked(`:value :a`, ":value {:fence 7 :lock :a}"), named},
		"a tuple of Jepsen's":     {locked(`:value ["a" nil]`, `:value ["a" {:fence 7}]`), named},
		"a tuple with the token":  {locked(`:value [:a nil]`, `:value [:a 7]`), named},
		"the lock only at invoke": {locked(`:value {:lock "a" :ttl 30}`, ":value 7"), named},
	} {
		r, err := codec.Reading{}.Read(strings.NewReader(c.text))
		if err != nil || !slices.Equal(r.History, c.want) || r.Indices != nil || r.Place(len(c.want)-1).Line == 0 {
			t.Errorf("%s:\n got %+v, %v\nwant %+v", name, r, err, c.want)
		}
		slowly, err := codec.Reading{}.Read(iotest.OneByteReader(strings.NewReader(c.text)))
		if err != nil || !slices.Equal(slowly.History, c.want) {
			t.Errorf("%s, byte by byte: %v", name, err)
		}
	}
}

func withError(h checker.History, text string) checker.History {
	h = slices.Clone(h)
	h[len(h)-1].Error = text
	return h
}

// locked is the history with these fields in its invokes, and in its acquire that succeeds.
func locked(invoke, ok string) string {
	return "{:process 0 :type :invoke :f :acquire " + invoke + "} {:process 0 :type :ok :f :acquire " + ok + "}\n" +
		"{:process 0 :type :invoke :f :release " + invoke + "} {:process 0 :type :fail :f :release :error \"timeout\"}"
}

func TestIndicesTimesAndPlacesAreKept(t *testing.T) {
	r, err := codec.Reading{}.Read(strings.NewReader("; from line 2 on\n  {:index 3 :time 10 :process 5 :type :invoke :f :write :value {:fence 2}}\n" +
		"{:index 4 :time 10 :process :nemesis :type :info :f :kill}\n" +
		"{:index 7 :time 10 :process 5 :type :ok :f :write :value {:plain 3 :fenced 0}} {:index 8 :time 12 :process 6 :type :invoke :f :extend}"))
	want := checker.History{
		{Index: 0, Time: 10, Process: 5, Type: checker.Invoke, F: checker.Write, Value: checker.Value{Fence: 2}},
		{Index: 1, Time: 10, Process: 5, Type: checker.OK, F: checker.Write, Value: checker.Value{Plain: 3}},
		{Index: 2, Time: 12, Process: 6, Type: checker.Invoke, F: checker.Renew},
	}
	if err != nil || !slices.Equal(r.History, want) {
		t.Fatalf("%+v, %v", r, err)
	}
	if !slices.Equal(r.Indices, []int{3, 7, 8}) || r.Skipped != 1 || r.Place(0) != (codec.Place{Line: 2, Column: 3}) || r.Place(1) != (codec.Place{Line: 4, Column: 1}) || r.Place(2) != (codec.Place{Line: 4, Column: 80}) {
		t.Errorf("%+v", r)
	}
	if r.Index(1) != 7 || (&codec.Recording{}).Index(1) != 1 {
		t.Error("an index is not the one that came")
	}
}

func TestABareNumberIsAPermitWhereThatIsAsked(t *testing.T) {
	text := locked(":value 1", ":value 1")
	if r, err := (codec.Reading{Permits: true}).Read(strings.NewReader(text)); err != nil || r.History[1].Value != (checker.Value{}) {
		t.Errorf("%+v, %v", r, err)
	}
	_, err := codec.Reading{Permits: true}.Read(strings.NewReader(locked(":value 2", ":value 2")))
	if want := "1:46: found an integer, 2 as the number of permits; want 1, and a separate op for each permit"; err == nil || err.Error() != want {
		t.Errorf("two permits: %v; want %s", err, want)
	}
}

// A register is judged by numbers that must be there: without them its reads would be of version 0.
func TestAModelIsAskedOnlyAboutWhatItCanJudge(t *testing.T) {
	for _, c := range []struct{ model, invoke, ok, f, says string }{
		{"register", "{}", "{:plain 0}", "read", ""},
		{"register", "{:fence 1}", "{:fenced 0}", "read", "1:54: found an ok without the version of the plain register"},
		{"register", "nil", "nil", "write", "1:48: found an ok without the version of the plain"},
		{"fenced-register", "{:fence 0}", "{:fenced 0}", "read", ""},
		{"fenced-register", "{}", "{:fence 1 :fenced 0}", "read", "1:1: found a call without the fencing token"},
		{"fenced-register", "{:fence 1}", "{:plain 0}", "read", "1:54: found an ok without the version of the fenced register"},
		{"mutex", "nil", "nil", "acquire", ""},
		{"fenced-mutex", "nil", "{:fence 7}", "acquire", ""},
		{"fenced-mutex", "nil", "nil", "release", ""},
		{"fenced-mutex", "nil", "{:token 7}", "acquire", ""},
		{"fenced-mutex", "nil", "{:token :t7}", "acquire", "1:50: found a successful acquire without a fencing token"},
		{"reentrant-fenced-mutex", "nil", "{:fence 0}", "acquire", "1:50: found a successful acquire without a fencing token"},
		{"mutex", "nil", "nil", "renew", ""},
		{"mutex", "{}", "{}", "read", "1:1: found a history without any acquire, release or renew, which mutex is about"},
		{"lease-timed", "nil", "nil", "acquire", "1:1: found an op without a time, which lease-timed goes by"},
		{"register", "nil", "nil", "acquire", "1:1: found a history without any read, write or cas, which register is about"},
	} {
		r, err := codec.Reading{}.Read(strings.NewReader("{:process 0 :type :invoke :f :" + c.f + " :value " + c.invoke + "}" +
			"{:process 0 :type :ok :f :" + c.f + " :value " + c.ok + "}"))
		if err != nil {
			t.Fatal(err)
		}
		m, _ := blackbox.LookupModel(c.model)
		if err := m.Suits(r); c.says == "" && err != nil || c.says != "" && (err == nil || !strings.HasPrefix(err.Error(), c.says)) {
			t.Errorf("%s of %s and %s: %v; want %s", c.f, c.invoke, c.ok, err, c.says)
		}
	}
}

// One token shows that they are read; an acquire before or after it may have none.
func TestATokenMayBeMissingWhereAnotherIsThere(t *testing.T) {
	m, _ := blackbox.LookupModel("fenced-mutex")
	bare, fenced := locked("", ""), locked("", ":value 7")
	for _, text := range []string{bare + fenced, fenced + bare} {
		r, err := codec.Reading{}.Read(strings.NewReader(text))
		if err != nil || m.Suits(r) != nil || r.Tokenless != 1 {
			t.Errorf("%s: %v, %d without a token", text, cmp.Or(err, m.Suits(r)), r.Tokenless)
		}
	}
	if r, err := (codec.Reading{}).Read(strings.NewReader(bare + bare)); err != nil || r.Tokenless != 0 {
		t.Errorf("%v, %d without a token where none has one", err, r.Tokenless)
	}
}

// A token that is 0, or has a name that we don't know, may be the one that is too small.
func TestUnreadableTokenDoesNotCountAsNone(t *testing.T) {
	m, _ := blackbox.LookupModel("fenced-mutex")
	fenced := locked("", ":value {:fence 5}")
	for _, value := range []string{"{:fence 0}", "{:epoch 3}", "{:fense 3}", "{:fence nil :fense 3}",
		`{:token "3"}`, `{:epoch "3"}`, "{:epoch 3.0}", "{:grant {:fence 3}}"} {
		doubtful := locked("", ":value "+value)
		for _, text := range []string{doubtful + fenced, fenced + doubtful, fenced + doubtful + fenced} {
			r, err := codec.Reading{}.Read(strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			if err := m.Suits(r); err == nil || !strings.Contains(err.Error(), "found a successful acquire without a fencing token") {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
	for _, value := range []string{"{:fence 7 :attempts 3}", "{:node \"n1\"}", "nil"} {
		r, err := codec.Reading{}.Read(strings.NewReader(fenced + locked("", ":value "+value)))
		if err != nil || m.Suits(r) != nil {
			t.Errorf("%s: %v", value, cmp.Or(err, m.Suits(r)))
		}
	}
}

// If 1N were another lock than 1, two holders of it would be legal.
func TestANumberIsOneNameHoweverItIsWritten(t *testing.T) {
	for _, c := range []struct{ one, other, name string }{{"1", "1N", "1"}, {"+1", "1", "1"}, {"-0", "+0N", "0"}, {"-7N", "-7", "-7"}} {
		r, err := codec.Reading{}.Read(strings.NewReader(locked(":lock "+c.one, ":value ["+c.other+" 7]")))
		if err != nil || r.History[0].Lock != c.name {
			t.Errorf("%s and %s: %+v, %v", c.one, c.other, r, err)
		}
	}
}

func TestAHistoryIsWrittenInEDNAndReadBack(t *testing.T) {
	h := checker.History{
		{Index: 0, Time: 5, Process: 1, Type: checker.Invoke, F: checker.Acquire, Lock: `"a"`},
		{Index: 1, Time: 9, Process: 1, Type: checker.OK, F: checker.Acquire, Lock: `"a"`, Value: checker.Value{Fence: 33}},
		{Index: 2, Time: 10, Process: 1, Type: checker.Invoke, F: checker.Write, Value: checker.Value{Fence: 33}},
		{Index: 3, Time: 13, Process: 1, Type: checker.Info, F: checker.Write, Error: "timeout \"n1\"\n"},
	}
	strikes := []checker.Strike{{Kind: "pause", Fault: "pause c1", From: 9, To: 11}, {Kind: "slow-node", Fault: "slow-node n3", From: 4, To: clock.Forever}, {Kind: "jump", Fault: "jump n3 +11s", From: 11, To: 11}}
	want := `{:index 0, :time 4, :process :nemesis, :type :info, :f :start-slow-node, :value "slow-node n3"}
{:index 1, :time 4, :process :nemesis, :type :info, :f :start-slow-node, :value "slow-node n3"}
{:index 2, :time 5, :process 1, :type :invoke, :f :acquire, :lock "\"a\"", :value nil}
{:index 3, :time 9, :process :nemesis, :type :info, :f :start-pause, :value "pause c1"}
{:index 4, :time 9, :process :nemesis, :type :info, :f :start-pause, :value "pause c1"}
{:index 5, :time 9, :process 1, :type :ok, :f :acquire, :lock "\"a\"", :value {:fence 33}}
{:index 6, :time 10, :process 1, :type :invoke, :f :write, :value {:fence 33 :plain 0 :fenced 0}}
{:index 7, :time 11, :process :nemesis, :type :info, :f :stop-pause, :value "pause c1"}
{:index 8, :time 11, :process :nemesis, :type :info, :f :stop-pause, :value "pause c1"}
{:index 9, :time 11, :process :nemesis, :type :info, :f :jump, :value "jump n3 +11s"}
{:index 10, :time 11, :process :nemesis, :type :info, :f :jump, :value "jump n3 +11s"}
{:index 11, :time 13, :process 1, :type :info, :f :write, :value {:fence 33 :plain 0 :fenced 0}, :error "timeout \"n1\"\n"}
`
	if got := string(codec.AppendEDN(nil, h, strikes)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for line := range strings.Lines(want) {
		var op map[edn.Keyword]any
		if err := edn.UnmarshalString(line, &op); err != nil || op["type"] == nil || op["process"] == nil {
			t.Errorf("go-edn on %s: %v, %v", line, op, err)
		}
	}
	r, err := codec.Reading{}.Read(strings.NewReader(want))
	if err != nil || !slices.Equal(r.History, h) || r.Skipped != 8 || !slices.Equal(r.Indices, []int{2, 5, 6, 11}) {
		t.Errorf("read back %+v, %v", r, err)
	}
}

// genRecorded draws a well-formed history: what closes an operation has the lock of its invoke, what brings nothing
// back has no value, and all ops name a lock or none.
func genRecorded(t *rapid.T) (h checker.History) {
	var open [3]*checker.Op
	var process = [3]int{0, 1, 2}
	at, locked := clock.Instant(0), rapid.Bool().Draw(t, "locked")
	for i := range rapid.IntRange(1, 12).Draw(t, "ops") {
		at += clock.Instant(rapid.Int64Range(0, 1<<58).Draw(t, "later"))
		o := genOp(t, i, at)
		c := o.Process % 3
		o.Process = process[c]
		if o.Lock += "x"; !locked {
			o.Lock = ""
		}
		if last := open[c]; last == nil {
			o.Type = checker.Invoke
			open[c] = &o
		} else {
			o.Type, o.F, o.Lock = max(o.Type, checker.OK), last.F, last.Lock
			if o.Type != checker.OK {
				o.Value = checker.Value{}
			}
			if o.Type == checker.Info {
				process[c] += 3
			}
			open[c] = nil
		}
		h = append(h, o)
	}
	return h
}

func TestAnyHistoryReadsBackFromEDNAndJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		h := genRecorded(t)
		strikes := make([]checker.Strike, rapid.IntRange(0, 3).Draw(t, "strikes"))
		for i := range strikes {
			strikes[i] = checker.Strike{Kind: "pause", Fault: "pause c1", From: clock.Instant(rapid.Int64Range(0, 1<<62).Draw(t, "from")), To: clock.Forever}
		}
		for _, text := range [][]byte{codec.AppendEDN(nil, h, strikes), codec.AppendJSON(nil, h)} {
			r, err := codec.Reading{}.Read(bytes.NewReader(text))
			if err != nil || !slices.Equal(r.History, h) {
				t.Fatalf("%s\nread back as %+v, %v", text, r, err)
			}
		}
	})
}

// seeds are histories to begin fuzzing with.
var seeds = []string{
	"0 acquire, 0 ok f33, 1 acquire, 0 release, 0 info, 1 ok f34, 3 release, 3 fail",
	"0 acquire la, 0 ok, 1 acquire lb, 0 renew la, 0 ok, 1 info",
	"0 read f1, 0 ok v0, 0 write f1, 0 ok v1, 1 read f2, 1 ok v1, 0 write f1, 0 fail",
}

// FuzzRecordingEDN and FuzzRecordingJSON: whatever the bytes, there is an error with a place, or a history that is well
// formed, that reads back from both of our forms, and gets a verdict under every model.
func FuzzRecordingEDN(f *testing.F) {
	for _, h := range seeds {
		f.Add(codec.AppendEDN(nil, checkertest.Parse(f, h), nil))
	}
	f.Add([]byte(`[#jepsen.history.Op{:index 3 :process 0 :type :invoke :f :lock :value [:a 1]} #_x {"process" :nemesis}]`))
	f.Fuzz(func(t *testing.T, text []byte) { fuzzRecording(t, text, codec.EDN) })
}

func FuzzRecordingJSON(f *testing.F) {
	for _, h := range seeds {
		f.Add(codec.AppendJSON(nil, checkertest.Parse(f, h)))
	}
	f.Add([]byte(`[{"index":3,"process":0,"type":"invoke","f":"lock","value":["a",null]},{"process":"nemesis"}]`))
	f.Fuzz(func(t *testing.T, text []byte) { fuzzRecording(t, text, codec.JSON) })
}

func fuzzRecording(t *testing.T, text []byte, s codec.Syntax) {
	r, err := codec.Reading{Syntax: s}.Read(bytes.NewReader(text))
	var e *codec.Error
	if err != nil {
		if !errors.As(err, &e) || e.Line < 1 || e.Column < 1 || strings.Contains(err.Error(), "\n") {
			t.Fatalf("%q: %v", text, err)
		}
		return
	}
	if err := r.History.Check(); err != nil || r.Place(len(r.History)-1).Line == 0 || r.Indices != nil && len(r.Indices) != len(r.History) {
		t.Fatalf("%q: %v", text, err)
	}
	for _, back := range [][]byte{codec.AppendEDN(nil, r.History, nil), codec.AppendJSON(nil, r.History)} {
		if again, err := (codec.Reading{}).Read(bytes.NewReader(back)); err != nil || !slices.Equal(again.History, r.History) {
			t.Fatalf("%q is %q, and that %+v, %v", text, back, again, err)
		}
	}
	for _, m := range blackbox.Models {
		m.Steps = 1000
		if result := blackbox.Linearizable(r.History, m); result.Err != nil {
			t.Fatalf("%s: %v", m.Name, result.Err)
		}
	}
}

// What others write for a process or a time, and what Clojure prints under keys that are not read.
func TestProcessesAndTimesThatOthersWrite(t *testing.T) {
	for _, text := range []string{
		`{"process":"0","type":"invoke","f":"acquire","time":5.0} {"process":"0","type":"ok","f":"acquire","time":2e3}`,
		`{:process 0x0 :type :invoke :f :acquire :time 5 :by #object[a.B 0x7f "B"]} {:process nil :type :info :f :start} {:process 0 :type :ok :f :acquire :time 16r7d0 :re #"a\"b"}`,
	} {
		r, err := codec.Reading{}.Read(strings.NewReader(text))
		want := checker.History{{Time: 5, F: checker.Acquire}, {Index: 1, Time: 2000, Type: checker.OK, F: checker.Acquire}}
		if err != nil || !slices.Equal(r.History, want) {
			t.Errorf("%s: %+v, %v", text, r, err)
		}
	}
}

// A client with a name keeps it after an unknown outcome.
func TestAProcessMayHaveAName(t *testing.T) {
	const text = `{"process":"a","type":"invoke","f":"lock"} {"process":"a","type":"ok","f":"lock"} {"process":"a","type":"invoke","f":"unlock"}
{"process":"a","type":"info","f":"unlock"} {"process":"a","type":"invoke","f":"unlock"} {"process":"a","type":"ok","f":"unlock"}
{"process":"b-1","type":"invoke","f":"lock"} {"process":"b-1","type":"ok","f":"lock"} {"process":"clock","type":"info","f":"jump"}`
	for how, want := range map[codec.Meaning]string{codec.Undecided: "holds", codec.Ignored: "holds"} {
		r, got := judged(t, codec.Reading{Value: how}, "mutex", text)
		if got != want || r.Skipped != 1 || !r.Named || len(r.Owners) != 2 || r.Who(r.History[7].Process) != "process b-1" || r.History[4].Process != 2 {
			t.Errorf("%s, %+v", got, r)
		}
	}
	if _, got := judged(t, codec.Reading{}, "mutex", text+strings.ReplaceAll(text, `"a"`, `"c"`)); got != "violated" {
		t.Errorf("%s; want violated, for b-1 still holds", got)
	}
}

// The op keeps its name, although its owner differs.
func TestAProcessKeepsItsNameWhereATokenActs(t *testing.T) {
	r, got := judged(t, codec.Reading{Value: codec.Token}, "mutex", `{"process":"a","type":"invoke","f":"lock","value":"t1"} {"process":"a","type":"ok","f":"lock"}`)
	if got != "holds" || r.ProcessName(1) != "a" || r.Who(r.History[1].Process) != `token "t1"` {
		t.Errorf("%s, %+v", got, r)
	}
}
