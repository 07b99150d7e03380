package guest

import (
	"context"
	"time"

	"github.com/lockstorm/lockstorm/scenarios/locks"
)

// NoDeadline is until when a Lock is held that names no end, since it extends its holds by itself.
var NoDeadline = time.Unix(1<<40, 0)

// A Notifier is a Lock that says when it has lost a hold. Its holder looks before it writes, not in between.
type Notifier interface {
	Lock
	// Lost returns a channel that is closed when the latest hold has ended, whether it was lost or released.
	Lost() <-chan struct{}
}

// awaitLoss waits until the library has lost a hold, and tells the workload. It runs in a goroutine of the guest's.
func (g *guest) awaitLoss(ctx context.Context, lost <-chan struct{}, hold int) {
	select {
	case <-lost:
	case <-ctx.Done():
	}
	g.bubble.act(action{client: g.client, node: len(g.client.Nodes), conn: hold, pos: 1, do: func() { g.lose(hold) }})
}

// lose ends a hold that the library has lost. That of a hold which has been released says nothing.
func (g *guest) lose(hold int) {
	if hold == g.client.calls && g.moved != nil {
		g.lost = true
		g.moved(nil, 0)
	}
}

// Keep returns at once: what a library keeps alive, it keeps by itself.
func (g *guest) Keep(locks.Client) {}

// OnDeadline sets the function that is called when the library has lost a hold.
func (g *guest) OnDeadline(do func(c locks.Client, until time.Duration)) { g.moved = do }

// Left returns how long a grant is still valid: no longer, if the library has lost it.
func (g *guest) Left(c locks.Client, grant locks.Grant) time.Duration {
	switch {
	case g.lost:
		return 0
	case grant.Deadline == locks.NoDeadline:
		return locks.NoDeadline
	}
	return grant.Deadline - c.Mono()
}
