package recorder

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/codec"
	"github.com/lockstorm/lockstorm/clock"
)

// A Recorder records what the clients of one lock do. Its zero value is ready. Its methods and those of its clients may
// be called from several goroutines.
type Recorder struct {
	// Clock tells the time since some beginning, such as time.Since of one start. It must not go back; where it does,
	// or stands still, the Recorder counts on by nanoseconds. nil: the machine's monotonic clock, from the first call
	// on.
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

// An op is an entry of the history. Which number its process has, is known only when the number of clients is.
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
// made; after an outcome that it does not know it goes on under a new one, larger by the number of clients.
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

// tick returns the time of a call: later than that of every call before.
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

func message(err error) string {
	if err == nil {
		return "unknown"
	}
	return err.Error()
}
