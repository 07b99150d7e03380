package recorder

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/codec"
	"github.com/lockstorm/lockstorm/clock"
)

// A Recorder records what the clients of one lock do. Its zero value is ready. Its methods and its clients' methods may
// be called from several goroutines.
type Recorder struct {
	// Clock returns the time since some start, such as time.Since of one instant. It must not go back; where it does,
	// or stops, the Recorder counts on by nanoseconds. nil: the machine's monotonic clock, from the first call on.
	Clock func() time.Duration

	mutex   sync.Mutex
	now     clock.Instant // of the latest call
	clients []*Client
	ops     []op
	tries   []checker.Try
	holds   []checker.Hold
	renewed []checker.Renewal
	err     error
}

// An op is an entry of the history. The number of its process depends on the number of clients, which is known only at
// the end.
type op struct {
	checker.Op
	client, life int
}

// Client returns a new client of the lock.
func (r *Recorder) Client() *Client {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	c := &Client{r: r, id: len(r.clients), open: -1, try: -1, hold: -1}
	r.clients = append(r.clients, c)
	return c
}

// Err returns the first call that did not fit, and what would have been right; nil if all did.
func (r *Recorder) Err() error {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.err
}

// History returns what was recorded so far. The process of a client is its number, in the order in which they were
// made; after an outcome that it does not know, a new one, larger by the number of clients.
func (r *Recorder) History() checker.History {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.history()
}

func (r *Recorder) history() checker.History {
	h := make(checker.History, len(r.ops))
	for i, o := range r.ops {
		h[i] = o.Op
		h[i].Process = o.client + o.life*len(r.clients)
	}
	return h
}

// WriteTo writes the history as JSON lines, as lockstorm check reads it. If a call did not fit, it writes nothing and
// returns Err.
func (r *Recorder) WriteTo(w io.Writer) (int64, error) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.err != nil {
		return 0, r.err
	}
	n, err := w.Write(codec.AppendJSON(nil, r.history()))
	return int64(n), err
}

// tick returns the time of a call: later than every call before.
func (r *Recorder) tick() clock.Instant {
	if r.Clock == nil {
		begun := time.Now() // a test of goroutines runs in the time of its machine
		r.Clock = func() time.Duration { return time.Since(begun) }
	}
	r.now = max(r.now+1, clock.Instant(r.Clock()))
	return r.now
}

// add adds an op of a client to the history, and returns its index.
func (r *Recorder) add(c *Client, t checker.Type, f checker.Func, v checker.Value, problem string) int {
	o := checker.Op{Index: len(r.ops), Time: r.tick(), Type: t, F: f, Value: v, Error: problem}
	r.ops = append(r.ops, op{o, c.id, c.life})
	return o.Index
}

func (r *Recorder) refuse(c *Client, call, was string) {
	if r.err == nil {
		r.err = fmt.Errorf("client %d calls %s, but %s", c.id, call, was)
	}
}

// Evidence returns what was recorded so far, for a checker.Judge. Both registers of its Writes are the one that was
// recorded, so fenced asks of it what storage does. If some version of the register is not known, Cut says so: then a
// promise that broke is Violated, and every other is Unknown.
func (r *Recorder) Evidence() *checker.Evidence {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	e := &checker.Evidence{
		Clients: len(r.clients), History: r.history(), Tries: slices.Clone(r.tries), Holds: slices.Clone(r.holds),
		Renewals: slices.Clone(r.renewed), End: r.now + 1,
	}
	var whole bool
	if e.Writes, whole = r.writes(); !whole {
		e.Writes, e.Cut = nil, "not every write is on record with the version that it made"
	}
	return e
}

// writes returns the writes that succeeded, in the order of their versions, and whether they are whole: no outcome is
// unknown, and they count the versions of the register from 1, each based on an earlier one. Storage handled each write
// at some instant of its call. writes takes the earliest that comes no earlier than the write before.
func (r *Recorder) writes() (all []checker.Update, whole bool) {
	open := make([]int, len(r.clients))
	unknown := 0
	for i, o := range r.ops {
		if o.F != checker.Write {
			continue
		}
		switch o.Type {
		case checker.Invoke:
			open[o.client] = i
			unknown++
		case checker.Fail:
			unknown--
		case checker.OK:
			unknown--
			sent := r.ops[open[o.client]]
			change := checker.Change{Base: sent.Value.Plain, Made: o.Value.Plain}
			all = append(all, checker.Update{Client: o.client, Op: sent.Index, Fence: sent.Value.Fence, At: sent.Time,
				Plain: change, Fenced: change})
		}
	}
	slices.SortStableFunc(all, func(a, b checker.Update) int { return cmp.Compare(a.Plain.Made, b.Plain.Made) })
	at := clock.Instant(0)
	whole = unknown == 0
	for i := range all {
		u := &all[i]
		at = max(at, u.At)
		u.At = at
		whole = whole && u.Plain.Made == uint64(i)+1 && u.Plain.Base <= uint64(i)
	}
	return all, whole
}
