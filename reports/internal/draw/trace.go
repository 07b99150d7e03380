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

// A trace is built in Chrome's trace event format, which Perfetto and Chrome's tracing open: a process a host, a thread for
// each kind of bar, and messages as flows from one to another.
//
// Names come first, then events in order of time. Complete events of one thread lie within each other or apart. What may
// overlap, such as faults and keys, is asynchronous: a beginning and an end with an ID of their own. A flow is bound to the
// event that encloses its end, so a message has one of a nanosecond where it was sent, and one where it arrived.
type trace struct {
	s      *Scene
	names  []traceEvent
	events []traceEvent
	named  map[[2]int]bool // threads that have their name
}

// A traceEvent is one line of a trace.
type traceEvent struct {
	Phase    string         `json:"ph"`
	Bind     string         `json:"bp,omitempty"` // what a flow is bound to
	Scope    string         `json:"s,omitempty"`  // of an instant
	Category string         `json:"cat,omitempty"`
	ID       int            `json:"id,omitempty"`
	Process  int            `json:"pid"`
	Thread   int            `json:"tid,omitempty"`
	Time     json.Number    `json:"ts,omitempty"` // as Perfetto has it, in microseconds
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

// messagesMost is how many messages a trace has with their flows; of more, the first.
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
	if n := len(p.s.messages); n > messagesMost && p.s.Left == "" {
		p.s.Left = fmt.Sprintf("Of %s messages the first %s are here.", wording.Grouped(n), wording.Grouped(messagesMost))
	}
	const form = `{"displayTimeUnit":"ms","otherData":{"scenario":%s,"seed":%d,"left_out":%s},` + "\n\"traceEvents\":[\n%s\n]}\n"
	return fmt.Appendf(nil, form,
		marshalled(wording.Plain(r.Scenario.ID)), r.Seed, marshalled(p.s.Left), strings.Join(lines, ",\n"))
}

func marshalled(v any) string {
	b, _ := json.Marshal(v) // texts and numbers always marshal
	return string(b)
}

func micros(t clock.Instant) json.Number {
	return json.Number(fmt.Sprintf("%d.%03d", int64(t)/1000, int64(t)%1000))
}

// name adds an event that names something, or says where it stands.
func (p *trace) name(pid, tid int, what, key string, value any) {
	p.names = append(p.names, traceEvent{Phase: "M", Process: pid, Thread: tid, Name: what, Args: map[string]any{key: value}})
}

// add adds an event of a thread, which is named before its first.
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

// says is what whoever points at an event reads.
func says(text string) map[string]any { return map[string]any{"says": wording.Plain(text)} }

// Faults are drawn in a process of their own, and so is the key of a service. Hosts have theirs, from 1.
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
	order := [...]int{clientLane: 0, serviceLane: 999, nodeLane: 1000, storageLane: 2000, faultLane: 3000}[l.kind] + max(l.host, 0)
	p.name(pid, 0, "process_name", "name", name)
	p.name(pid, 0, "process_sort_index", "sort_index", order)
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

// otherHosts names the hosts that have no lane, such as an observer: messages come from them, or go there.
func (p *trace) otherHosts() {
	for host, name := range p.s.Run.Hosts {
		if !slices.ContainsFunc(p.s.lanes, func(l lane) bool { return l.kind != faultLane && l.host == host }) {
			p.name(host+1, 0, "process_name", "name", name)
		}
	}
}

// marks adds the named points that a client passed.
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

// bar adds one bar. Those that may overlap on their thread, such as faults and keys, are asynchronous; they need no nesting.
func (p *trace) bar(pid int, b bar) {
	k := &looks[b.kind]
	name := k.thread
	if b.text != "" {
		name = wording.Plain(b.text)
	}
	if k.apart {
		e := traceEvent{Category: k.thread, ID: len(p.events) + 1, Name: name}
		begin, end := e, e
		begin.Phase, begin.Args, end.Phase = "b", says(b.says), "e"
		p.add(b.from, pid, int(b.kind), begin)
		p.add(b.to, pid, int(b.kind), end)
		return
	}
	p.add(b.from, pid, int(b.kind), traceEvent{Phase: "X", Lasts: micros(b.to - b.from), Name: name, Args: says(b.says)})
}

// flows adds the messages, as many as there is room for.
func (p *trace) flows() {
	n := 0
	for i := range p.s.messages {
		m := &p.s.messages[i]
		if !p.s.Sees(m.Sent, m.Sent) || n >= messagesMost {
			continue
		}
		n++
		p.message(m, i+1)
	}
}

// message adds an instant where a message was sent, one where it arrived, and an arrow between.
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

// clocks returns, as JSON, how far ahead each clock is that is not always true, and when. Between two of the instants it
// changes evenly. The page's script reads it.
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

// ahead returns how far ahead of the truth a host's clock is at the instants that matter; nil if it is always true.
func (s *Scene) ahead(host int) [][2]int64 {
	instants := []clock.Instant{s.From, s.To}
	for i := range clock.Instant(40) { // a slew changes where no event says so
		instants = append(instants, s.From+(s.To-s.From)/40*i)
	}
	for _, p := range s.episodes {
		if p.Host == host && p.From >= s.From && p.From <= s.To && (p.What == "step" || p.What == "drift" || p.What == "slew") {
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
