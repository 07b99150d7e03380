package campaigns_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/reports"
	"github.com/lockstorm/lockstorm/reports/campaigns"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/scenarios/campaign/stats"
	"github.com/lockstorm/lockstorm/scenarios/campaign/study"
)

// shipped returns a study that ships, of some lines, with its survey, in which no row is counted.
func shipped(t *testing.T, name, measure string, runs int, lines ...string) (*study.Study, *campaign.Survey) {
	t.Helper()
	text, _ := study.Text(name)
	s, err := study.Parse(name+".yaml", text)
	if err == nil && measure != "" {
		err = s.Remeasure(measure)
	}
	if err == nil {
		err = s.Only(lines)
	}
	if err != nil {
		t.Fatal(err)
	}
	s.Runs = runs
	base, err := scenarios.Open(s.Scenario)
	if err != nil {
		t.Fatal(err)
	}
	j, err := s.Job(&base)
	if err != nil {
		t.Fatal(err)
	}
	v, err := s.Survey(j)
	if err != nil {
		t.Fatal(err)
	}
	return s, v
}

// summed returns the lines of a summary of one lock, whose belief broke in the given number of 100 runs under each
// class of faults.
func summed(t *testing.T, broken map[string]int, cut string) (text, markdown string) {
	s, v := shipped(t, "matrix", "belief, fenced", 100, "redlock")
	for i := range v.Cells {
		c := &v.Cells[i]
		c.Runs = 100
		c.Measured[0].Count = stats.Count{Violated: broken[s.X.Points[i]], Runs: 100}
		if c.Measured[1].Runs = 100; s.X.Points[i] == cut {
			c.Measured[0].Unknown = 1
		}
	}
	x := s.Result(v)
	return campaigns.StudySummary(x).Text(reports.Screen{}), campaigns.StudySummary(x).Markdown()
}

// A page has the shares alone, a screen their intervals too.
var interval = regexp.MustCompile(` \(.*?\)`)

func TestASummaryOfTheMatrixNamesWhatBreaksALock(t *testing.T) {
	for name, c := range map[string]struct {
		broken map[string]int
		cut    string
		want   string
	}{
		"the most harmful first":                                   {map[string]int{"client pause": 2, "crash, lost": 14}, "", "crash, lost 14 (8–22); client pause 2 (0.2–7.0)"},
		"all together, beside one that suffices, say nothing more": {map[string]int{"partition": 2, "all": 90}, "", "partition 2 (0.2–7.0)"},
		"all together, where none suffices":                        {map[string]int{"all": 9}, "", "all 9 (4.2–16.4)"},
		"no fault is needed":                                       {map[string]int{"none": 5, "partition": 50}, "", "without a fault 5 (1.6–11.3)"},
		"a run was cut short":                                      {map[string]int{"partition": 2}, "all", "partition 2 (0.2–7.0); ?"},
		"nothing":                                                  {nil, "", "–"},
	} {
		text, markdown := summed(t, c.broken, c.cut)
		if cell := interval.ReplaceAllString(c.want, ""); !strings.Contains(markdown, "| redlock | "+cell+" | – |") {
			t.Errorf("%s: want %q\n%s", name, c.want, markdown)
		}
		kept := "  keeps   fenced\n"
		if c.want == "–" {
			kept = "  keeps  belief, fenced\n"
		} else if !strings.Contains(text, "  belief  "+c.want+"\n") {
			t.Errorf("%s: want %q\n%s", name, c.want, text)
		}
		if !strings.Contains(text, kept) || !strings.Contains(text, "below 3.6% of the runs") {
			t.Errorf("%s: want %q\n%s", name, kept, text)
		}
		if says := strings.Contains(text, "cut short"); says != (c.cut != "") {
			t.Errorf("%s: that runs were cut short is said: %v", name, says)
		}
	}
}

func TestACellOfTheMatrixIsRoundedToWholePerCent(t *testing.T) {
	for _, c := range []struct {
		violated, runs int
		want           string
	}{
		{0, 300, "0"}, {1, 300, "<1"}, {2, 3, "67"}, {1, 3, "33"}, {1, 8, "13"}, {299, 300, ">99"}, {300, 300, "100"},
	} {
		s, v := shipped(t, "matrix", "belief", c.runs, "redlock")
		for i := range v.Cells {
			v.Cells[i].Measured[0].Count = stats.Count{Violated: 1, Runs: c.runs}
		}
		v.Cells[0].Measured[0].Violated = c.violated
		x := s.Result(v)
		for line := range strings.Lines(campaigns.Study(x).Text(reports.Screen{})) {
			if words := strings.Fields(line); len(words) == 14 && words[0] == "redlock" && words[1] != c.want {
				t.Errorf("%d of %d is shown as %s, want %s", c.violated, c.runs, words[1], c.want)
			}
		}
	}
}

// A cell of the efficiency has its executions, with their interval, and a share of something that never happened has an upper end.
func TestShareOfAFigureHasItsInterval(t *testing.T) {
	s, v := shipped(t, "efficiency", "", 10, "single", "redlock")
	v.Job.Each(2, func(rows []campaign.Row) bool { v.AddAll(rows); return true })
	x := s.Result(v)
	restart := x.At(0, slices.Index(s.X.Points, "restart"), 0)
	if restart.Hits == 0 || restart.Of != 150 || *restart.Low > *restart.Middle || *restart.High < *restart.Middle {
		t.Errorf("%+v", restart)
	}
	if page := campaigns.Study(x).Markdown(); !strings.Contains(page, "| 0 of 150 |") || !strings.Contains(page, "overlaps of holds") {
		t.Errorf("the page is\n%s", page)
	}
}
