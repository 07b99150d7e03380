package locks

import (
	"errors"
	"time"
)

// A deadlined client works for a caller who waits until a certain time and no longer, which limits all its waiting.
type deadlined struct {
	Client
	until time.Duration // on its monotonic clock
}

// withDeadline limits the client's waiting to a patience; 0 means no limit.
func withDeadline(c Client, patience time.Duration) Client {
	if patience == 0 {
		return c
	}
	return deadlined{c, c.Mono() + patience}
}

// withoutDeadline removes the limit.
func withoutDeadline(c Client) Client {
	if d, ok := c.(deadlined); ok {
		return d.Client
	}
	return c
}

// over reports whether the client's patience is over.
func over(c Client) bool {
	d, ok := c.(deadlined)
	return ok && d.left() <= 0
}

func (d deadlined) left() time.Duration { return d.until - d.Mono() }

// Sleep waits, while the patience lasts.
func (d deadlined) Sleep(wait time.Duration) { d.Client.Sleep(min(wait, max(d.left(), 0))) }

// Call sends nothing once the patience is over.
func (d deadlined) Call(server int, command any, timeout time.Duration) (any, error) {
	left := d.left()
	if left <= 0 {
		return nil, errPatience
	}
	return d.Client.Call(server, command, min(timeout, left))
}

// errPatience is why nothing was asked of a server.
var errPatience = errors.New("the caller's patience is over")
