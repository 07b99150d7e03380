package campaigns

var Charts = drawCharts

type Stored = stored
