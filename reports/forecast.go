package reports

import (
	"github.com/lockstorm/lockstorm/reports/internal/forecasts"
	"github.com/lockstorm/lockstorm/scenarios/campaign/environment"
	"github.com/lockstorm/lockstorm/scenarios/campaign/forecast"
)

// Forecast reports how often locks break in an environment; without locks, what the environment is.
func Forecast(e *environment.Environment, all []*forecast.Result, version string) *Document {
	return &Document{doc: forecasts.New(e, all, version).Document()}
}
