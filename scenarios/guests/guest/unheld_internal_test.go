package guest

import (
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/scenarios"
)

// A hold ends with its validity, or with its last successful extension's. The time between holds, and the rest, has
// no holder.
func TestTimeWithoutHolder(t *testing.T) {
	e := checker.Evidence{
		End:   100,
		Holds: []checker.Hold{{From: 10, Valid: 20, Gone: 90}, {From: 40, Valid: 50, Gone: 45}},
		Renewals: []checker.Renewal{
			{Hold: 0, At: 15, Valid: 30, OK: true}, {Hold: 0, At: 25, Valid: 38}, {Hold: 1, At: 42, Valid: 60, OK: true},
		},
	}
	if got := unheld(&scenarios.Result{Evidence: &e}, 5); got != 5+10+55 {
		t.Errorf("for %d nobody held it, want 70", got)
	}
}
