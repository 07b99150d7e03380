package study

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"math/big"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/internal/yamlform"
)

// A Study is the content of a file: runs, a measure, and a figure.
type Study struct {
	Name     string   // of the file, without its folder and ending
	Title    string   `yaml:"title" doc:"what it shows, in a few words"`
	About    string   `yaml:"about" doc:"how to read it: what is hit, and what a share is a share of"`
	Scenario string   `yaml:"scenario" doc:"a scenario of the catalogue, or a file"`
	All      []string `yaml:"scenarios" doc:"in place of scenario and lines: a line for each of the catalogue that matches, such as redlock/*"`
	Set      []string `yaml:"set" doc:"settings of all cells, as for --set"`
	Faults   []string `yaml:"faults" doc:"lines of a schedule in place of the scenario's; in them ~DIST is drawn"`
	Runs     int      `yaml:"runs" doc:"how many runs each cell has"`
	Seed     uint64   `yaml:"seed" doc:"the first seed of each cell"`
	Measure  string   `yaml:"measure" doc:"a promise, whose share of broken runs is drawn; a figure, whose median is; A of B, a share; blackbox; or several"`
	Least    int      `yaml:"least" doc:"how many runs the search may take for the smallest schedule that breaks a cell; 0 for no search"`
	Label    string   `yaml:"label" doc:"the words at the axis of values; their unit is added"`
	Map      bool     `yaml:"map" doc:"a map with a row for each line, in place of curves"`
	X        Axis     `yaml:"x" doc:"what varies along the axis"`
	Lines    []Line   `yaml:"lines" doc:"what is compared"`
	Measured []Point  `yaml:"measured" doc:"points that were counted elsewhere, as on real servers, to draw over the lines"`
	Locks    []string `yaml:"locks" doc:"in place of lines: locks of the table whose names match, such as redlock*"`

	measures [][]campaign.Measure // of each line
}

// An Axis is what varies from place to place.
type Axis struct {
	Label   string              `yaml:"label" doc:"the words at the axis, with the unit"`
	Values  scenarios.Value     `yaml:"values" doc:"numbers or words with spaces between them, or FROM..TO:lin:STEPS, or FROM..TO:log:STEPS"`
	Names   []string            `yaml:"names" doc:"what the values are called in tables and figures, in their order"`
	Set     []string            `yaml:"set" doc:"settings in which @ is the value"`
	Columns []string            `yaml:"columns" doc:"in place of values: columns of the list of faults whose names match; * for all"`
	Halve   string              `yaml:"halve" doc:"in place of values: KEY=FROM..TO, halved until a promise breaks; or stated, for each bound of a scenario"`
	Faults  []string            `yaml:"faults" doc:"lines of a schedule in which @ is the value"`
	Log     bool                `yaml:"log" doc:"the axis is logarithmic"`
	Points  []string            // the values, one by one
	List    []campaign.FaultSet // what Columns match
}

// Called returns what the values are called.
func (a *Axis) Called() []string {
	if len(a.Names) > 0 {
		return a.Names
	}
	return a.Points
}

// A Point is a share of runs that were counted elsewhere.
type Point struct {
	Name     string          `yaml:"name" doc:"of the series that it belongs to"`
	At       scenarios.Value `yaml:"at" doc:"its place on the axis"`
	Violated int             `yaml:"violated" doc:"in how many of its runs the promise broke"`
	Runs     int             `yaml:"runs" doc:"how many runs it has"`
}

// stated is the value of Axis.Halve for the bounds that a scenario states.
const stated = "stated"

// BlackBox is the measure of how much a black box sees of what breaks.
const BlackBox = scenarios.BlackBox

// A Line is one of the things that are compared.
type Line struct {
	Name    string            `yaml:"name" doc:"what it is called"`
	Key     string            `yaml:"key" doc:"a word for it, by which texts name it"`
	About   string            `yaml:"about" doc:"what it is, in a sentence"`
	Measure string            `yaml:"measure" doc:"what is measured of it, in place of what the study says"`
	Set     []string          `yaml:"set" doc:"its settings"`
	Faults  []string          `yaml:"faults" doc:"its lines of a schedule, in addition to the axis's"`
	Theory  []scenarios.Value `yaml:"theory" doc:"what a formula says at each value, in per cent or seconds"`
	Edge    scenarios.Value   `yaml:"edge" doc:"of a map: the value of the axis from which on a formula says that the promise may break"`
	Sure    scenarios.Value   `yaml:"sure" doc:"of a map: the value from which on it says that the promise always breaks"`
}

//go:embed studies
var files embed.FS

// Names returns the names of the studies that come with the program, in order.
func Names() (all []string) {
	entries, err := files.ReadDir("studies")
	if err != nil {
		panic("study: " + err.Error())
	}
	for _, e := range entries {
		all = append(all, strings.TrimSuffix(e.Name(), ".yaml"))
	}
	return all
}

// Text returns the file of a study that comes with the program; ok is false if no study has that name.
func Text(name string) (text []byte, ok bool) {
	text, err := files.ReadFile(path.Join("studies", name+".yaml"))
	return text, err == nil
}

var format = yamlform.Format{Root: reflect.TypeFor[Study](), Scalars: map[reflect.Type]yamlform.Scalar{
	reflect.TypeFor[string](): yamlform.Text,
	reflect.TypeFor[bool]():   yamlform.Bool,
	reflect.TypeFor[scenarios.Value](): yamlform.NewScalar("number or word",
		func(v string) (scenarios.Value, error) { return scenarios.Value(v), nil },
		func(v scenarios.Value) string { return string(v) }, yamlform.Schema{AnyOf: []string{"string", "number"}}),
	reflect.TypeFor[int](): yamlform.NewScalar("whole number", strconv.Atoi, strconv.Itoa,
		yamlform.Schema{Type: "integer", Minimum: "0"}),
	reflect.TypeFor[uint64](): yamlform.NewScalar("whole number",
		func(v string) (uint64, error) { return strconv.ParseUint(v, 10, 53) },
		func(v uint64) string { return strconv.FormatUint(v, 10) }, yamlform.Schema{Type: "integer", Minimum: "0"}),
}}

// pointsMost bounds the values of an axis, and linesMost the lines.
const pointsMost, linesMost = 200, 1000

// Parse reads a study. The error has the line and the column of each mistake. Job checks whether the settings suit the
// scenario.
func Parse(file string, text []byte) (*Study, error) {
	s := &Study{Runs: 100, Seed: 1}
	s.Name = strings.TrimSuffix(path.Base(strings.ReplaceAll(file, `\`, "/")), path.Ext(file))
	d := format.Decode(file, text, reflect.ValueOf(s).Elem())
	must := func(ok bool, key, format string, args ...any) {
		if p := d.Place(key, ""); !ok && !d.FailedAt(p) {
			d.Fail(p, format, args...)
		}
	}
	if d.Read {
		err, axis := s.X.read(), "x"
		if s.X.Values != "" {
			axis = "x.values"
		}
		must(err == nil, axis, "%v", err)
		s.Map = s.Map || len(s.X.List) > 0
		must(s.Title != "", "title", "there is no title; say in a few words what the study shows")
		must(s.X.Label != "" || s.X.Values == "", "x.label", "the axis x has no label; say what varies, with its unit")
		must(len(s.X.Names) == 0 || len(s.X.Names) == len(s.X.Points), "x.names", "there are %d names for %d values",
			len(s.X.Names), len(s.X.Points))
		for i, p := range s.Measured {
			_, ok := number(string(p.At))
			must(ok && p.Name != "" && 0 <= p.Violated && p.Violated <= p.Runs && p.Runs > 0 && s.X.Numbers() && !s.Map,
				yamlform.Item("measured", i), "a point has a name, a number of the axis at which it is, and a count of runs")
		}
		must(1 <= s.Runs && s.Runs <= 1_000_000, "runs", "%d is not a number of runs; give 1 to 1000000", s.Runs)
		must(s.Least >= 0, "least", "%d is no number of runs; give 0 to leave the search out", s.Least)
		s.mustLines(must)
		must(s.Scenario != "", "scenario", "there is no scenario; name one of the catalogue, or a file")
		if s.Measure == "" && s.X.Halve == "" {
			s.Measure = "storage"
		}
		if _, err := s.measuresOf(&Line{}); err != nil {
			must(false, "measure", "%v", err)
		}
		s.mustSet(must, "set", s.Set)
		s.mustSet(must, "x.set", s.X.Set)
		for i, l := range s.Lines {
			key := yamlform.Item("lines", i)
			all, err := s.measuresOf(&l)
			must(err == nil, key+".measure", "%v", err)
			s.measures = append(s.measures, all)
			must(l.Name != "" || len(s.Lines) == 1, key, "the line has no name")
			s.mustSet(must, key+".set", l.Set)
			must(len(l.Theory) == 0 || len(l.Theory) == len(s.X.Points), key+".theory",
				"a formula has %d values here, and the axis %d", len(l.Theory), len(s.X.Points))
			for k, edge := range []scenarios.Value{l.Edge, l.Sure} {
				_, ok := number(string(edge))
				must(ok && s.Map && s.X.Numbers() || edge == "", key+[]string{".edge", ".sure"}[k],
					"an edge is a number, on a map with an axis of numbers")
			}
			for k, v := range l.Theory {
				_, ok := number(string(v))
				must(ok, yamlform.Item(key+".theory", k), "%q is not a number", v)
			}
		}
	}
	return s, d.Err()
}

// mustLines makes the lines of a study that names locks or scenarios.
func (s *Study) mustLines(must func(bool, string, string, ...any)) {
	ways := 0
	for _, n := range []int{len(s.Lines), len(s.Locks), len(s.All)} {
		ways += min(n, 1)
	}
	must(ways <= 1, "lines", "a study has lines, locks or scenarios, and only one of them")
	for _, pattern := range s.Locks {
		found := false
		for _, v := range campaign.MatrixVariants() {
			if fits(pattern, v.Name) {
				s.Lines, found = append(s.Lines, Line{Name: v.Name, About: v.About, Set: v.Set}), true
			}
		}
		must(found, "locks", "no lock of the table matches %q", pattern)
	}
	for _, pattern := range s.All {
		found := false
		for _, x := range scenarios.Catalogue() {
			if fits(pattern, x.ID) && (s.X.Halve != stated || len(x.Bounds) > 0) {
				s.Lines, found = append(s.Lines, Line{Name: x.ID, Set: []string{"scenario=" + x.ID}}), true
				s.Scenario = cmp.Or(s.Scenario, x.ID)
			}
		}
		must(found, "scenarios", "no scenario of the catalogue matches %q", pattern)
	}
	if ways == 0 {
		s.Lines = []Line{{Name: s.Scenario}}
	}
	must(len(s.Lines) <= linesMost, "lines", "there are %d lines; give 1 to %d", len(s.Lines), linesMost)
}

func fits(pattern, name string) bool {
	is, err := path.Match(pattern, name)
	return is && err == nil
}

// measuresOf returns what is measured of a line.
func (s *Study) measuresOf(l *Line) (all []campaign.Measure, err error) {
	text := cmp.Or(l.Measure, s.Measure)
	if text == "" || text == BlackBox {
		return nil, nil
	}
	for _, one := range strings.Split(text, ",") {
		m, err := campaign.ParseMeasure(one)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// Remeasure makes the study measure something else.
func (s *Study) Remeasure(measure string) (err error) {
	s.Measure = measure
	for i := range s.Lines {
		s.Lines[i].Measure = ""
		if s.measures[i], err = s.measuresOf(&s.Lines[i]); err != nil {
			return err
		}
	}
	return nil
}

// Only leaves the lines whose names match one of the patterns.
func (s *Study) Only(patterns []string) error {
	var names []string
	keep := func(name string) bool {
		return slices.ContainsFunc(patterns, func(p string) bool { return fits(p, name) })
	}
	for _, l := range s.Lines {
		names = append(names, l.Name)
	}
	for i := len(s.Lines) - 1; i >= 0; i-- {
		if !keep(s.Lines[i].Name) {
			s.Lines, s.measures = slices.Delete(s.Lines, i, i+1), slices.Delete(s.measures, i, i+1)
		}
	}
	if len(s.Lines) > 0 {
		return nil
	}
	hint := faults.Suggest(patterns[0], names)
	if hint == "" {
		hint = "; there are " + strings.Join(names, "; ")
	}
	return fmt.Errorf("no line matches %q%s", patterns[0], hint)
}

// Measures returns what is measured of a line.
func (s *Study) Measures(line int) []campaign.Measure { return s.measures[line] }

// Place returns the line and the value of a cell of the study's job.
func (s *Study) Place(cell int) (line, value int) {
	return cell / len(s.X.Points), cell % len(s.X.Points)
}

// Survey returns a survey of the study's job, with no row counted.
func (s *Study) Survey(j *campaign.Job) (*campaign.Survey, error) {
	if n := len(s.Lines) * len(s.X.Points); n != len(j.Cells) {
		return nil, fmt.Errorf("the study has %d cells, and its rows are of %d", n, len(j.Cells))
	}
	v := &campaign.Survey{Job: j, Measures: func(cell int) []campaign.Measure { return s.measures[cell/len(s.X.Points)] }}
	return v, v.Begin()
}

// Broken returns, for each cell, the first run that breaks a promise, of the first promise that breaks there.
func (s *Study) Broken(v *campaign.Survey) (all []campaign.Breach) {
	for i := range v.Cells {
		line, _ := s.Place(i)
		for k, m := range s.measures[line] {
			if n := &v.Cells[i].Measured[k]; m.Promise() && m.Of == "" && n.Violated > 0 {
				all = append(all, campaign.Breach{Cell: i, Seed: n.FirstSeed, Property: m.Name})
				break
			}
		}
	}
	return all
}

func (s *Study) mustSet(must func(bool, string, string, ...any), key string, set []string) {
	for i, text := range set {
		must(strings.Contains(text, "="), yamlform.Item(key, i), "%q is not a setting; write KEY=VALUE", text)
	}
}

// File returns the study as a file, with a line for each lock or scenario that it compares.
func (s *Study) File() []byte {
	listed := *s
	listed.Locks, listed.All, listed.X.Points, listed.X.List = nil, nil, nil, nil
	return format.EncodeChanges(reflect.ValueOf(&listed).Elem(), reflect.ValueOf(&Study{}).Elem())
}

func number(text string) (*big.Rat, bool) {
	if len(text) > 20 || strings.Trim(text, "-.0123456789") != "" {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

// Numbers reports whether the values of the axis are numbers.
func (a *Axis) Numbers() bool {
	return !slices.ContainsFunc(a.Points, func(p string) bool { _, is := number(p); return !is })
}

// Before returns how many values of the axis, which are numbers that rise, are less than a number.
func (a *Axis) Before(edge string) (n int) {
	least, _ := number(edge)
	for _, p := range a.Points {
		if v, _ := number(p); v.Cmp(least) < 0 {
			n++
		}
	}
	return n
}

// read reads the values of an axis, or its columns; without either there is one place, at which the line is as it is.
func (a *Axis) read() (err error) {
	switch {
	case len(a.Columns) > 0 && a.Values == "" && a.Halve == "":
		a.Label = cmp.Or(a.Label, "faults")
		a.List, err = columns(a.Columns)
		for _, w := range a.List {
			a.Points = append(a.Points, w.Name)
		}
		return err
	case len(a.Columns) > 0 || a.Values != "" && a.Halve != "":
		return errors.New("an axis has values, columns or a range to halve, and only one of them")
	case a.Values == "" && len(a.Set)+len(a.Faults) == 0:
		a.Points = []string{""}
		return nil
	}
	a.Points, err = points(string(a.Values))
	return err
}

// columns returns the columns of faults whose names match.
func columns(patterns []string) (all []campaign.FaultSet, err error) {
	var names []string
	for _, w := range campaign.Columns() {
		names = append(names, w.Name)
	}
	for _, pattern := range patterns {
		before := len(all)
		for _, w := range campaign.Columns() {
			if fits(pattern, w.Name) {
				all = append(all, w)
			}
		}
		if len(all) == before {
			return nil, fmt.Errorf("no column of faults matches %q%s; there are %s", pattern, faults.Suggest(pattern, names),
				strings.Join(names, "; "))
		}
	}
	return all, nil
}

// points returns the values of an axis.
func points(text string) (all []string, err error) {
	ends, spacing, spaced := strings.Cut(text, ":")
	if all = strings.Fields(text); !spaced {
		if len(all) == 0 || len(all) > pointsMost {
			err = fmt.Errorf("there are %d values; give 1 to %d", len(all), pointsMost)
		}
		return all, err
	}
	low, high, _ := strings.Cut(ends, "..")
	how, count, _ := strings.Cut(spacing, ":")
	first, ok := number(low)
	last, two := number(high)
	n, bad := strconv.Atoi(count)
	switch {
	case !ok || !two || first.Cmp(last) >= 0:
		return nil, fmt.Errorf("%q is not a range; write FROM..TO, the lower end first", ends)
	case how != "lin" && how != "log" || bad != nil || n < 2 || n > pointsMost:
		return nil, fmt.Errorf("%q is not a spacing; write lin:STEPS or log:STEPS, with 2 to %d steps", spacing, pointsMost)
	case how == "log" && first.Sign() <= 0:
		return nil, fmt.Errorf("%s has no logarithm; start above 0, or use lin spacing", low)
	}
	return spaced3(first, last, how == "log", n), nil
}

// spaced3 returns n values from first to last, those between rounded to three digits.
func spaced3(first, last *big.Rat, log bool, n int) (all []string) {
	for i := range n {
		v := new(big.Rat).Sub(last, first)
		v.Add(first, v.Mul(v, big.NewRat(int64(i), int64(n-1))))
		if log {
			v = geometric(first, last, i, n-1)
		}
		digits := 2 // after the point
		for small := big.NewRat(1, 1); v.Sign() > 0 && v.Cmp(small) < 0 && digits < 9; small.Quo(small, big.NewRat(10, 1)) {
			digits++
		}
		text := strings.TrimSuffix(strings.TrimRight(v.FloatString(digits), "0"), ".")
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

// geometric returns first·(last/first)^(i/m) to a billionth of itself, by halving, in whole numbers.
func geometric(first, last *big.Rat, i, m int) *big.Rat {
	power := func(r *big.Rat, n int) *big.Rat {
		e := big.NewInt(int64(n))
		return new(big.Rat).SetFrac(new(big.Int).Exp(r.Num(), e, nil), new(big.Int).Exp(r.Denom(), e, nil))
	}
	want := power(new(big.Rat).Quo(last, first), i)
	low, high := int64(0), int64(1)<<40
	for ratio := big.NewRat(high, 1_000_000); power(ratio, m).Cmp(want) < 0; ratio.SetFrac64(high, 1_000_000) {
		high *= 2
	}
	for high-low > 1 {
		mid := low + (high-low)/2
		if power(big.NewRat(mid, 1_000_000), m).Cmp(want) <= 0 {
			low = mid
		} else {
			high = mid
		}
	}
	return new(big.Rat).Mul(first, big.NewRat(high, 1_000_000))
}

// Job returns the runs of the study, a cell for each line and value; the value changes faster. The scenario is the one
// that the study names.
func (s *Study) Job(base *scenarios.Scenario) (*campaign.Job, error) {
	j := &campaign.Job{Kind: "study " + s.Name, Scenario: base, First: s.Seed, Runs: s.Runs}
	var cells []campaign.Cell
	for _, l := range s.Lines {
		for k, value := range s.X.Points {
			c, err := s.cell(base, &l, k)
			if err == nil {
				j.Cells = []campaign.Cell{c}
				_, err = j.In(0)
			}
			if err != nil {
				return nil, fmt.Errorf("%s, at %s: %w", cmp.Or(l.Name, "its line"), value, err)
			}
			cells = append(cells, c)
		}
	}
	j.Cells = cells
	j.Size = min(max(50, s.Runs/100), s.Runs)
	return j, j.Check()
}

// Bounds returns, for each line, the search for where promises begin to break.
func (s *Study) Bounds(base *scenarios.Scenario) (all []campaign.BoundSearch, err error) {
	for _, l := range s.Lines {
		c, err := s.cell(base, &l, 0)
		x, stating := scenarios.Scenario{}, *base
		if err == nil {
			x, err = (&campaign.Job{Scenario: base, Cells: []campaign.Cell{c}}).In(0)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", l.Name, err)
		}
		if len(c) > 0 && c[0].Key == "scenario" {
			stating, _ = scenarios.Find(x.ID)
		}
		x.Bounds = stating.Bounds
		ms, err := s.measuresOf(&l)
		var properties []string
		for _, m := range ms {
			properties = append(properties, m.Name)
		}
		b := campaign.BoundSearch{Scenario: &x, First: s.Seed, Seeds: s.Runs, Properties: properties}
		if err == nil && s.X.Halve != stated {
			b.Span, err = campaign.ParseSpan(&x, s.X.Halve)
		}
		if err == nil {
			err = b.Check()
		}
		if err == nil && b.Many() == 0 {
			err = errors.New("it states no bound of that; name a setting and its ends: halve: KEY=FROM..TO")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", l.Name, err)
		}
		all = append(all, b)
	}
	return all, nil
}

var placeholder = regexp.MustCompile(`@(\*[a-z][a-z0-9_.-]*|\*[0-9.]+[a-zµ]+)?`)

// cell returns the changes to the scenario at a place. A later setting replaces an earlier one with the same key.
func (s *Study) cell(base *scenarios.Scenario, l *Line, place int) (c campaign.Cell, err error) {
	var product []scenarios.Assignment // those that need the others first
	value, settings := s.X.Points[place], slices.Concat(s.Set, l.Set, s.X.Set)
	if len(s.X.List) > 0 {
		settings = s.X.List[place].Under(settings)
	}
	for _, text := range settings {
		key, v, _ := strings.Cut(text, "=")
		a := scenarios.Assignment{Key: key, Value: scenarios.Value(v)}
		c = slices.DeleteFunc(c, func(o scenarios.Assignment) bool { return o.Key == key })
		switch {
		case strings.Contains(v, "@"):
			product = append(product, a)
		case key == "scenario":
			c = slices.Insert(c, 0, a)
		default:
			c = append(c, a)
		}
	}
	lines := slices.Concat(s.Faults, l.Faults, s.X.Faults)
	after := 0 // the scenario, which comes first
	if len(c) > 0 && c[0].Key == "scenario" {
		after = 1
	}
	if len(lines) > 0 { // before settings, because the scenario's own schedule can conflict with them
		c = slices.Insert(c, after, scenarios.Assignment{Key: "faults"})
	}
	here, err := (&campaign.Job{Scenario: base, Cells: []campaign.Cell{c}}).In(0)
	if err != nil {
		return nil, err
	}
	fill := func(text string) string {
		return placeholder.ReplaceAllStringFunc(text, func(word string) string {
			if word == "@" {
				return value
			}
			filled, bad := times(&here, value, word[2:])
			if bad != nil {
				err = bad
			}
			return filled
		})
	}
	for _, a := range product {
		a.Value = scenarios.Value(fill(string(a.Value)))
		c = append(c, a)
	}
	var planned, drawn []string
	for _, line := range lines {
		if line = fill(line); strings.Contains(line, "~") {
			drawn = append(drawn, line)
		} else {
			planned = append(planned, line)
		}
	}
	if len(planned) > 0 {
		c[after].Value = scenarios.Value(strings.Join(planned, "\n"))
	}
	if len(drawn) > 0 {
		c = append(c, scenarios.Assignment{Key: "search.draw", Value: scenarios.Value(strings.Join(drawn, ";"))})
	}
	return c, err
}

// times returns a multiple of a setting, or of a time, in its form.
func times(s *scenarios.Scenario, value, unit string) (string, error) {
	factor, ok := number(value)
	if !ok {
		return "", fmt.Errorf("%q is not a number, so there is no %s times %s", value, value, unit)
	}
	whole := func(n int64) int64 {
		r := new(big.Rat).Mul(factor, new(big.Rat).SetInt64(n))
		r.Add(r, big.NewRat(1, 2))
		return new(big.Int).Div(r.Num(), r.Denom()).Int64()
	}
	if d, err := time.ParseDuration(unit); err == nil {
		return time.Duration(whole(int64(d))).String(), nil
	}
	k, err := scenarios.Lookup(s, unit)
	if err != nil {
		return "", err
	}
	n, is := k.Number(s)
	if !is {
		return "", fmt.Errorf("%s is not a number", unit)
	}
	return k.Shown(s, whole(n)), nil
}
