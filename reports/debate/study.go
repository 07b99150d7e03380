package debate

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/reports/internal/plot"
	"github.com/lockstorm/lockstorm/reports/internal/wording"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
)

// A Study is a figure of many runs: in how many of them a property breaks, for several lines, along some values. Lines that are
// compared are pairs: they have the same runs but for one setting, or they are two promises of the same runs.
type Study struct {
	Name    string
	title   string
	caption string // what it is of; how many runs there are stands behind it
	x       string // what varies
	panels  []part // one where there is nothing to say of it
	lines   []line
	points  []part
	grid    bool // a map, whose cells have the shares of the first line and of the second
}

// A part is a panel or a value along an axis.
type part struct {
	name string
	set  []string // scenario=ID first, and faults= in place of a schedule
}

// A line is one curve.
type line struct {
	key, name, property string
	set                 []string
}

// Studies are all of them, in no order.
func Studies() []*Study { return []*Study{grid(), pauses, moments, clocks, steps, away} }

func studyOf(name string) *Study {
	for _, s := range Studies() {
		if s.Name == name {
			return s
		}
	}
	return nil
}

// valued returns the values of an axis: each is the name, and takes the place of * in the settings.
func valued(values string, set ...string) (all []part) {
	for _, v := range strings.Fields(values) {
		p := part{name: v}
		for _, s := range set {
			p.set = append(p.set, strings.ReplaceAll(s, "*", v))
		}
		all = append(all, p)
	}
	return all
}

var pauses = &Study{
	Name: "pauses", title: "An update is lost: by how long the client stands still, or its write is late",
	caption: "The lock lives for 10 s, and work takes 1 ms to 9 s, drawn. Left, the client that holds it stands still once it " +
		"has read; right, its write is held in the network. So these are shares of the times that a holder is struck, not of all " +
		"times.",
	x: "pause, or delay of the write [s]",
	panels: []part{
		{"pause before the write", []string{"scenario=kleppmann/gc-pause", "faults=when c1 read pause c1 for @s"}},
		{"the write is late", []string{"scenario=kleppmann/gc-pause", "faults=when c1 before-write hold c1>s for @s"}},
	},
	lines: []line{
		{"never", "never looks", "storage", nil},
		{"looks", "looks, then writes", "storage", []string{"work.recheck=true"}},
		{"single", "lock on one node", "storage", []string{"lock.kind=single"}},
		{"fenced", "storage checks tokens", "fenced", nil},
	},
	points: valued("1 2 3 4 5 6 8 10 11 12", "work.work=1ms..9s", "work.storage_timeout=20s", "@=*"),
}

// moments spreads pauses evenly over a hold, so that a share of all its runs is that of a pause at a uniform moment. The hold
// is short: in a long one the look is a smaller part of it.
var moments = &Study{
	Name: "moments", title: "An update is lost: by when in the hold a pause begins",
	caption: "The lock lives for 10 s; its holder reads, works for 1 ms and writes, and stands still for 12 s from some moment " +
		"after the acquire.",
	x: "begin of the pause [µs after the acquire]",
	panels: []part{{"", []string{"scenario=kleppmann/gc-pause", "faults=when c1 acquired +@µs pause c1 for 12s",
		"work.work=1ms..1ms", "work.storage_timeout=20s"}}},
	lines: []line{
		{"never", "never looks", "storage", nil}, {"looks", "looks, then writes", "storage", []string{"work.recheck=true"}},
		{"fenced", "storage checks tokens", "fenced", nil},
	},
	points: valued("50 150 250 350 450 550 650 750 850 950 1050 1150 1250 1350 1450 1550 1650 1750 1850 1950 2050 2150 2250 2350",
		"@=*"),
}

var clocks = &Study{
	Name: "clocks", title: "An update is lost: by how wrong a clock is, of a holder that works up to its deadline",
	caption: "The lock lives for 10 s, work takes 9.8 to 10 s, and the next client asks every 5 to 25 ms. The clock of the " +
		"holder runs slow, and that of the storage fast, which for the row lock is the database that ends the transaction after " +
		"10 s. Nothing else goes wrong.",
	x: "error of the rate [%]",
	panels: []part{{"", []string{"scenario=kleppmann/clock-jump", "faults=at 0s drift c1 -@ppm; at 0s drift s +@ppm",
		"work.work=9800ms..10s",
		"work.stagger=0s", "lock.retry.min=5ms", "lock.retry.max=25ms"}}},
	lines: []line{
		{"none", "Redlock, no allowance", "storage", []string{"lock.drift_factor=0"}},
		{"percent", "1 % and 2 ms", "storage", nil},
		{"five", "5 %", "storage", []string{"lock.drift_factor=0.05"}},
		{"row", "row lock", "storage", []string{"lock.kind=sql-row-lock"}},
	},
	points: []part{
		{"0.1", []string{"@=1000"}}, {"0.2", []string{"@=2000"}}, {"0.5", []string{"@=5000"}}, {"1", []string{"@=10000"}},
		{"1.5", []string{"@=15000"}},
		{"2", []string{"@=20000"}}, {"3", []string{"@=30000"}}, {"4", []string{"@=40000"}}, {"5", []string{"@=50000"}},
	},
}

var steps = &Study{
	Name: "steps", title: "Two validities overlap: by how many clocks step together while the lock is held",
	caption: "Five nodes, TTL 10 s, three clients that ask a second apart and again after 0.2 to 0.4 s. Halfway through the 2 " +
		"s of the first holder the clocks of some nodes step forward by 11 s, together. Shares are of steps, each of which " +
		"strikes a held lock.",
	x: "nodes whose clocks step",
	panels: []part{{"", []string{"scenario=baseline/fault-free", "clients=3", "network.latency=100µs..2ms", "lock.timeout=50ms",
		"lock.retry.attempts=0",
		"lock.retry.min=200ms", "lock.retry.max=400ms", "work.cycles=1", "work.stagger=1s", "work.work=2s..2s", "lock.ttl=10s"}}},
	lines: []line{
		{"lossless", "no message is lost", "validity", []string{"network.loss=0"}},
		{"loss1", "1 % are lost", "validity", []string{"network.loss=0.01"}},
		{"loss5", "5 % are lost", "validity", []string{"network.loss=0.05"}},
	},
	points: []part{
		{"1", []string{"faults=when any acquired +1s jump a-node +11s"}},
		{"2", []string{"faults=when any acquired +1s jump minority +11s"}},
		{"3", []string{"faults=when any acquired +1s jump majority +11s"}},
		{"5", []string{"faults=when any acquired +1s jump nodes +11s"}},
	},
}

var away = &Study{
	Name: "away", title: "Two validities overlap: by how long a node that crashed stays away",
	caption: "Drawn restarts of up to six nodes a run, under locks of 0.3 s to 2 s for which clients contend all the time: more " +
		"than most systems have.",
	x:      "least time away [s]",
	panels: []part{{"", []string{"scenario=redlock/any", "search.faults=restart"}}},
	lines: []line{
		{"forget", "nodes without a disk", "validity", nil},
		{"second", "fsync each second", "validity", []string{"persistence=aof-everysec"}},
		{"disk", "fsync always", "validity", []string{"persistence=aof-always"}},
	},
	points: []part{
		{"0", nil}, {"0.3", []string{"search.away=300ms"}}, {"0.6", []string{"search.away=600ms"}}, {"1", []string{"search.away=1s"}},
		{"1.5", []string{"search.away=1500ms"}}, {"2", []string{"search.away=2s"}}, {"2.1", []string{"search.away=2100ms"}},
	},
}

// gridLocks are the locks of the grid, as the matrix calls them.
var gridLocks = []string{"redlock", "redlock, no disk", "redlock, delayed restart", "single, aof-always", "single instance",
	"failover", "redisson", "etcd, as shipped",
	"zookeeper, as shipped", "sql-row-lock"}

// grid is part of the matrix.
func grid() *Study {
	s := &Study{
		Name: "grid", title: "What breaks which lock",
		caption: "In each cell, the per cent of runs in which two clients went on as holders, and after the point the per cent in " +
			"which an update was lost; the colour is that of the first. Each run draws up to six faults of the class, and TTLs of " +
			"0.3 s to 2 s. Clients look at their clocks before they write, and stop at their deadline.",
		grid:   true,
		panels: []part{{}},
		lines:  []line{{"belief", "two go on", "belief", nil}, {"storage", "update lost", "storage", nil}},
	}
	m := campaign.Matrix{First: 1, Runs: 1}
	cells, columns := m.Job().Cells, campaign.Columns()
	for _, name := range gridLocks {
		row := slices.IndexFunc(campaign.MatrixVariants(), func(v campaign.Variant) bool { return v.Name == name })
		if row < 0 {
			continue // a test finds it
		}
		for i, w := range columns {
			p := part{name: name + "\x00" + w.Name, set: []string{"scenario=redlock/any"}}
			for _, a := range cells[row*len(columns)+i] {
				p.set = append(p.set, a.String())
			}
			s.points = append(s.points, p)
		}
	}
	return s
}

// cell returns the settings of a place, as a job has them.
func (s *Study) cell(panel, line, point int) (c campaign.Cell) {
	value := ""
	all := slices.Concat(s.panels[panel].set, s.points[point].set, s.lines[line].set)
	for _, set := range all {
		if v, is := strings.CutPrefix(set, "@="); is {
			value = v
		}
	}
	for i, set := range all {
		key, v, _ := strings.Cut(set, "=")
		if key == "@" || slices.ContainsFunc(all[i+1:], func(later string) bool { return strings.HasPrefix(later, key+"=") }) {
			continue
		}
		a := scenarios.Assignment{Key: key, Value: scenarios.Value(strings.ReplaceAll(strings.ReplaceAll(v, "@", value), "; ", "\n"))}
		switch {
		case key == "scenario":
			c = slices.Insert(c, 0, a)
		case key == "lock.kind" && len(c) > 0:
			c = slices.Insert(c, 1, a)
		default:
			c = append(c, a)
		}
	}
	return c
}

// settings returns the numbers that a sentence about the study may have.
func (s *Study) settings() string {
	all := s.caption
	for p := range s.panels {
		for l := range s.lines {
			for x := range s.points {
				for _, a := range s.cell(p, l, x) {
					all += " " + a.String()
				}
			}
		}
		if s.grid {
			break
		}
	}
	for _, p := range s.points {
		all += " " + p.name
	}
	return all
}

func (s *Study) lineOf(key string) int {
	return slices.IndexFunc(s.lines, func(l line) bool { return l.key == key })
}

func (s *Study) pointOf(name string) int {
	return slices.IndexFunc(s.points, func(p part) bool { return p.name == name })
}

// pair reports whether two lines have the same runs but for one setting, or are of the same runs.
func (s *Study) pair(i, j int) bool {
	differ := map[string]bool{}
	for _, set := range [2][2][]string{{s.lines[i].set, s.lines[j].set}, {s.lines[j].set, s.lines[i].set}} {
		for _, one := range set[0] {
			if key, _, _ := strings.Cut(one, "="); !slices.Contains(set[1], one) {
				differ[key] = true
			}
		}
	}
	same := s.lines[i].property == s.lines[j].property
	return len(differ) == 1 && same || len(differ) == 0 && !same
}

// A Trialed study has runs.
type Trialed struct {
	*Study
	Job  *campaign.Job
	Rows []campaign.Row

	places map[string]int // of cells in the job
}

// NewStudy returns a study of which nothing was run yet. Its runs begin with a seed, and are so many for each scenario.
func NewStudy(s *Study, first uint64, runs int) *Trialed {
	base, _ := scenarios.Find("redlock/any") // each cell names its own
	t := &Trialed{Study: s, places: map[string]int{}, Job: &campaign.Job{Kind: "debate", Scenario: &base, First: first, Runs: runs,
		Size: 50}}
	for p := range s.panels {
		for l := range s.lines {
			for x := range s.points {
				c := s.cell(p, l, x)
				if key := fmt.Sprint(c); !t.has(key) {
					t.places[key] = len(t.Job.Cells)
					t.Job.Cells = append(t.Job.Cells, c)
				}
			}
		}
	}
	return t
}

func (t *Trialed) has(key string) bool {
	_, is := t.places[key]
	return is
}

// count returns in how many runs of a place its line's property broke.
func (t *Trialed) count(panel, line, point int) (n stats.Count) {
	i := t.places[fmt.Sprint(t.cell(panel, line, point))] * t.Job.Runs
	return tally(t.Rows[i:i+t.Job.Runs], t.lines[line].property)
}

// picture draws the study.
func (t *Trialed) picture() *plot.Picture {
	p := &plot.Picture{Name: t.Name, Title: t.title, Caption: t.told(),
		Table: [][]string{{"panel", "line", "value", "violated", "unknown", "runs"}}}
	for _, r := range t.facts().Rows {
		p.Table = append(p.Table, []string{r.Panel, r.Line, r.Value, strconv.Itoa(r.Violated), strconv.Itoa(r.Unknown),
			strconv.Itoa(r.Runs)})
	}
	if t.grid {
		p.Drawing = t.heat()
		return p
	}
	l := &plot.Lines{X: plot.Axis{Label: t.x}, Y: plot.Axis{Label: "share of runs [%]"}}
	for i, part := range t.panels {
		panel := plot.Panel{Title: part.name}
		for j, one := range t.lines {
			s := plot.Series{Name: one.name}
			for k, point := range t.points {
				n := t.count(i, j, k)
				x, _ := strconv.ParseFloat(point.name, 64)
				in := n.Wilson()
				s.X, s.Y = append(s.X, x), append(s.Y, 100*n.Share())
				s.Low, s.High = append(s.Low, 100*in.Low), append(s.High, 100*in.High)
			}
			panel.Series = append(panel.Series, s)
		}
		l.Panels = append(l.Panels, panel)
	}
	p.Drawing = l
	return p
}

// told returns the caption, with how many runs there are.
func (t *Trialed) told() string {
	text := t.caption + " " + wording.Grouped(t.Job.Runs)
	if t.grid {
		in := stats.Wilson(t.Job.Runs/10, t.Job.Runs, stats.Confidence)
		return text + fmt.Sprintf(" runs a cell; at 95 %% a share of 10 %% stands for %s.", in.Text(t.Job.Runs/10))
	}
	return text + " runs a point; bands are Wilson's at 95 %."
}

func (t *Trialed) heat() *plot.Heat {
	h := &plot.Heat{}
	for k, p := range t.points {
		row, column, _ := strings.Cut(p.name, "\x00")
		if !slices.Contains(h.Y.Names, row) {
			h.Y.Names, h.Share, h.Says = append(h.Y.Names, row), append(h.Share, nil), append(h.Says, nil)
		}
		if !slices.Contains(h.X.Names, column) {
			h.X.Names = append(h.X.Names, column)
		}
		r, believed, lost := len(h.Y.Names)-1, t.count(0, 0, k), t.count(0, 1, k)
		says := "0"
		if believed.Violated+lost.Violated > 0 {
			says = believed.PerCent(0) + "·" + lost.PerCent(0)
		}
		h.Share[r], h.Says[r] = append(h.Share[r], share(believed)), append(h.Says[r], says)
	}
	return h
}

// share is a number for a colour.
func share(n stats.Count) float64 {
	if n.Runs == 0 {
		return math.NaN()
	}
	return n.Share()
}

// studyFacts are what came of a study, for JSON and CSV.
type studyFacts struct {
	Name    string     `json:"name"`
	Title   string     `json:"title"`
	Caption string     `json:"caption"`
	Rows    []studyRow `json:"rows"`
}

type studyRow struct {
	Panel    string  `json:"panel,omitempty"`
	Line     string  `json:"line"`
	Value    string  `json:"value"`
	Property string  `json:"property"`
	Violated int     `json:"violated"`
	Unknown  int     `json:"unknown"`
	Runs     int     `json:"runs"`
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
}

func (t *Trialed) facts() studyFacts {
	f := studyFacts{Name: t.Name, Title: t.title, Caption: t.told()}
	for i, p := range t.panels {
		for j, l := range t.lines {
			for k, x := range t.points {
				n := t.count(i, j, k)
				in := n.Wilson()
				r := studyRow{Panel: p.name, Line: l.name, Value: x.name, Property: l.property, Violated: n.Violated, Unknown: n.Unknown,
					Runs: n.Runs,
					Low:  stats.Round(in.Low), High: stats.Round(in.High)}
				if t.grid {
					r.Panel, r.Value, _ = strings.Cut(x.name, "\x00")
				}
				f.Rows = append(f.Rows, r)
			}
		}
	}
	return f
}

// judge holds an assertion against the runs of the study.
func (t *Trialed) judge(c *Assertion) finding {
	line, other := t.lineOf(c.Name), t.lineOf(c.other)
	switch c.Verb {
	case "at":
		n := t.count(0, line, t.pointOf(c.other))
		return finding{verdictIf(true, n.Unknown == 0), n.PerCent(1) + " %", true}
	case "none", "all":
		n := t.count(0, line, t.pointOf(c.other))
		want := checker.Holds
		if c.Verb == "all" {
			want = checker.Violated
		}
		return finding{as(want, n), c.Name + " at " + c.other + " in " + outOfAll(n.Violated, n.Runs), false}
	case "zero", "overall":
		sum := stats.Count{}
		for i := range t.panels {
			for k := range t.points {
				sum = sum.Plus(t.count(i, line, k))
			}
		}
		if c.Verb == "overall" {
			return finding{verdictIf(true, sum.Unknown == 0), outOfAll(sum.Violated, sum.Runs) + ", " + interval(sum.Violated, sum.Runs),
				true}
		}
		return finding{as(checker.Holds, sum), c.Name + " in " + outOfAll(sum.Violated, sum.Runs), false}
	case "like":
		for k := range t.points {
			if a, b := t.count(0, line, k).Wilson(), t.count(0, other, k).Wilson(); a.High < b.Low || b.High < a.Low {
				return finding{scenarios.Fail, c.Name + " differs from " + c.other + " at " + t.points[k].name, false}
			}
		}
		return finding{scenarios.Pass, "", false}
	}
	below, apart := true, false // nowhere surely above, and somewhere surely below
	for k := range t.points {
		a, b := t.count(0, line, k).Wilson(), t.count(0, other, k).Wilson()
		below, apart = below && a.Low <= b.High, apart || a.High < b.Low
	}
	return finding{verdictIf(below, apart), c.Name + " is not below " + c.other, false}
}
