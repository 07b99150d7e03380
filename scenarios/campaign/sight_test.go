package campaign_test

import (
	"reflect"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// sighted counts what a black box sees of some scenarios.
func sighted(t *testing.T, runs, workers int, ids ...string) *campaign.BlackBoxTable {
	t.Helper()
	base, _ := scenarios.Find(ids[0])
	j := &campaign.Job{Scenario: &base, First: 1, Runs: runs, Size: 20}
	for _, id := range ids {
		j.Cells = append(j.Cells, campaign.Cell{{Key: "scenario", Value: scenarios.Value(id)}})
	}
	if err := j.Check(); err != nil {
		t.Fatal(err)
	}
	g := campaign.NewBlackBoxTable(j)
	t.Cleanup(g.Close)
	j.Each(workers, func(rows []campaign.Row) bool { g.AddAll(rows); return true })
	return g
}

// seen returns what was seen of a promise.
func seen(s *campaign.BlackBoxCount, promise string) *campaign.Seen {
	return &s.Promises[place(promise)]
}

func TestReportExplainsWhyABlackBoxMissesABreach(t *testing.T) {
	for _, c := range []struct {
		id, promise string
		why         campaign.Reason
	}{
		{"kleppmann/crash-restart", "belief", campaign.StillOpen},  // no node may stay silent for a release to be acknowledged
		{"kleppmann/delayed-write", "storage", campaign.StillOpen}, // the late write was never answered
		{"kleppmann/gc-pause", "storage", campaign.NoReader},       // both clients are done
		{"fencing/check-not-atomic", "fenced", campaign.NotKnown},  // it is another register
		{"antirez/token-cas-not-atomic", "fenced", campaign.NotKnown},
	} {
		s := sighted(t, 5, 1, c.id).Cells[0]
		if n := seen(&s, c.promise); n.Broken != 5 || n.Why[c.why] != 5 {
			t.Errorf("%s, %s: %+v, want %s", c.id, c.promise, n, campaign.Reasons[c.why])
		}
	}
	s := sighted(t, 300, 2, "redlock/any").Cells[0]
	if n := seen(&s, "quorum"); n.Nothing == 0 || n.Why[campaign.Closed] == 0 {
		t.Errorf("a quorum that is lost while nobody looks: %+v", n)
	}
	if n := seen(&s, "leak-free"); n.Broken == 0 || n.Why[campaign.NotAsked] != n.Broken {
		t.Errorf("no view asks for keys that stay: %+v", n)
	}
	if s.Kept.Views[0] == 0 {
		t.Errorf("a mutex is violated where no promise breaks: %+v", s.Kept)
	}
}

func TestBlackBoxCountsDoNotDependOnTheWorkers(t *testing.T) {
	ids := []string{"redlock/any", "kleppmann/gc-pause"}
	one, many := sighted(t, 130, 1, ids...), sighted(t, 130, 3, ids...)
	if !reflect.DeepEqual(one.Cells, many.Cells) {
		t.Errorf("%+v\n%+v", one.Cells, many.Cells)
	}
	whole := one.Whole()
	if whole.Runs != 260 || seen(&whole, "belief").Broken != seen(&one.Cells[0], "belief").Broken+130 {
		t.Errorf("the whole is %+v", whole)
	}
}
