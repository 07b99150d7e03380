package campaign

import (
	"fmt"
	"iter"
	"runtime/debug"
	"sync"
)

// An Engine processes pieces of work in parallel, and shows the outcomes. Everything that makes many runs uses one:
// rows, tallies, counterexamples, units of explorations. No goroutine is started elsewhere in this package or below
// it.
type Engine[T any] struct {
	Workers   int              // how many work in parallel; at least one does
	Pieces    iter.Seq[int]    // the pieces, in this order; each is asked for just before it begins, one at a time
	NewWorker func() Worker[T] // makes each worker, before any begins

	// Done, if set, gets the outcome of each piece, one at a time, on the goroutine that made it. If it returns false
	// or an error, no more pieces begin, and it is not called again.
	Done func(piece int, made T) (more bool, err error)

	// InOrder makes Done follow the order of Pieces: a worker that is ahead waits.
	InOrder bool

	// Stop, if set, is asked before each piece begins, on the goroutine that would make it; never in parallel with
	// Done or itself. When it returns true no more pieces begin. The pieces in work are finished, and Done gets them.
	Stop func() bool
}

// Parallel calls do with each number below n, on several workers, and waits for all. If a call panics no more begin,
// and Parallel panics too.
func Parallel(workers, n int, do func(i int)) {
	e := Engine[struct{}]{Workers: min(workers, n), Pieces: Range(0, n), NewWorker: func() Worker[struct{}] {
		return Worker[struct{}]{
			Make: func(i int) (none struct{}) { do(i); return },
			At:   func() (string, uint64) { return "", 0 },
		}
	}}
	defer func() {
		switch b := recover().(type) {
		case nil:
		case Broken:
			if b.Scenario != "" { // a run of an engine that do has
				panic(b)
			}
			panic(fmt.Sprintf("%v\n%s", b.Panic, b.Stack))
		default:
			panic(b)
		}
	}()
	e.run()
}

// Range yields the pieces from one to before another, in order.
func Range(src, to int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := src; i < to && yield(i); i++ {
		}
	}
}

// A Worker makes pieces, one after another, on one goroutine.
type Worker[T any] struct {
	Make  func(piece int) T                     // the result is valid until the next call
	At    func() (scenario string, seed uint64) // names the run that it is at, in case that panics
	Close func()                                // frees what it holds; may be nil
}

// Run makes the pieces. It returns the first error of Done. If a run panics, Run panics with a Broken: in order, the
// panic of the first such piece; otherwise the one with the smallest seed.
func (e *Engine[T]) Run() error {
	next, stop := iter.Pull(e.Pieces)
	defer stop()
	p := progress[T]{Engine: e, next: next}
	p.turned.L = &p.mu
	workers := make([]Worker[T], max(e.Workers, 1))
	for i := range workers {
		if workers[i] = e.NewWorker(); workers[i].Close != nil {
			defer workers[i].Close()
		}
	}
	var wg sync.WaitGroup
	for _, w := range workers {
		wg.Go(func() { p.work(w) })
	}
	wg.Wait()
	if p.broken != nil {
		panic(*p.broken)
	}
	return p.err
}

// run makes pieces whose Done returns no error.
func (e *Engine[T]) run() {
	if err := e.Run(); err != nil {
		panic("campaign: " + err.Error())
	}
}

// progress is how far an engine has come.
type progress[T any] struct {
	*Engine[T]
	next func() (piece int, ok bool)

	mu      sync.Mutex // guards what follows
	turned  sync.Cond  // turn has changed, or done is set
	taken   int        // how many pieces were
	turn    int        // how many had their turn
	stopped bool       // no more are begun
	over    bool       // no more are shown
	err     error
	broken  *Broken
}

// work makes pieces until none is left.
func (p *progress[T]) work(w Worker[T]) {
	for {
		piece, turn, ok := p.take()
		if !ok {
			return
		}
		var made T
		broken := guard(w.At, func() { made = w.Make(piece) })
		p.show(w, piece, turn, made, broken)
	}
}

// take returns the next piece to be made, and its turn to be shown.
func (p *progress[T]) take() (piece, turn int, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over || p.stopped {
		return 0, 0, false
	}
	if piece, ok = p.next(); !ok {
		return 0, 0, false
	}
	if p.stopped = p.Stop != nil && p.Stop(); p.stopped {
		return 0, 0, false
	}
	p.taken++
	return piece, p.taken - 1, true
}

// show shows the outcome of a piece, when it is its turn. After a run that panicked no more pieces begin. The pieces
// before it have begun, and run to their end or to their own panic. So the first panic of all is found, whichever
// worker met it.
func (p *progress[T]) show(w Worker[T], piece, turn int, made T, broken *Broken) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.InOrder && p.turn != turn && !p.over {
		p.turned.Wait()
	}
	if broken == nil && !p.over && p.Done != nil {
		more := false
		broken = guard(w.At, func() { more, p.err = p.Done(piece, made) })
		p.over = !more || p.err != nil
	}
	if broken != nil && (!p.InOrder || !p.over || p.turn == turn) {
		p.broken, p.over = earlier(p.broken, broken), true
	}
	p.turn++
	p.turned.Broadcast()
}

// guard keeps a panic on its goroutine. Otherwise it would end the process before the run is named.
func guard(current func() (scenario string, seed uint64), do func()) (broken *Broken) {
	defer func() {
		if r := recover(); r != nil {
			scenario, seed := current()
			broken = BrokenBy(r, scenario, seed)
		}
	}()
	do()
	return nil
}

// Broken is the panic value of a campaign when a run panics: which run it was, so that it can be repeated, and how it
// broke.
type Broken struct {
	Scenario string
	Seed     uint64
	Panic    any    // what the run panicked with
	Stack    []byte // where
}

// Error returns which run it was, and how it broke.
func (b Broken) Error() string {
	return fmt.Sprintf("%s, seed %d: %v\n\nThe run broke here:\n%s", b.Scenario, b.Seed, b.Panic, b.Stack)
}

// BrokenBy makes a Broken of a recovered value. If that is a Broken already, it is returned.
func BrokenBy(recovered any, scenario string, seed uint64) *Broken {
	if b, ok := recovered.(Broken); ok {
		return &b
	}
	return &Broken{Scenario: scenario, Seed: seed, Panic: recovered, Stack: debug.Stack()}
}

// earlier returns the one of the two with the smaller seed; either may be nil.
func earlier(a, b *Broken) *Broken {
	if a == nil || b != nil && b.Seed < a.Seed {
		return b
	}
	return a
}
