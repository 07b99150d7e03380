package sim

import "github.com/lockstorm/lockstorm/clock"

// A kind says what an event does when its time comes.
type kind uint8

const (
	doWake    kind = iota // a proc continues after a step, or starts
	doTimer               // a proc may have waited long enough
	doRequest             // a request reaches a server
	doReply               // a reply reaches its caller
	doFunc                // the world's owner has planned a function
	doTick                // a server may have waited long enough
	doSend                // a guest's message leaves a host that was paused
)

// An event is something that is due.
type event struct {
	at       clock.Instant
	seq      uint64
	kind     kind
	buffered bool // the message has waited in its host's buffer
	proc     *Proc
	call     *call
	do       func()
}

// before is the order of the world: the instant, then the order in which events were planned.
func (e *event) before(f *event) bool { return e.at < f.at || e.at == f.at && e.seq < f.seq }

// A queue is a heap of what is due. An event that is planned before all others is kept apart, as first. Most such
// events happen next, and so never enter the heap.
type queue struct {
	first event
	any   bool // there is a first
	heap  []event
	seq   uint64
}

func (q *queue) reset() {
	clear(q.heap[:cap(q.heap)]) // what they point at may go
	*q = queue{heap: q.heap[:0]}
}

// empty reports whether nothing is due.
func (q *queue) empty() bool { return !q.any && len(q.heap) == 0 }

// next returns the instant of the earliest event, or Forever.
func (q *queue) next() clock.Instant {
	switch {
	case q.any:
		return q.first.at
	case len(q.heap) > 0:
		return q.heap[0].at
	}
	return clock.Forever
}

// peek returns the earliest event without removing it. The queue must not be empty.
func (q *queue) peek() *event {
	if q.any {
		return &q.first
	}
	return &q.heap[0]
}

// push plans an event.
func (q *queue) push(t clock.Instant, e event) {
	e.at, e.seq = t, q.seq
	q.seq++
	if t >= q.next() { // an event at the same instant was planned earlier
		q.rise(&e)
		return
	}
	if q.any {
		q.rise(&q.first)
	}
	q.first, q.any = e, true
}

// pop moves the earliest event into e. The queue must not be empty.
func (q *queue) pop(e *event) {
	if q.any {
		*e, q.any = q.first, false
		return
	}
	*e = q.heap[0]
	last := len(q.heap) - 1
	d := q.heap[last]
	if q.heap = q.heap[:last]; last > 0 {
		q.sink(&d)
	}
}

// rise adds e at the end of the heap and lets it rise to its place.
func (q *queue) rise(e *event) {
	q.heap = append(q.heap, *e)
	i := len(q.heap) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !e.before(&q.heap[up]) {
			break
		}
		q.heap[i] = q.heap[up]
		i = up
	}
	q.heap[i] = *e
}

// sink puts e in place of the root and lets it fall to its place.
func (q *queue) sink(e *event) {
	h, i := q.heap, 0
	for {
		down := 2*i + 1
		if down >= len(h) {
			break
		}
		if right := down + 1; right < len(h) && h[right].before(&h[down]) {
			down = right
		}
		if !h[down].before(e) {
			break
		}
		h[i] = h[down]
		i = down
	}
	h[i] = *e
}
