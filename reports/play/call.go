package play

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A Program answers calls. Its fields say what it is; they show in answers and decide nothing.
type Program struct {
	Version  string // of Lockstorm
	Revision string // the commit that it was built from; empty if that is not known

	begun     *based           // what the latest setup began with
	latest    [2]*ran          // the latest runs: the next call is often about one
	catalogue []listedScenario // read once
}

// Call returns the answer to a request. Equal requests have equal answers, whatever was asked before.
func (p *Program) Call(name string, request []byte) (answer []byte) {
	defer func() {
		if broken := recover(); broken != nil {
			p.begun, p.latest = nil, [2]*ran{}
			text := strings.TrimSpace(fmt.Sprint(broken))
			answer = encode(failed{failure{Message: "this is a defect of Lockstorm, in the call " + name + ": " + text}})
		}
	}()
	serve, known := map[string]func([]byte) (any, error){
		"about": func(r []byte) (any, error) {
			return answered(r, func(*struct{}) (*aboutAnswer, error) { return p.about(), nil })
		},
		"open":   func(r []byte) (any, error) { return answered(r, p.open) },
		"run":    func(r []byte) (any, error) { return answered(r, p.run) },
		"report": func(r []byte) (any, error) { return answered(r, p.report) },
		"state":  func(r []byte) (any, error) { return answered(r, p.state) },
		"move":   func(r []byte) (any, error) { return answered(r, p.move) },
		"many":   func(r []byte) (any, error) { return answered(r, p.many) },
		"fuzz":   func(r []byte) (any, error) { return answered(r, p.fuzz) },
		"shrink": func(r []byte) (any, error) { return answered(r, p.shrink) },
	}[name]
	if !known {
		return encode(failed{failure{Message: fmt.Sprintf("there is no call %q", name) + faults.Suggest(name, calls)}})
	}
	made, err := serve(request)
	if err != nil {
		return encode(failed{failureOf(err)})
	}
	return encode(made)
}

var calls = []string{"about", "open", "run", "report", "state", "move", "many", "fuzz", "shrink"}

// requestMost is how many bytes a request may have: a scenario file, a schedule and settings.
const requestMost = 4 * scenarios.FileBytesMax

// answered reads a request and answers it.
func answered[Q, A any](request []byte, answer func(*Q) (*A, error)) (any, error) {
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
	return answer(&q)
}

// failed is the answer where there is none.
type failed struct {
	Error failure `json:"error"`
}

type failure struct {
	Message string `json:"message"`
	Where   string `json:"where,omitempty"` // as in Problem
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
}

func failureOf(err error) failure {
	if p, is := errors.AsType[problem](err); is {
		return failure{p.Message, p.Where, p.Line, p.Column}
	}
	return failure{Message: err.Error()}
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
