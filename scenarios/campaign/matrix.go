package campaign

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
)

// MatrixProperties are those that a matrix is about, unless others are asked for: what a lock is for, and whether it gets
// stuck.
var MatrixProperties = []string{"validity", "belief", "storage", "fenced", "quorum", "leak-free"}

// matrixBase is the scenario that every cell of the matrix changes.
const matrixBase = "redlock/any"

// A FaultSet is which classes of faults a run may have, and whom they strike. The matrix has a column for each.
type FaultSet struct {
	Name    string
	About   string
	Classes []string
	Set     []string // what else is set, unless the lock has it set
}

// Columns returns the columns of the matrix: no fault, those that people ask about, any other class of faults, and all together.
func Columns() []FaultSet {
	all := FaultSet{Name: "all", About: "every class of faults together, whomever they strike; nodes have no disk; " +
		"a run has no more faults than with one class, so each class strikes more seldom"}
	columns := asked()
	for _, c := range faults.Classes() {
		if !slices.ContainsFunc(columns, func(w FaultSet) bool { return slices.Contains(w.Classes, c.Name) }) {
			columns = append(columns, FaultSet{Name: c.Name, About: c.About, Classes: []string{c.Name}})
		}
		all.Classes = append(all.Classes, c.Name)
	}
	return append(columns, all)
}

// asked returns the columns that people ask about: some divide a class by whom it strikes, or by what nodes keep.
func asked() []FaultSet {
	return []FaultSet{
		{Name: "none", About: "no fault"},
		{Name: "delay, loss", About: "messages are late, held or lost", Classes: classesOf(faults.Slow, faults.Cut)},
		{
			Name: "client pause", About: "clients stand still or sleep",
			Classes: classesOf(faults.Pause, faults.Suspend), Set: []string{spareNodes},
		},
		{Name: "client crash", About: "clients die", Classes: classesOf(faults.Crash)},
		{Name: "partition", About: "hosts are parted", Classes: classesOf(faults.Partition)},
		{
			Name: "crash, disk", About: "servers restart with all that they had",
			Classes: classesOf(faults.Restart), Set: []string{onDisk},
		},
		{
			Name: "crash, lost", About: "servers restart with nothing",
			Classes: classesOf(faults.Restart), Set: []string{"persistence=none"},
		},
		{
			Name: "server step", About: "wall clocks of servers are stepped",
			Classes: classesOf(faults.Jump), Set: []string{spareClients},
		},
		{
			Name: "client step", About: "wall clocks of clients are stepped",
			Classes: classesOf(faults.Jump), Set: []string{spareNodes},
		},
		{
			Name: "server drift", About: "clocks of servers run at a wrong rate",
			Classes: classesOf(faults.Drift), Set: []string{spareClients},
		},
		{
			Name: "client drift", About: "clocks of clients run at a wrong rate",
			Classes: classesOf(faults.Drift), Set: []string{spareNodes},
		},
		{
			Name: "failover",
			About: "servers are away for a second or more and come back with their disks: " +
				"long enough to replace a master; other locks just wait",
			Classes: classesOf(faults.Restart), Set: []string{"search.away=1s", onDisk},
		},
		{
			Name: "disk stall", About: "disks of nodes complete no sync, so that nodes stand still",
			Classes: classesOf(faults.StallDisk), Set: []string{onDisk},
		},
	}
}

// classesOf names the classes of kinds of faults.
func classesOf(kinds ...*faults.Kind) (names []string) {
	for _, k := range kinds {
		names = append(names, k.Class.Name)
	}
	return names
}

// Whom the faults of a column do not strike.
const (
	spareNodes   = "search.spare=nodes"
	spareClients = "search.spare=clients"
)

// A Matrix holds each variant of a lock against each class of faults. Each run draws its own faults and topology.
type Matrix struct {
	Locks      string // a pattern of variants' names, as path.Match has it; empty for all
	Properties []string
	First      uint64 // the first seed of each cell
	Runs       int    // how many seeds each cell has
	Workers    int
	Shrink     int // how many runs shrinking may take for one counterexample; 0 for none

	only []*Variant // in place of the pattern
}

// MatrixOf returns the matrix whose job that is, without counterexamples. The job must be one of a matrix.
func MatrixOf(j *Job) *Matrix {
	m := &Matrix{Properties: MatrixProperties, First: j.First, Runs: j.Runs}
	for _, v := range MatrixVariants() {
		calm := v.cell(Columns()[0])
		if slices.ContainsFunc(j.Cells, func(c Cell) bool { return slices.Equal(c, calm) }) {
			m.only = append(m.only, &v)
		}
	}
	return m
}

// A Plot is a cell of the matrix. It may have no runs yet.
type Plot struct {
	Variant *Variant
	Faults  FaultSet
	Runs    int
	Found   []Frequency // one for each of the properties
	Void    string      // why nothing of the column can strike the lock; "" where something can
	Least   *Least      // what breaks the first of them that breaks; nil where none does, or if it was not sought
}

// A Least is the least that was found to break a property.
type Least struct {
	Property string
	Scenario scenarios.Scenario
	Seed     uint64
	Whole    bool // no single step makes it simpler; else the runs were used up before
}

// chosen returns the variants that the pattern names, or those of the job that the matrix is of.
func (m *Matrix) chosen() (all []*Variant, err error) {
	if m.only != nil {
		return m.only, nil
	}
	var names []string
	for _, v := range MatrixVariants() {
		names = append(names, v.Name)
		is, err := path.Match(cmp.Or(m.Locks, "*"), v.Name)
		if err != nil {
			return nil, fmt.Errorf("%q is not a pattern: %w", m.Locks, err)
		}
		if is {
			all = append(all, &v)
		}
	}
	if all == nil {
		hint := scenarios.Suggest(m.Locks, names)
		if hint == "" {
			hint = "; there are " + strings.Join(names, "; ")
		}
		return nil, fmt.Errorf("no lock matches %q%s", m.Locks, hint)
	}
	return all, nil
}

// cell returns the settings of a cell: those of the lock, then those of the column that the lock leaves open.
func (v *Variant) cell(w FaultSet) (c Cell) {
	faults := "search.faults=" + cmp.Or(strings.Join(w.Classes, ","), "none")
	for _, set := range slices.Concat(v.Set, w.Set, []string{faults}) {
		key, value, _ := strings.Cut(set, "=")
		if !slices.ContainsFunc(c, func(a scenarios.Assignment) bool { return a.Key == key }) {
			c = append(c, scenarios.Assignment{Key: key, Value: scenarios.Value(value)})
		}
	}
	return c
}

// VariantOf returns the lock of a matrix that has the cell; nil for a cell of none.
func VariantOf(c Cell) *Variant {
	columns := Columns()
	for _, v := range MatrixVariants() {
		if slices.ContainsFunc(columns, func(w FaultSet) bool { return slices.Equal(c, v.cell(w)) }) {
			return &v
		}
	}
	return nil
}

// LocksAndFaults returns the names of a matrix's rows and columns; the cells stand row by row. For other work, and for a
// matrix with locks or faults that are no longer there, it returns nothing.
func (j *Job) LocksAndFaults() (locks, classes []string) {
	columns := Columns()
	if j.Kind != MatrixJob || len(j.Cells) == 0 || len(j.Cells)%len(columns) != 0 {
		return nil, nil
	}
	for row := range slices.Chunk(j.Cells, len(columns)) {
		v := VariantOf(row[0])
		if v == nil || !slices.EqualFunc(row, columns, func(c Cell, w FaultSet) bool { return slices.Equal(c, v.cell(w)) }) {
			return nil, nil
		}
		locks = append(locks, v.Name)
	}
	for _, w := range columns {
		classes = append(classes, w.Name)
	}
	return locks, classes
}

// Scenario returns the scenario of a cell: each seed draws a universe of it.
func (v *Variant) Scenario(w FaultSet) (scenarios.Scenario, error) {
	s, _ := scenarios.Find(matrixBase)
	j := Job{Kind: MatrixJob, Scenario: &s, Cells: []Cell{v.cell(w)}}
	return j.In(0)
}

// Check refuses a matrix that can't be made.
func (m *Matrix) Check() error {
	if _, err := m.chosen(); err != nil {
		return err
	}
	return checkProperties(m.Properties)
}

// Job returns the matrix's runs as a job: a cell for each lock and class of faults, row by row. The matrix must have passed
// Check.
func (m *Matrix) Job() *Job {
	s, _ := scenarios.Find(matrixBase)
	j := &Job{Kind: MatrixJob, Scenario: &s, First: m.First, Runs: m.Runs, Size: m.Runs}
	variants, _ := m.chosen()
	for _, v := range variants {
		for _, w := range Columns() {
			j.Cells = append(j.Cells, v.cell(w))
		}
	}
	return j
}

// Run makes the runs, and shrinks. The matrix must have passed Check.
func (m *Matrix) Run() []Plot {
	j := m.Job()
	g := j.Grid(m.Properties)
	j.Each(m.Workers, func(rows []Row) bool { return g.count(rows) })
	plots := m.Plots(g.Spots)
	m.ShrinkAll(plots, func() bool { return false }, func() {})
	return plots
}

// Plots returns what was counted of the matrix's job as its cells.
func (m *Matrix) Plots(spots []Spot) (plots []Plot) {
	variants, _ := m.chosen()
	for _, v := range variants {
		for _, w := range Columns() {
			plots = append(plots, m.plot(v, w, &spots[len(plots)]))
		}
	}
	return plots
}

// plot returns one cell, with its properties in the order in which they were asked for.
func (m *Matrix) plot(v *Variant, w FaultSet, spot *Spot) Plot {
	p := Plot{Variant: v, Faults: w, Runs: spot.Runs}
	if s, err := v.Scenario(w); err == nil {
		p.Void = s.NothingStrikes()
	}
	for _, name := range m.Properties {
		i := slices.IndexFunc(spot.Properties, func(f Frequency) bool { return f.Name == name })
		p.Found = append(p.Found, spot.Properties[i])
	}
	return p
}

// Broken is in how many cells something broke: so many there are to shrink.
func (m *Matrix) Broken(plots []Plot) (n int) {
	for i := range plots {
		if m.Shrink > 0 && plots[i].broken() >= 0 {
			n++
		}
	}
	return n
}

// ShrinkAll looks for the least that breaks each cell, several side by side. It calls stop before each and done after each,
// one at a time, on any goroutine. Should a run panic, ShrinkAll panics with a Broken.
func (m *Matrix) ShrinkAll(plots []Plot, stop func() bool, done func()) {
	e := Engine[*Least]{
		Workers: m.Workers, Stop: stop,
		Pieces: func(yield func(int) bool) {
			for i := range plots {
				if m.Shrink > 0 && plots[i].broken() >= 0 && !yield(i) {
					return
				}
			}
		},
		NewWorker: func() Worker[*Least] {
			shrunk := 0 // a Shrinker names the run that panics itself
			return Worker[*Least]{
				Make: func(i int) *Least { shrunk = i; return plots[i].least(m.Shrink) },
				At:   func() (string, uint64) { return plots[shrunk].Variant.Name, 0 },
			}
		},
		Done: func(i int, l *Least) (bool, error) {
			plots[i].Least = l
			done()
			return true, nil
		},
	}
	e.run()
}

// broken returns the place of the first property that broke; -1 where none did.
func (p *Plot) broken() int {
	return slices.IndexFunc(p.Found, func(f Frequency) bool { return f.Violated > 0 })
}

// least shrinks the first run that breaks a property.
func (p *Plot) least(most int) *Least {
	s, _ := p.Variant.Scenario(p.Faults)
	f := p.Found[p.broken()]
	h := Shrinker{Least: s.Universes().At(f.FirstSeed), Seed: f.FirstSeed, Property: f.Name, Most: most}
	whole := h.Run()
	return &Least{Property: f.Name, Scenario: h.Counterexample(), Seed: h.Seed, Whole: whole}
}

// Name names the counterexample, as its file is named: by what breaks, under which faults, and by its content. It is the
// same wherever the same was found.
func (l *Least) Name() string {
	sum := sha256.Sum256(l.Scenario.Brief())
	words := slices.Concat([]string{l.Property}, KindsOf(l.Scenario.Faults).Words(), []string{hex.EncodeToString(sum[:4])})
	return strings.Join(words, "-")
}
