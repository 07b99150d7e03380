package forecast_test

import (
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/scenarios/forecast"
)

func TestEveryLockOfTheTableCanBeForecast(t *testing.T) {
	for _, name := range forecast.Locks() {
		s, _, ok := forecast.Lock(name)
		if !ok {
			t.Fatalf("%s: not found", name)
		}
		if err := s.Check(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Nodes of one lock stay away after a restart: for longer than the TTL that the lock has in forecasts.
func TestTimeAwayFollowsTheTTLOfForecasts(t *testing.T) {
	away := 0
	for _, name := range forecast.Locks() {
		s, d, _ := forecast.Lock(name)
		if d > 0 {
			away++
		}
		if d > 0 && (d <= s.Lock.TTL || d > s.Lock.TTL+time.Second) {
			t.Errorf("%s: nodes stay away for %s, with a TTL of %s", name, d, s.Lock.TTL)
		}
	}
	if away == 0 {
		t.Error("no lock of the table has nodes that stay away")
	}
}
