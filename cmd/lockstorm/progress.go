package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A mode is how progress is told.
type mode int

const (
	silent     mode = iota
	plainLines      // a line every 30 s or 10 %
	redrawn         // one line, drawn again and again
	jsonLines       // a JSON object every second
)

// modeFor gives the mode that the flags ask for, and that the output is fit for.
func modeFor(out io.Writer, flag string, quiet bool) mode {
	switch {
	case flag == "json":
		return jsonLines
	case quiet || flag == "none":
		return silent
	case isTerminal(out) && os.Getenv("TERM") != "dumb":
		return redrawn
	}
	return plainLines
}

// progress tells on stderr how far long work is. It is for any number of goroutines. Nothing in it has a colour, so
// NO_COLOR changes nothing.
type progress struct {
	mu       sync.Mutex
	out      io.Writer
	mode     mode
	now      func() time.Time
	began    time.Time
	told     time.Time // when it was last told
	toldAt   int       // how many were done then
	done     int
	made     int // of them, those that were not there already
	of       int // 0 where nobody knows before the end
	violated int
	what     string    // is counted, if it is not runs
	until    time.Time // when it ends, if it is not the number that ends it
}

func newProgress(out io.Writer, m mode, of int) *progress {
	p := &progress{out: out, mode: m, now: time.Now, of: of}
	p.began = p.now()
	p.told = p.began
	return p
}

// add counts runs that were done: made now, or there already.
func (p *progress) add(runs, violated int, made bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done += runs
	p.violated += violated
	if made {
		p.made += runs
	}
	if p.due() {
		p.tell()
	}
}

// spare says that so many runs need not be made.
func (p *progress) spare(runs int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.of -= runs
}

// result counts one run.
func (p *progress) result(r *scenarios.Result) {
	violated := 0
	if slices.ContainsFunc(r.Findings, func(f checker.Finding) bool { return f.Verdict == checker.Violated }) {
		violated = 1
	}
	p.add(1, violated, true)
}

// due tells whether it is time. Work of a second tells nothing, but on a terminal.
func (p *progress) due() bool {
	since := p.now().Sub(p.told)
	switch p.mode {
	case redrawn:
		return since >= 100*time.Millisecond
	case plainLines:
		return since >= 30*time.Second || since >= time.Second && p.of > 0 && p.done*10/max(p.of, 1) > p.toldAt*10/max(p.of, 1)
	case jsonLines:
		return since >= time.Second
	}
	return false
}

// tell writes where the work is.
func (p *progress) tell() {
	p.told, p.toldAt = p.now(), p.done
	switch p.mode {
	case redrawn: // a line that the terminal breaks could not be drawn over
		line := p.line()
		fmt.Fprintf(p.out, "\r\x1b[K%s", line[:min(len(line), widthOf(p.out)-1)])
	case plainLines:
		fmt.Fprintln(p.out, p.line())
	case jsonLines:
		p.writeJSON("progress", "")
	}
}

// line gives it in words.
func (p *progress) line() string {
	text := fmt.Sprintf("%d of %d %s (%d %%)", p.done, p.of, cmp.Or(p.what, "runs"), p.done*100/max(p.of, 1))
	if !p.until.IsZero() || p.of == 0 {
		text = fmt.Sprintf("%d %s", p.done, cmp.Or(p.what, "runs"))
	}
	if rate := p.rate(); rate >= 0.5 { // else it would read as none
		text += fmt.Sprintf(", %.0f a second", rate)
	}
	if p.what == "" {
		text += fmt.Sprintf(", %d with a violation", p.violated)
	}
	if left, known := p.left(); known {
		text += fmt.Sprintf(", %s left", left)
	}
	return text
}

// rate is how many runs are made a second.
func (p *progress) rate() float64 {
	took := p.now().Sub(p.began).Seconds()
	if took <= 0 {
		return 0
	}
	return float64(p.made) / took
}

// left is how long the rest will take, should the rate stay what it is.
func (p *progress) left() (d time.Duration, known bool) {
	if !p.until.IsZero() {
		return max(p.until.Sub(p.now()).Round(time.Second), 0), true
	}
	rate := p.rate()
	if rate <= 0 || p.done >= p.of {
		return 0, false
	}
	return time.Duration(float64(p.of-p.done) / rate * float64(time.Second)).Round(time.Second), true
}

// report is progress as one line of JSON. The rate is per second, the time left in seconds and null where it is not known.
type report struct {
	Event    string   `json:"event"` // progress, note or end
	Text     string   `json:"text,omitempty"`
	What     string   `json:"what,omitempty"` // is counted, if it is not runs
	Done     int      `json:"done"`
	Of       int      `json:"of"`
	Rate     float64  `json:"rate"`
	Violated int      `json:"violated"`
	Left     *float64 `json:"left_seconds"`
}

func (p *progress) writeJSON(event, text string) {
	r := report{Event: event, Text: text, What: p.what, Done: p.done, Of: p.of, Rate: math.Round(p.rate()*10) / 10, Violated: p.violated}
	if left, known := p.left(); known {
		seconds := left.Seconds()
		r.Left = &seconds
	}
	line, err := json.Marshal(r)
	if err != nil {
		panic(err) // strings and finite numbers only
	}
	fmt.Fprintf(p.out, "%s\n", line)
}

// say tells something besides.
func (p *progress) say(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch p.mode {
	case redrawn:
		fmt.Fprintf(p.out, "\r\x1b[Klockstorm: %s\n", text)
	case jsonLines:
		p.writeJSON("note", text)
	default: // even a quiet command answers
		fmt.Fprintln(p.out, "lockstorm:", text)
	}
}

// end takes away the line that is redrawn, so that what comes next has a place, and ends the JSON.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch p.mode {
	case redrawn:
		fmt.Fprint(p.out, "\r\x1b[K")
	case jsonLines:
		p.writeJSON("end", "")
	}
}
