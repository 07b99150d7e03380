package runs_test

import (
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
)

func textOf(s reports.Screen, r *scenarios.Result, m runs.Making) string {
	return runs.Document(r, m, true).Text(s)
}

func briefOf(s reports.Screen, r *scenarios.Result, m runs.Making) string {
	return runs.Document(r, m, false).Text(s)
}

func markdownOf(r *scenarios.Result, m runs.Making) string {
	return runs.Document(r, m, true).Markdown()
}

func htmlOf(r *scenarios.Result, m runs.Making) []byte {
	return []byte(runs.Document(r, m, true).HTML())
}
