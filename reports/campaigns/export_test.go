package campaigns

var (
	Charts       = drawCharts
	ChartFigures = chartFigures
	KillsSummary = killsSummary
)
