package explore

import (
	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
)

// A Count is what was found in some schedules.
type Count struct {
	Schedules int // that were run, or would have ended at once in a state that was foreseen
	Merged    int // of those, the ones that came to a known state, from which another goes on
	States    int // different ones; those that schedules of two units come to count twice
	Unknown   int // runs that a limit of the scenario cut short
	Broken    []Broken

	units int // that were added up
}

// A Broken is a property that broke, and the first schedule that broke it.
type Broken struct {
	Property  int // of checker.Properties
	Schedules int // that broke it
	First     faults.Schedule
}

// Name returns the property's name.
func (b *Broken) Name() string { return checker.Properties[b.Property].Name }

// add counts an outcome.
func (c *Count) add(o *outcome) {
	c.Schedules++
	if o.merged {
		c.Merged++
	}
	if o.vague {
		c.Unknown++
	}
	for _, property := range o.broken {
		c.broke(Broken{property, 1, o.faults})
	}
}

// broke counts a property that broke. The first is the one that was shown first.
func (c *Count) broke(b Broken) {
	for i := range c.Broken {
		if c.Broken[i].Property == b.Property {
			c.Broken[i].Schedules += b.Schedules
			return
		}
	}
	c.Broken = append(c.Broken, b)
}

// merge adds what was found in other schedules, which come later.
func (c *Count) merge(o *Count) {
	c.Schedules += o.Schedules
	c.Merged += o.Merged
	c.States += o.States
	c.Unknown += o.Unknown
	for _, b := range o.Broken {
		c.broke(b)
	}
}
