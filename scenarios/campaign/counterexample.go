package campaign

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/scenarios"
)

// A Breach is the run with which a property is first broken in a cell.
type Breach struct {
	Cell     int
	Seed     uint64
	Property string
}

// A Counterexample is the smallest scenario found that breaks a property.
type Counterexample struct {
	Breach
	Scenario scenarios.Scenario
	Whole    bool // no single step makes it simpler; else the runs were used up before
}

// Shrink looks for the smallest scenario that breaks what each breach breaks. It makes up to most runs for each, on
// several workers. It calls stop before each and done after each, one at a time, on any goroutine. The result is nil
// where it did not look. If a run panics, Shrink panics with a Broken.
func (j *Job) Shrink(all []Breach, most, workers int, stop func() bool, done func()) []*Counterexample {
	found := make([]*Counterexample, len(all))
	e := Engine[*Counterexample]{
		Workers: workers, Pieces: Range(0, len(all)), Stop: stop,
		NewWorker: func() Worker[*Counterexample] {
			return Worker[*Counterexample]{ // a Shrinker names the run that panics itself
				Make: func(i int) *Counterexample { return j.counterexample(all[i], most) },
				At:   func() (string, uint64) { return j.Scenario.ID, 0 },
			}
		},
		Done: func(i int, c *Counterexample) (bool, error) {
			found[i] = c
			done()
			return true, nil
		},
	}
	e.run()
	return found
}

func (j *Job) counterexample(b Breach, most int) *Counterexample {
	s, err := j.In(b.Cell)
	if err != nil {
		panic("campaign: " + err.Error()) // Check has been there
	}
	h := Shrinker{Least: s.Universes().At(b.Seed), Seed: b.Seed, Property: b.Property, Most: most}
	whole := h.Run()
	b.Seed = h.Seed
	return &Counterexample{Breach: b, Scenario: h.Counterexample(), Whole: whole}
}

// Name names the counterexample, as its file is named: by what breaks, under which faults, and by its content. Equal
// counterexamples have equal names.
func (c *Counterexample) Name() string {
	sum := sha256.Sum256(c.Scenario.Brief())
	words := slices.Concat([]string{c.Property}, KindsOf(c.Scenario.Faults).Words(), []string{hex.EncodeToString(sum[:4])})
	return strings.Join(words, "-")
}
