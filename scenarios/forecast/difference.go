package forecast

import (
	"math"
	"slices"

	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
	"github.com/lockstorm/lockstorm/sim"
)

// A Difference is how much more often a year the first promise breaks in one model than in another, by single events.
// Both run the same seeds, with the same events at the same moments. Where it breaks less often, numbers are below 0.
// Causes whose runs don't differ are not in it.
type Difference struct {
	Estimate
	Saved  int     `json:"saved_runs"` // broke the promise in the other model only
	Added  int     `json:"added_runs"` // broke it in this model only
	Sign   Sign    `json:"sign"`
	By     string  `json:"by"`     // the cause that contributes most; "" if no run differs
	Hidden float64 `json:"hidden"` // the upper limit for causes whose runs don't differ
}

// A Sign says on which side of 0 a difference is, with its whole interval.
type Sign string

// The signs.
const (
	More Sign = "more"
	Less Sign = "less"
	Open Sign = "can't tell"
)

// looks is how often the sign of a difference is judged, each time after more runs. The first interval that excludes 0
// ends the runs, so intervals must hold at all looks together.
const looks = 4

// minus returns how much more often a promise breaks in s than in o, which have the same rates. Each draw takes the
// upper limit of one and the lower limit of the other: Fay, Proschan and Brittain (Biometrics 71, 2015) call such
// intervals melded.
func (s *Sample) minus(o *Sample, intervals int) (e Estimate) {
	less := func(often func(*Term) float64, p, q shares) float64 {
		all, other := s.sum(often, p), o.sum(often, q)
		return all.all() - other.all()
	}
	e.Value, e.Mean = less(at(s.middle()), s.observed(), o.observed()), less(s.expected, s.observed(), o.observed())
	e.between(intervals, func(c *sim.Chance) float64 {
		rates := s.possible(c)
		upper := c.Below(2) == 1
		return less(at(rates), s.limit(c, rates, upper), o.limit(c, rates, !upper))
	})
	return e
}

// A twin is a stratum of single events in two models. Run k has the same seed in both.
type twin struct {
	stratum
	hosts, others   int // that its events hit in this model, and in the other
	runs            int // that both have
	is, was, common int // how many of those broke the first promise: in this model, in the other, and in both
}

// twins returns the strata of single events of two models. One of them may have no host that some events could hit.
func (m *Model) twins(o *Model) (all []twin) {
	known := map[string]bool{}
	for _, x := range slices.Concat(m.strata, o.strata) {
		if x.cause < 0 || x.with >= 0 || known[x.name] {
			continue
		}
		known[x.name] = true
		t := twin{stratum: x}
		var now, then []shown
		now, t.hosts = m.hit(&x)
		then, t.others = o.hit(&x)
		if t.runs = min(len(now), len(then)); t.hosts == 0 || t.others == 0 {
			t.runs = max(len(now), len(then))
		}
		for k := range min(t.runs, len(now)) {
			t.is += int(now[k] & 1)
		}
		for k := range min(t.runs, len(then)) {
			t.was += int(then[k] & 1)
		}
		for k := range min(len(now), len(then)) {
			t.common += int(now[k] & then[k] & 1)
		}
		all = append(all, t)
	}
	return all
}

// hit returns the runs of a stratum in this model, and how many hosts its events hit; 0 if the model does not have it.
func (m *Model) hit(x *stratum) (shows []shown, hosts int) {
	i := slices.IndexFunc(m.strata, func(y stratum) bool { return y.name == x.name })
	if i < 0 {
		return nil, 0
	}
	return m.strata[i].shows, m.Environment.Causes[x.cause].Hosts(m.site.Clients, m.site.Nodes)
}

// differing says of each cause whether any of its runs differs.
func differing(all []twin) map[int]bool {
	differ := map[int]bool{}
	for _, t := range all {
		if t.is+t.was > 2*t.common || t.hosts != t.others && t.common > 0 {
			differ[t.cause] = true
		}
	}
	return differ
}

// Difference returns how much more often the first promise breaks in m than in o. Several intervals cover theirs
// together. If events hit another number of hosts, more are in one model than in the other. Then runs are not paired.
func (m *Model) Difference(o *Model, intervals int) Difference {
	var more, less, rest Sample
	for _, c := range m.Environment.Causes {
		low, high := c.Rate.Yearly()
		more.Rates = append(more.Rates, Rate{low, high})
	}
	less.Rates, rest.Rates = more.Rates, more.Rates
	d, all := Difference{Sign: Open}, m.twins(o)
	differ := differing(all)
	for _, t := range all {
		add := func(s *Sample, hosts, broke int) {
			n := stats.Count{Runs: t.runs, Violated: broke}
			part := float64(t.high-t.low) / 1e6 * float64(hosts)
			s.Terms = append(s.Terms, Term{Cause: t.cause, With: -1, Part: part, Count: n})
		}
		both := 0
		if t.hosts == t.others {
			both = t.common
		}
		if !differ[t.cause] {
			add(&rest, max(t.hosts, t.others), 0)
			continue
		}
		add(&more, t.hosts, t.is-both)
		add(&less, t.others, t.was-both)
		d.Added, d.Saved = d.Added+t.is-t.common, d.Saved+t.was-t.common
	}
	d.Estimate, d.Hidden = more.minus(&less, intervals), rest.all().High
	switch d.Seen = d.Added + d.Saved; {
	case d.Low > 0:
		d.Sign = More
	case d.High < 0:
		d.Sign = Less
	}
	most, p, q := 0.0, more.sum(at(more.middle()), more.observed()), less.sum(at(less.middle()), less.observed())
	for i := range p.cause {
		if v := math.Abs(p.cause[i] - q.cause[i]); v > most {
			most, d.By = v, m.Environment.Causes[i].Name
		}
	}
	return d
}

// Change performs the runs of a change, and adds its effect. More runs follow until the sign of the difference is
// known, or they are used up. It returns false if Done wanted no more.
func (m *Model) Change(c Change, r *Result) (goOn bool, err error) {
	n, err := m.apply(c, true)
	if err != nil {
		return true, err
	}
	before := m.Made()
	if !n.make(n.single) {
		return false, nil
	}
	x := Improved{Change: c, Difference: Difference{Sign: Open}}
	for look := 1; look <= looks && x.Difference.Sign == Open; look++ {
		if !n.follow(m, m.More<<look/(1<<(looks+1)-2)) {
			return false, nil
		}
		x.Difference = n.Difference(m, looks)
	}
	now := n.Sample(0)
	now.Long = 0 // without events both break alike
	x.Now = now.all()
	r.Changes, r.Runs = append(r.Changes, x), r.Runs+n.Made()+m.Made()-before
	return true, nil
}

// follow performs more runs in m and in o, where they make the difference most certain: half with causes whose runs
// differ, half to find other causes.
func (m *Model) follow(o *Model, runs int) bool {
	all := m.twins(o)
	differ := differing(all)
	worth, sum := make([]float64, len(all)), map[bool]float64{}
	for i, t := range all {
		low, high := m.Environment.Causes[t.cause].Rate.Yearly()
		odd := stats.Count{Runs: t.runs, Violated: t.is + t.was - 2*t.common}
		often := Rate{low, high}.Middle() * float64(max(t.hosts, t.others)) * float64(t.high-t.low)
		worth[i] = often * scatter(odd) / math.Sqrt(float64(t.length)) // longer runs cost more
		sum[differ[t.cause]] += worth[i]
	}
	wanted := map[string]int{}
	for i, t := range all {
		group := differ[t.cause]
		share := worth[i] / sum[group]
		if sum[!group] > 0 {
			share /= 2
		}
		wanted[t.name] = t.runs + int(share*float64(runs))
	}
	more := func(x *stratum) int { return wanted[x.name] }
	return m.make(more) && o.make(more)
}
