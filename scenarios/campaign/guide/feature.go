package guide

import (
	"cmp"
	"math/bits"
	"slices"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/sim"
)

// A feature is something that a run showed. What its numbers are follows from the kind.
type feature struct {
	kind  kind
	a, b  int16
	c     int16
	where string // a mark
}

// A kind is a kind of feature.
type kind uint8

// The kinds. A band is about how long a time is: see band.
const (
	tried          kind = iota // how an attempt ended, and with how many votes more than a majority
	triedFor                   // how an attempt ended, and how long it took
	left                       // the validity that an acquire was left with
	keysToValidity             // from the end of a validity to the loss of the majority
	keysToBelief               // the same, from when its client went on no longer
	handedOver                 // from one client's belief, or validity, to the acquire of another
	wrote                      // how many versions a write skipped, and whether it fell inside its own hold or another's
	keyEnded                   // why a key ended, how its owner's attempt had ended, and whether the owner was done
	owned                      // how many nodes each of the two with the most had, and how many all others together
	struck                     // the kind of a fault that struck, at which mark, or in the midst of what
	renewed                    // how an extension ended, and how long it took, or how much validity it brought
	outlived                   // how long a release took, or how long a key lived after it
	counted                    // by how much fencing tokens grew
	probed                     // how long the probe took, in eighths of its bound
	broke                      // a property that broke
	figure                     // how large a figure was
)

// band returns about how long a time is: 0 below 250µs, and one more with each doubling.
func band(d time.Duration) int16 {
	if d < 0 {
		return -1 - band(-d)
	}
	return int16(bits.Len64(uint64(d / (250 * time.Microsecond))))
}

func truth(b bool) int16 {
	if b {
		return 1
	}
	return 0
}

// A gatherer gathers what a run showed.
type gatherer struct {
	e     *checker.Evidence
	run   *Run
	names []string // of the marks at which faults may strike
}

func (l *gatherer) feature(k kind, a, b, c int16) { l.show(feature{kind: k, a: a, b: b, c: c}) }

func (l *gatherer) show(f feature) {
	if !slices.Contains(l.run.features, f) {
		l.run.features = append(l.run.features, f)
	}
}

// moment notes that something happened.
func (l *gatherer) moment(t clock.Instant) {
	if 0 < t && t < l.e.End {
		l.run.moments = append(l.run.moments, t)
	}
}

// gather gathers everything.
func (l *gatherer) gather(res *scenarios.Result, judge *checker.Judge) {
	for m := range l.run.margins {
		l.run.margins[m] = far
	}
	l.tries()
	l.holds()
	l.writes()
	l.keys()
	l.strikes()
	l.renewals()
	l.marks(res)
	l.waits()
	l.figures(judge)
	if p := &l.e.Probe; p.Bound > 0 {
		took := p.Won.Sub(p.Asked)
		l.time(probing, p.Bound-took)
		l.feature(probed, int16(min(int64(took)/(int64(p.Bound)/8+1), 16)), 0, 0)
	}
	for i, f := range res.Findings {
		if f.Verdict == checker.Violated {
			l.feature(broke, int16(i), 0, 0)
		}
	}
	slices.Sort(l.run.moments)
	l.run.moments = slices.Compact(l.run.moments)
}

func (l *gatherer) tries() {
	for i := range l.e.Tries {
		t := &l.e.Tries[i]
		l.feature(tried, int16(t.Outcome), int16(t.Votes-checker.Majority(max(len(l.e.Lanes), 1))), 0)
		if t.To < clock.Forever {
			l.feature(triedFor, int16(t.Outcome), band(t.To.Sub(t.From)), 0)
		}
		l.moment(t.From)
		l.moment(t.To)
		l.moment(t.Left)
	}
}

func (l *gatherer) holds() {
	for i := range l.e.Holds {
		h := &l.e.Holds[i]
		l.moment(h.Gone)
		l.moment(h.Valid)
		l.feature(left, band(h.Valid.Sub(h.From)), 0, 0)
		l.time(validityLeft, h.Valid.Sub(h.From))
		if h.Fence > 0 {
			l.time(tokenAge, -h.From.Sub(h.Asked))
		}
		if h.Try >= 0 && l.e.Tries[h.Try].Left < clock.Forever {
			t := &l.e.Tries[h.Try]
			l.feature(outlived, band(t.Left.Sub(h.Gone)), truth(t.Clean), 0)
		}
		l.majority(h)
		if i > 0 {
			l.handover(&l.e.Holds[i-1], h)
		}
	}
}

// majority looks at when a hold's token lost its majority, if not by its owner.
func (l *gatherer) majority(h *checker.Hold) {
	lost := l.lost(h)
	if lost == clock.Forever {
		return
	}
	l.moment(lost)
	l.feature(keysToValidity, band(lost.Sub(h.Valid)), 0, 0)
	l.time(keysValidity, lost.Sub(h.Valid))
	l.feature(keysToBelief, band(lost.Sub(h.Gone)), 0, 0)
	l.time(keysBelief, lost.Sub(h.Gone))
}

// lost returns when a hold's token lost its majority. A key that its owner deleted is taken to live on: a release says
// nothing of how long the key would have lived.
func (l *gatherer) lost(h *checker.Hold) clock.Instant {
	var ends []clock.Instant
	for i := range l.e.Keys {
		switch s := &l.e.Keys[i]; {
		case s.Token != h.Token:
		case s.Ended.Cause == checker.Unrecorded, s.Ended.Cause == checker.Deleted && s.Ended.Client == h.Client:
			ends = append(ends, clock.Forever)
		default:
			ends = append(ends, s.To)
		}
	}
	need := checker.Majority(len(l.e.Lanes))
	if len(l.e.Lanes) == 0 || len(ends) < need {
		return clock.Forever
	}
	slices.Sort(ends)
	return ends[len(ends)-need]
}

// handover looks at two holds that followed each other.
func (l *gatherer) handover(a, b *checker.Hold) {
	if a.Fence > 0 {
		grew := int64(b.Fence) - int64(a.Fence)
		l.margin(tokenStep, grew)
		l.feature(counted, int16(max(min(grew, 4), -4)), 0, 0)
	}
	if a.Client == b.Client {
		return
	}
	l.feature(handedOver, 0, band(b.From.Sub(a.Gone)), 0)
	l.time(afterBelief, b.From.Sub(a.Gone))
	l.feature(handedOver, 1, band(b.From.Sub(a.Valid)), 0)
	l.time(afterValidity, b.From.Sub(a.Valid))
}

func (l *gatherer) writes() {
	for i := range l.e.Writes {
		u := &l.e.Writes[i]
		l.moment(u.At)
		l.feature(wrote, 0, int16(min(int64(u.Plain.Made)-int64(u.Plain.Base), 4)), truth(u.Fenced.Made == 0))
		for k := range l.e.Holds {
			switch h := &l.e.Holds[k]; {
			case h.Client == u.Client && h.Fence == u.Fence && u.Fence > 0:
				l.feature(wrote, 1, band(h.Valid.Sub(u.At)), 0)
				l.feature(wrote, 2, band(h.Gone.Sub(u.At)), 0)
				l.time(lateWrite, h.Gone.Sub(u.At))
			case h.Client != u.Client && h.From > u.At:
				l.feature(wrote, 3, band(h.From.Sub(u.At)), 0)
				l.time(nextHolder, h.From.Sub(u.At))
			}
		}
	}
}

// keys looks at how keys ended, and at who had how many nodes.
func (l *gatherer) keys() {
	var edges []edge
	for i := range l.e.Keys {
		s := &l.e.Keys[i]
		edges = append(edges, edge{s.From, s.Token, 1}, edge{s.To, s.Token, -1})
		l.moment(s.From)
		l.moment(s.To)
		owner := slices.IndexFunc(l.e.Tries, func(t checker.Try) bool { return t.Token == s.Token })
		if owner >= 0 {
			l.keyOf(&l.e.Tries[owner], s)
		}
	}
	slices.SortFunc(edges, func(a, b edge) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.by, b.by), cmp.Compare(a.token, b.token))
	})
	l.ownership(edges)
}

func (l *gatherer) keyOf(t *checker.Try, s *checker.Span) {
	done := int16(0)
	switch {
	case s.To > t.Left:
		done = 2
		l.feature(outlived, band(s.To.Sub(t.Left)), 2+truth(t.Clean), truth(s.Endless))
	case s.To > t.To:
		done = 1
	}
	m := orphanKey
	if t.Clean {
		m = releasedKey
	}
	l.time(m, t.Left.Sub(s.To))
	by := truth(s.Ended.Cause == checker.Deleted && s.Ended.Client != t.Client)
	l.feature(keyEnded, int16(s.Ended.Cause), int16(t.Outcome)*2+by, done)
}

// An edge is where a key begins or ends.
type edge struct {
	at    clock.Instant
	token string
	by    int
}

// ownership goes through the edges, and counts the nodes of each token.
func (l *gatherer) ownership(edges []edge) {
	type count struct {
		token string
		nodes int
	}
	var counts []count
	for _, d := range edges {
		i := slices.IndexFunc(counts, func(c count) bool { return c.token == d.token })
		if i < 0 {
			i, counts = len(counts), append(counts, count{token: d.token})
		}
		if counts[i].nodes += d.by; counts[i].nodes == 0 {
			counts = slices.Delete(counts, i, i+1)
		}
		slices.SortStableFunc(counts, func(a, b count) int { return cmp.Compare(b.nodes, a.nodes) })
		var most [3]int
		for k, c := range counts {
			most[min(k, 2)] += c.nodes
		}
		l.feature(owned, int16(most[0]), int16(most[1]), int16(most[2]))
	}
}

// strikes looks at what went on when faults struck.
func (l *gatherer) strikes() {
	l.run.begins = slices.Repeat([]clock.Instant{never}, len(l.run.Universe.Faults))
	for i := range l.e.Strikes {
		s := &l.e.Strikes[i]
		f := &l.run.Universe.Faults[s.Index]
		kind := int16(f.Kind.Index())
		l.moment(s.From)
		l.moment(s.To)
		if s.Idle {
			l.feature(struck, kind, -1, 0)
			continue
		}
		l.run.begins[s.Index] = s.From
		if f.When.Name != "" {
			l.show(feature{kind: struck, a: kind, b: truth(f.When.After > 0), where: f.When.Name})
		}
		holding, asking := l.during(s.From)
		l.feature(struck, kind, holding, asking)
	}
}

// during returns how many clients held the lock, and how many asked for it or released it.
func (l *gatherer) during(moment clock.Instant) (holding, asking int16) {
	for i := range l.e.Holds {
		holding += truth(l.e.Holds[i].From <= moment && moment < l.e.Holds[i].Gone)
	}
	for i := range l.e.Tries {
		switch t := &l.e.Tries[i]; {
		case t.From <= moment && moment < t.To:
			asking += 4
		case t.To <= moment && moment < t.Left:
			asking++
		}
	}
	return holding, asking
}

func (l *gatherer) renewals() {
	for i := range l.e.Renewals {
		r := &l.e.Renewals[i]
		l.moment(r.Asked)
		l.moment(r.At)
		if r.At < clock.Forever {
			l.feature(renewed, truth(r.OK), band(r.At.Sub(r.Asked)), 0)
		}
		if r.OK {
			l.feature(renewed, 2, band(r.Valid.Sub(r.At)), 0)
		}
	}
}

// figures counts in powers of two.
func (l *gatherer) figures(judge *checker.Judge) {
	for i, f := range judge.Figures(l.e) {
		switch f.Name {
		case "attempts-lost", "overstayed", "writes-refused", "renewals-failed", "split-votes":
			l.feature(figure, int16(i), int16(bits.Len64(uint64(f.Value))), 0)
		case "unavailable-longest", "wait-max":
			l.feature(figure, int16(i), band(time.Duration(f.Value)), 0)
		}
	}
}

// passes is up to which passing of a mark a storm lets faults wait.
const passes = 4

// marks notes which marks clients passed, and when.
func (l *gatherer) marks(res *scenarios.Result) {
	type passing struct {
		host int16
		name string
	}
	clients := l.run.Universe.Cast().Clients
	var names []string
	times := map[passing]int{} // looked up, never ranged over
	for i := range res.Trace {
		e := &res.Trace[i]
		name, _ := e.Body.(string)
		host := res.Hosts[e.Host]
		if e.Kind != sim.Marked || !slices.Contains(clients, host) {
			continue
		}
		l.moment(e.At)
		p := passing{e.Host, name}
		if times[p]++; times[p] > passes || !slices.Contains(l.names, name) {
			continue
		}
		at := slices.Index(names, name)
		if at < 0 {
			at, names, l.run.marks = len(names), append(names, name), append(l.run.marks, nil)
		}
		l.run.marks[at] = append(l.run.marks[at], faults.Mark{Host: host, Name: name, Nth: times[p]})
	}
}
