package campaign_test

import (
	"slices"
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

// surveyed counts how often each promise of a job breaks.
func surveyed(t *testing.T, j *campaign.Job) *campaign.Survey {
	t.Helper()
	s := &campaign.Survey{Job: j, Measures: func(int) (all []campaign.Measure) {
		for _, p := range j.Scenario.Promises() {
			m, err := campaign.ParseMeasure(p.Name)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, m)
		}
		return all
	}}
	if err := s.Begin(); err != nil {
		t.Fatal(err)
	}
	j.Each(2, func(rows []campaign.Row) bool { s.AddAll(rows); return true })
	return s
}

// A survey counts of each promise and view what a tally of the same rows counts.
func TestSurveyAgreesWithTheRows(t *testing.T) {
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
	type key struct{ cell, measure int }
	want := map[key][2]int{} // violated, and runs
	j.Each(2, func(rows []campaign.Row) bool {
		s.AddAll(rows)
		for i := range rows {
			for k, m := range measures {
				place := slices.Index(scenarios.Judged(), m.Name)
				at, n := key{rows[i].Cell, k}, want[key{rows[i].Cell, k}]
				if rows[i].Of(place) == checker.Violated {
					n[0]++
				}
				n[1]++
				want[at] = n
			}
		}
		return true
	})
	broken := 0
	for cell, c := range s.Cells {
		for k, m := range c.Measured {
			if n := want[key{cell, k}]; m.Runs > 0 && (m.Violated != n[0] || m.Runs != n[1]) {
				t.Errorf("%s: %s is %+v; want %d of %d", c.Cell, m.Name, m.Count, n[0], n[1])
			}
			broken += m.Violated
		}
	}
	if s.Runs != 360 || s.Cells[0].Measured[0].Violated != 0 || s.Cells[5].Measured[0].Violated != 60 || broken == 0 {
		t.Errorf("%d runs; %+v, %+v", s.Runs, s.Cells[0].Measured[0], s.Cells[5].Measured[0])
	}
}

func TestValuesKeepFourDigits(t *testing.T) {
	for value, want := range map[int64]int64{0: 0, 7: 7, 9999: 9999, 12344: 12340, 12345: 12350, 99995: 100_000, 1<<62 + 1: 4_612_000_000_000_000_000} {
		v := campaign.Values{}
		v.Add(value)
		if values, times := v.Sorted(); len(values) != 1 || values[0] != want || times[0] != 1 {
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
