package oracle

import (
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/checker"
)

// TestTwentyThousandDrawnHistoriesOfEachModel holds what ships to the oracle.
func TestTwentyThousandDrawnHistoriesOfEachModel(t *testing.T) {
	t.Parallel()
	histories := 20_000
	if testing.Short() {
		histories = 2000
	}
	for _, m := range checker.Models {
		began := time.Now()
		s := Compare(m, 1, histories)
		t.Logf("%s: %d histories, %d legal, %d violated, %d unknown, %d searched, %d disagreements, %v", m.Name, s.Histories,
			s.Holds, s.Violated, s.Unknown, s.Searched, s.Disagreements, time.Since(began))
		if s.Disagreements > 0 {
			t.Errorf("%s: %d disagreements, the first, which the oracle finds legal: %v, %+v, of %+v\n%s", m.Name, s.Disagreements,
				Legal(s.First, s.FirstModel), checker.Linearizable(s.First, s.FirstModel), s.FirstModel, s.First.AppendJSON(nil))
		}
		if s.Unknown > 0 || s.Holds < histories/10 || s.Violated < histories/10 {
			t.Errorf("%s: that shows too little", m.Name)
		}
	}
}
