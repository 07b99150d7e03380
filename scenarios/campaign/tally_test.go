package campaign_test

import (
	"reflect"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
	"github.com/lockstorm/lockstorm/sim/simtest"
)

// Rows count as the results that they come from: in runs with a search, in runs that fail, and in runs that are cut
// short.
func TestRowsCountAsTheirResults(t *testing.T) {
	for _, c := range []struct {
		id  string
		set []string
	}{
		{"redlock/any", nil},
		{"etcd/any", nil},
		{"kleppmann/gc-pause", nil},
		{"kleppmann/pause-before-reply", []string{"lock.validity_check=false"}},
		{"kleppmann/gc-pause", []string{"steps=300"}},
		{"kleppmann/gc-pause", []string{"steps=700"}},
	} {
		s, err := scenarios.Open(c.id, c.set...)
		if err != nil {
			t.Fatal(err)
		}
		got, want := campaign.NewTally(&s), campaign.NewTally(&s)
		plan := campaign.Plan{Scenario: &s, First: 3, Runs: simtest.Times(30, 60), Workers: 1, Drawn: s.Search.Drawn(), Each: func(r *scenarios.Result) {
			want.Runs++
			want.Verdicts[r.Verdict]++
			for i, f := range r.Findings {
				want.Properties[i].Add(f.Verdict)
				if r.Evidence.Word(f) == checker.Untested {
					want.Properties[i].Untested++
				}
			}
			for i, v := range want.Views {
				want.Views[i].Add(r.VerdictOn(v.Name))
			}
			for i, f := range r.Seen {
				want.Sometimes[i].Add(f.Verdict)
			}
			if r.Verdict != scenarios.Pass {
				want.Unexpected = append(want.Unexpected, r.Seed)
			}
			if r.Verdict > want.Worst {
				want.Worst, want.WorstSeed = r.Verdict, r.Seed
			}
		}}.Run()
		job := campaign.Job{Kind: "rows", Scenario: &s, Cells: []campaign.Cell{nil}, First: 3, Runs: simtest.Times(30, 60), Size: 7}
		if _, err := got.Count(0, job.All(2, nil)); err != nil || !reflect.DeepEqual(got, want) || !reflect.DeepEqual(plan, want) {
			t.Errorf("%s %s: %v\n%+v and\n%+v\nwant\n%+v", c.id, c.set, err, got, plan, want)
		}
	}
}
