package forecast_test

import (
	"testing"

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
