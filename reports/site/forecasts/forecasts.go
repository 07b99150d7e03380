package forecasts

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/internal/plot"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
	"github.com/lockstorm/lockstorm/scenarios/forecast"
	"github.com/lockstorm/lockstorm/scenarios/forecast/environment"
)

// A Report is forecasts of locks in one environment, as JSON; without locks it is about the environment alone.
type Report struct {
	SchemaVersion int                `json:"schema_version"`
	Lockstorm     string             `json:"lockstorm"`
	Environment   Environment        `json:"environment"`
	Forecasts     []*forecast.Result `json:"forecasts"`

	Comparison *forecast.Comparison `json:"comparison,omitempty"` // of several forecasts
}

// An Environment is the content of an environment file, as JSON.
type Environment struct {
	Name   string  `json:"name"`
	Title  string  `json:"title"`
	File   string  `json:"file"` // all of it
	Causes []Cause `json:"causes"`
	Note   string  `json:"note,omitempty"` // what can't happen by construction
}

// A Cause is a thing that goes wrong now and then.
type Cause struct {
	Name    string  `json:"name"`
	Strikes string  `json:"strikes"`
	Low     float64 `json:"per_year_low"` // to each host, or to all together
	High    float64 `json:"per_year_high"`
	Median  string  `json:"median_size"`
	Rare    string  `json:"size_of_1_in_100"`
	Source  string  `json:"source"`
	Date    string  `json:"date"`

	rate environment.Rate // as text has it; JSON has it for a year
}

// New returns the report as data.
func New(e *environment.Environment, all []*forecast.Result, version string) *Report {
	r := &Report{
		SchemaVersion: checker.SchemaVersion, Lockstorm: version, Forecasts: all,
		Environment: Environment{Name: e.Name, Title: wording.Plain(e.Title), File: string(e.YAML())},
	}
	for i := range e.Causes {
		c := &e.Causes[i]
		x := Cause{Name: wording.Plain(c.Name), Strikes: wording.Plain(c.Strikes), Source: wording.Plain(c.Source),
			Date: wording.Plain(c.Date), rate: c.Rate}
		x.Low, x.High = c.Rate.Yearly()
		x.Low, x.High = stats.Round(x.Low), stats.Round(x.High)
		if c.Size.Given() {
			x.Median, x.Rare = size(c, 500_000), size(c, 990_000)
		}
		r.Environment.Causes = append(r.Environment.Causes, x)
	}
	r.Environment.Note = byConstruction(e)
	return r
}

// byConstruction says that no node can forget a lock and be back while it is held, if every restart outlasts every hold.
func byConstruction(e *environment.Environment) string {
	shortest := time.Duration(0)
	for i := range e.Causes {
		if c := &e.Causes[i]; c.Restarts() && c.Size.Given() && (shortest == 0 || c.Size.At(0) < shortest) {
			shortest = c.Size.At(0)
		}
	}
	if shortest <= e.Work.Hold.Max {
		return ""
	}
	return fmt.Sprintf("Each restart of a node lasts %s or more here, and a hold %s or less. So a node that forgets a lock is not "+
		"back while that is held, unless its holder freezes: this file decides that disks hardly matter.", shortest, e.Work.Hold.Max)
}

// size returns a quantile of a cause's sizes, in three digits or so.
func size(c *environment.Cause, millionths int) string {
	d := c.Size.At(millionths)
	unit := d.Abs()
	for unit >= 1000 {
		unit /= 10
	}
	for n := d.Abs() / max(unit, 1); n >= 10; n /= 10 {
		unit *= 10
	}
	return d.Round(max(unit/100, 1)).String()
}

// Document writes the report.
func (r *Report) Document() *reports.Document {
	switch len(r.Forecasts) {
	case 0:
		return r.environment()
	case 1:
		return r.single(r.Forecasts[0])
	}
	return r.several()
}

// forecastStyle lets a figure have the colours of its page, and its width.
var forecastStyle = plot.Style + "figure svg{display:block;width:100%;height:auto;min-width:560px}figure{overflow-x:auto}\n"

// environment describes what the file says.
func (r *Report) environment() *reports.Document {
	e := &r.Environment
	d := &reports.Document{Title: "The environment " + wording.Plain(e.Name), Data: r, Style: forecastStyle}
	d.Paragraph(wording.Plain(e.Name) + ": " + e.Title)
	t := &reports.Table{Columns: reports.Columns("cause", "strikes", "how often", "half are below", "99% are below")}
	for _, c := range e.Causes {
		t.Add(c.Name, c.Strikes, c.rate.String(), wording.Dash(c.Median), wording.Dash(c.Rare))
	}
	d.Table("", t)
	d.Rows = t
	d.Note("A rate is that of each client or node that the fault may strike, or of all together. One with two ends is between " +
		"them with 95% confidence; where no one has measured it, they are what is tried.")
	p := &plot.Intervals{Label: "events a year"}
	for _, c := range e.Causes {
		p.Add(c.Name, math.Sqrt(c.Low*c.High), c.Low, c.High)
	}
	picture(d, "rates", "How often each cause hits, with the interval that the file gives", p)
	d.Heading("Sources")
	for _, c := range e.Causes {
		d.Item(c.Name, " ("+wording.Dash(c.Date)+"): "+c.Source, "")
	}
	return d
}

// readDots says in a caption how to read the intervals of a forecast.
const readDots = ". A dot is the median, its line the interval of 95%. Where there is no dot nothing was seen, and the end " +
	"of the line bounds it; an arrow continues to 0"

func picture(d *reports.Document, id, label string, drawing plot.Drawing) {
	p := &plot.Picture{Name: id, Title: label, Caption: label + ".", Drawing: drawing}
	wide := plot.Column
	wide.Width *= 1.9 // names of locks and causes are long
	drawn := reports.Figure{SVG: func() string { return string(p.SVG(wide, id, true)) }}
	d.Add(reports.Block{Kind: "picture", ID: id, Label: label, Words: reports.Words(label + "."),
		In: reports.Page, Drawn: drawn})
}

// breaks has words for a break of each of forecast.Promises: as the head of a table, and in a goal.
var breaks = map[string]struct{ head, goal string }{
	"storage":  {"lost updates", "lost updates"},
	"fenced":   {"lost, fenced storage", ""},
	"belief":   {"two act as holder", "two holders together"},
	"validity": {"two valid holds", "two valid holds together"},
}

// single describes the forecast of one lock.
func (r *Report) single(f *forecast.Result) *reports.Document {
	d := &reports.Document{Title: "How often " + wording.Plain(f.Lock) + " breaks in " + wording.Plain(r.Environment.Name), Data: r,
		Style: forecastStyle}
	d.Paragraph(wording.Plain(f.Lock) + " in " + wording.Plain(r.Environment.Name) + ": " + head(f))
	d.Paragraph("By cause, in violations per lock and year, with intervals of 95%. " + twoNumbers)
	t := r.causes(f)
	d.Add(reports.Block{Kind: "rows", Table: t, Close: true})
	d.Rows = t
	p := &plot.Intervals{Label: "violations per lock and year"}
	for i := range f.Promises {
		if m := &f.Promises[i]; m.Name == "storage" || m.Name == "belief" {
			for k, e := range m.Causes {
				add(p, f.Causes[k].Name+": "+breaks[m.Name].head, e)
			}
		}
	}
	picture(d, "causes", "Violations per lock and year by cause in "+wording.Plain(r.Environment.Name)+readDots, p)
	d.Paragraph(assumption(f))
	if len(f.Changes) > 0 {
		d.Heading("What would change it")
		d.Table("Lost updates per lock and year by single events, in runs with the same "+
			"seeds. The difference is the median with its interval of 95%. Causes under which no run differs are not in it; "+
			"they hide no more than the last column says:", changes(f))
	}
	if f.Advice != nil {
		advise(d, f.Advice)
	}
	restarts(d, r.Forecasts)
	d.Paragraph(calm(&f.Calm))
	if r.Environment.Note != "" {
		d.Paragraph(r.Environment.Note)
	}
	d.Paragraph(f.Tokens + " " + limits(f))
	d.Summary = head(f)
	return d
}

func add(p *plot.Intervals, name string, e forecast.Estimate) {
	value := e.Value
	if value <= 0 {
		value = math.NaN()
	}
	if e.High > 0 {
		p.Add(wording.Plain(name), value, e.Low, e.High)
	}
}

// head says how often updates are lost, and by what. An interval that spans more than tenfold is no time span.
func head(f *forecast.Result) string {
	p := &f.Promises[0]
	if p.All.Seen == 0 {
		return fmt.Sprintf("in %s runs no update was lost: %s a year and lock, at 95%% confidence.", wording.Grouped(f.Runs),
			Text(p.All))
	}
	s := fmt.Sprintf("%s per lock and year: median %s, mean %s (95%% interval %s to %s)", breaks[p.Name].head, amount(p.All.Value),
		amount(p.All.Mean), amount(p.All.Low), amount(p.All.High))
	if p.All.Mean < 0.5 && p.All.Low > 0 && p.All.High <= 10*p.All.Low {
		s += fmt.Sprintf(", which is once in %s years by the mean", amount(1/p.All.Mean))
	}
	if i, share := p.Dominant(); i >= 0 {
		s += fmt.Sprintf(". Most of that, %.0f%%, is by this: %s", 100*share, f.Causes[i].Name)
	}
	fenced := f.Promises[slices.IndexFunc(f.Promises, func(p forecast.Promise) bool { return p.Name == "fenced" })]
	return s + ". In storage that checks fencing tokens: " + Text(fenced.All) + "."
}

// twoNumbers says what the numbers of a table are.
const twoNumbers = "Before the slash is the median, with each rate at the middle of its range. After it is the mean, which is the " +
	"number to expect; it is larger because a rate may be far above its middle."

// shown is how many of the promises a table has: the others are in JSON.
const shown = 3

// causes lists the causes, and what each does to each promise.
func (r *Report) causes(f *forecast.Result) *reports.Table {
	t := &reports.Table{Columns: reports.Columns("cause", "events a year")}
	for _, p := range f.Promises[:shown] {
		t.Columns = append(t.Columns, reports.Column{Head: breaks[p.Name].head})
	}
	row := func(name, events string, part func(p *forecast.Promise) forecast.Estimate) {
		cells := []string{name, events}
		for i := range f.Promises[:shown] {
			cells = append(cells, Text(part(&f.Promises[i])))
		}
		t.Add(cells...)
	}
	for i, c := range f.Causes {
		if c.Runs == 0 {
			t.Add(append([]string{c.Name, "no host to hit"}, slices.Repeat([]string{"-"}, shown)...)...)
			continue
		}
		row(c.Name, between(c.Low, c.High), func(p *forecast.Promise) forecast.Estimate { return p.Causes[i] })
	}
	row("two events together", "", func(p *forecast.Promise) forecast.Estimate { return p.Pairs })
	row("no event", "", func(p *forecast.Promise) forecast.Estimate { return p.Calm })
	row("all", "", func(p *forecast.Promise) forecast.Estimate { return p.All })
	return t
}

// assumption says under which it would be 0.
func assumption(f *forecast.Result) string {
	var all []string
	for _, c := range f.Causes {
		if c.Least != "" {
			all = append(all, fmt.Sprintf("%s (%s)", c.Name, brief(c.Least)))
		}
	}
	if len(all) == 0 {
		return "No event broke anything in these runs, of whatever size."
	}
	return "It would be 0, as far as these runs show, if no event were as large as the least that lost an update: " +
		wording.List(all) + "."
}

// brief returns a time with as many digits as are useful, and any other text unchanged.
func brief(amount string) string {
	d, err := time.ParseDuration(amount)
	if err != nil {
		return amount
	}
	digits := time.Nanosecond
	for d.Abs()/digits >= 1000 {
		digits *= 10
	}
	return d.Round(digits).String()
}

// changes lists what could be done about it.
func changes(f *forecast.Result) *reports.Table {
	t := &reports.Table{Columns: reports.Columns("change", "lost updates with it", "difference", "so it", "mostly by", "hidden at most")}
	for _, c := range f.Changes {
		d := c.Difference
		effect := string(d.Sign)
		switch d.Sign {
		case forecast.More:
			effect = "costs"
		case forecast.Less:
			effect = "saves"
		}
		t.Add(wording.Plain(c.About), value(c.Now), change(d), effect, wording.Dash(wording.Plain(d.By)), amount(d.Hidden))
	}
	return t
}

// change writes a difference with its interval.
func change(d forecast.Difference) string {
	if d.Seen == 0 {
		return "no run differs"
	}
	return fmt.Sprintf("%s (%s to %s)", signed(d.Value), signed(d.Low), signed(d.High))
}

// signed writes a number with its sign.
func signed(v float64) string {
	switch {
	case v > 0:
		return "+" + amount(v)
	case v < 0:
		return "−" + amount(-v)
	}
	return "0"
}

// limits says what a forecast does not say.
func limits(f *forecast.Result) string {
	return fmt.Sprintf("What this does not say: it knows the causes that the environment lists, at the rates that it gives, as "+
		"events that come independently of each other and of the work; it knows nothing of flaws in an implementation, of events "+
		"that come in bursts, of sizes beyond 5 minutes (they last 5 minutes here), and of how bad one violation is. %s runs, "+
		"%d clients.", wording.Grouped(f.Runs), f.Clients)
}

// calm says what bounds the time in which no event hits.
func calm(c *forecast.Calm) string {
	hours := amount(c.Hours) + " hours of runs"
	switch {
	case !c.Proved:
		return fmt.Sprintf("Without any event a use of the lock may last %s and the lock %s, so the bound is from %s alone.",
			c.Use, c.Lasts, hours)
	case c.Raised == 0:
		return fmt.Sprintf("Without any event nothing breaks: a use of the lock lasts %s at most, the lock %s at least, and no "+
			"message is lost.", c.Use, c.Lasts)
	}
	return fmt.Sprintf("Without any event nothing breaks as long as no message is lost: a use of the lock then lasts %s at most, "+
		"and the lock %s at least. What lost messages do is bounded by %s that lose %s%% of them, counted for a part in %s.",
		c.Use, c.Lasts, hours, amount(100*c.Loss), amount(c.Raised))
}

// several compares locks.
func (r *Report) several() *reports.Document {
	d := &reports.Document{Title: "How often locks break in " + wording.Plain(r.Environment.Name), Data: r, Style: forecastStyle}
	d.Paragraph(fmt.Sprintf("%s: %s Violations per lock and year, with intervals of 95%%. %s", wording.Plain(r.Environment.Name),
		r.Environment.Title, twoNumbers))
	t := &reports.Table{Columns: reports.Columns("lock", "lost updates", "lost, fenced storage", "two act as holder", "mostly by")}
	p := &plot.Intervals{Label: "lost updates per lock and year"}
	for _, f := range r.Forecasts {
		d.Summary += wording.Plain(f.Lock) + ": " + head(f) + "\n"
		by := "-"
		if i, share := f.Promises[0].Dominant(); i >= 0 {
			by = fmt.Sprintf("%s, %.0f%%", f.Causes[i].Name, 100*share)
		}
		name := wording.Plain(f.Lock)
		t.Add(name, Text(f.Promises[0].All), Text(f.Promises[1].All), Text(f.Promises[2].All), by)
		for k, e := range f.Promises[0].Causes {
			if e.Seen > 0 {
				add(p, name+": "+f.Causes[k].Name, e)
			}
		}
		add(p, name+", fenced storage", f.Promises[1].All)
	}
	d.Table("", t)
	d.Rows, d.Summary = t, strings.TrimSpace(d.Summary)
	picture(d, "locks", "Lost updates per lock and year in "+wording.Plain(r.Environment.Name)+
		", by each cause that lost one, and with fenced storage"+readDots, p)
	restarts(d, r.Forecasts)
	if c := r.Comparison; c != nil {
		d.Paragraph(decides(c))
	}
	if r.Environment.Note != "" {
		d.Paragraph(r.Environment.Note)
	}
	d.Paragraph("Each of these has in it what comes without any event, as the forecast of one lock says in detail. " +
		limits(r.Forecasts[0]))
	return d
}

// decides says which lock loses more, and by what.
func decides(c *forecast.Comparison) string {
	d := &c.Difference
	switch {
	case d.Seen == 0:
		return "No run differs between these locks, so nothing here decides between them."
	case d.Sign == forecast.Open:
		return fmt.Sprintf("These runs can't tell which lock loses more updates. The furthest apart are %s and %s: %s a year, mostly by "+
			"this: %s.", wording.Plain(c.Most), wording.Plain(c.Fewest), change(*d), wording.Plain(d.By))
	}
	return fmt.Sprintf("Mostly one cause decides between these locks: %s. %s loses more updates a year than %s: %s.",
		wording.Plain(d.By), wording.Plain(c.Most), wording.Plain(c.Fewest), change(*d))
}

// restarts draws how often restarts break locks, over the shortest of them.
func restarts(d *reports.Document, all []*forecast.Result) {
	if len(all[0].Restarts) == 0 {
		return
	}
	t := &reports.Table{Columns: reports.Columns("no restart is shorter than")}
	p := &plot.Lines{X: plot.Axis{Label: "shortest restart of a node, in s"}, Y: plot.Axis{Label: "lost updates a year"}}
	for _, f := range all {
		t.Columns = append(t.Columns, reports.Column{Head: wording.Plain(f.Lock)})
		s := plot.Series{Name: wording.Plain(f.Lock)}
		for _, x := range f.Restarts {
			at, err := time.ParseDuration(x.Shortest)
			if err != nil {
				panic("forecasts: " + err.Error()) // a duration has written it
			}
			s.X, s.Y = append(s.X, at.Seconds()), append(s.Y, x.Now.Value)
			s.Low, s.High = append(s.Low, x.Now.Low), append(s.High, x.Now.High)
		}
		p.Series = append(p.Series, s)
	}
	for i, x := range all[0].Restarts {
		cells := []string{x.Shortest}
		for _, f := range all {
			cells = append(cells, Text(f.Restarts[i].Now))
		}
		t.Add(cells...)
	}
	d.Table("Updates lost a year by restarts of nodes, over the shortest of them:", t)
	picture(d, "restarts", "Updates lost a year by restarts of nodes, over the shortest of them, with intervals", p)
}

// Text writes an estimate in a sentence.
func Text(e forecast.Estimate) string {
	switch {
	case e.High == 0:
		return "-"
	case e.Seen == 0:
		return "below " + amount(e.High)
	}
	return fmt.Sprintf("%s / %s (%s to %s)", amount(e.Value), amount(e.Mean), amount(e.Low), amount(e.High))
}

// value writes an estimate without its interval.
func value(e forecast.Estimate) string {
	if e.Seen == 0 && e.Value == 0 {
		return "none seen"
	}
	return amount(e.Value)
}

func between(low, high float64) string {
	if low == high {
		return amount(low)
	}
	return amount(low) + " to " + amount(high)
}

// amount writes a number with two digits that count.
func amount(v float64) string {
	switch {
	case v <= 0:
		return "0"
	case v >= 100:
		digits := math.Pow(10, math.Floor(math.Log10(v))-1)
		return wording.Grouped(int(math.Round(v/digits) * digits))
	case v < 1e-6:
		return strings.Replace(strconv.FormatFloat(v, 'e', 0, 64), "e-0", "e-", 1)
	}
	return strconv.FormatFloat(v, 'f', max(0, 1-int(math.Floor(math.Log10(v)))), 64)
}
