package codec_test

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/checker/codec"
)

// register writes a history of a register of values: "0 write 3" and "0 ok", which repeats the invoke, or "0 ok 3".
func register(lines ...string) string {
	var b strings.Builder
	open := map[string]string{}
	for _, l := range lines {
		w := strings.SplitN(l, " ", 3)
		typ, f, value := "invoke", w[1], ""
		if w[1] == "ok" || w[1] == "fail" || w[1] == "info" {
			typ, f = w[1], open[w[0]]
		}
		if len(w) == 3 {
			value = " :value " + w[2]
		}
		open[w[0]] = f
		b.WriteString("{:process " + w[0] + " :type :" + typ + " :f :" + f + value + "}\n")
	}
	return b.String()
}

// JSON has one kind of number: whether a recorder writes 1 or 1.0 is up to its language. EDN has two, which are not
// equal.
func TestANumberInJSONIsOneValueHoweverItIsWritten(t *testing.T) {
	m, _ := blackbox.LookupModel("cas-register")
	for _, c := range []struct {
		wrote, read string
		want        checker.Verdict
	}{
		{"1", "1.0", checker.Holds},
		{"100", "1e2", checker.Holds},
		{"-0.0", "0", checker.Holds},
		{"1.5", "1.50E0", checker.Holds},
		{"0.015", "1.5e-2", checker.Holds},
		{"1e400", "10e399", checker.Holds},
		{"1", "1.5", checker.Violated},
		{"1", "10", checker.Violated},
		{"9007199254740993", "9007199254740992", checker.Violated},
		{"1", `"1"`, checker.Violated},
	} {
		text := `{"process":0,"type":"invoke","f":"write","value":` + c.wrote + `}{"process":0,"type":"ok","f":"write"}` +
			`{"process":0,"type":"invoke","f":"read"}{"process":0,"type":"ok","f":"read","value":` + c.read + `}`
		r, err := codec.Reading{Syntax: codec.JSON}.Read(strings.NewReader(text))
		if err != nil {
			t.Errorf("%s and %s: %v", c.wrote, c.read, err)
			continue
		}
		if got := blackbox.Linearizable(r.History, m).Verdict; got != c.want {
			t.Errorf("%s and %s: %v; want %v", c.wrote, c.read, got, c.want)
		}
	}
}

// Each is of the kinds that Knossos' files of such registers have, and was judged by hand.
func TestARegisterOfValuesIsRead(t *testing.T) {
	for _, c := range []struct {
		name, initial, text, want string
	}{
		{"a write, read", "", register("0 write 3", "0 ok 3", "1 read nil", "1 ok 3"), "holds"},
		{"a value out of nothing, for its write failed", "", register("0 read nil", "1 write 3", "1 fail 3", "0 ok 3"), "violated"},
		{"a stale read", "", register("0 write 3", "0 ok 3", "0 write 4", "0 ok 4", "1 read nil", "1 ok 3"), "violated"},
		{"neither of two", "", register("0 write 0", "0 ok 0", "1 read nil", "2 write 4", "1 ok 3", "2 ok 4"), "violated"},
		{"a cas that could be", "0", register("0 cas [0 2]", "0 ok [0 2]", "1 read nil", "1 ok 2"), "holds"},
		{"a cas that could not", "0", register("0 cas [1 2]", "0 ok [1 2]"), "violated"},
		{"from nothing", "", register("0 cas [nil 2]", "0 ok [nil 2]"), "holds"},
		{"a cas that failed shows nothing", "0", register("0 cas [0 2]", "0 fail [0 2]", "1 read nil", "1 ok 0"), "holds"},
		{"a cas that brought back false failed", "0", register("0 cas [0 2]", "0 ok false", "1 read nil", "1 ok 0"), "holds"},
		{"an unknown write, much later", "0", register("0 write 5", "0 info 5", "1 read nil", "1 ok 0", "1 read nil", "1 ok 5"), "holds"},
		{"an unknown write, and back", "0", register("0 write 5", "0 info 5", "1 read nil", "1 ok 5", "1 read nil", "1 ok 0"), "violated"},
		{"a read of nil shows nothing", "0", register("0 write 5", "0 ok 5", "1 read nil", "1 ok nil", "1 read nil", "1 ok 5"), "holds"},
		{"a read whose invoke has a value", "0", register("0 read 4", "0 ok 0"), "holds"},
		{"a list for a pair", "0", register("0 cas (0 2)", "0 ok (0 2)"), "holds"},
		{"registers by name", "0", register(`0 cas ["x" [0 2]]`, `0 ok ["x" [0 2]]`, `1 read ["y" nil]`, `1 ok ["y" 0]`), "holds"},
		{"a value as text is another than as a number", "", register("0 write 3", "0 ok", "1 read nil", `1 ok "3"`), "violated"},
		{"a number in two ways", "", register("0 write 3N", "0 ok", "1 read nil", "1 ok 0x3"), "holds"},
		{"false is a value", "", register("0 write false", "0 ok false", "1 read nil", "1 ok false"), "holds"},
		{"a set in another order", "", register("0 write #{1 2}", "0 ok", "1 read nil", "1 ok #{2 1}"), "holds"},
		{"another set", "", register("0 write #{1 2}", "0 ok", "1 read nil", "1 ok #{2 3}"), "violated"},
		{"maps within, a list and an integer", "", register("0 write (1N {:a 1 :b 2} 3)", "0 ok", "1 read nil", "1 ok (1 {:b 2 :a 1} 3)"), "holds"},
		{"a list in another order", "", register("0 write (1 2 3)", "0 ok", "1 read nil", "1 ok (1 3 2)"), "violated"},
		{"nobody read", "", register("0 write 3", "0 ok 3"), "1:1: found a history that shows nothing"},
		{"a read of nil alone", "", register("0 read nil", "0 ok nil"), "1:1: found a history that shows nothing"},
		{"any form is a value", "", register("0 write {:a 1}", "0 ok"), "1:1: found an op without the value of the register"},
		{"a write without a value", "", register("0 write nil", "0 ok nil"), "1:1: found an op without the value of the register; want it as the value, 3 or [2 3]"},
		{"versions", "", register("0 write {:fence 1}", "0 ok {:plain 1}"), "1:1: found an op without the value of the register"},
		{"no pair", "", register("0 cas 3", "0 ok 3"), "1:42: found an integer, 3 as the value of a cas; want the pair [expected new]"},
		{"a vector of one", "", register("0 cas [3]", "0 ok [3]"), "1:42: found a vector, [3] as the value of a cas; want the pair [expected new]"},
		{"an empty vector", "", register("0 cas []", "0 ok []"), "1:42: found a vector, [] as the value of a cas; want the pair [expected new]"},
		{"an initial value that is none", "}", register("0 write 3"), `the initial value "}" can't be read: 1:1: found "}"`},
	} {
		r, err := codec.Reading{Initial: c.initial}.Read(strings.NewReader(c.text))
		m, _ := blackbox.LookupModel("cas-register")
		if err == nil {
			err = m.Suits(r)
		}
		var got string
		if err != nil {
			got = err.Error()
		} else {
			m.Initial = r.Initial
			got = blackbox.Linearizable(r.History, m).Verdict.String()
		}
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %s; want %s\n%s", c.name, got, c.want, c.text)
		}
	}
}

// A history of readers and writers is judged by their model, and rejected by models that would call two readers a
// violation.
func TestASharedAcquireIsReadAndWrittenAndRefusedByModelsOfOneHolder(t *testing.T) {
	const shared = `{"process":0,"type":"invoke","f":"acquire","value":{"shared":true}}
{"process":0,"type":"ok","f":"acquire"}
{"process":1,"type":"invoke","f":"lock","value":{"shared":true}}
{"process":1,"type":"ok","f":"lock","value":{"shared":true,"fence":7}}
`
	const writer = `{"process":2,"type":"invoke","f":"acquire","value":{"shared":false}}
{"process":2,"type":"ok","f":"acquire"}
`
	rwlock, _ := blackbox.LookupModel("rwlock")
	for text, want := range map[string]checker.Verdict{shared: checker.Holds, shared + writer: checker.Violated} {
		r, err := codec.Reading{}.Read(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := blackbox.Linearizable(r.History, rwlock); rwlock.Suits(r) != nil || got.Verdict != want {
			t.Errorf("%v, %+v; want %v", rwlock.Suits(r), got, want)
		}
		for _, m := range blackbox.Models {
			if err := m.Suits(r); m.Name != "rwlock" && err == nil {
				t.Errorf("%s does not refuse it", m.Name)
			}
		}
		mutex, _ := blackbox.LookupModel("mutex")
		if err := mutex.Suits(r); err.Error() != "1:1: found an acquire that is shared, which mutex knows nothing of; want the model rwlock" {
			t.Error(err)
		}
		for _, written := range [][]byte{codec.AppendJSON(nil, r.History), codec.AppendEDN(nil, r.History, nil)} {
			back, err := codec.Reading{}.Read(bytes.NewReader(written))
			if err != nil || !slices.Equal(back.History, r.History) {
				t.Errorf("%v: %s", err, written)
			}
		}
	}
	for _, c := range []struct{ text, want string }{
		{`{"process":0,"type":"invoke","f":"acquire","value":{"shared":1}}`, `found an integer, 1 as the value of shared; want true or false`},
		{`{"process":0,"type":"invoke","f":"acquire","shared":true}`, `found "shared" next to the value of an op`},
	} {
		if _, err := (codec.Reading{}).Read(strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v; want %s", err, c.want)
		}
	}
}

func TestVersionsAndValuesAreNotMixed(t *testing.T) {
	r, err := codec.Reading{}.Read(strings.NewReader(register("0 cas [0 2]", "0 ok [0 2]")))
	m, _ := blackbox.LookupModel("register")
	if err != nil || m.Suits(r) == nil || !strings.HasPrefix(m.Suits(r).Error(), "1:1: found a cas, which a register of versions knows nothing of; want the model cas-register") {
		t.Errorf("%v, %v", err, m.Suits(r))
	}
}

// The window of a violation in JSON has the values as the file has them, and can be judged again.
func TestOpsOfARegisterAreWrittenWithTheirValues(t *testing.T) {
	r, err := codec.Reading{}.Read(strings.NewReader(register("3 write :a", "3 ok :a", "4 cas [:a 7]", "4 ok [:a 7]", "5 read nil", "5 ok nil")))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{
		`{"index":0,"time":0,"process":3,"type":"invoke","f":"write","value":":a"}`, `{"index":1,"time":1,"process":3,"type":"ok","f":"write","value":null}`,
		`{"index":2,"time":2,"process":4,"type":"invoke","f":"cas","value":[":a",7]}`, `{"index":3,"time":3,"process":4,"type":"ok","f":"cas","value":[null,null]}`,
		`{"index":4,"time":4,"process":5,"type":"invoke","f":"read","value":null}`, `{"index":5,"time":5,"process":5,"type":"ok","f":"read","value":null}`,
	} {
		if got := string(r.AppendOp(nil, i)); got != want {
			t.Errorf("%s; want %s", got, want)
		}
	}
	if got, want := string(codec.AppendOp(nil, checker.Op{F: checker.CompareAndSet, Value: checker.Value{Expected: 1, Data: 2}})), `"f":"cas","value":[1,2]}`; !strings.HasSuffix(got, want) {
		t.Error(got)
	}
}

// The indices set the order, wherever the ops are in the file; the nemesis keeps its place.
func TestOpsAreSortedByTheirIndices(t *testing.T) {
	const text = `[{:index 9 :process 0 :type :ok :f :release}
		{:index 2 :process 0 :type :invoke :f :acquire} {:index 5 :process 0 :type :ok :f :acquire}
		{:process :nemesis :type :info :f :kill}
		{:index 7 :process 0 :type :invoke :f :release}]`
	if _, err := (codec.Reading{}).Read(strings.NewReader(text)); !errors.Is(err, codec.ErrUnsorted) || !strings.Contains(err.Error(), "rise") {
		t.Errorf("unsorted: %v", err)
	}
	r, err := codec.Reading{Sort: true}.Read(strings.NewReader(text))
	if err != nil || !r.Sorted || r.Skipped != 1 || r.Index(0) != 2 || r.Index(3) != 9 || r.Place(3) != (codec.Place{Line: 1, Column: 2}) || r.Place(2).Line != 4 {
		t.Errorf("%v, %+v", err, r)
	}
	var wrong *codec.Error
	_, err = codec.Reading{Sort: true}.Read(strings.NewReader(strings.Replace(text, ":index 7", ":index 5", 1)))
	if !errors.As(err, &wrong) || wrong.Place.Line != 4 || !strings.Contains(wrong.Says, "found 5 as the index, after 5 in line 2") {
		t.Errorf("an index twice: %v", err)
	}
	r, err = codec.Reading{Sort: true}.Read(strings.NewReader(locked("", "")))
	if err != nil || r.Sorted {
		t.Errorf("sorted without an index: %v", err)
	}
}

// Hazelcast's tests name the owner of an op that failed, or may have, next to the value.
func TestOwnerNextToTheValueActs(t *testing.T) {
	text := ops(`0 invoke A "u1"`, `0 ok A {:client "p" :uid "u1"}`, `1 invoke R "u2"`) +
		"{:process 1 :type :info :f :release :value \"u2\" :error :io-exception :debug {:client \"q\" :uid \"u2\"}}\n" +
		ops(`2 invoke A "u3"`, `2 ok A {:client "q" :uid "u3"}`)
	if r, got := judged(t, codec.Reading{}, "mutex", text); got != "violated" || len(r.Owners) != 2 {
		t.Errorf("%s: q released what p held", got)
	}
	if _, got := judged(t, codec.Reading{}, "mutex", strings.Replace(text, `"q" :uid "u2"`, `"p" :uid "u2"`, 1)); got != "holds" {
		t.Errorf("%s: p may have released, through another process", got)
	}
}
