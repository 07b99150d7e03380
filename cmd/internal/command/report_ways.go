package command

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"

	"github.com/lockstorm/lockstorm/cmd/internal/cli"
	"github.com/lockstorm/lockstorm/cmd/internal/store"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/reports/runs"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// eachWay shrinks the first row of several cells that broke each property, several side by side.
func (r *campaignReport) eachWay() {
	found := make([][]campaign.Signature, len(r.firsts))
	campaign.Parallel(runtime.GOMAXPROCS(0), len(found), func(i int) { found[i] = r.way(i) })
	for i := range r.firsts {
		r.ways(found[i], r.archive.Job.Cells[r.firsts[i].Cell])
	}
}

// way shrinks the first row that broke the i-th property, if any did.
func (r *campaignReport) way(i int) []campaign.Signature {
	row := r.firsts[i]
	if row.Violated == 0 {
		return nil
	}
	one := *r.archive.Job
	one.Cells, one.First, one.Runs, one.Size = []campaign.Cell{one.Cells[row.Cell]}, row.Seed, 1, 1
	h := campaign.Hunt{Job: &one, Watched: 1 << i}
	h.Begin()
	row.Cell = 0
	h.Add(&row)
	for k := range h.Signatures {
		h.Signatures[k].Runs = r.report.Survey.Violated(i)
	}
	return h.Signatures
}

// ways adds to the report the scenario of each signature, and the page of its run.
func (r *campaignReport) ways(all []campaign.Signature, cell campaign.Cell) {
	for i := range all {
		g := &all[i]
		s := g.Counterexample(r.report.Command)
		brief := s.Brief()
		file := "found/" + g.Name() + ".yaml" // where fuzz has put it
		if _, err := os.Lstat(filepath.Join(r.archive.Dir, filepath.FromSlash(file))); err != nil || !sameDir(r.out, r.archive.Dir) {
			file = store.Counterexamples + "/" + g.Name() + ".yaml"
			r.add(file, brief)
		}
		m := runs.Making{Version: cli.Version, Source: file, Command: cli.Name + " run " + cli.Quote(file) + " --seed " +
			strconv.FormatUint(g.Least.Seed, 10)}
		page := store.Counterexamples + "/" + g.Name() + ".html"
		r.add(page, runs.Page(scenarios.Run(s, g.Least.Seed), m))
		g.File, g.Command = file, m.Command
		r.report.Ways = append(r.report.Ways, campaigns.Way{Signature: *g, Cell: cell, YAML: string(brief), Page: page})
	}
}

// sameDir reports whether two paths are one directory.
func sameDir(a, b string) bool {
	i, err := os.Stat(a)
	k, bad := os.Stat(b)
	return err == nil && bad == nil && os.SameFile(i, k)
}

// unshrunk describes how many runs belong to no way that is known.
func unshrunk(h *campaign.Hunt) string {
	n := 0
	for _, k := range h.Unshrunk {
		n += k
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d times a property broke otherwise, but so many of its runs had been shrunk that no more were", n)
}

// note keeps the first row that broke each property.
func (r *campaignReport) note(row *campaign.Row) {
	for i := range r.firsts {
		if row.Violated.Has(i) && r.firsts[i].Violated == 0 {
			r.firsts[i] = *row
			r.firsts[i].Figures = nil // they are valid for this block only
		}
	}
}
