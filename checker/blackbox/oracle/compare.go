package oracle

import (
	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/checker/blackbox"
)

// A Score is what came of comparing the judges of one model with the oracle.
type Score struct {
	Model         string
	Histories     int
	Holds         int // by the oracle, which always knows
	Violated      int
	Unknown       int // where the judge did not know: no disagreement, but no verdict either
	Searched      int // where it took a search
	Disagreements int
	First         checker.History // the first history on which they disagree; nil if there is none
	FirstModel    blackbox.Model  // with the numbers that it was held to
}

// Add compares the verdicts on one history.
func (s *Score) Add(h checker.History, m blackbox.Model) {
	legal, r := Legal(h, m), blackbox.Linearizable(h, m)
	s.Histories++
	if legal {
		s.Holds++
	} else {
		s.Violated++
	}
	if r.Steps > 0 {
		s.Searched++
	}
	switch {
	case r.Verdict == checker.Unknown && r.Err == nil:
		s.Unknown++
	case (r.Verdict == checker.Holds) != legal || r.Err != nil:
		s.Disagreements++
		if s.First == nil {
			s.First, s.FirstModel = h, m
		}
	}
}

// The sizes of what Compare draws, in events: from Smallest to below Smallest+Sizes.
const (
	Smallest = 6
	Sizes    = 34
)

// Compare draws so many histories for a model, and compares. The same seed gives the same score.
func Compare(m blackbox.Model, seed uint64, histories int) Score {
	s := Score{Model: m.Name}
	for n := range histories {
		h, model := Draw(m, seed+uint64(n)*0x632be59bd9b4e019, Smallest+n%Sizes)
		s.Add(h, model)
	}
	return s
}
