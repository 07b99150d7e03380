package blackbox_test

import (
	"testing"

	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/checker/codec"
)

// TestTheJudgeOfUniqueWritesAgreesWithTheOracle on histories in which nearly each value was written once: with unknown
// outcomes, compare-and-sets and reads of no value.
func TestTheJudgeOfUniqueWritesAgreesWithTheOracle(t *testing.T) {
	t.Parallel()
	m, _ := blackbox.LookupModel("cas-register")
	histories := 250_000
	if !long {
		histories = 4000
	}
	s := score{Model: m.Name}
	for n := range histories {
		s.add(drawUnique(m, uint64(n)*0x632be59bd9b4e019, smallest+n%sizes))
	}
	t.Logf("%d histories, %d legal, %d violated, %d searched, %d disagreements", s.Histories, s.Holds, s.Violated, s.Searched, s.Disagreements)
	if s.Disagreements > 0 {
		t.Errorf("%d disagreements, the first, which the oracle finds legal: %v, %+v, of %+v\n%s", s.Disagreements,
			isLegal(s.First, s.FirstModel), blackbox.Linearizable(s.First, s.FirstModel), s.FirstModel, codec.AppendJSON(nil, s.First))
	}
	if s.Unknown > 0 || s.Holds < histories/5 || s.Violated < histories/5 || s.Searched > histories/10 {
		t.Errorf("that shows too little: %+v", s)
	}
}
