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
func gridJob(t *testing.T) *campaign.Job {
	return grid(t, found(t, "kleppmann/gc-pause"), 60, "pause.for=5s,12s,15s", "lock.ttl=20s,10s")
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

// A measure of each promise and view counts the same.
func TestSurveyAgreesWithItsMeasures(t *testing.T) {
	j := gridJob(t)
	var measures []campaign.Measure
	for _, name := range scenarios.Judged() {
		if p, _ := checker.Lookup(name); p.Ticks {
			continue
		}
		m, err := campaign.ParseMeasure(name)
		if err != nil {
			t.Fatal(err)
		}
		measures = append(measures, m)
	}
	s := &campaign.Survey{Job: j, Measures: func(int) []campaign.Measure { return measures }}
	if err := s.Begin(); err != nil {
		t.Fatal(err)
	}
	j.Each(2, func(rows []campaign.Row) bool { s.AddAll(rows); return true })
	for _, c := range s.Cells {
		for i, f := range slices.Concat(c.Properties, c.Views) {
			if f != c.Measured[i].Frequency {
				t.Errorf("%s: %+v; want %+v", c.Cell, c.Measured[i].Frequency, f)
			}
		}
		if c.Broke.Runs()+c.Ended.Runs()+c.Cut.Runs() != c.Runs || c.Broke.Runs() != c.Broken {
			t.Errorf("%s: of %d runs %d broke and %d ended", c.Cell, c.Runs, c.Broke.Runs(), c.Ended.Runs())
		}
	}
	broken := func(cell int) int { return s.Cells[cell].Broken }
	if broken(0) != 0 || broken(5) != 60 {
		t.Errorf("%d runs break with a short pause, %d with a long one", broken(0), broken(5))
	}
	if whole := s.Whole(); whole.Views[0].Violated == 0 || whole.Views[len(whole.Views)-1].Runs != 0 {
		t.Errorf("in all cells: %+v", whole.Views)
	}
}

func TestSurveyPartsAddUp(t *testing.T) {
	s := surveyed(t, gridJob(t), "wait-median")
	whole := s.Whole()
	runs, broken, waits := 0, 0, 0
	for _, c := range s.Cells {
		runs, broken, waits = runs+c.Runs, broken+c.Broken, waits+c.Figures[0].Runs()
	}
	if runs != 360 || whole.Runs != 360 || broken != whole.Broken || waits != whole.Figures[0].Runs() {
		t.Errorf("%d runs, of which %d broke", runs, broken)
	}
}

func TestValuesKeepFourDigits(t *testing.T) {
	for value, want := range map[int64]int64{0: 0, 7: 7, 9999: 9999, 12344: 12340, 12345: 12350, 99995: 100_000, 1<<62 + 1: 4_612_000_000_000_000_000} {
		row := campaign.Row{Figures: make([]int64, len(new(checker.Judge).Figures(&checker.Evidence{})))}
		row.Figures[4] = value
		j := gridJob(t)
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

func TestSurveyRejectsUnknownFigures(t *testing.T) {
	j := gridJob(t)
	s := &campaign.Survey{Job: j, Figures: []string{"wait-medium"}}
	if err := s.Begin(); err == nil || !strings.Contains(err.Error(), "wait-median") {
		t.Error(err)
	}
}
