package etcd

import (
	"testing"
	"time"

	"google.golang.org/grpc/backoff"
)

// After each failure the client waits as long as it might with gRPC's defaults, and clients differ.
func TestWaitsMatchGRPC(t *testing.T) {
	c := backoff.DefaultConfig
	for failures := range 20 {
		mean, jitter := c.BaseDelay, c.Jitter
		for range failures {
			mean = min(time.Duration(float64(mean)*c.Multiplier), c.MaxDelay)
		}
		if failures == 0 {
			jitter = 0
		}
		all := map[time.Duration]bool{}
		for key := range waits(100) {
			d := key.Backoff(failures)
			all[d] = true
			if off := float64(d-mean) / float64(mean); off < -jitter || off > jitter {
				t.Errorf("after %d failures it waits %v, and gRPC %v, by %.0f%% more or less", failures, d, mean, 100*jitter)
			}
		}
		if failures > 0 && len(all) < 90 {
			t.Errorf("after %d failures there are %d waits for 100 clients", failures, len(all))
		}
	}
}
