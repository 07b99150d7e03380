package environment

import (
	"math"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/faults/size"
	"github.com/lockstorm/lockstorm/scenarios/internal/yamlform"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
)

// An Environment is where a lock lives: how it is used, what its network and clocks are like all the time, and what
// goes wrong there, how often and for how long.
type Environment struct {
	Name    string  `yaml:"-"` // of the file, without its folder and ending
	Title   string  `yaml:"title" doc:"what it is, in one line"`
	About   string  `yaml:"about" doc:"what is like that, in plain sentences"`
	Work    Work    `yaml:"work"`
	Network Network `yaml:"network"`
	Clocks  Clocks  `yaml:"clocks"`
	Causes  []Cause `yaml:"causes" doc:"what goes wrong now and then, each with its rate and its sizes"`
}

// A Size is the distribution of the sizes of a cause's events: how long they last, or by how much a clock is stepped.
type Size struct {
	size.Dist
	given   bool
	problem error // why it could not be read
}

// parseSize reads a distribution, as package size has it.
func parseSize(text string) (Size, error) {
	d, err := size.Parse(text)
	return Size{Dist: d, given: true, problem: err}, err
}

// Given reports whether events have a size.
func (s Size) Given() bool { return s.given }

// String returns the distribution as text; none is "".
func (s Size) String() string {
	if !s.given {
		return ""
	}
	return s.Dist.String()
}

// At returns the size that some millionths of the events do not exceed.
func (s Size) At(millionths int) time.Duration {
	return time.Duration(s.Quantile(int64(millionths) * (size.One / 1_000_000)))
}

// Work is how the lock is used.
type Work struct {
	Clients int       `yaml:"clients" least:"1" most:"20" doc:"how many want the lock"`
	Hold    sim.Range `yaml:"hold" doc:"how long a client works while it has the lock"`
	Think   sim.Range `yaml:"think" doc:"how long a client does other things until it wants the lock again"`
	// Together is how often all clients start together, each to work once. Gap is how much later each starts than the
	// one before it. Without a rate each client starts when it has thought.
	Together Rate      `yaml:"together" doc:"how often all clients start together, such as 4/minute, in place of think; or never"`
	Gap      sim.Range `yaml:"gap" doc:"then each client starts so much later than the one before"`

	Source string `yaml:"source" doc:"where these numbers are from"`
}

// Round returns the time from one common start of the clients to the next; 0 if they don't start together.
func (w *Work) Round() time.Duration {
	if w.Together.Per == 0 {
		return 0
	}
	return time.Duration(float64(w.Together.Per) / w.Together.High)
}

// Network is what all messages pass through, all the time.
type Network struct {
	Latency sim.Range   `yaml:"latency" doc:"how long a message takes one way"`
	Loss    locks.Share `yaml:"loss" least:"0" most:"1" doc:"share of messages lost"`
	Source  string      `yaml:"source" doc:"where these numbers are from"`
}

// Clocks is how well clocks run between two steps.
type Clocks struct {
	Rate   clock.Rate `yaml:"rate" doc:"each host's clocks run fast or slow by up to that much"`
	Source string     `yaml:"source" doc:"where this number is from"`
}

// A Cause is a kind of event.
type Cause struct {
	Name    string `yaml:"name" doc:"what happens, in a few words"`
	Strikes string `yaml:"strikes" doc:"a fault as in a schedule, without its time; ~ is its size: pause a-client for ~"`
	Rate    Rate   `yaml:"rate" doc:"how often: 12/year, 3/1h, or 0.1..10/year where it is unsure; of each a-client or a-node"`
	Size    Size   `yaml:"size" doc:"how long or how much, as a distribution: pareto(1s,1.2,10m)"`
	Source  string `yaml:"source" doc:"who measured it, and where; or that no public number exists, and what is tried instead"`
	Date    string `yaml:"date" doc:"when it was measured or published"`
}

// A Rate is how often something happens. If it is not known well it is an interval that covers it with 95% confidence.
type Rate struct {
	Low, High float64       // events in each Per
	Per       time.Duration // 0 if there is no rate
}

// Year is the year of rates: 365 days.
const Year = 365 * 24 * time.Hour

// units are the words that rates end with, the longest first.
var units = []struct {
	word string
	per  time.Duration
}{{"year", Year}, {"month", Year / 12}, {"week", 7 * 24 * time.Hour}, {"day", 24 * time.Hour},
	{"hour", time.Hour}, {"minute", time.Minute}}

var ratePattern = regexp.MustCompile(`^([0-9.]+)(?:\.\.([0-9.]+))?/(?:([0-9a-zµ.]*[0-9].*)|(year|month|week|day|hour|minute))$`)

// ParseRate reads a rate, such as 12/year, 3/1h or 0.1..10/year.
func ParseRate(text string) (r Rate, err error) {
	text = strings.ReplaceAll(text, "..", "…") // no number has one
	m := ratePattern.FindStringSubmatch(strings.ReplaceAll(text, "…", ".."))
	low, high, ranged := strings.Cut(strings.Split(text, "/")[0], "…")
	if m == nil {
		return r, strconv.ErrSyntax
	}
	if r.Low, err = strconv.ParseFloat(low, 64); err != nil {
		return r, err
	}
	if r.High = r.Low; ranged {
		if r.High, err = strconv.ParseFloat(high, 64); err != nil {
			return r, err
		}
	}
	for _, u := range units {
		if m[4] == u.word {
			r.Per = u.per
		}
	}
	if m[3] != "" {
		if r.Per, err = time.ParseDuration(m[3]); err != nil {
			return r, err
		}
	}
	if r.Low <= 0 || r.High < r.Low || math.IsInf(r.High, 0) || r.Per <= 0 {
		return r, strconv.ErrSyntax
	}
	return r, nil
}

const never = "never"

// String returns the rate as ParseRate reads it; no rate is "never".
func (r Rate) String() string {
	if r.Per == 0 {
		return never
	}
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	text := number(r.Low)
	if r.High != r.Low {
		text += ".." + number(r.High)
	}
	for _, u := range units {
		if u.per == r.Per {
			return text + "/" + u.word
		}
	}
	return text + "/" + r.Per.String()
}

// Yearly returns both ends as events a year.
func (r Rate) Yearly() (low, high float64) {
	if r.Per <= 0 {
		return 0, 0
	}
	years := float64(r.Per) / float64(Year)
	return r.Low / years, r.High / years
}

const timesPattern = `(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+`

var format = yamlform.Format{Root: reflect.TypeFor[Environment](), Scalars: map[reflect.Type]yamlform.Scalar{
	reflect.TypeFor[string](): yamlform.Text,
	reflect.TypeFor[int](): yamlform.NewScalar("whole number", strconv.Atoi, strconv.Itoa,
		yamlform.Schema{Type: "integer", Minimum: "0", Maximum: "1000"}),
	reflect.TypeFor[sim.Range](): yamlform.NewScalar("range of times such as 1ms..20ms", readRange,
		func(r sim.Range) string { return r.Min.String() + ".." + r.Max.String() },
		yamlform.Schema{Type: "string", Pattern: "^" + timesPattern + `(\.\.` + timesPattern + ")?$"}),
	reflect.TypeFor[clock.Rate](): yamlform.NewScalar("rate such as 50ppm", clock.ParseRate, clock.Rate.String,
		yamlform.Schema{Type: "string", Pattern: `^\+?[0-9]+(\.[0-9]{1,3})?ppm$`}),
	reflect.TypeFor[locks.Share](): yamlform.NewScalar("share such as 0.0001", readShare,
		func(s locks.Share) string { return strconv.FormatFloat(float64(s)/1e6, 'f', -1, 64) },
		yamlform.Schema{Type: "number", MultipleOf: "0.000001"}),
	reflect.TypeFor[Rate](): yamlform.NewScalar("rate with its unit of time, such as 12/year, 3/1h or 0.1..10/year",
		func(text string) (Rate, error) {
			if text == never {
				return Rate{}, nil
			}
			return ParseRate(text)
		}, Rate.String, yamlform.Schema{Type: "string", Pattern: "^" + never + "$|" + ratePattern.String()}),
	reflect.TypeFor[Size](): yamlform.NewScalar("distribution such as pareto(1s,1.2,10m)",
		func(text string) (Size, error) {
			s, _ := parseSize(text) // check says what is wrong, in its own words
			return s, nil
		}, Size.String,
		yamlform.Schema{Type: "string", Pattern: `^[a-z]+\(.*\)$`}),
}}

func readRange(v string) (r sim.Range, err error) {
	low, high, two := strings.Cut(v, "..")
	if r.Min, err = time.ParseDuration(low); err != nil || !two {
		return sim.Range{Min: r.Min, Max: r.Min}, err
	}
	r.Max, err = time.ParseDuration(high)
	return r, err
}

func readShare(v string) (locks.Share, error) {
	f, err := strconv.ParseFloat(v, 64)
	if err != nil || f < 0 || f > 1 || f != f {
		return 0, strconv.ErrSyntax
	}
	return locks.Share(math.Round(f * 1e6)), nil
}

// Parse reads an environment file. The error joins every problem of the file, with its line and column.
func Parse(file string, text []byte) (*Environment, error) {
	e := &Environment{Name: strings.TrimSuffix(path.Base(strings.ReplaceAll(file, `\`, "/")), path.Ext(file))}
	d := format.Decode(file, text, reflect.ValueOf(e).Elem())
	if d.Read {
		e.check(d)
	}
	return e, d.Err()
}

// check rejects an environment that no forecast could use.
func (e *Environment) check(d *yamlform.Decoder) {
	fail := func(key, format string, args ...any) {
		if p := d.Place(key, ""); !d.FailedAt(p) {
			d.Fail(p, format, args...)
		}
	}
	if e.Title == "" {
		fail("title", "there is no title; say in one line what the environment is")
	}
	switch w := &e.Work; {
	case w.Clients < 1 || w.Clients > 20:
		fail("work.clients", "work.clients: give 1 to 20")
	case w.Hold.Max <= 0:
		fail("work.hold", "work.hold: say how long a client works with the lock, such as 50ms..2s")
	case w.Hold.Min < 0, w.Hold.Max < w.Hold.Min:
		fail("work.hold", "work.hold: %s..%s is no range; the first time is the shorter one", w.Hold.Min, w.Hold.Max)
	case w.Think.Min < 0, w.Think.Max < w.Think.Min:
		fail("work.think", "work.think: %s..%s is no range; the first time is the shorter one", w.Think.Min, w.Think.Max)
	}
	switch w := &e.Work; {
	case w.Together.Low != w.Together.High:
		fail("work.together", "work.together: give one rate, such as 4/minute")
	case w.Together.Per > 0 && w.Think.Max > 0:
		fail("work.think", "work.think: clients that start together don't think; leave it out")
	case w.Gap.Min < 0, w.Gap.Max < w.Gap.Min:
		fail("work.gap", "work.gap: %s..%s is no range; the first time is the shorter one", w.Gap.Min, w.Gap.Max)
	case w.Gap.Max > 0 && w.Together.Per == 0:
		fail("work.gap", "work.gap: clients don't start together; say how often with together, such as 4/minute")
	}
	if n := &e.Network.Latency; n.Min < 0 || n.Max < n.Min {
		fail("network.latency", "network.latency: %s..%s is no range; the first time is the shorter one", n.Min, n.Max)
	}
	if e.Clocks.Rate < 0 || e.Clocks.Rate > 100_000_000 {
		fail("clocks.rate", "clocks.rate: give 0ppm to 100000ppm; clocks run fast and slow by up to that much")
	}
	for i := range e.Causes {
		e.Causes[i].check(yamlform.Item("causes", i), fail)
	}
}

func (c *Cause) check(key string, fail func(key, format string, args ...any)) {
	switch {
	case c.Name == "":
		fail(key, "a cause has no name; say in a few words what happens")
	case c.Strikes == "":
		fail(key+".strikes", "%s: it has no strikes; write a fault with ~ in place of its size, such as pause a-client for ~", c.Name)
	case strings.Count(c.Strikes, "~") > 1:
		fail(key+".strikes", "%s: %q has more than one ~; each event has one size", c.Name, c.Strikes)
	case c.Rate.Per == 0:
		fail(key+".rate", "%s: it has no rate; give one with its unit of time, such as 12/year", c.Name)
	case c.Size.problem != nil:
		fail(key+".size", "%s.size, %s", key, c.Size.problem)
	case strings.Contains(c.Strikes, "~") != c.Size.given:
		fail(key+".size", "%s: a size and a ~ in %q for it go together", c.Name, c.Strikes)
	case c.Source == "":
		fail(key+".source", "%s: it has no source; say who measured the rate, or that no one did", c.Name)
	default:
		if _, err := c.Fault(time.Second, time.Second); err != nil {
			fail(key+".strikes", "%s: %s", c.Name, strings.TrimPrefix(err.Error(), "1:"))
		}
	}
}

// Fault returns the fault of an event with a start and a size.
func (c *Cause) Fault(start, size time.Duration) (faults.Fault, error) {
	s, err := faults.Parse("at " + start.String() + " " + strings.ReplaceAll(c.Strikes, "~", size.String()))
	if err != nil {
		return faults.Fault{}, err
	}
	return s[0], nil
}

// Hosts returns to how many hosts the rate applies, in a run with these numbers of clients and nodes: an event hits
// one of them, or the rate is for all together.
func (c *Cause) Hosts(clients, nodes int) int {
	words := strings.Fields(c.Strikes)
	switch {
	case slices.Contains(words, faults.AClient), slices.Contains(words, faults.Holder):
		return clients
	case slices.Contains(words, faults.ANode):
		return nodes
	}
	return 1
}

// Restarts reports whether the cause restarts nodes: their machines, or their processes alone.
func (c *Cause) Restarts() bool {
	return strings.HasPrefix(c.Strikes, "restart ") || strings.HasPrefix(c.Strikes, "crash "+faults.ANode)
}

// YAML returns the environment as a file.
func (e *Environment) YAML() []byte { return format.Encode(reflect.ValueOf(e).Elem(), false, nil) }
