package draw

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A trace is in Chrome's trace event format, which Perfetto and Chrome's tracing open: a process for each host, a
// thread for each kind of bar, and messages as flows between them.
//
// Names come first, then events in order of time. Complete events of one thread contain each other or are apart. Bars
// that may overlap, such as faults and keys, are asynchronous: a beginning and an end with one ID. A flow is bound to
// the event that encloses its end, so a message has an event of a nanosecond at its sending, and one at its arrival.
type trace struct {
	s      *Scene
	names  []traceEvent
	events []traceEvent
	named  map[[2]int]bool // threads with a name
}

// A traceEvent is one line of a trace.
type traceEvent struct {
	Phase    string         `json:"ph"`
	Bind     string         `json:"bp,omitempty"` // the event of a flow
	Scope    string         `json:"s,omitempty"`  // of an instant
	Category string         `json:"cat,omitempty"`
	ID       int            `json:"id,omitempty"`
	Process  int            `json:"pid"`
	Thread   int            `json:"tid,omitempty"`
	Time     json.Number    `json:"ts,omitempty"` // in microseconds
	Lasts    json.Number    `json:"dur,omitempty"`
	Name     string         `json:"name"`
	Args     map[string]any `json:"args,omitempty"`

	at clock.Instant
}

// The threads of each process: one for each kind of bar, and two more.
const (
	messageThread = len(looks) + iota
	pointThread
)

func threadName(kind int) string {
	if kind < len(looks) {
		return looks[kind].thread
	}
	return map[int]string{messageThread: "messages", pointThread: "moments"}[kind]
}

// messagesMost is how many messages a trace has, with their flows. It leaves out later ones.
const messagesMost = 8_000

// Perfetto returns a run as trace.perfetto.json. Its times are true time, in microseconds.
func Perfetto(r *scenarios.Result) []byte {
	p := &trace{s: NewScene(r), named: map[[2]int]bool{}}
	for i := range p.s.lanes {
		p.lane(&p.s.lanes[i])
		p.marks(&p.s.lanes[i])
	}
	p.otherHosts()
	p.flows()
	slices.SortStableFunc(p.events, func(a, b traceEvent) int { return cmp.Compare(a.at, b.at) })
	var lines []string
	for _, e := range append(p.names, p.events...) {
		lines = append(lines, marshalled(e))
	}
	left := p.s.Left
	if n := len(p.s.messages); n > messagesMost && left == "" {
		left = fmt.Sprintf("Of %s messages the first %s are here.", wording.Grouped(n), wording.Grouped(messagesMost))
	}
	const form = `{"displayTimeUnit":"ms","otherData":{"scenario":%s,"seed":%d,"left_out":%s},
"traceEvents":[
%s
]}
`
	return fmt.Appendf(nil, form,
		marshalled(wording.Plain(r.Scenario.ID)), r.Seed, marshalled(left), strings.Join(lines, ",\n"))
}

func marshalled(v any) string {
	b, _ := json.Marshal(v) // texts and numbers always marshal
	return string(b)
}

func micros(t clock.Instant) json.Number {
	return json.Number(fmt.Sprintf("%d.%03d", int64(t)/1000, int64(t)%1000))
}

// name adds an event that sets the name or the order of a process or a thread.
func (p *trace) name(pid, tid int, what, key string, value any) {
	e := traceEvent{Phase: "M", Process: pid, Thread: tid, Name: what, Args: map[string]any{key: value}}
	p.names = append(p.names, e)
}

// add adds an event of a thread. Before the first of a thread it adds the thread's name.
func (p *trace) add(t clock.Instant, pid, kind int, e traceEvent) {
	if key := [2]int{pid, kind}; !p.named[key] {
		p.named[key] = true
		p.name(pid, kind+1, "thread_name", "name", threadName(kind))
		p.name(pid, kind+1, "thread_sort_index", "sort_index", kind)
	}
	e.at, e.Time, e.Process, e.Thread = t, micros(t), pid, kind+1
	p.events = append(p.events, e)
}

// instant adds an event without a length.
func (p *trace) instant(t clock.Instant, pid, kind int, name string, args map[string]any) {
	p.add(t, pid, kind, traceEvent{Phase: "i", Scope: "t", Name: name, Args: args})
}

// says returns the text that a pointer at an event shows.
func says(text string) map[string]any { return map[string]any{"says": wording.Plain(text)} }

// The processes of faults and of the key of a service. The processes of hosts begin with 1.
const (
	faultProcess   = 1_000_000
	serviceProcess = 1_000_001
)

func (p *trace) lane(l *lane) {
	pid, name := l.host+1, l.name
	switch l.kind {
	case faultLane:
		pid, name = faultProcess, "faults"
	case serviceLane:
		pid = serviceProcess
	}
	first := [...]int{clientLane: 0, serviceLane: 999, nodeLane: 1000, storageLane: 2000, faultLane: 3000}
	p.name(pid, 0, "process_name", "name", name)
	p.name(pid, 0, "process_sort_index", "sort_index", first[l.kind]+max(l.host, 0))
	for _, b := range l.bars {
		if b.kind == faultBar {
			b.text = l.name
		}
		p.bar(pid, b)
	}
	for _, q := range l.points {
		p.instant(q.at, pid, pointThread, wording.Plain(q.text), says(q.says))
	}
}

// otherHosts names the hosts without a lane that send or get messages, such as an observer.
func (p *trace) otherHosts() {
	for host, name := range p.s.Run.Hosts {
		if !slices.ContainsFunc(p.s.lanes, func(l lane) bool { return l.kind != faultLane && l.host == host }) {
			p.name(host+1, 0, "process_name", "name", name)
		}
	}
}

func (p *trace) marks(l *lane) {
	if l.kind != clientLane {
		return
	}
	for _, m := range p.s.Run.Marks(l.host) {
		if p.s.Sees(m.At, m.At) {
			p.instant(m.At, l.host+1, pointThread, wording.Plain(m.Name), nil)
		}
	}
}

// bar adds one bar. Bars that may overlap on their thread are asynchronous.
func (p *trace) bar(pid int, b bar) {
	k := &looks[b.kind]
	name := k.thread
	if b.text != "" {
		name = wording.Plain(b.text)
	}
	if k.apart {
		e := traceEvent{Phase: "b", Category: k.thread, ID: len(p.events) + 1, Name: name, Args: says(b.says)}
		p.add(b.from, pid, int(b.kind), e)
		e.Phase, e.Args = "e", nil
		p.add(b.to, pid, int(b.kind), e)
		return
	}
	e := traceEvent{Phase: "X", Lasts: micros(b.to - b.from), Name: name, Args: says(b.says)}
	p.add(b.from, pid, int(b.kind), e)
}

// flows adds the messages, if there is room.
func (p *trace) flows() {
	n := 0
	for i := range p.s.messages {
		if m := &p.s.messages[i]; n < messagesMost && p.s.Sees(m.Sent, m.Sent) {
			n++
			p.message(m, i+1)
		}
	}
}

// message adds an instant for the sending of a message, one for its arrival, and an arrow between.
func (p *trace) message(m *scenarios.Message, id int) {
	verb, text := "sends ", wording.Plain(m.Text)
	if m.Reply {
		verb = "answers "
	}
	brief := func(name string, args map[string]any) traceEvent {
		return traceEvent{Phase: "X", Lasts: "0.001", Name: name, Args: args}
	}
	call := map[string]any{"call": m.Call}
	p.add(m.Sent, m.From+1, messageThread, brief(verb+text, call))
	switch {
	case m.Arrived == clock.Forever:
	case m.Fate == scenarios.Dropped:
		p.instant(m.Arrived, m.From+1, messageThread, "lost: "+text, nil)
	default:
		arrives := maps.Clone(call)
		arrives["fate"] = fateText(m)
		flow := traceEvent{Phase: "s", Category: "message", ID: id, Name: text}
		p.add(m.Sent, m.From+1, messageThread, flow)
		p.add(m.Arrived, m.To+1, messageThread, brief("gets "+text, arrives))
		flow.Phase, flow.Bind = "f", "e"
		p.add(m.Arrived, m.To+1, messageThread, flow)
	}
}

// clocks returns as JSON, for the script of a page, how far ahead each clock is that is not always true, at some
// instants. Between two instants the difference changes evenly.
func (s *Scene) clocks() string {
	type curve [2]any
	all := []curve{}
	for _, l := range s.lanes {
		if points := s.ahead(l.host); points != nil {
			all = append(all, curve{l.name, points})
		}
	}
	b, _ := json.Marshal(all) // numbers and names marshal
	return string(b)
}

// ahead returns how far ahead of true time a host's clock is at the instants that matter; nil if it is always true.
func (s *Scene) ahead(host int) [][2]int64 {
	instants := []clock.Instant{s.From, s.To}
	for i := range clock.Instant(40) { // a slew changes the clock without events
		instants = append(instants, s.From+(s.To-s.From)/40*i)
	}
	for _, p := range s.episodes {
		changes := p.What == "step" || p.What == "drift" || p.What == "slew"
		if changes && p.Host == host && p.From >= s.From && p.From <= s.To {
			instants = append(instants, max(p.From-1, 0), p.From, min(p.To, s.To))
		}
	}
	slices.Sort(instants)
	var points [][2]int64
	wrong := false
	for _, at := range slices.Compact(instants) {
		_, by, known := s.Run.Shown(host, at)
		wrong = wrong || known && by != 0
		points = append(points, [2]int64{int64(at), int64(by)})
	}
	if !wrong {
		return nil
	}
	return points
}
