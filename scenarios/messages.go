package scenarios

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/redis"
	"github.com/lockstorm/lockstorm/sim/sql"
	"github.com/lockstorm/lockstorm/sim/storage"
)

// A Message is one way of a call, a request or a reply, from end to end, which takes several lines of a trace. It
// serves drawings, which don't know the simulator or the protocols of its servers.
type Message struct {
	Call     uint32
	Reply    bool
	From, To int           // hosts, as Result.Hosts numbers them
	Sent     clock.Instant // a reply is sent when its request is handled; what answering takes is part of its way
	Arrived  clock.Instant // it was handled, or lost; Forever if it was still under way at the end
	Held     clock.Instant // when a fault held it on its way, until Freed; Forever if none did
	Freed    clock.Instant
	Fate     Fate
	Text     string // its content in a few words: "SET", "OK", "write v0"
	Full     string // its whole content, where that takes more than a few words; else empty
}

// A Fate is the outcome of a Message.
type Fate uint8

// The fates of a message.
const (
	Underway  Fate = iota // the run ended before it arrived
	Delivered             // it was handled
	Dropped               // it was lost
	Repelled              // its host was off
	Overdue               // a reply that came after its caller had given up
)

// Messages returns all messages of the run in the order in which they were sent.
func (r *Result) Messages() []Message {
	var all []Message
	var latest []int // the latest message of each call, by the call's number
	asked := map[uint32]any{}
	for _, e := range r.Trace {
		if e.Call == 0 {
			continue
		}
		for len(latest) <= int(e.Call) {
			latest = append(latest, -1)
		}
		if e.Kind == sim.Sent || e.Kind == sim.Posted {
			latest[e.Call], asked[e.Call] = len(all), e.Body
			all = append(all, newMessage(&e, false, requestText(e.Body)))
			continue
		}
		if i := latest[e.Call]; i >= 0 && all[i].follow(&e) {
			latest[e.Call] = len(all)
			all = append(all, newMessage(&e, true, answerText(&e, asked[e.Call])))
		}
	}
	return all
}

func newMessage(e *sim.Event, reply bool, text string) Message {
	return Message{
		Call: e.Call, Reply: reply, From: int(e.Host), To: int(e.Peer), Sent: e.At, Text: text, Full: fullText(e.Body),
		Arrived: clock.Forever, Held: clock.Forever, Freed: clock.Forever,
	}
}

// follow records what happened to the message, and reports whether a reply to it has been sent.
func (m *Message) follow(e *sim.Event) (replied bool) {
	switch e.Kind {
	case sim.Served:
		if m.Fate != Delivered { // else it was answered late
			m.Arrived, m.Fate = e.At, Delivered
		}
		return true
	case sim.Deferred, sim.Told, sim.Received:
		m.Arrived, m.Fate = e.At, Delivered
	case sim.Refused:
		m.Arrived, m.Fate = e.At, Repelled
		return true
	case sim.Late:
		m.Arrived, m.Fate = e.At, Overdue
	case sim.Lost:
		m.Arrived, m.Fate = e.At, Dropped
	case sim.Held:
		m.Held = e.At
	case sim.Freed:
		m.Freed = e.At
	}
	return false
}

// An Episode is a time in which something was the matter with a host, or with the way from it to another.
type Episode struct {
	What       string // such as pause, crash, refuse, cut, slew; or a change of its clocks at one instant: step, drift
	Host, Peer int    // -1, except for cut, loss and delay
	From, To   clock.Instant
	By         string // how far a clock was changed, how much is lost or delayed
}

// episodeEnds maps the event that ends an episode to the one that begins it.
var episodeEnds = map[sim.Kind]sim.Kind{
	sim.Resumed: sim.Paused, sim.Woken: sim.Suspended, sim.Started: sim.Crashed, sim.Mended: sim.CutOff,
	sim.Unstalled: sim.Stalled, sim.Accepting: sim.Refusing,
}

// Episodes returns all episodes, in the order in which they began.
func (r *Result) Episodes() []Episode {
	var all []Episode
	for _, e := range r.Trace {
		switch e.Kind {
		case sim.Paused, sim.Suspended, sim.Crashed, sim.Stalled, sim.Refusing, sim.CutOff, sim.LossSet, sim.DelaySet:
			if e.Trouble() > 0 {
				all = append(all, episode(&e, clock.Forever))
			} else {
				finish(all, e.Kind, &e)
			}
		case sim.Resumed, sim.Woken, sim.Started, sim.Mended, sim.Unstalled, sim.Accepting:
			finish(all, episodeEnds[e.Kind], &e)
		case sim.Stepped, sim.Drifted:
			all = append(all, episode(&e, e.At))
		case sim.Slewed:
			if by, _ := e.Body.(time.Duration); by != 0 { // a slew of 0s only stops another, which ends there
				all = append(all, episode(&e, r.slewEnd(&e)))
			}
		}
	}
	return all
}

// slewEnd returns when a slew ended, done or stopped. The trace lacks the end of a slew that was done; the list of
// faults that hit has it.
func (r *Result) slewEnd(e *sim.Event) clock.Instant {
	d, _ := e.Body.(time.Duration)
	for _, s := range r.Evidence.Strikes {
		f := &r.Scenario.Faults[s.Index]
		if s.From == e.At && f.Kind == faults.Slew && f.By == d && slices.Contains(s.Hosts, r.Hosts[e.Host]) {
			return s.To
		}
	}
	return e.At
}

func episode(e *sim.Event, to clock.Instant) Episode {
	by := ""
	switch v := e.Body.(type) {
	case time.Duration:
		by = v.String()
	case clock.Rate:
		by = v.String()
	case int64:
		by = strconv.FormatInt(v, 10) + " of a million"
	case string:
		if e.Kind == sim.Refusing {
			by = v
		}
	}
	return Episode{What: e.Kind.String(), Host: int(e.Host), Peer: int(e.Peer), From: e.At, To: to, By: by}
}

// finish ends the first episode of a kind that is open between the event's hosts.
func finish(all []Episode, kind sim.Kind, e *sim.Event) {
	for i := range all {
		if p := &all[i]; p.What == kind.String() && p.Host == int(e.Host) && p.Peer == int(e.Peer) &&
			p.To == clock.Forever {
			p.To = e.At
			return
		}
	}
}

// Shown returns what the wall clock of a host shows at an instant, and how far that is from the truth. It is false for
// a result that has no clocks, such as one made by hand.
func (r *Result) Shown(host int, t clock.Instant) (shown clock.Reading, ahead time.Duration, known bool) {
	if host < 0 || host >= len(r.Clocks) || t == clock.Forever {
		return 0, 0, false
	}
	shown = r.Clocks[host].Wall(t)
	return shown, shown.Sub(Epoch.Add(t.Sub(0))), true
}

// A brief is a message that describes itself in a few words. Its String, if it has one, takes more.
type brief interface{ Brief() string }

// An answer is a reply that describes itself in a few words, given its request.
type answer interface{ Answer(asked any) string }

// requestText describes a request in a few words: by its command, what its script does, or its own words.
func requestText(body any) string {
	switch v := body.(type) {
	case []string:
		return commandText(v)
	case *redis.Request:
		return commandText(v.Args)
	case storage.Read:
		return "read"
	case storage.Ask:
		return "may I?"
	case *storage.Write:
		return "write on v" + strconv.FormatUint(v.Base.Plain, 10)
	case sql.In:
		return requestText(v.Request)
	case brief:
		return v.Brief()
	case fmt.Stringer:
		return v.String()
	}
	return "request"
}

// fullText describes in full a message that also describes itself in a few words.
func fullText(body any) string {
	full, ok := body.(fmt.Stringer)
	if !ok {
		return ""
	}
	switch body.(type) {
	case brief, answer:
		return full.String()
	}
	return ""
}

// commandText returns the name of a command; for a script what that does, since all scripts have the same command.
func commandText(words []string) string {
	switch {
	case len(words) == 0:
		return "request"
	case len(words) > 1 && words[1] == raise:
		return "raise counter"
	case len(words) > 1 && strings.HasPrefix(words[0], "EVAL"):
		if text := locks.DescribeScript(words[1]); text != "" {
			return text
		}
	}
	return words[0]
}

// answerText describes a reply in a few words, given its request.
func answerText(e *sim.Event, asked any) string {
	if e.Kind == sim.Refused {
		return "refused"
	}
	switch v := e.Body.(type) {
	case nil:
		return "nil"
	case *redis.Reply:
		return answerText(&sim.Event{Body: v.Value}, asked)
	case string:
		return v
	case int64:
		return strconv.FormatInt(v, 10)
	case bool:
		return strconv.FormatBool(v)
	case []any: // of a list, as SUBSCRIBE and SENTINEL return it, the first item is what it is
		if len(v) > 0 {
			return answerText(&sim.Event{Body: v[0]}, asked)
		}
		return "empty"
	case brief:
		return v.Brief()
	case answer:
		return v.Answer(asked)
	case error: // Redis begins with a word for what is wrong
		word, _, _ := strings.Cut(v.Error(), " ")
		return word
	case storage.State:
		return "v" + strconv.FormatUint(v.Plain, 10)
	case fmt.Stringer:
		return v.String()
	}
	return "reply"
}
