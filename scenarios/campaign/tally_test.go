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
		got, want := campaign.NewTally(&s, 3), campaign.NewTally(&s, 3)
		plan := campaign.Plan{Scenario: &s, First: 3, Runs: simtest.Times(30, 60), Workers: 1, Drawn: s.Search.Drawn(), Each: func(r *scenarios.Result) {
			want.Runs++
			want.Pass += count(r.Verdict == scenarios.Pass)
			want.Fail += count(r.Verdict == scenarios.Fail)
			want.Unknown += count(r.Verdict == scenarios.Unknown)
			for i, f := range r.Findings {
				want.Properties[i].Add(f.Verdict)
				if r.Evidence.Word(f) == checker.Untested {
					want.Properties[i].Untested++
				} else {
					want.Properties[i].Holds += count(f.Verdict == checker.Holds)
				}
			}
			for i, v := range want.BlackBox {
				want.BlackBox[i].Add(r.VerdictOn(v.Name()))
				want.BlackBox[i].Holds += count(r.VerdictOn(v.Name()) == checker.Holds)
			}
			for i, f := range r.Seen {
				want.Sometimes[i].Add(f.Verdict)
				want.Sometimes[i].Holds += count(f.Verdict == checker.Holds)
			}
			if r.Verdict != scenarios.Pass {
				want.Unexpected = append(want.Unexpected, r.Seed)
			}
			want.Worsen(r.Verdict, r.Seed)
		}}.Run()
		job := campaign.Job{Kind: "rows", Scenario: &s, Cells: []campaign.Cell{nil}, First: 3, Runs: simtest.Times(30, 60), Size: 7}
		if _, err := got.Count(0, job.All(2, nil)); err != nil || !reflect.DeepEqual(got, want) || !reflect.DeepEqual(plan, want) {
			t.Errorf("%s %s: %v\n%+v and\n%+v\nwant\n%+v", c.id, c.set, err, got, plan, want)
		}
	}
}
