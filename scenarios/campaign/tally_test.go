package campaign_test

import (
	"reflect"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// Rows count as the results from which they are made: in runs with a search, in runs that fail, and in runs that are cut short.
func TestRowsCountAsTheirResults(t *testing.T) {
	for _, c := range []struct {
		id  string
		set []string
	}{
		{"redlock/any", nil}, {"etcd/any", nil}, {"kleppmann/gc-pause", nil},
		{"kleppmann/pause-before-reply", []string{"lock.validity_check=false"}},
		{"kleppmann/gc-pause", []string{"steps=300"}},
	} {
		s, err := scenarios.Open(c.id, c.set...)
		if err != nil {
			t.Fatal(err)
		}
		want := campaign.Plan{Scenario: &s, First: 3, Runs: 60, Workers: 2, Drawn: s.Search.Drawn()}.Run()
		got := campaign.NewTally(&s)
		job := campaign.Job{Kind: "rows", Scenario: &s, Cells: []campaign.Cell{nil}, First: 3, Runs: 60, Size: 7}
		if _, err := got.Count(0, job.All(2, nil)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s %s: %v\n%+v\nwant\n%+v", c.id, c.set, err, got, want)
		}
	}
}
