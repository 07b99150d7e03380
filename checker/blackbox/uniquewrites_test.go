package blackbox_test

import (
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/blackbox"
	"github.com/lockstorm/lockstorm/checker/checkertest"
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
	t.Logf("%d histories, %d legal, %d violated, %d searched, %d disagreements",
		s.Histories, s.Holds, s.Violated, s.Searched, s.Disagreements)
	if s.Disagreements > 0 {
		t.Errorf("%d disagreements, the first, which the oracle finds legal: %v, %+v, of %+v\n%s", s.Disagreements,
			isLegal(s.First, s.FirstModel), blackbox.Linearizable(s.First, s.FirstModel), s.FirstModel,
			codec.AppendJSON(nil, s.First))
	}
	if s.Unknown > 0 || s.Holds < histories/5 || s.Violated < histories/5 || s.Searched > histories/10 {
		t.Errorf("that shows too little: %+v", s)
	}
}

// TestValuesWrittenOnceNeedNoSearch, and some violations need none although another value was written twice.
func TestValuesWrittenOnceNeedNoSearch(t *testing.T) {
	m, _ := blackbox.LookupModel("cas-register")
	for _, s := range []struct{ history, reason string }{
		{"0 write d1, 0 ok, 1 cas e1 d2, 1 info, 2 read, 2 ok d2", ""},
		{"0 write d1, 0 ok, 1 cas e3 d2, 1 ok",
			"The cas of process 1, invoked at index 2, found a value that no operation can have written."},
		{"0 write d1, 0 ok, 1 cas e1 d2, 2 cas e1 d3, 1 ok, 2 ok",
			"Two replaced one value, which was written once: the cas of process 1 at index 2, " +
				"and the cas of process 2 at index 3."},
		{"1 cas d1, 2 cas d2, 1 ok, 2 ok",
			"Two replaced one value, which was written once: the cas of process 1 at index 0, " +
				"and the cas of process 2 at index 1."},
		{"0 write d1, 0 ok, 1 write d2, 1 ok, 2 read, 2 ok d1",
			"Two values at once: one, from the write of process 0, which returned at index 1, " +
				"to the read of process 2, invoked at index 4, and one, at some moment " +
				"from the write of process 1, invoked at index 2, to the write of process 1, which returned at index 3."},
		{"0 write d1, 0 ok, 1 cas d2, 1 ok",
			"Two values at once: some that compare-and-sets link, from the start to the cas of process 1, " +
				"invoked at index 2, and one, at some moment from the write of process 0, invoked at index 0, " +
				"to the write of process 0, which returned at index 1."},
		{"0 write d4, 0 ok, 0 write d4, 0 ok, 1 read, 1 ok d4, " +
			"0 write d1, 0 ok, 1 cas e1 d2, 1 ok, 2 read, 2 ok d1",
			"The cas of process 1 came back at index 9 with what must come after the read of process 2, " +
				"which was invoked only at index 10."},
	} {
		want := checker.Holds
		if s.reason != "" {
			want = checker.Violated
		}
		r := blackbox.Linearizable(checkertest.Parse(t, s.history), m)
		if r.Verdict != want || r.Reason != s.reason || r.Steps > 0 {
			t.Errorf("%s: %+v; want %v: %s", s.history, r, want, s.reason)
		}
	}
}
