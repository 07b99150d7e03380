package campaigns

import (
	"slices"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/plot"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// A Campaign reports rows that are kept: a page, its figures, and the ways to break a property that were found.
type Campaign struct {
	Survey    campaign.Survey
	Version   string // of Lockstorm
	Build     string // of Lockstorm, which made the rows
	Command   string // that makes the same rows
	Hash      string // of the scenario, as its manifest has it
	Missing   int    // blocks that are not made yet
	NotSought string // why ways to break it were not looked for, or not all
	Ways      []Way
	Study     *Study // what the rows show, if they have more than one cell
	figures   []*plot.Picture
}

// Begin begins to count the rows of one cell, with these figures of runs in addition to those that every report has.
func (c *Campaign) Begin(j *campaign.Job, figures []string) error {
	c.Survey = campaign.Survey{Job: j, Figures: slices.Clone(chartFigures)}
	for _, name := range figures {
		if !slices.Contains(c.Survey.Figures, name) {
			c.Survey.Figures = append(c.Survey.Figures, name)
		}
	}
	return c.Survey.Begin()
}

// Draw draws the figures, and returns how many there are. A study has one, if there is something to compare.
func (c *Campaign) Draw() int {
	switch {
	case c.Study == nil:
		c.figures = drawCharts(&c.Survey)
	case len(c.Study.study.X.Points) > 1:
		c.figures = []*plot.Picture{c.Study.picture()}
	}
	return len(c.figures)
}

// Files returns the figures in all their forms, which several workers make in parallel, and the page.
func (c *Campaign) Files(r reports.Rendering, workers int) []reports.File {
	var forms []plot.File
	for _, f := range c.figures {
		forms = append(forms, f.Files(r)...)
	}
	cells := plot.Picture{Table: cellTable(&c.Survey)}
	forms = append(forms, plot.File{Name: "cells.csv", Make: cells.CSV})
	files := make([]reports.File, len(forms))
	campaign.Parallel(workers, len(forms), func(i int) {
		files[i] = reports.File{Name: "figures/" + forms[i].Name, Content: forms[i].Make()}
	})
	return append(files, reports.File{Name: runs.PageFile, Content: []byte(c.Document().HTML())})
}
