package sim

import (
	"cmp"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// An Event is one line of a trace: what one host did, or what happened to it, in true time.
type Event struct {
	At   clock.Instant
	Call uint32 // the call of a message, from 1; 0 for other events
	Kind Kind
	Host int16 // where it happened: an index into World.Hosts
	Peer int16 // the other end of a message or a link; -1 where there is none
	Body any   // a request, a reply, a mark's name, a clock's change; nil where the Kind says everything
}

// A Kind says what an Event was.
type Kind uint8

// The kinds of an Event. A message is Sent, and then Served (a request) or Received (a reply). Or it is Lost, Refused
// by a host that is off, or Late because its caller had given up. Held and Freed happen to it on the way.
const (
	Sent      Kind = iota // a request left Host for Peer; Body is the request
	Served                // Host handled a request of Peer; Body is the reply
	Received              // a reply reached Host from Peer
	Refused               // Host is off, or was in between, and refused a request of Peer
	Lost                  // a message from Host to Peer was lost
	Late                  // a reply reached Host after its caller had given up
	TimedOut              // the call from Host to Peer reached its timeout
	Held                  // a message from Host to Peer was held on its way by a fault
	Freed                 // a held message from Host to Peer continues
	Marked                // a proc on Host passed a named point; Body is the name
	Paused                // Host stopped doing anything
	Resumed               // Host continues
	Crashed               // Host went off; Body is "power" or "clean"
	Started               // Host is on again
	Stepped               // Host's wall clock was stepped; Body is the time.Duration
	Drifted               // Host's clocks changed their rate; Body is the clock.Rate
	Slewed                // Host's clocks are being corrected; Body is the time.Duration
	CutOff                // messages from Host no longer reach Peer
	Mended                // messages from Host reach Peer again
	LossSet               // the link from Host to Peer loses that many of a million messages more; Body is an int64
	DelaySet              // each message from Host to Peer takes longer by the time.Duration in Body
	Suspended             // Host was suspended: it stopped, and so did its awake clock
	Woken                 // Host continues after a suspension
	Deferred              // Host took a request of Peer, and will answer later: then it is Served
	Posted                // a message without a reply left Host for Peer; Body is the message
	Told                  // Host handled such a message of Peer
	Stalled               // Host's disk completes no sync
	Unstalled             // Host's disk continues
	Refusing              // Host answers with errors; Body says which
	Accepting             // Host does that no more
	Evicting              // Host drops what it has, to make room
)

var kindNames = [...]string{
	"sent", "served", "received", "refused", "lost", "late", "timeout", "held", "freed", "mark", "pause", "resume",
	"crash", "start", "step", "drift", "slew", "cut", "mend", "loss", "delay",
	"suspend", "wake", "defer", "post", "told", "stall", "unstall",
	"refuse", "accept", "evict",
}

// String returns the kind's name as trace.jsonl writes it.
func (k Kind) String() string { return kindNames[k] }

// note appends to the trace.
func (w *World) note(k Kind, host, peer *Host, call uint32, body any) {
	e := Event{At: w.now, Call: call, Kind: k, Host: int16(host.ID), Peer: -1, Body: body}
	if peer != nil {
		e.Peer = int16(peer.ID)
	}
	w.trace = append(w.trace, e)
}

// Trouble returns the effect of an event on its host, or on the way to its peer: 1 if it begins a trouble, -1 if it
// ends one, otherwise 0. Undoing loss or delay ends a trouble.
func (e *Event) Trouble() int {
	switch e.Kind {
	case Crashed, Paused, Suspended, CutOff, Held, Stalled, Refusing:
		return 1
	case Started, Resumed, Woken, Mended, Freed, Unstalled, Accepting:
		return -1
	case LossSet:
		return cmp.Compare(e.Body.(int64), 0)
	case DelaySet:
		return cmp.Compare(e.Body.(time.Duration), 0)
	}
	return 0
}
