package study_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/study"
	"github.com/lockstorm/lockstorm/sim/simtest"
)

const ratio = `title: x
scenario: kleppmann/gc-pause
x: {label: pause ÷ TTL, values: 0.5..2:lin:4, faults: ["when c1 read pause c1 for @*lock.ttl"]}
lines:
  - {name: short, set: [lock.ttl=2s]}
  - {name: long, set: [lock.ttl=10s], faults: ["at ~poisson(@/1h) pause c2 for ~constant(1s)"]}
`

func job(t testing.TB, s *study.Study) *campaign.Job {
	t.Helper()
	base, err := scenarios.Open(s.Scenario)
	if err != nil {
		t.Fatal(err)
	}
	j, err := s.Job(&base)
	if err != nil {
		t.Fatalf("%s: %v", s.Name, err)
	}
	return j
}

func jobOf(t *testing.T, file, text string) (*study.Study, *campaign.Job) {
	t.Helper()
	s, err := study.Parse(file, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s, job(t, s)
}

// TestAnAxisMayBeARatio wants pauses of the same multiples of each line's TTL, and lines that the search picks at
// random.
func TestAnAxisMayBeARatio(t *testing.T) {
	_, j := jobOf(t, "ratio.yaml", strings.Replace(ratio, "x: {", "set: [search.within=1h, horizon=2h]\nx: {", 1))
	var got []string
	for _, c := range j.Cells {
		got = append(got, strings.TrimPrefix(c.String(), "faults=when c1 read pause c1 for "))
	}
	want := []string{"1s", "2s", "3s", "4s", "5s", "10s", "15s", "20s"}
	for i, w := range want {
		if !strings.HasPrefix(got[i], w+" ") {
			t.Errorf("cell %d has %s; want a pause of %s", i, got[i], w)
		}
	}
	if last := got[7]; !strings.Contains(last, "search.draw=at ~poisson(2/1h) pause c2 for ~constant(1s)") {
		t.Errorf("the last cell is %s", last)
	}
}

// TestEachShippedStudyRuns runs each cell once, and each run must be sound.
func TestEachShippedStudyRuns(t *testing.T) {
	for _, name := range study.Names() {
		text, _ := study.Text(name)
		s, j := jobOf(t, name+".yaml", string(text))
		if s.Name != name || s.About == "" {
			t.Errorf("%s: it has no words about it", name)
		}
		if len(j.Cells) != len(s.Lines)*len(s.X.Points) {
			t.Errorf("%s has %d cells", name, len(j.Cells))
		}
		for i := range j.Cells {
			if !simtest.Long && i%15 > 0 {
				continue
			}
			x, err := j.In(i)
			if err != nil {
				t.Fatal(err)
			}
			one := x.Universes().At(1)
			scenarios.Run(one, 1)
		}
	}
}

func TestValuesOfAnAxis(t *testing.T) {
	for text, want := range map[string]string{
		"1 2 3": "1 2 3", "minority nodes": "minority nodes", "0..3:lin:4": "0 1 2 3", "0.1..100:log:4": "0.1 1 10 100",
		"1..2:lin:4": "1 1.33 1.67 2", "0.001..0.1:log:3": "0.001 0.01 0.1", "1..10:log:3": "1 3.16 10",
	} {
		s, err := study.Parse("f.yaml", []byte(strings.Replace(ratio, "0.5..2:lin:4", text, 1)))
		if err != nil || !slices.Equal(s.X.Points, strings.Fields(want)) {
			t.Errorf("%s is %s, %v; want %s", text, s.X.Points, err, want)
		}
	}
}

// Two hundred values are not too many, and one more is; of lines a thousand, of runs a million.
func TestAStudyIsBounded(t *testing.T) {
	numbers := func(n int) (text string) {
		for i := range n {
			text += fmt.Sprint(i, " ")
		}
		return text
	}
	lines := func(n int) (text string) {
		for i := range n {
			text += fmt.Sprintf("- {name: l%d}\n", i)
		}
		return text
	}
	for _, c := range []struct {
		values, lines, runs string
		ok                  bool
	}{
		{"1..2:lin:200", lines(1000), "1000000", true},
		{numbers(200), lines(1), "1", true},
		{"1..2:lin:2", lines(1), "1", true},
		{"1..2:lin:201", lines(1), "1", false},
		{numbers(201), lines(1), "1", false},
		{"1..2:lin:2", lines(1001), "1", false},
		{"1..2:lin:2", lines(1), "1000001", false},
		{"1..2:lin:2", lines(1), "0", false},
		{"1..1:lin:2", lines(1), "1", false},
	} {
		text := "title: x\nscenario: kleppmann/gc-pause\nruns: " + c.runs + "\nx: {label: x, values: '" + c.values + "'}\nlines:\n" + c.lines
		if _, err := study.Parse("f.yaml", []byte(text)); (err == nil) != c.ok {
			t.Errorf("%.20s, %d lines, %s runs: %v", c.values, strings.Count(c.lines, "name"), c.runs, err)
		}
	}
}

func TestErrorsNameTheirPlace(t *testing.T) {
	for _, c := range []struct{ old, new, want string }{
		{"title: x\n", "", "f.yaml:1:1: there is no title; say in a few words what the study shows"},
		{"lines:", "linse:", `did you mean lines`},
		{"0.5..2:lin:4", "2..1:lin:4", `f.yaml:3:33: "2..1" is not a range; write FROM..TO, the lower end first`},
		{"0.5..2:lin:4", "1..2:cubic:4", `f.yaml:3:33: "cubic:4" is not a spacing`},
		{"0.5..2:lin:4", "1..2:lin:1", `f.yaml:3:33: "lin:1" is not a spacing`},
		{"0.5..2:lin:4", "1..2:lin:99999", `f.yaml:3:33: "lin:99999" is not a spacing`},
		{"0.5..2:lin:4", "1..2:lin:x", `f.yaml:3:33: "lin:x" is not a spacing`},
		{"0.5..2:lin:4", "0..2:log:4", "f.yaml:3:33: 0 has no logarithm"},
		{"0.5..2:lin:4", "''", "there are 0 values"},
		{"title: x", "title: x\nmeasure: storge", `f.yaml:2:10: there is no promise or figure "storge"; did you mean storage?`},
		{"title: x", "title: x\nruns: 0", "f.yaml:2:7: 0 is not a number of runs"},
		{"x: {", "set: [lock.ttl]\nx: {", `"lock.ttl" is not a setting; write KEY=VALUE`},
		{"x: {", "x: {set: [lock.ttl], ", `"lock.ttl" is not a setting; write KEY=VALUE`},
		{"lock.ttl=2s", "lock.ttl", `f.yaml:5:25: "lock.ttl" is not a setting; write KEY=VALUE`},
		{"name: short,", "name: short, theory: [1, 2],", "a formula has 2 values here, and the axis 4"},
		{"name: short,", "name: short, edge: 2,", "an edge is a number, on a map"},
		{"title: x", "title: x\nmeasure: overlaps of belief", "has a promise and a figure; give two promises, or two figures"},
		{"name: short,", "name: short, measure: fencd,", `there is no promise or figure "fencd"; did you mean fenced`},
		{"values: 0.5..2:lin:4", "columns: [partitoin]", `no column of faults matches "partitoin"; did you mean partition?`},
		{"values: 0.5..2:lin:4", "values: 1 2, halve: stated", "an axis has values, columns or a range to halve, and only one of them"},
		{"title: x", "title: x\nlocks: [redlock]", "a study has lines, locks or scenarios, and only one of them"},
		{"title: x", "title: x\nleast: -1", "-1 is no"},
		{"kleppmann/gc-pause", "''", "there is no scenario"},
	} {
		_, err := study.Parse("f.yaml", []byte(strings.Replace(ratio, c.old, c.new, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant %s", c.new, err, c.want)
		}
	}
	base, _ := scenarios.Find("kleppmann/gc-pause")
	for _, c := range []struct{ old, new, want string }{
		{"@*lock.ttl", "@*lock.tll", "short, at 0.5: there is no setting \"lock.tll\"; did you mean lock.ttl?"},
		{"@*lock.ttl", "@*lock.kind", "lock.kind is not a number"},
		{"0.5..2:lin:4", "much", `"much" is not a number, so there is no much times lock.ttl`},
		{"lock.ttl=2s", "lock.ttl=2", `"2" is not a time`},
		{"pause c1 for", "puase c1 for", "did you mean pause"},
	} {
		s, err := study.Parse("f.yaml", []byte(strings.Replace(ratio, c.old, c.new, 1)))
		if err == nil {
			_, err = s.Job(&base)
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v\nwant %s", c.new, err, c.want)
		}
	}
}

func TestAnEdgeLiesBeforeTheFirstValueThatReachesIt(t *testing.T) {
	a := study.Axis{Points: []string{"1", "2", "3.5"}}
	for edge, want := range map[string]int{"0.5": 0, "1": 0, "2": 1, "2.5": 2, "9": 3} {
		if n := a.Before(edge); n != want {
			t.Errorf("%d values are less than %s, want %d", n, edge, want)
		}
	}
}

// A sweep is a study. Its last axis is the study's, with the unit in its label, and each place of the others is a
// line.
func TestASweepIsAStudy(t *testing.T) {
	base, _ := scenarios.Find("kleppmann/gc-pause")
	for _, c := range []struct{ axes, label, values, lines string }{
		{"lock.ttl=2s,4s pause.for=1s,3s,5s", "pause.for [s]", "1 3 5", "lock.ttl=2s, lock.ttl=4s"},
		{"nodes=3,5 lock.ttl=2s,4s pause.for=1s,3s", "pause.for [s]", "1 3",
			"nodes=3 lock.ttl=2s, nodes=3 lock.ttl=4s, nodes=5 lock.ttl=2s, nodes=5 lock.ttl=4s"},
		{"lock.ttl=100ms..10s:log:3", "lock.ttl [s]", "0.1 1 10", "kleppmann/gc-pause"},
		{"network.loss=0.1,0.2", "network.loss", "0.1 0.2", "kleppmann/gc-pause"},
		{"nodes=3..7:lin:3", "nodes", "3 5 7", "kleppmann/gc-pause"},
		{"lock.contact=parallel,sequential", "lock.contact", "parallel sequential", "kleppmann/gc-pause"},
		{"", "", "", "kleppmann/gc-pause"},
	} {
		var axes []campaign.Axis
		for _, text := range strings.Fields(c.axes) {
			a, err := campaign.ParseAxis(&base, text)
			if err != nil {
				t.Fatal(err)
			}
			axes = append(axes, a)
		}
		made, err := study.Sweep(&base, axes)
		if err != nil {
			t.Fatal(err)
		}
		made.Title, made.Scenario, made.Runs = "x", "kleppmann/gc-pause", 3
		read, err := study.Parse("x.yaml", made.File())
		if err != nil {
			t.Fatalf("%v\n%s", err, made.File())
		}
		var names []string
		for _, l := range read.Lines {
			names = append(names, l.Name)
		}
		if strings.Join(names, ", ") != c.lines || read.X.Label != c.label || strings.Join(read.X.Points, " ") != c.values {
			t.Errorf("%s: %+v, lines %q", c.axes, read.X, names)
		}
		j, err := read.Job(&base)
		if err != nil {
			t.Fatal(err)
		}
		for i := range j.Cells {
			if len(j.Cells[i]) != len(axes) {
				t.Errorf("%s: a cell is %s", c.axes, j.Cells[i])
			}
		}
	}
	many := campaign.Axis{Key: "lock.ttl", Values: make([]scenarios.Value, 200)}
	other := campaign.Axis{Key: "nodes", Values: make([]scenarios.Value, 200)}
	for want, axes := range map[string][]campaign.Axis{
		"lock.ttl is an axis already":           {many, many},
		"the axes before the last have more":    {many, other, {Key: "clients", Values: many.Values}},
		`a study can't have the value "a b"`:    {{Key: "nodes", Values: []scenarios.Value{"a b"}}},
		`nodes: a study can't have the value "`: {{Key: "nodes", Values: []scenarios.Value{"1:2"}}},
	} {
		if _, err := study.Sweep(&base, axes); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %s", err, want)
		}
	}
}

// The file of a study, with the lines that it lists, is the same study.
func TestTheFileOfAStudyHasItsCells(t *testing.T) {
	for _, name := range study.Names() {
		text, _ := study.Text(name)
		s, err := study.Parse(name+".yaml", text)
		if err != nil {
			t.Fatal(err)
		}
		again, err := study.Parse(name+".yaml", s.File())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !slices.EqualFunc(again.Lines, s.Lines, func(a, b study.Line) bool { return a.Name == b.Name && slices.Equal(a.Set, b.Set) }) ||
			!slices.Equal(again.X.Points, s.X.Points) || again.Measure != s.Measure || again.Runs != s.Runs {
			t.Errorf("%s is another study", name)
		}
	}
}
