package live

import "sync"

// A worker does what it is given, one thing after another, in a goroutine of its own.
type worker struct {
	mu     sync.Mutex
	more   sync.Cond
	jobs   []func()
	closed bool
}

// put gives it something to do.
func (w *worker) put(do func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.jobs = append(w.jobs, do)
	w.more.Signal()
}

// take waits for the next thing to do.
func (w *worker) take() (do func(), ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.jobs) == 0 && !w.closed {
		w.more.Wait()
	}
	if w.closed {
		return nil, false
	}
	do, w.jobs = w.jobs[0], w.jobs[1:]
	return do, true
}

// work does what there is to do, until the worker is closed.
func (w *worker) work() {
	for {
		do, ok := w.take()
		if !ok {
			return
		}
		do()
	}
}

// close lets it do nothing more.
func (w *worker) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	w.more.Signal()
}
