package guide

import (
	"slices"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
)

// fault draws a fault, and aims it.
func (c *child) fault() (faults.Fault, bool) {
	f, ok := c.draw(c.storm.Kinds)
	if ok {
		c.aim(&f)
	}
	return f, ok
}

// draw draws a fault as the storm does. A schedule that it draws may be empty.
func (c *child) draw(kinds []*faults.Kind) (faults.Fault, bool) {
	if len(kinds) == 0 { // which would stand for all
		return faults.Fault{}, false
	}
	storm := c.storm
	storm.Kinds = kinds
	for range 8 {
		if all := storm.Draw(c.Chance, c.cast); len(all) > 0 {
			return all[c.Below(uint64(len(all)))], true
		}
	}
	return faults.Fault{}, false
}

// aim lets a fault strike where something happened in the parent's run: one time in four at a moment, and else mostly at a
// mark.
func (c *child) aim(f *faults.Fault) {
	switch {
	case len(c.parent.marks) == 0:
		return
	case c.Below(4) == 0:
		if at := c.moment(); c.inSpan(at) {
			f.At, f.When = at, faults.Mark{}
		}
	case c.Below(4) > 0:
		c.mark(f)
	}
	if 0 < f.For && f.For < time.Millisecond {
		f.For += time.Duration(1+c.Below(20)) * time.Millisecond
	}
}

// mark lets a fault strike at a mark that a client passed; half of those that strike a client, at that client.
func (c *child) mark(f *faults.Fault) {
	passed := c.parent.marks[c.Below(uint64(len(c.parent.marks)))]
	after := f.When.After
	f.At, f.When = 0, passed[c.Below(uint64(len(passed)))]
	if c.Below(4) == 0 {
		f.When.After = after
	}
	if c.Below(2) == 0 {
		c.same(f)
	}
}

// same lets a fault that strikes a client strike the one that passes its mark.
func (c *child) same(f *faults.Fault) {
	if len(f.Groups) > 0 { // it may stand in one of them already
		return
	}
	for _, at := range f.Hosts() {
		if slices.Contains(c.cast.Clients, *at) || *at == faults.Holder || *at == faults.AClient {
			*at = f.When.Host
			return
		}
	}
}

func (c *child) inSpan(at clock.Instant) bool { return 0 <= at && time.Duration(at) <= c.storm.Span }

// moment draws a moment about one at which something happened in the parent's run, or anywhere between two of them.
func (c *child) moment() clock.Instant {
	all := c.parent.moments
	if len(all) == 0 {
		return never
	}
	i := int(c.Below(uint64(len(all))))
	at := all[i]
	if c.Below(2) == 0 && i+1 < len(all) {
		return whole(at + clock.Instant(c.Below(uint64(all[i+1]-at))))
	}
	off := clock.Instant(c.Below(1<<c.Below(14))) * clock.Instant(time.Microsecond)
	if c.Below(2) == 0 {
		off = -off
	}
	return whole(at + off)
}

// whole returns an instant in whole microseconds, as a storm draws it.
func whole(t clock.Instant) clock.Instant { return t - t%clock.Instant(time.Microsecond) }

// shift lets a fault begin or end about when something happened. Until the fault strikes, a run with the same seed is that
// of the parent, so what it is aimed at will happen.
func (c *child) shift() bool {
	if c.plan.drawn() == 0 {
		return false
	}
	i, at := c.pick(), c.moment()
	f := &c.plan.universe.Faults[i]
	if began := c.plan.begins[i]; f.For > 0 && began != never && c.Below(2) == 0 {
		return c.last(f, at.Sub(began).Truncate(time.Microsecond))
	}
	if !c.inSpan(at) {
		return false
	}
	f.At, f.When, c.plan.begins[i] = at, faults.Mark{}, at
	return true
}

// last sets how long a fault lasts, if a storm could draw that.
func (c *child) last(f *faults.Fault, d time.Duration) bool {
	least := time.Microsecond
	if f.Kind == faults.Restart {
		least = max(least, c.storm.Away)
	}
	if d < least || d > c.storm.Span {
		return false
	}
	f.For = d
	return true
}

// alter takes one part of a fault from another of its kind: when, for how long, whom, or by how much.
func (c *child) alter() bool {
	if c.plan.drawn() == 0 {
		return false
	}
	i := c.pick()
	f := c.plan.universe.Faults[i].Clone()
	o, ok := c.draw([]*faults.Kind{f.Kind})
	if !ok {
		return false
	}
	switch c.Below(4) {
	case 0:
		f.At, f.When, c.plan.begins[i] = o.At, o.When, never
	case 1:
		f.For, f.On = o.For, o.On
	case 2:
		f.Host, f.From, f.To, f.Groups, f.Shape, f.OneWay = o.Host, o.From, o.To, o.Groups, o.Shape, o.OneWay
	case 3:
		f.By, f.Rate, f.Every, f.Loss, f.Clean = o.By, o.Rate, o.Every, o.Loss, o.Clean
	}
	c.plan.universe.Faults[i] = f
	return true
}
