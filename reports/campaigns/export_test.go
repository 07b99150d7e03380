package campaigns

var (
	KillsSummary = killsSummary
)
