package play

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A Program answers calls. Its version shows in answers and decides nothing.
type Program struct {
	Version string // of Lockstorm

	begun  *based  // what the latest setup began with
	latest [2]*ran // the latest runs: the next call is often about one
}

// Call returns the answer to a request. Equal requests have equal answers, whatever was asked before.
func (p *Program) Call(name string, request []byte) (answer []byte) {
	defer func() {
		if broken := recover(); broken != nil {
			p.begun, p.latest = nil, [2]*ran{}
			text := strings.TrimSpace(fmt.Sprint(broken))
			text = "this is a defect of Lockstorm, in the call " + name + ": " + text
			answer = encode(failed{problem{Message: text}})
		}
	}()
	serve, known := calls[name]
	if !known {
		names := slices.Sorted(maps.Keys(calls))
		return encode(failed{problem{Message: fmt.Sprintf("there is no call %q", name) + faults.Suggest(name, names)}})
	}
	made, err := serve(p, request)
	if err != nil {
		return encode(failed{problemOf(err)})
	}
	return encode(made)
}

// calls are the calls that a page can make. Each reads its request, and answers it.
var calls = map[string]func(p *Program, request []byte) (answer any, err error){
	"about": answered((*Program).about), "open": answered((*Program).open), "run": answered((*Program).run),
	"report": answered((*Program).report), "decide": answered((*Program).decide),
	"state": answered((*Program).state), "move": answered((*Program).move),
	"many": answered((*Program).many), "fuzz": answered((*Program).fuzz), "shrink": answered((*Program).shrink),
}

// requestMost is how many bytes a request may have: a scenario file, a schedule and settings.
const requestMost = 4 * scenarios.FileBytesMax

func answered[Q, A any](answer func(*Program, *Q) (*A, error)) func(*Program, []byte) (any, error) {
	return func(p *Program, request []byte) (any, error) {
		var q Q
		if len(request) > requestMost {
			return nil, fmt.Errorf("the request has %d bytes; give at most %d", len(request), requestMost)
		}
		d := json.NewDecoder(bytes.NewReader(request))
		d.DisallowUnknownFields()
		if err := d.Decode(&q); err != nil {
			return nil, fmt.Errorf("the request can't be read: %s", strings.TrimPrefix(err.Error(), "json: "))
		}
		if _, err := d.Token(); !errors.Is(err, io.EOF) {
			return nil, errors.New("the request can't be read: there is more after its end")
		}
		return answer(p, &q)
	}
}

// failed is the answer to a request that has no other.
type failed struct {
	Error problem `json:"error"`
}

func problemOf(err error) problem {
	if all, is := errors.AsType[problems](err); is {
		return all[0]
	}
	return problem{Message: err.Error()}
}

// encode writes an answer. HTML in it, such as a picture, stays as it is.
func encode(answer any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(answer); err != nil {
		panic("play: " + err.Error()) // these types always marshal
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
