package forecast

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"

	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
	"github.com/lockstorm/lockstorm/sim"
)

// A Rate is the number of events of one cause a year, over all hosts that they may hit. Low and High are the ends of
// an interval of 95 %; if they are equal the rate is known.
type Rate struct{ Low, High float64 }

// Middle returns the geometric mean of both ends: the median of a log-normal distribution that has 95 % between them.
func (r Rate) Middle() float64 { return math.Sqrt(r.Low * r.High) }

// Mean returns the mean of that distribution, which is the number of events to expect. Over two powers of ten it is
// twice the middle.
func (r Rate) Mean() float64 { return r.Middle() * math.Exp(r.spread()*r.spread()/2) }

// spread returns the standard deviation of the rate's logarithm.
func (r Rate) spread() float64 {
	if r.Low <= 0 || r.High <= r.Low {
		return 0
	}
	return math.Log(r.High/r.Low) / (2 * mathext.NormalQuantile(0.975))
}

// A Term is what runs with one event, or with two, showed.
type Term struct {
	Cause  int     // of the event, or of the earlier one: the index of its rate
	With   int     // the cause of the later one; -1 for a single event
	Part   float64 // the share of the cause's events that the runs represent: one band of sizes
	Window float64 // of pairs, the time in years within which the later event hit
	Long   float64 // how long a run is, in years; 0 for as long as those without an event
	Count  stats.Count

	settled bool // its share is taken to be the observed one
}

// at returns how often the situation of a term happens, if the rates are these.
func at(rates []float64) func(*Term) float64 {
	return func(t *Term) float64 { return t.weight(rates) }
}

// expected returns the mean of how often the situation of a term happens. Rates of two causes are independent of each
// other. The mean of a rate's square is larger than the square of its mean.
func (s *Sample) expected(t *Term) float64 {
	r := s.Rates[t.Cause]
	switch t.With {
	case -1:
		return r.Mean() * t.Part
	case t.Cause:
		return r.Mean() * r.Mean() * math.Exp(r.spread()*r.spread()) * t.Part * t.Window
	}
	return r.Mean() * s.Rates[t.With].Mean() * t.Part * t.Window
}

// weight returns how many times a year the term's situation happens.
func (t *Term) weight(rates []float64) float64 {
	if t.With < 0 {
		return rates[t.Cause] * t.Part
	}
	return rates[t.Cause] * t.Part * rates[t.With] * t.Window
}

// Sample is what runs showed of one promise.
type Sample struct {
	Rates  []Rate
	Calm   stats.Count // of runs without an event
	Long   float64     // how long those are, in years; 0 leaves out what breaks without an event
	Raised float64     // the factor for lost messages in those, which divides their weight; 0 is 1
	Terms  []Term

	calmSettled bool // the share of Calm is taken to be the observed one
}

// An Estimate is a number of violations a year, with an interval of 95 %.
type Estimate struct {
	Value float64 `json:"per_year"` // with each rate at its middle, its median
	Mean  float64 `json:"mean"`     // to expect: the mean over all rates within their intervals
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Seen  int     `json:"seen"` // in how many runs; if in no run, only High is informative
}

// Forecast is the outcome of a Sample.
type Forecast struct {
	All   Estimate
	Calm  Estimate   // without any event
	Cause []Estimate // by single events of each cause
	Pairs Estimate   // by two events, beyond what each does alone
}

// draws is the number of random draws for an interval.
const draws = 2000

// Estimate computes the forecast. Intervals are mid-P: each draw uses the distribution of the lower or the upper
// confidence limit, with even chances. Only the upper allows for unseen violations: it adds one violation, in the
// term where that weighs most.
//
// Fay and Feuer (Statistics in Medicine 16, 1997) and Fay and Kim (Biometrical Journal 59, 2017) combine counts of
// strata in this way. Jeffreys' distribution in each term would add half a violation to each. With twenty terms that
// show nothing, the sum's lower limit would be far above zero.
func (s *Sample) Estimate() Forecast {
	f := Forecast{Cause: make([]Estimate, len(s.Rates))}
	value, mean := s.sum(at(s.middle()), s.observed()), s.sum(s.expected, s.observed())
	f.All = s.all()
	f.Calm.Value, f.Calm.Mean = value.calm, mean.calm
	f.Pairs.Value, f.Pairs.Mean = max(value.pairs, 0), max(mean.pairs, 0)
	for i := range f.Cause {
		f.Cause[i].Value, f.Cause[i].Mean = max(value.cause[i], 0), max(mean.cause[i], 0)
	}
	s.only(func(t *Term) bool { return t.With >= 0 }).interval(&f.Pairs, func(p *parts) float64 { return p.pairs })
	for i := range f.Cause {
		alone := s.only(func(t *Term) bool { return t.With < 0 && t.Cause == i })
		alone.interval(&f.Cause[i], func(p *parts) float64 { return p.cause[i] })
	}
	calm := s.only(func(*Term) bool { return false })
	calm.calmSettled = false
	calm.interval(&f.Calm, func(p *parts) float64 { return p.calm })
	s.count(&f)
	return f
}

// only returns the sample in which some of the terms are the only uncertain ones. Pairs need the others, to know the
// effect of single events, and take their observed shares as exact.
func (s *Sample) only(keep func(*Term) bool) *Sample {
	one := *s
	one.Terms, one.calmSettled = slices.Clone(s.Terms), true
	for i := range one.Terms {
		one.Terms[i].settled = !keep(&one.Terms[i])
	}
	return &one
}

// interval sets the interval of a part of the sum.
func (s *Sample) interval(e *Estimate, part func(p *parts) float64) {
	e.between(1, func(c *sim.Chance) float64 {
		p := s.draw(c)
		return max(part(&p), 0)
	})
}

// between sets the interval from draws of possible truths. Several such intervals cover theirs together.
func (e *Estimate) between(intervals int, possible func(c *sim.Chance) float64) {
	c, values := sim.NewChance(1, "forecast"), make([]float64, draws)
	for i := range values {
		values[i] = possible(&c)
	}
	slices.Sort(values)
	tail := draws / 40 / intervals
	e.Low, e.High = min(values[tail], e.Value), max(values[draws-tail-1], e.Value)
}

// middle returns the middle of each rate.
func (s *Sample) middle() (rates []float64) {
	for _, r := range s.Rates {
		rates = append(rates, r.Middle())
	}
	return rates
}

// all returns the estimate of the whole sum.
func (s *Sample) all() (e Estimate) {
	value, mean := s.sum(at(s.middle()), s.observed()), s.sum(s.expected, s.observed())
	e.Value, e.Mean = max(value.all(), 0), max(mean.all(), 0)
	s.interval(&e, (*parts).all)
	return e
}

// count adds in how many runs each part broke the promise.
func (s *Sample) count(f *Forecast) {
	if s.raised() == 1 {
		f.Calm.Seen = s.Calm.Violated
	}
	for i := range s.Terms {
		t := &s.Terms[i]
		if t.With >= 0 {
			f.Pairs.Seen += t.Count.Violated
		} else {
			f.Cause[t.Cause].Seen += t.Count.Violated
		}
		f.All.Seen += t.Count.Violated
	}
	f.All.Seen += f.Calm.Seen
}

// shares are the shares of runs that broke: without an event, and in each term.
type shares struct {
	calm float64
	term []float64
}

func (s *Sample) observed() shares {
	p := shares{term: make([]float64, len(s.Terms))}
	if s.Calm.Runs > 0 && s.raised() == 1 {
		p.calm = s.Calm.Share()
	}
	for i := range s.Terms {
		if s.Terms[i].Count.Runs > 0 {
			p.term[i] = s.Terms[i].Count.Share()
		}
	}
	return p
}

// parts are violations a year.
type parts struct {
	calm, pairs float64
	cause       []float64
}

func (p *parts) all() float64 {
	all := p.calm + p.pairs
	for _, v := range p.cause {
		all += v
	}
	return all
}

// sum adds up the terms with such shares, each as often as often says. From each it subtracts the violations that would
// have happened without the event, or by one of the two events alone.
func (s *Sample) sum(often func(*Term) float64, p shares) parts {
	all := parts{cause: make([]float64, len(s.Rates))}
	if s.Long > 0 {
		all.calm = -math.Log1p(-min(p.calm, 1-1e-9)) / s.Long / s.raised()
	}
	alone := make([]float64, len(s.Rates)) // the share of a cause's events that break something
	for i := range s.Terms {
		t := &s.Terms[i]
		if t.With >= 0 {
			continue
		}
		calm := s.calmOf(t, p.calm)
		q := (p.term[i] - calm) / max(1-calm, 1e-9)
		alone[t.Cause] += t.Part * q
		all.cause[t.Cause] += often(t) * q
	}
	for i := range s.Terms {
		if t := &s.Terms[i]; t.With >= 0 {
			q := p.term[i] - 1 + (1-s.calmOf(t, p.calm))*(1-alone[t.Cause])*(1-alone[t.With])
			all.pairs += often(t) * q
		}
	}
	return all
}

// calmOf returns the share of a term's runs that would have broken without an event, given that share of Calm's runs.
func (s *Sample) calmOf(t *Term, calm float64) float64 {
	if calm == 0 || t.Long == 0 || s.Long == 0 {
		return calm
	}
	return -math.Expm1(math.Log1p(-min(calm, 1-1e-9)) * t.Long / s.Long / s.raised())
}

func (s *Sample) raised() float64 { return max(s.Raised, 1) }

// draw draws a possible truth.
func (s *Sample) draw(c *sim.Chance) parts {
	rates := s.possible(c)
	return s.sum(at(rates), s.limit(c, rates, c.Below(2) == 1))
}

// possible draws rates.
func (s *Sample) possible(c *sim.Chance) []float64 {
	rates := s.middle()
	for i, r := range s.Rates {
		if d := r.spread(); d > 0 {
			rates[i] *= math.Exp(d * normal(c))
		}
	}
	return rates
}

// limit draws shares from the distributions of their upper or lower confidence limits.
func (s *Sample) limit(c *sim.Chance, rates []float64, upper bool) shares {
	more := -1 // the term that has one more
	if upper {
		most := -1.0
		if !s.calmSettled && s.Long > 0 {
			most = s.calmWeight() * s.calmPart(rates)
		}
		for i := range s.Terms {
			if s.Terms[i].settled {
				continue
			}
			if w := s.Terms[i].weight(rates) / float64(s.Terms[i].Count.Runs+1); w > most {
				more, most = i, w
			}
		}
	}
	oneMore := upper && more < 0 && !s.calmSettled && s.Long > 0
	p := shares{term: make([]float64, len(s.Terms))}
	if s.raised() == 1 || upper && !s.calmSettled {
		p.calm = share(c, s.Calm, oneMore)
	}
	for i := range s.Terms {
		if n := s.Terms[i].Count; s.Terms[i].settled {
			p.term[i] = float64(n.Violated) / float64(max(n.Runs, 1))
			continue
		}
		p.term[i] = share(c, s.Terms[i].Count, i == more)
		if upper {
			p.term[i] = min(p.term[i]+unknown(s.Terms[i].Count), 1)
		}
	}
	return p
}

// calmWeight is the weight of one more violation without an event.
func (s *Sample) calmWeight() float64 {
	if s.Long <= 0 {
		return -1
	}
	return 1 / s.Long / s.raised() / float64(s.Calm.Runs+1)
}

// calmPart returns the share of a year that no run with an event represents; where events overlap it is below zero.
func (s *Sample) calmPart(rates []float64) float64 {
	part := 1.0
	for _, t := range s.Terms {
		if t.With < 0 {
			part -= t.weight(rates) * cmp.Or(t.Long, s.Long)
		}
	}
	return part
}

// unknown returns the share of runs without a verdict.
func unknown(c stats.Count) float64 {
	if c.Runs == 0 {
		return 0
	}
	return float64(c.Unknown) / float64(c.Runs)
}

// share draws from the distribution of Clopper and Pearson's confidence limit: the upper if more, else the lower.
func share(c *sim.Chance, n stats.Count, more bool) float64 {
	k, rest := n.Violated, n.Runs-n.Violated+1
	if more {
		k, rest = k+1, rest-1
	}
	switch {
	case k == 0:
		return 0
	case rest <= 0:
		return 1
	}
	a, b := gamma(c, float64(k)), gamma(c, float64(rest))
	return a / (a + b)
}

// uniform draws a number between 0 and 1, excluding both.
func uniform(c *sim.Chance) float64 { return (float64(c.Below(1<<52)) + 0.5) / (1 << 52) }

func normal(c *sim.Chance) float64 { return mathext.NormalQuantile(uniform(c)) }

// gamma draws from the gamma distribution of a shape of at least 1 by rejection: Marsaglia and Tsang, ACM Transactions
// on Mathematical Software 26 (2000).
func gamma(c *sim.Chance, shape float64) float64 {
	d := shape - 1.0/3
	k := 1 / math.Sqrt(9*d)
	for {
		x := normal(c)
		v := 1 + k*x
		if v <= 0 {
			continue
		}
		v = v * v * v
		if math.Log(uniform(c)) < 0.5*x*x+d-d*v+d*math.Log(v) {
			return d * v
		}
	}
}

// scatter returns the standard deviation of one run of such a share.
func scatter(n stats.Count) float64 {
	p := (float64(n.Violated) + 0.5) / (float64(n.Runs) + 1)
	return math.Sqrt(p * (1 - p))
}
