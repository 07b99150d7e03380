package lockstorm

import "embed"

// Documents are the pages of the repository, the pictures in them and the numbers of those, by their names, so that the program
// has them wherever it is installed. What lies in another module can't be embedded from here: documents.zip has a copy of those
// pages.
//
//go:embed *.md checker/*.md cmd/internal/engine/*.md
//go:embed reports/*.md scenarios/*.md scenarios/*.svg scenarios/*.csv
//go:embed scenarios/locktest/*.md scenarios/campaign/*.md scenarios/campaign/*/*.md scenarios/campaign/*/*.svg
//go:embed scenarios/campaign/*/*.csv
//go:embed reports/internal/onerun/testdata/pictures/gc-pause.*.svg
//go:embed reports/internal/campaigns/testdata/pictures/pauses.violations.*
//go:embed documents.zip
var Documents embed.FS
