package lockstorm

import "embed"

// Documents are the pages of the repository, the pictures in them and the numbers of those, by their names, so that the program
// has them wherever it is installed. What lies in another module can't be embedded from here: documents.zip has a copy of those
// pages.
//
//go:embed *.md checker/*.md cmd/internal/engine/*.md
//go:embed reports/*.md scenarios/*.md scenarios/*.svg scenarios/*.csv scenarios/live/*.md scenarios/live/*/*.md
//go:embed scenarios/locktest/*.md scenarios/campaign/*.md scenarios/campaign/*/*.md scenarios/campaign/*/*.svg
//go:embed scenarios/campaign/*/*.csv
//go:embed reports/runs/testdata/pictures/gc-pause.*.svg
//go:embed reports/campaigns/testdata/pictures/pauses.violations.*
//go:embed documents.zip
var Documents embed.FS
