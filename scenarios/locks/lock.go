package locks

import "time"

// A Lock is one client's way to acquire and release. Extending is an optional interface: Extender.
type Lock interface {
	// Acquire makes one attempt, and cleans up after itself when it fails.
	Acquire(c Client) Grant
	// Release gives back what an attempt won. It is true when every server acknowledged.
	Release(c Client, g Grant) (acknowledged bool)
	// Left is how long the grant is still valid, by the clock that the lock counts on.
	Left(c Client, g Grant) time.Duration
}

// A Grant is what one attempt to acquire came to.
type Grant struct {
	Outcome  Outcome
	Token    string        // the random value of this attempt
	Fence    uint64        // the fencing token; 0 when there is none
	Votes    int           // servers that granted it
	Deadline time.Duration // what the lock's clock shows when the validity ends
	Clean    bool          // after a failed attempt: every server that was asked acknowledged the release
}

// An Outcome is how an attempt ended.
type Outcome uint8

// The outcomes of an attempt.
const (
	Won      Outcome = iota // the lock is held, until Deadline at the latest
	NoQuorum                // too few servers granted it
	TooLate                 // enough granted it, but it took so long that no validity is left
	NoFence                 // enough granted it, but no fencing token could be had
	Broken                  // a node failed to answer, and the lock gave up
)

// Won tells whether the lock is held.
func (g Grant) Won() bool { return g.Outcome == Won }

// A Retry says how often to try, and how long to wait between two attempts.
type Retry struct {
	Attempts int           `yaml:"attempts" doc:"attempts for one acquire; 0 for no limit"`
	Min      time.Duration `yaml:"min" doc:"least time between two attempts"`
	Max      time.Duration `yaml:"max" doc:"greatest time between two attempts; the wait is drawn anew each time, so that contenders get out of step"`
}

// Acquire tries until an attempt wins, or the attempts or the patience are used up, and gives the last one. A patience of
// 0 has no end.
func (r Retry) Acquire(c Client, l Lock, patience time.Duration) Grant {
	c = hurry(c, patience)
	for n := 1; ; n++ {
		g := l.Acquire(c)
		if g.Won() || n == r.Attempts {
			return g
		}
		c.Sleep(r.Min + time.Duration(c.Draw(uint64(max(r.Max-r.Min, 0))+1)))
		if over(c) {
			return g
		}
	}
}
