package codec_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/codec"
)

// A deciding word in an unusual place must not be overlooked: two locks would be judged as one, and two owners as one
// who comes back.
func TestAWordThatDecidesIsReadOrRefused(t *testing.T) {
	const begin = `{"process": 1, "type": "invoke", "f": "acquire"`
	const end = `{"process": 1, "type": "ok", "f": "acquire", "value": `
	for _, c := range []struct{ name, text, want string }{
		{"an owner beside the value", begin + `, "owner": "a"}`, `1:50: found "owner" next to the value of an op; want it in the value, as a map`},
		{"a client's ID beside the value", begin + `, "clientId": "a"}`, `found "clientId" next to the value`},
		{"a token beside the value", begin + `, "fencingToken": 7}`, `found "fencingToken" next to the value`},
		{"a mutex", begin + `, "mutex": "a"}`, `want the key lock, if this is the name of the lock`},
		{"a slip", begin + `, "lokc": "a"}`, `found "lokc" as the key of an op; did you mean lock?`},
		{"two names of the lock", begin + `, "lock": "a", "resource": "b"}`, `found "resource" a second time`},
		{"no result", begin + "}\n" + end + `{"result": null}}`, `found "result" nil in an op that is ok`},
		{"a result that is a number", begin + "}\n" + end + `{"result": 0}}`, `found "result" 0 in an op that is ok; want true or false`},
		{"a result in words", begin + "}\n" + end + `{"acquired": "timeout"}}`, `found "acquired" "timeout" in an op that is ok`},
		{"a result beside the value", begin + "}\n" + end + `null, "success": false}`, `found "success" false next to the value of an op that is ok`},
		{"0 that came back", begin + "}\n" + end + `0}`, `found 0 as the result of this acquire`},
		{"a mutex in the value", begin + `, "value": {"mutex": "a"}}`, `want the key lock, if this is the name of the lock`},
		{"a slip in the value", begin + `, "value": {"lokc": "a"}}`, `found "lokc" as a key of the value; did you mean lock?`},
		{"an owner in capitals", begin + `, "OWNER_ID": "a"}`, `found "OWNER_ID" next to the value`},
		{"an owner and a client", begin + `, "value": {"owner": "a", "client": "x"}}`, `found "x" after "a", which mean the same`},
		{"an owner twice", begin + `, "value": {"owner": "a", "owner": "b"}}`, `found "b" after "a"`},
		{"a cas that says 0", `{"process": 1, "type": "invoke", "f": "cas", "value": [1, 2]}{"process": 1, "type": "ok", "f": "cas", "value": 0}`,
			`found an integer, 0 as the value of a cas`},
	} {
		if _, err := (codec.Reading{}).Read(strings.NewReader(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
	for _, c := range []struct {
		name, text string
		reading    codec.Reading
		lock       string
		last       checker.Type
	}{
		{"the lock by another word", begin + `, "resource": "a"}`, codec.Reading{}, "a", checker.Invoke},
		{"the lock in capitals", begin + `, "Lock": "a"}`, codec.Reading{}, "a", checker.Invoke},
		{"the keys as Go writes them", `{"Process": 1, "Type": "invoke", "F": "acquire", "Value": {"LockName": "a"}}`, codec.Reading{}, "a", checker.Invoke},
		{"the lock under a symbol", `{:process 1 :type :invoke :f :acquire lock a}`, codec.Reading{}, "a", checker.Invoke},
		{"not acquired, in a string", begin + "}\n" + end + `{"acquired": "false"}}`, codec.Reading{}, "", checker.Fail},
		{"acquired, as Redis has it", begin + "}\n" + end + `{"result": "OK"}, "success": true}`, codec.Reading{}, "", checker.OK},
		{"a cas of a register by name that failed", `{:process 1 :type :invoke :f :cas :value [x [1 2]]}{:process 1 :type :ok :f :cas :value [x false]}`,
			codec.Reading{}, "x", checker.Fail},
		{"not acquired", begin + "}\n" + end + `{"acquired": false}}`, codec.Reading{}, "", checker.Fail},
		{"acquired", begin + "}\n" + end + `{"acquired": true}}`, codec.Reading{}, "", checker.OK},
		{"an owner that says nothing", begin + `, "owner": null}`, codec.Reading{}, "", checker.Invoke},
		{"an owner that is to be ignored", begin + `, "owner": "a"}`, codec.Reading{Value: codec.Ignored}, "", checker.Invoke},
		{"what is somebody's own", begin + `, "node": "n1", "client": 3, "id": 7, "clock": 2}`, codec.Reading{}, "", checker.Invoke},
	} {
		r, err := c.reading.Read(strings.NewReader(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if o := r.History[len(r.History)-1]; o.Lock != c.lock || o.Type != c.last {
			t.Errorf("%s: the lock %q and the type %v, want %q and %v", c.name, o.Lock, o.Type, c.lock, c.last)
		}
	}
}

// The meaning of an unknown key is unknown: it may be the name of the lock. So it is listed.
func TestAKeyThatIsNotUnderstoodIsListed(t *testing.T) {
	const invoke = `{"process": 1, "type": "invoke", "f": "acquire", "node": "n1", "client": 3, "value": {"lockNo": "a", "ttl": 5}}`
	const ok = `{"process": 1, "type": "ok", "f": "acquire", "node": null, "args": {"lock": "b"}, "value": {"lockNo": "a", "id": "u1"}}`
	const start = `{"process": "nemesis", "type": "info", "f": "start", "node": "n1"}`
	r, err := codec.Reading{}.Read(strings.NewReader(start + invoke + ok))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, u := range r.Unread {
		got = append(got, fmt.Sprintf("%v %s %v %d", u.First, u.Key, u.InValue, u.Times))
	}
	want := []string{"1:116 node false 1", "1:130 client false 1", "1:153 lockNo true 2", "1:168 ttl true 1", "1:237 args false 1", "1:285 id true 1"}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

// A process written as 01 is not process 1: neither can release the other's hold.
func TestANameInDigitsIsANumberOnlyAsNumbersAreWritten(t *testing.T) {
	for _, c := range []struct{ name, want string }{{"1", "holds"}, {"01", "violated"}, {"+1", "violated"}, {"-0", "violated"}} {
		text := ops("1 invoke A", "1 ok A") + strings.ReplaceAll(ops("? invoke R", "? ok R"), "?", `"`+c.name+`"`)
		if _, got := judged(t, codec.Reading{}, "mutex", text); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
