package locks

import (
	"errors"
	"time"
)

// A hurried client works for a caller who waits until a certain time, and no longer. That limits all its waiting.
type hurried struct {
	Client
	until time.Duration // on its monotonic clock
}

// hurry limits the client's waiting to a patience; 0 is no limit.
func hurry(c Client, patience time.Duration) Client {
	if patience == 0 {
		return c
	}
	return hurried{c, c.Mono() + patience}
}

// unhurried removes the limit.
func unhurried(c Client) Client {
	if h, ok := c.(hurried); ok {
		return h.Client
	}
	return c
}

// over reports whether the client's patience is over.
func over(c Client) bool {
	h, ok := c.(hurried)
	return ok && h.left() <= 0
}

func (h hurried) left() time.Duration { return h.until - h.Mono() }

// Sleep waits, while the patience lasts.
func (h hurried) Sleep(d time.Duration) { h.Client.Sleep(min(d, max(h.left(), 0))) }

// Call sends nothing once the patience is over.
func (h hurried) Call(server int, command any, timeout time.Duration) (any, error) {
	left := h.left()
	if left <= 0 {
		return nil, errPatience
	}
	return h.Client.Call(server, command, min(timeout, left))
}

// errPatience is why nothing was asked of a server.
var errPatience = errors.New("the caller's patience is over")
