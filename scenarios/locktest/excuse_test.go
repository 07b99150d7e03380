package locktest

import (
	"slices"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios"
)

// An extension during a grant that had ended when it was given is excused. Another break of the promise in the same run is not,
// wherever it comes.
func TestOnlyExtensionsDuringEndedGrantsAreExcused(t *testing.T) {
	at := func(s int) clock.Instant { return clock.Instant(time.Duration(s) * time.Second) }
	hold := func(client, from, gone, valid int) checker.Hold {
		return checker.Hold{Client: client, Try: -1, From: at(from), Gone: at(gone), Valid: at(valid)}
	}
	extended := func(i, asked int) checker.Renewal {
		return checker.Renewal{Hold: i, Asked: at(asked), At: at(asked + 1), OK: true, Valid: at(asked + 10)}
	}
	property := slices.IndexFunc(checker.Properties, func(p checker.Property) bool { return p.Name == "continuity" })
	own, ended, whole := hold(0, 1, 40, 10), hold(1, 3, 4, 2), hold(2, 6, 8, 16)
	early := hold(2, 2, 3, 12)
	for _, c := range []struct {
		name     string
		holds    []checker.Hold
		renewals []checker.Renewal
		want     bool
	}{
		{"the other had ended when it was given", []checker.Hold{own, ended}, []checker.Renewal{extended(0, 8)}, false},
		{"two others had ended", []checker.Hold{own, ended, hold(2, 6, 7, 6)}, []checker.Renewal{extended(0, 8)}, false},
		{"the second had not ended", []checker.Hold{own, ended, whole}, []checker.Renewal{extended(0, 8)}, true},
		{"the second, by a later extension", []checker.Hold{own, ended, hold(2, 15, 16, 25)},
			[]checker.Renewal{extended(0, 8), extended(0, 20)}, true},
		{"the first had not ended", []checker.Hold{own, early, ended}, []checker.Renewal{extended(0, 8)}, true},
		{"a grant after the extension", []checker.Hold{own, ended, hold(2, 15, 16, 25)},
			[]checker.Renewal{extended(0, 8)}, false},
	} {
		e := &checker.Evidence{Clients: 3, Holds: c.holds, Renewals: c.renewals, End: at(60)}
		res := &scenarios.Result{Scenario: new(scenarios.Scenario), Evidence: e, Findings: new(checker.Judge).Judge(e)}
		if v := verdictOf(res, "continuity"); v != checker.Violated {
			t.Fatalf("%s: continuity is %s", c.name, v)
		}
		if got := broken(res, property); got != c.want {
			t.Errorf("%s: counted as broken: %t, want %t", c.name, got, c.want)
		}
	}
}
