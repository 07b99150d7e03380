package onerun_test

import (
	"github.com/lockstorm/lockstorm/reports/internal/layout"
	"github.com/lockstorm/lockstorm/reports/internal/onerun"
	"github.com/lockstorm/lockstorm/scenarios"
)

func textOf(s layout.Screen, r *scenarios.Result, m onerun.Making) string {
	return onerun.Document(r, m, true).Text(s)
}

func briefOf(s layout.Screen, r *scenarios.Result, m onerun.Making) string {
	return onerun.Document(r, m, false).Text(s)
}

func markdownOf(r *scenarios.Result, m onerun.Making) string {
	return onerun.Document(r, m, true).Markdown()
}

func htmlOf(r *scenarios.Result, m onerun.Making) []byte {
	return []byte(onerun.Document(r, m, true).HTML())
}
