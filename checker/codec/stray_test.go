package codec_test

import (
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/codec"
)

// A word that decides must not be overlooked because it stands in another place than ours: two locks would be judged as one, and two
// owners as one who comes back.
func TestAWordThatDecidesIsReadOrRefused(t *testing.T) {
	const begin = `{"process": 1, "type": "invoke", "f": "acquire"`
	const end = `{"process": 1, "type": "ok", "f": "acquire", "value": `
	for _, c := range []struct{ name, text, want string }{
		{"an owner beside the value", begin + `, "owner": "a"}`, `1:50: found "owner" beside the value of an op; want it in the value, a map`},
		{"a client's ID beside the value", begin + `, "clientId": "a"}`, `found "clientId" beside the value`},
		{"a token beside the value", begin + `, "fencingToken": 7}`, `found "fencingToken" beside the value`},
		{"a mutex", begin + `, "mutex": "a"}`, `if it names the lock, call it lock`},
		{"a slip", begin + `, "lokc": "a"}`, `found "lokc" as the key of an op; did you mean lock?`},
		{"two names of the lock", begin + `, "lock": "a", "resource": "b"}`, `found "resource" a second time`},
		{"no result", begin + "}\n" + end + `{"result": null}}`, `found "result" nil in an op that is ok`},
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
