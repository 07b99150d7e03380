package campaign_test

import (
	"reflect"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// sighted counts what a black box sees of some scenarios.
func sighted(t *testing.T, runs, workers int, ids ...string) []campaign.Sight {
	t.Helper()
	g := campaign.Sighting{First: 1, Runs: runs, Workers: workers}
	for _, id := range ids {
		s, ok := scenarios.Find(id)
		if !ok {
			t.Fatalf("there is no %s", id)
		}
		g.Scenarios = append(g.Scenarios, s)
	}
	return g.Run()
}

// seen returns what was seen of a promise.
func seen(s *campaign.Sight, promise string) *campaign.Seen { return &s.Promises[place(promise)] }

func TestWhyABlackBoxMissesABreachIsSaid(t *testing.T) {
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
		s := sighted(t, 5, 1, c.id)[0]
		if n := seen(&s, c.promise); n.Broken != 5 || n.Why[c.why] != 5 {
			t.Errorf("%s, %s: %+v, want %s", c.id, c.promise, n, campaign.Reasons[c.why])
		}
	}
	s := sighted(t, 300, 2, "redlock/any")[0]
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

func TestWhatABlackBoxSeesDoesNotHangOnTheWorkers(t *testing.T) {
	ids := []string{"redlock/any", "kleppmann/gc-pause"}
	one, many := sighted(t, 130, 1, ids...), sighted(t, 130, 3, ids...)
	if !reflect.DeepEqual(one, many) {
		t.Errorf("%+v\n%+v", one, many)
	}
	whole := campaign.Whole(one)
	if whole.Runs != 260 || seen(&whole, "belief").Broken != seen(&one[0], "belief").Broken+130 {
		t.Errorf("the whole is %+v", whole)
	}
}
