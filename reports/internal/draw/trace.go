package draw

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/reports/layout"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A perfetto builds a trace in Chrome's trace event format, which Perfetto and Chrome's tracing open: a process
// a host, a thread for each kind of bar, and messages as flows from one to another.
//
// Names come first, then events in order of time. Complete events of one thread lie within each other or apart. What may
// overlap, such as faults and keys, is asynchronous: a beginning and an end with an ID of their own. A flow is bound to the event
// that encloses its end, so a message has one of a nanosecond where it was sent, and one where it arrived.
type perfetto struct {
	s      *Scene
	names  []string
	events []traced
	named  map[[2]int]bool // threads that have their name
}

// A traced is an event as JSON, with the instant that it is sorted by.
type traced struct {
	at   clock.Instant
	line string
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

// perfettoMost is how many messages a trace has with their flows; of more, the first.
const perfettoMost = 8_000

// Perfetto returns a run as trace.perfetto.json. Its times are true time, in microseconds.
func Perfetto(r *scenarios.Result) []byte {
	p := &perfetto{s: NewScene(r), named: map[[2]int]bool{}}
	for i := range p.s.lanes {
		p.lane(&p.s.lanes[i])
		p.marks(&p.s.lanes[i])
	}
	p.otherHosts()
	p.flows()
	slices.SortStableFunc(p.events, func(a, b traced) int { return cmp.Compare(a.at, b.at) })
	lines := p.names
	for _, e := range p.events {
		lines = append(lines, e.line)
	}
	if n := len(p.s.messages); n > perfettoMost && p.s.Left == "" {
		p.s.Left = fmt.Sprintf("Of %s messages the first %s are here.", layout.Grouped(n), layout.Grouped(perfettoMost))
	}
	head := `{"displayTimeUnit":"ms","otherData":{"scenario":` + quoted(layout.Plain(r.Scenario.ID)) + `,"seed":` + strconv.FormatUint(r.Seed, 10) +
		`,"left_out":` + quoted(p.s.Left) + "},\n\"traceEvents\":[\n"
	return []byte(head + strings.Join(lines, ",\n") + "\n]}\n")
}

func quoted(s string) string {
	b, _ := json.Marshal(s) // a string always marshals
	return string(b)
}

func microsOf(t clock.Instant) string {
	return fmt.Sprintf("%d.%03d", int64(t)/1000, int64(t)%1000)
}

// name adds an event that names something; add adds any other.
func (p *perfetto) name(format string, args ...any) {
	p.names = append(p.names, fmt.Sprintf(format, args...))
}

func (p *perfetto) add(t clock.Instant, format string, args ...any) {
	p.events = append(p.events, traced{t, fmt.Sprintf(format, args...)})
}

// Faults are drawn in a process of their own, and so is the key of a service. Hosts have theirs, from 1.
const (
	faultProcess   = 1_000_000
	serviceProcess = 1_000_001
)

func (p *perfetto) lane(l *lane) {
	pid, name := l.host+1, l.name
	switch l.kind {
	case faultLane:
		pid, name = faultProcess, "faults"
	case serviceLane:
		pid = serviceProcess
	}
	order := [...]int{clientLane: 0, serviceLane: 999, nodeLane: 1000, storageLane: 2000, faultLane: 3000}[l.kind] + max(l.host, 0)
	p.name(`{"ph":"M","pid":%d,"name":"process_name","args":{"name":%s}}`, pid, quoted(name))
	p.name(`{"ph":"M","pid":%d,"name":"process_sort_index","args":{"sort_index":%d}}`, pid, order)
	for _, b := range l.bars {
		text := b.text
		if b.kind == faultBar {
			text = l.name
		}
		p.bar(pid, b, text)
	}
	for _, q := range l.points {
		p.thread(pid, pointThread)
		p.add(q.at, `{"ph":"i","s":"t","pid":%d,"tid":%d,"ts":%s,"name":%s,"args":{"says":%s}}`,
			pid, pointThread+1, microsOf(q.at), quoted(layout.Plain(q.text)), quoted(layout.Plain(q.says)))
	}
}

// otherHosts names the hosts that have no lane, such as an observer: messages come from them, or go there.
func (p *perfetto) otherHosts() {
	for host, name := range p.s.Run.Hosts {
		if !slices.ContainsFunc(p.s.lanes, func(l lane) bool { return l.kind != faultLane && l.host == host }) {
			p.name(`{"ph":"M","pid":%d,"name":"process_name","args":{"name":%s}}`, host+1, quoted(name))
		}
	}
}

// marks adds the named points that a client passed.
func (p *perfetto) marks(l *lane) {
	if l.kind != clientLane {
		return
	}
	for _, m := range p.s.Run.Marks(l.host) {
		if p.s.Sees(m.At, m.At) {
			p.thread(l.host+1, pointThread)
			p.add(m.At, `{"ph":"i","s":"t","pid":%d,"tid":%d,"ts":%s,"name":%s}`, l.host+1, pointThread+1, microsOf(m.At), quoted(layout.Plain(m.Name)))
		}
	}
}

// bar adds one bar. Those that may overlap on their thread, such as faults and keys, are asynchronous; they need no nesting.
func (p *perfetto) bar(pid int, b bar, text string) {
	name := looks[b.kind].thread
	if text != "" {
		name = layout.Plain(text)
	}
	p.thread(pid, int(b.kind))
	if looks[b.kind].apart {
		id, cat := len(p.events)+1, quoted(looks[b.kind].thread)
		p.add(b.from, `{"ph":"b","cat":%s,"id":%d,"pid":%d,"tid":%d,"ts":%s,"name":%s,"args":{"says":%s}}`,
			cat, id, pid, int(b.kind)+1, microsOf(b.from), quoted(name), quoted(layout.Plain(b.says)))
		p.add(b.to, `{"ph":"e","cat":%s,"id":%d,"pid":%d,"tid":%d,"ts":%s,"name":%s}`, cat, id, pid, int(b.kind)+1, microsOf(b.to), quoted(name))
		return
	}
	p.add(b.from, `{"ph":"X","pid":%d,"tid":%d,"ts":%s,"dur":%s,"name":%s,"args":{"says":%s}}`,
		pid, int(b.kind)+1, microsOf(b.from), microsOf(b.to-b.from), quoted(name), quoted(layout.Plain(b.says)))
}

// thread names a thread of a process, once.
func (p *perfetto) thread(pid, kind int) {
	if key := [2]int{pid, kind}; !p.named[key] {
		p.named[key] = true
		p.name(`{"ph":"M","pid":%d,"tid":%d,"name":"thread_name","args":{"name":%s}}`, pid, kind+1, quoted(threadName(kind)))
		p.name(`{"ph":"M","pid":%d,"tid":%d,"name":"thread_sort_index","args":{"sort_index":%d}}`, pid, kind+1, kind)
	}
}

// flows adds the messages, as many as there is room for: an instant where one was sent, one where it arrived, and an arrow between.
func (p *perfetto) flows() {
	n := 0
	for i := range p.s.messages {
		m := &p.s.messages[i]
		if !p.s.Sees(m.Sent, m.Sent) || n >= perfettoMost {
			continue
		}
		n++
		p.message(m, i+1)
	}
}

func (p *perfetto) message(m *scenarios.Message, id int) {
	tid := messageThread + 1
	p.thread(m.From+1, messageThread)
	verb := "sends "
	if m.Reply {
		verb = "answers "
	}
	p.add(m.Sent, `{"ph":"X","pid":%d,"tid":%d,"ts":%s,"dur":0.001,"name":%s,"args":{"call":%d}}`, m.From+1, tid, microsOf(m.Sent),
		quoted(verb+layout.Plain(m.Text)), m.Call)
	if m.Arrived == clock.Forever {
		return
	}
	if m.Fate == scenarios.Dropped {
		p.add(m.Arrived, `{"ph":"i","s":"t","pid":%d,"tid":%d,"ts":%s,"name":%s}`, m.From+1, tid, microsOf(m.Arrived), quoted("lost: "+layout.Plain(m.Text)))
		return
	}
	p.thread(m.To+1, messageThread)
	p.add(m.Sent, `{"ph":"s","cat":"message","id":%d,"pid":%d,"tid":%d,"ts":%s,"name":%s}`, id, m.From+1, tid, microsOf(m.Sent), quoted(layout.Plain(m.Text)))
	p.add(m.Arrived, `{"ph":"X","pid":%d,"tid":%d,"ts":%s,"dur":0.001,"name":%s,"args":{"call":%d,"fate":%s}}`, m.To+1, tid, microsOf(m.Arrived),
		quoted("gets "+layout.Plain(m.Text)), m.Call, quoted(fateText(m)))
	p.add(m.Arrived, `{"ph":"f","bp":"e","cat":"message","id":%d,"pid":%d,"tid":%d,"ts":%s,"name":%s}`, id, m.To+1, tid, microsOf(m.Arrived), quoted(layout.Plain(m.Text)))
}

// Clocks returns, as JSON, how far ahead each clock is that is not always true, and when. Between two of the instants it
// changes evenly. The page's script reads it.
func (s *Scene) Clocks() string {
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
