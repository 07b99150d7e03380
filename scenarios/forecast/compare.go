package forecast

import (
	"slices"
	"time"
)

// A Restart says how often the first promise breaks by restarts of nodes that are not shorter.
type Restart struct {
	Shortest string   `json:"shortest"`
	Now      Estimate `json:"now"`
}

// Restarts performs runs in which no restart is shorter than each of some times, and adds what they show.
func (m *Model) Restarts(shortest []time.Duration, r *Result) error {
	for _, d := range shortest {
		n, err := m.apply(Change{away: d}, true)
		if err != nil {
			return err
		}
		n.strata = slices.DeleteFunc(n.strata, func(x stratum) bool {
			return x.cause < 0 || !n.Environment.Causes[x.cause].Restarts()
		})
		if n.make(n.single) {
			n.follow(n, m.More/len(shortest))
		}
		r.Restarts, r.Runs = append(r.Restarts, Restart{d.String(), n.Sample(0).all()}), r.Runs+n.Made()
	}
	return nil
}

// PlannedRestarts returns how many runs Restarts performs at most.
func (m *Model) PlannedRestarts(shortest []time.Duration) (runs int) {
	for i := range m.strata {
		if x := &m.strata[i]; x.cause >= 0 && m.Environment.Causes[x.cause].Restarts() {
			runs += m.single(x)
		}
	}
	return runs*len(shortest) + m.More
}

// A Comparison says how much more often the first promise breaks in one lock than in another.
type Comparison struct {
	Most       string     `json:"most"`
	Fewest     string     `json:"fewest"`
	Difference Difference `json:"difference"`
}

// Compare compares the lock that breaks most often with the one that breaks least often. Each two locks could have been
// those, so the interval covers the differences of all of them together.
func Compare(all []*Model) Comparison {
	most, fewest := all[0], all[0]
	for _, m := range all {
		switch value := m.Sample(0).all().Value; {
		case value > most.Sample(0).all().Value:
			most = m
		case value < fewest.Sample(0).all().Value:
			fewest = m
		}
	}
	return Comparison{most.Scenario.ID, fewest.Scenario.ID, most.Difference(fewest, max(len(all)*(len(all)-1)/2, 1))}
}
