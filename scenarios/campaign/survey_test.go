package campaign_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// gridJob is a small grid in which the pause is shorter, or longer, than a lock lives.
func gridJob(t *testing.T) (*campaign.Sweep, *campaign.Job) {
	t.Helper()
	s, _ := scenarios.Find("kleppmann/gc-pause")
	w := &campaign.Sweep{Scenario: &s, First: 1, Runs: 60, Workers: 2}
	for _, text := range []string{"pause.for=5s,12s,15s", "lock.ttl=20s,10s"} {
		a, err := campaign.ParseAxis(&s, text)
		if err != nil {
			t.Fatal(err)
		}
		w.Axes = append(w.Axes, a)
	}
	return w, w.Job()
}

func surveyed(t *testing.T, j *campaign.Job, figures ...string) *campaign.Survey {
	t.Helper()
	s := &campaign.Survey{Job: j, Figures: figures}
	if err := s.Begin(); err != nil {
		t.Fatal(err)
	}
	j.Each(2, func(rows []campaign.Row) bool { s.AddAll(rows); return true })
	return s
}

// A sweep alone counts the same runs.
func TestASurveyCountsWhatASweepCounts(t *testing.T) {
	w, j := gridJob(t)
	s, spots := surveyed(t, j), w.Run()
	for i, c := range s.Cells {
		if c.Runs != spots[i].Runs || !slices.Equal(c.Properties, spots[i].Properties) {
			t.Errorf("%s: %+v; want %+v", c.Cell, c, spots[i])
		}
		if c.Broke.Runs()+c.Ended.Runs()+c.Cut.Runs() != c.Runs || c.Broke.Runs() != c.Broken || c.Idle.Runs() != c.Runs {
			t.Errorf("%s: of %d runs %d broke and %d ended", c.Cell, c.Runs, c.Broke.Runs(), c.Ended.Runs())
		}
	}
	broken := func(cell int) int { return s.Cells[cell].Broken }
	if broken(0) != 0 || broken(5) != 60 {
		t.Errorf("%d runs break with a short pause, %d with a long one", broken(0), broken(5))
	}
}

// A grid asks for the same views, one by one. Where storage does not look at tokens, no run has a fenced register.
func TestASurveyCountsTheViewsThatACellHas(t *testing.T) {
	w, j := gridJob(t)
	w.Properties = scenarios.Judged()[len(checker.Properties):]
	s, spots := surveyed(t, j), w.Run()
	for i, c := range s.Cells {
		for k, f := range c.Views {
			if want := spots[i].Properties[k]; f.Runs > 0 && f != want || f.Runs == 0 && want.Unknown != want.Runs {
				t.Errorf("%s: %+v; want %+v", c.Cell, f, want)
			}
		}
	}
	if whole := s.Whole(); whole.Views[0].Violated == 0 || whole.Views[len(whole.Views)-1].Runs != 0 {
		t.Errorf("in all cells: %+v", whole.Views)
	}
}

func TestPartsOfASurveyAddUpToTheWhole(t *testing.T) {
	_, j := gridJob(t)
	s := surveyed(t, j, "wait-median")
	axes, ok := j.Axes()
	if !ok || len(axes) != 2 || len(axes[0].Values) != 3 || len(axes[1].Values) != 2 {
		t.Fatal(axes, ok)
	}
	whole := s.Whole()
	runs, broken, waits := 0, 0, 0
	for _, c := range s.Cells {
		runs, broken, waits = runs+c.Runs, broken+c.Broken, waits+c.Figures[0].Runs()
	}
	if runs != 360 || whole.Runs != 360 || broken != whole.Broken || waits != whole.Figures[0].Runs() {
		t.Errorf("%d runs, of which %d broke", runs, broken)
	}
}

func TestCellsThatAreNoGridHaveNoAxes(t *testing.T) {
	_, j := gridJob(t)
	for name, cells := range map[string][]campaign.Cell{
		"one is missing": j.Cells[1:], "turned": {j.Cells[1], j.Cells[0]}, "unlike": {j.Cells[0], nil}, "twice": {j.Cells[0], j.Cells[0]},
	} {
		odd := *j
		odd.Cells = cells
		if axes, ok := odd.Axes(); ok && name != "turned" {
			t.Errorf("%s: %v", name, axes)
		}
	}
	j.Cells = []campaign.Cell{nil}
	if axes, ok := j.Axes(); !ok || len(axes) != 0 {
		t.Error(axes, ok)
	}
}

func TestValuesKeepFourDigits(t *testing.T) {
	for value, want := range map[int64]int64{0: 0, 7: 7, 9999: 9999, 12344: 12340, 12345: 12350, 99995: 100_000, 1<<62 + 1: 4_612_000_000_000_000_000} {
		row := campaign.Row{Figures: make([]int64, len(new(checker.Judge).Figures(&checker.Evidence{})))}
		row.Figures[4] = value
		_, j := gridJob(t)
		s := &campaign.Survey{Job: j, Figures: []string{"wait-median"}}
		if err := s.Begin(); err != nil {
			t.Fatal(err)
		}
		s.AddAll([]campaign.Row{row})
		if values, times := s.Cells[0].Figures[0].Sorted(); len(values) != 1 || values[0] != want || times[0] != 1 {
			t.Errorf("%d is counted as %v; want %d", value, values, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(0, 1<<50).Draw(t, "n")
		v := campaign.Values{}
		v.Add(n)
		got, _ := v.Sorted()
		if off := got[0] - n; 20_000*max(off, -off) > max(n, 1)*10 {
			t.Fatalf("%d is counted as %d", n, got[0])
		}
	})
}

func TestSurveyRejectsAnUnknownFigure(t *testing.T) {
	_, j := gridJob(t)
	s := &campaign.Survey{Job: j, Figures: []string{"wait-medium"}}
	if err := s.Begin(); err == nil || !strings.Contains(err.Error(), "wait-median") {
		t.Error(err)
	}
}
