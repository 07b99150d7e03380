package faults

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/clock"
)

// A Storm says what may go wrong in a run, and draws schedules of that.
//
// Each schedule is drawn like a season: first the kinds of faults that it knows at all, and how much of the span they
// have, then the faults. So there are schedules of pauses alone, and of many faults in a short time; with every kind in
// each schedule, what takes two rare faults to break would hide behind what takes one.
//
// A draw of 0 is always the simplest: no fault, the first kind, the first host. So whoever shrinks the draws, as rapid
// does, simplifies the schedule.
type Storm struct {
	Kinds []Kind          // what may happen; empty for every kind
	Most  int             // how many faults at most; 0 for 6
	Span  time.Duration   // they strike within it, and last no longer; 0 for a minute
	Near  []time.Duration // times at which much hangs, such as a TTL: lengths and steps of clocks are drawn from just around them too
	Marks []string        // what clients pass on their way, at which faults may strike; empty for instants alone
	Stays bool            // some last for the rest of the run
}

// A Source is where draws come from. A sim.Chance is one.
type Source interface {
	// Below draws a number from 0 to n-1. Below(0) and Below(1) are 0.
	Below(n uint64) uint64
}

// A Grouper is a Source that wants to know which draws belong together: those of one fault. So it can take them out.
type Grouper interface {
	Source
	Group(draws func())
}

// Draw draws a schedule for a run that has this cast. Check finds no fault with it, as long as the horizon is not within
// the Span.
func (s Storm) Draw(c Source, cast Cast) Schedule {
	s = s.whole()
	d := drawing{Source: c, storm: s, cast: &cast}
	kinds := d.some(s.Kinds)
	d.storm.Span = d.within(s.Span) // the season's own
	var all Schedule
	more := true
	for range s.Most {
		d.group(func() {
			if more = d.Below(uint64(s.Most)) > 0; !more {
				return
			}
			f, ok := d.fault(kinds[d.Below(uint64(len(kinds)))])
			if ok && len(append(all, f).Complaints(cast, s.Span)) == 0 { // clocks bear only so much together
				all = append(all, f)
			}
		})
		if !more {
			break
		}
	}
	return all
}

// whole gives the storm with nothing left at zero.
func (s Storm) whole() Storm {
	if len(s.Kinds) == 0 {
		for k := range kinds {
			s.Kinds = append(s.Kinds, Kind(k))
		}
	}
	if s.Most <= 0 {
		s.Most = 6
	}
	if s.Span <= 0 {
		s.Span = time.Minute
	}
	return s
}

// A drawing is a schedule that is being drawn.
type drawing struct {
	Source
	storm Storm
	cast  *Cast
}

func (d *drawing) group(draws func()) {
	if g, ok := d.Source.(Grouper); ok {
		g.Group(draws)
		return
	}
	draws()
}

func (d *drawing) coin() bool { return d.Below(2) == 1 }

// word draws one of several.
func (d *drawing) word(from ...string) string { return from[d.Below(uint64(len(from)))] }

// some draws one to all of the kinds, few rather than many.
func (d *drawing) some(kinds []Kind) []Kind {
	rest := slices.Clone(kinds)
	var all []Kind
	for n := 1 + d.Below(1+d.Below(uint64(len(kinds)))); n > 0; n-- {
		i := d.Below(uint64(len(rest)))
		all = append(all, rest[i])
		rest = slices.Delete(rest, int(i), int(i)+1)
	}
	return all
}

// fault draws a fault of one kind. It is false where the cast has nobody whom it could strike.
func (d *drawing) fault(k Kind) (f Fault, ok bool) {
	f = Fault{Kind: k}
	switch k {
	case Cut, Hold, Slow, Lossy:
		f.From, f.To = d.link()
	case Partition:
		d.part(&f)
	case Crash:
		f.Host = d.client()
	case Restart, SlowNode:
		f.Host = d.node()
	default:
		f.Host = d.host()
	}
	if f.complete() != nil {
		return f, false
	}
	d.amount(&f)
	d.lasting(&f)
	d.moment(&f)
	return f, true
}

// host draws whom a fault strikes, a client rather than a node, for there is more to be upset in its course.
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

// either draws a name, or one time in three a role. It is empty where there are none.
func (d *drawing) either(names []string, roles ...string) string {
	switch {
	case len(names) == 0:
		return ""
	case d.Below(3) == 2:
		return d.word(roles...)
	}
	return d.word(names...)
}

// link draws a link between a client and who serves it, one way.
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

// part draws who is parted from whom: a shape, or each client and node on one of two sides.
func (d *drawing) part(f *Fault) {
	f.Shape = Shape(d.Below(uint64(len(shapes))))
	switch f.Shape {
	case Isolate:
		f.Host = d.host()
	case Grouped:
		sides := [2][]string{}
		for _, name := range slices.Concat(d.cast.Clients, d.cast.Nodes) {
			side := d.Below(2)
			sides[side] = append(sides[side], name)
		}
		f.Groups, f.OneWay = sides[:], d.Below(4) == 3
	}
}

// amount draws by how much, and how fast.
func (d *drawing) amount(f *Fault) {
	switch f.Kind {
	case Jump, Slew:
		f.By = d.length(d.storm.Span)
		if d.coin() {
			f.By = -f.By
		}
	case Strobe:
		f.By, f.Every = d.length(d.storm.Span), max(everyLeast, d.length(d.storm.Span))
	case Slow, SlowNode:
		f.By = d.length(d.storm.Span)
	case Lossy:
		f.Loss = 10_000 * int(1+d.Below(100))
	}
	switch f.Kind {
	case Drift, Slew:
		f.Rate = clock.Rate(1+d.Below(1<<(4+d.Below(15)))) * clock.PPM // up to a quarter, and small more often than large
	}
	if f.Kind == Drift && d.coin() {
		f.Rate = -f.Rate
	}
	f.Clean = f.Kind == Restart && d.Below(4) == 3
}

// lasting draws how long it lasts. Where some stay, one in eight does, but for what would then be no more than a cut, or
// would never let the run rest.
func (d *drawing) lasting(f *Fault) {
	if f.Kind == Slew {
		return // which takes as long as it takes
	}
	if f.For = d.length(d.storm.Span); d.storm.Stays && d.Below(8) == 7 && f.Kind != Hold && f.Kind != Strobe {
		f.For = 0
	}
	if f.For > 0 && f.Kind == Restart && d.Below(8) == 7 {
		f.On = d.word(d.cast.Nodes...)
	}
}

// moment draws when it strikes.
func (d *drawing) moment(f *Fault) {
	if len(d.storm.Marks) == 0 || len(d.cast.Clients) == 0 || d.coin() {
		f.At = clock.Instant(d.within(d.storm.Span))
		return
	}
	f.When = Mark{Host: d.word(append([]string{Any}, d.cast.Clients...)...), Name: d.word(d.storm.Marks...), Nth: 1 + int(d.Below(1+d.Below(4)))}
	if d.coin() {
		f.When.After = d.length(d.storm.Span)
	}
}

// within draws a time up to a limit, evenly, in whole microseconds.
func (d *drawing) within(limit time.Duration) time.Duration {
	return time.Duration(d.Below(uint64(max(limit, 0)/time.Microsecond)+1)) * time.Microsecond
}

// length draws a time of some microseconds or more, up to a limit: one half from around the times at which much hangs, and
// of the rest as many of a few milliseconds as of a few seconds.
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

// around draws a time that differs from t by up to a sixteenth, and often by very little.
func (d *drawing) around(t time.Duration) time.Duration {
	off := d.within(t / 16 >> (2 * d.Below(8)))
	if d.coin() {
		off = -off
	}
	return max(t+off, time.Microsecond)
}

// A Class is a word for kinds of faults that are alike to whoever says what may happen.
type Class struct {
	Name  string
	Says  string
	Kinds []Kind
}

// Classes are all classes. Each Kind is in one.
var Classes = []Class{
	{"delay", "messages take longer, or are held", []Kind{Slow, SlowNode, Hold}},
	{"loss", "messages are lost", []Kind{Lossy, Cut}},
	{"pause", "a process stands still, and its clocks run on", []Kind{Pause}},
	{"suspend", "a machine sleeps, and its awake clock stands still", []Kind{Suspend}},
	{"crash", "a client's process dies", []Kind{Crash}},
	{"restart", "a node goes off, and is on again with what its disk kept", []Kind{Restart}},
	{"jump", "a wall clock is stepped", []Kind{Jump, Strobe}},
	{"drift", "clocks run at a wrong rate, or are slewed", []Kind{Drift, Slew}},
	{"partition", "hosts are parted", []Kind{Partition}},
}

// KindsOf gives the kinds that words stand for: classes, or kinds themselves.
func KindsOf(words []string) (all []Kind, err error) {
	for _, word := range words {
		found := kindsOf(word)
		if found == nil {
			return nil, fmt.Errorf("no fault is named %q; there are %s%s", word, strings.Join(classNames(), ", "),
				Suggest(word, Words()))
		}
		for _, k := range found {
			if !slices.Contains(all, k) {
				all = append(all, k)
			}
		}
	}
	return all, nil
}

func kindsOf(word string) []Kind {
	for _, c := range Classes {
		if c.Name == word {
			return c.Kinds
		}
	}
	if k := slices.Index(kinds[:], word); k >= 0 {
		return []Kind{Kind(k)}
	}
	return nil
}

// Words are all that KindsOf knows: classes, and kinds.
func Words() []string {
	return slices.Compact(slices.Sorted(slices.Values(append(classNames(), kinds[:]...))))
}

func classNames() []string {
	names := make([]string, len(Classes))
	for i, c := range Classes {
		names[i] = c.Name
	}
	return names
}

// ClassOf gives the class of a kind.
func ClassOf(k Kind) Class {
	i := slices.IndexFunc(Classes, func(c Class) bool { return slices.Contains(c.Kinds, k) })
	return Classes[i]
}
