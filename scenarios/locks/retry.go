package locks

import "time"

// A Retry is how often to try, and how long to wait between two attempts.
type Retry struct {
	Attempts int           `yaml:"attempts" doc:"attempts for one acquire; 0 for no limit"`
	Min      time.Duration `yaml:"min" doc:"least time between two attempts"`
	Max      time.Duration `yaml:"max" doc:"greatest time between two attempts; the wait is drawn anew each time, so that contenders get out of step"`
}

// Acquire tries until an attempt wins, or the attempts or the patience are used up, and returns the last grant. A patience
// of 0 means no limit.
func (r Retry) Acquire(c Client, l Lock, patience time.Duration) Grant {
	c = withDeadline(c, patience)
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
