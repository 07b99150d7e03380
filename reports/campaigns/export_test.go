package campaigns

var Charts = drawCharts
