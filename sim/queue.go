package sim

import "github.com/lockstorm/lockstorm/clock"

// A kind says what an event does when its time comes.
type kind uint8

const (
	doWake    kind = iota // a proc goes on after a step, or starts
	doTimer               // a proc may have waited long enough
	doRequest             // a request reaches a server
	doReply               // a reply reaches its caller
	doFunc                // something the world's owner planned
)

// An event is something that is due.
type event struct {
	kind     kind
	buffered bool // a message: it came while its host was paused
	proc     *Proc
	call     *call
	do       func()
}

// A due is an event's place in the queue. It holds no pointer, so moving one is cheap and the collector never looks.
type due struct {
	at   clock.Instant
	seq  uint64
	slot int32
}

// before is the order of the world: the instant, then the order in which events were planned.
func (d due) before(e due) bool { return d.at < e.at || d.at == e.at && d.seq < e.seq }

// A queue is a heap of what is due, over a slab of events.
type queue struct {
	heap  []due
	slots []event
	free  []int32
	seq   uint64
}

func (q *queue) reset() {
	clear(q.slots)
	q.heap, q.slots, q.free, q.seq = q.heap[:0], q.slots[:0], q.free[:0], 0
}

// next gives the instant of the first event, or Forever.
func (q *queue) next() clock.Instant {
	if len(q.heap) == 0 {
		return clock.Forever
	}
	return q.heap[0].at
}

func (q *queue) push(at clock.Instant, e event) {
	slot := int32(len(q.slots))
	if n := len(q.free); n > 0 {
		slot, q.free = q.free[n-1], q.free[:n-1]
		q.slots[slot] = e
	} else {
		q.slots = append(q.slots, e)
	}
	d := due{at, q.seq, slot}
	q.seq++
	q.heap = append(q.heap, d)
	i := len(q.heap) - 1
	for i > 0 {
		up := (i - 1) / 2
		if !d.before(q.heap[up]) {
			break
		}
		q.heap[i] = q.heap[up]
		i = up
	}
	q.heap[i] = d
}

// pop takes the first event out. The queue must not be empty.
func (q *queue) pop() (clock.Instant, event) {
	top, last := q.heap[0], q.heap[len(q.heap)-1]
	q.heap = q.heap[:len(q.heap)-1]
	if len(q.heap) > 0 {
		q.sink(last)
	}
	e := q.slots[top.slot]
	q.free = append(q.free, top.slot)
	return top.at, e
}

// sink puts d where the root was and lets it fall to its place.
func (q *queue) sink(d due) {
	h, i := q.heap, 0
	for {
		down := 2*i + 1
		if down >= len(h) {
			break
		}
		if right := down + 1; right < len(h) && h[right].before(h[down]) {
			down = right
		}
		if !h[down].before(d) {
			break
		}
		h[i] = h[down]
		i = down
	}
	h[i] = d
}
