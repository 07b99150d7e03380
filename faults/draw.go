package faults

import (
	"slices"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// A drawing is a schedule in the making, with its random stream.
type drawing struct {
	Source
	storm Storm
	cast  *Cast
}

func (d *drawing) group(draws func()) {
	if g, ok := d.Source.(grouper); ok {
		g.Group(draws)
		return
	}
	draws()
}

func (d *drawing) coin() bool { return d.Below(2) == 1 }

// word draws one of several.
func (d *drawing) word(words ...string) string { return words[d.Below(uint64(len(words)))] }

// some draws one to all of the kinds, few rather than many.
func (d *drawing) some(kinds []*Kind) []*Kind {
	rest := slices.Clone(kinds)
	var all []*Kind
	for n := 1 + d.Below(1+d.Below(uint64(len(kinds)))); n > 0; n-- {
		i := d.Below(uint64(len(rest)))
		all = append(all, rest[i])
		rest = slices.Delete(rest, int(i), int(i)+1)
	}
	return all
}

// fault draws a fault of one kind. It returns false where the cast has no host for it.
func (d *drawing) fault(k *Kind) (f Fault, ok bool) {
	f = Fault{Kind: k}
	for _, p := range k.parts {
		if p.draw(d, &f); p.complete != nil && p.complete(&f) != nil {
			return f, false
		}
	}
	switch {
	case k.EndsItself:
	case k.lasting != nil:
		k.lasting(d, &f)
	default:
		d.lasting(&f)
	}
	d.moment(&f)
	return f, true
}

// host draws the host that a fault hits: clients more often than nodes, because they can go wrong in more ways.
func (d *drawing) host() string {
	if len(d.cast.Nodes) > 0 && d.coin() {
		return d.node()
	}
	return d.client()
}

func (d *drawing) client() string {
	return d.either(d.cast.Clients, Holder, AClient)
}

func (d *drawing) node() string {
	if d.cast.minority() > 0 {
		return d.either(d.cast.Nodes, ANode, Minority, Majority, Nodes)
	}
	return d.either(d.cast.Nodes, ANode, Nodes)
}

// either draws a name, or one time in three a role. It returns "" where there are no names.
func (d *drawing) either(names []string, roles ...string) string {
	switch {
	case len(names) == 0:
		return ""
	case d.Below(3) == 2:
		return d.word(roles...)
	}
	return d.word(names...)
}

// link draws a link between a client and its server, one way.
func (d *drawing) link() (from, to string) {
	from, to = d.client(), d.node()
	if len(d.cast.Others) > 0 && d.Below(4) == 3 {
		to = d.word(d.cast.Others...)
	}
	if d.coin() {
		return to, from
	}
	return from, to
}

// lasting draws how long a fault lasts. If the storm has faults that stay, one in eight does.
func (d *drawing) lasting(f *Fault) {
	if f.For = d.length(d.storm.Span); d.stays() {
		f.For = 0
	}
}

// ending draws like lasting, for a fault that must not stay.
func (d *drawing) ending(f *Fault) {
	f.For = d.length(d.storm.Span)
	d.stays()
}

func (d *drawing) stays() bool { return d.storm.Stays && d.Below(8) == 7 }

// moment draws when the fault hits.
func (d *drawing) moment(f *Fault) {
	if len(d.storm.Marks) == 0 || len(d.cast.Clients) == 0 || d.coin() {
		f.At = clock.Instant(d.within(d.storm.Span))
		return
	}
	f.When = Mark{
		Host: d.word(append([]string{Any}, d.cast.Clients...)...), Name: d.word(d.storm.Marks...),
		Nth: 1 + int(d.Below(1+d.Below(4))),
	}
	if d.coin() {
		f.When.After = d.length(d.storm.Span)
	}
}

// within draws a time up to a limit, uniformly, in whole microseconds.
func (d *drawing) within(limit time.Duration) time.Duration {
	return time.Duration(d.Below(uint64(max(limit, 0)/time.Microsecond)+1)) * time.Microsecond
}

// length draws a time of at least a microsecond, up to a limit. Half of the draws lie around the times in storm.Near.
// The others are as often a few milliseconds as a few seconds.
func (d *drawing) length(limit time.Duration) time.Duration {
	if len(d.storm.Near) > 0 && d.coin() {
		return min(d.around(d.storm.Near[d.Below(uint64(len(d.storm.Near)))]), max(limit, time.Microsecond))
	}
	most := uint64(1)
	for range d.Below(40) {
		if most < uint64(limit/time.Microsecond) {
			most *= 2
		}
	}
	return time.Microsecond + d.within(min(time.Duration(most)*time.Microsecond, limit)-time.Microsecond)
}

// around draws a time that differs from t by up to a sixteenth, often by very little.
func (d *drawing) around(t time.Duration) time.Duration {
	off := d.within(t / 16 >> (2 * d.Below(8)))
	if d.coin() {
		off = -off
	}
	return max(t+off, time.Microsecond)
}
