package debate

import (
	"slices"
	"strings"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
	"github.com/lockstorm/lockstorm/scenarios/campaign/study"
)

// A Trialed is a study that an argument names, with its runs. Compared lines are pairs: they have the same runs, or
// runs that differ in one setting.
type Trialed struct {
	*study.Study
	Job  *campaign.Job
	Rows []campaign.Row

	text    string // its file
	outcome *study.Result
}

// studyOf returns a study of Lockstorm; nil if no study has that name.
func studyOf(name string) *Trialed {
	text, known := study.Text(name)
	if !known {
		return nil
	}
	s, err := study.Parse(name+".yaml", text)
	if err != nil {
		panic("debate: " + err.Error()) // a test has parsed each
	}
	return &Trialed{Study: s, text: string(text)}
}

// newStudy returns a study without runs, with its first seed and the number of runs at each place.
func newStudy(name string, first uint64, runs int) *Trialed {
	t := studyOf(name) // the argument was checked
	t.Seed, t.Runs = first, runs
	base, err := scenarios.Open(t.Scenario)
	if err == nil {
		t.Job, err = t.Study.Job(&base)
	}
	if err != nil {
		panic("debate: " + err.Error()) // a test has made each
	}
	return t
}

// shown returns the results of the study's runs.
func (t *Trialed) shown() *study.Result {
	if t.outcome == nil {
		v, err := t.Survey(t.Job)
		if err != nil {
			panic("debate: " + err.Error()) // its job has passed Check
		}
		v.AddAll(t.Rows)
		t.outcome = t.Result(v)
	}
	return t.outcome
}

// count counts the runs of a place that broke the promise of its line.
func (t *Trialed) count(line, point int) stats.Count { return t.shown().At(line, point, 0).Count() }

// settings returns the numbers that a sentence about the study may have.
func (t *Trialed) settings() string { return t.text + " " + strings.Join(t.X.Points, " ") }

func (t *Trialed) lineOf(key string) int {
	return slices.IndexFunc(t.Lines, func(l study.Line) bool { return l.Key != "" && l.Key == key })
}

func (t *Trialed) pointOf(name string) int { return slices.Index(t.X.Points, name) }

// pair reports whether two lines have the same runs, or runs that differ in one setting.
func (t *Trialed) pair(i, j int) bool {
	differ := map[string]bool{}
	for _, set := range [2][2][]string{{t.Lines[i].Set, t.Lines[j].Set}, {t.Lines[j].Set, t.Lines[i].Set}} {
		for _, one := range set[0] {
			if key, _, _ := strings.Cut(one, "="); !slices.Contains(set[1], one) {
				differ[key] = true
			}
		}
	}
	same := t.Lines[i].Measure == t.Lines[j].Measure
	return len(differ) == 1 && same || len(differ) == 0 && !same
}

// judge checks an assertion against the runs of the study.
func (t *Trialed) judge(c *Assertion) finding {
	line, other := t.lineOf(c.Name), t.lineOf(c.other)
	switch c.Verb {
	case "at":
		n := t.count(line, t.pointOf(c.other))
		return finding{verdictIf(true, n.Unknown == 0), n.PerCent(1) + "%", true}
	case "none", "all":
		n := t.count(line, t.pointOf(c.other))
		want := checker.Holds
		if c.Verb == "all" {
			want = checker.Violated
		}
		return finding{as(want, n), c.Name + " at " + c.other + " in " + outOfAll(n.Violated, n.Runs), false}
	case "zero", "overall":
		sum := stats.Count{}
		for k := range t.X.Points {
			sum = sum.Plus(t.count(line, k))
		}
		if c.Verb == "overall" {
			return finding{verdictIf(true, sum.Unknown == 0),
				outOfAll(sum.Violated, sum.Runs) + ", " + interval(sum.Violated, sum.Runs), true}
		}
		return finding{as(checker.Holds, sum), c.Name + " in " + outOfAll(sum.Violated, sum.Runs), false}
	case "like":
		for k := range t.X.Points {
			if a, b := t.count(line, k).Exact(), t.count(other, k).Exact(); a.High < b.Low || b.High < a.Low {
				return finding{scenarios.Fail, c.Name + " differs from " + c.other + " at " + t.X.Points[k], false}
			}
		}
		return finding{scenarios.Pass, "", false}
	}
	below, apart := true, false // nowhere surely above, and somewhere surely below
	for k := range t.X.Points {
		a, b := t.count(line, k).Exact(), t.count(other, k).Exact()
		below, apart = below && a.Low <= b.High, apart || a.High < b.Low
	}
	return finding{verdictIf(below, apart), c.Name + " is not below " + c.other, false}
}
