package guests

import (
	"time"

	"github.com/lockstorm/lockstorm/scenarios/guest"
)

// deadline returns until when the holder counts on a lock that it asks for now, where the library does not say it.
func deadline(c *guest.Client) time.Time { return time.Now().Add(c.Config.TTL - c.Config.Drift()) }
