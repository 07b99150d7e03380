package checker

import (
	"testing"

	"github.com/lockstorm/lockstorm/clock"
)

func TestEveryTwoRenewals(t *testing.T) {
	for _, property := range []string{"validity", "quorum", "expired-while-held", "quorum-lost"} {
		ask, done := askAll(t, property)
		e := Evidence{Lanes: lanes(1), End: 5, Holds: make([]Hold, 2), Renewals: make([]Renewal, 2), Keys: []Span{{Token: "a", From: 0, To: 3}}}
		everyWay([]int{3, 5, 2, 3, 4, 4, 5, 2, 4, 5}, func(d []int) {
			e.Holds[0] = Hold{Client: 0, Token: "a", From: clock.Instant(d[0]), Valid: clock.Instant(d[1]), Gone: 3}
			e.Holds[1] = Hold{Client: d[2], Token: "a", From: clock.Instant(d[3]), Valid: clock.Instant(d[4]), Gone: 2}
			e.Renewals[0] = Renewal{OK: true, At: clock.Instant(d[5]), Valid: clock.Instant(d[6])}
			e.Renewals[1] = Renewal{OK: true, Hold: d[7], At: clock.Instant(d[8]), Valid: clock.Instant(d[9])}
			ask(&e)
		})
		done()
	}
}

func TestEveryTwoExtensionsOfThreeHolds(t *testing.T) {
	ask, done := askAll(t, "continuity")
	e := Evidence{Holds: make([]Hold, 3), Renewals: make([]Renewal, 2)}
	everyWay([]int{2, 4, 2, 4, 2, 4, 3, 5, 3, 5}, func(d []int) {
		for i := range e.Holds {
			e.Holds[i] = Hold{Client: d[2*i], From: clock.Instant(d[2*i+1]), Valid: 2, Gone: 2}
		}
		for i := range e.Renewals {
			e.Renewals[i] = Renewal{OK: true, Hold: d[6+2*i], At: clock.Instant(d[7+2*i])}
		}
		ask(&e)
	})
	done()
}

// Every three holds of three clients, each shared or not, against the definitions of what excludes what.
func TestEveryThreeHoldsOfReadersAndWriters(t *testing.T) {
	for _, property := range []string{"belief", "validity", "continuity", "shared"} {
		ask, done := askAll(t, property)
		e := Evidence{Holds: make([]Hold, 3), Renewals: []Renewal{{OK: true, At: 3, Valid: 4}}}
		everyWay([]int{3, 2, 3, 4, 3, 2, 3, 4, 3, 2, 3, 4}, func(d []int) {
			for i := range e.Holds {
				until := clock.Instant(d[4*i+3])
				e.Holds[i] = Hold{Client: d[4*i], Shared: d[4*i+1] > 0, From: clock.Instant(d[4*i+2]), Gone: until, Valid: until}
			}
			ask(&e)
		})
		done()
	}
}

// A reader waits, and a writer, for whom other holds are in the way.
func TestEveryTwoHoldsInTheWayOfAReaderAndAWriter(t *testing.T) {
	ask, done := askAll(t, "fault-tolerant")
	e := Evidence{Clients: 3, Lanes: lanes(1), End: 6, Bound: 2, Holds: make([]Hold, 2), History: History{
		{Process: 0, Value: Value{Shared: true}}, {Process: 1, Time: 1}}}
	everyWay([]int{3, 2, 5, 7, 3, 2, 5, 7}, func(d []int) {
		for i := range e.Holds {
			e.Holds[i] = Hold{Client: d[4*i], Shared: d[4*i+1] > 0, From: clock.Instant(d[4*i+2]), Gone: clock.Instant(d[4*i+3])}
		}
		ask(&e)
	})
	done()
}

// Two clients wait, one of them for a while only, and one of them out of touch for a while.
func TestEveryThreeHoldsInTheWayOfTwoCalls(t *testing.T) {
	ask, done := askAll(t, "fault-tolerant")
	e := Evidence{Clients: 3, Lanes: lanes(1), End: 6, Bound: 2, Holds: make([]Hold, 3), History: History{
		{Process: 0}, {Process: 1, Time: 1}, {Process: 1, Time: 5, Type: Info}}}
	e.Outages = []Outage{{Client: 1, From: 2, To: 3}, {Client: 1, From: 2, To: 2}, {Client: 2, From: 0, To: 6}}
	everyWay([]int{3, 4, 5, 3, 4, 5, 3, 4, 5}, func(d []int) {
		for i := range e.Holds {
			e.Holds[i] = Hold{Client: d[3*i], From: clock.Instant(d[3*i+1]), Gone: clock.Instant(d[3*i+2])}
		}
		ask(&e)
	})
	done()
}

func TestEveryTwoOutagesOfACall(t *testing.T) {
	for _, f := range []Func{Acquire, Release} {
		ask, done := askAll(t, "fault-tolerant")
		e := Evidence{Clients: 2, Lanes: lanes(2), End: 6, Bound: 2, Outages: make([]Outage, 2), Holds: []Hold{{Client: 1, From: 3, Gone: 4}}}
		everyWay([]int{5, 6, 2, 4, 7, 2, 2, 4, 7, 2}, func(d []int) {
			from := clock.Instant(d[0])
			e.History = History{{F: f, Time: from}, {F: f, Type: OK, Time: from + clock.Instant(d[1])}}
			for i := range e.Outages {
				e.Outages[i] = Outage{Client: d[2+4*i], From: clock.Instant(d[3+4*i]), To: clock.Instant(d[4+4*i]), Lane: d[5+4*i]}
			}
			ask(&e)
		})
		done()
	}
}

func TestEveryThreeVotes(t *testing.T) {
	ask, done := askAll(t, "split-vote")
	e := Evidence{Lanes: lanes(3), End: 3, Keys: make([]Span, 3), Tries: []Try{
		{Client: 0, Token: "a", Outcome: NoQuorum, From: 0, To: 2}, {Client: 1, Token: "b", Outcome: NoQuorum}}}
	everyWay([]int{2, 4, 3, 2, 2, 3, 3, 2, 2, 3, 3, 3, 2, 3}, func(d []int) {
		e.Tries[1].From, e.Tries[1].To = clock.Instant(d[0]), clock.Instant(d[1])
		for i := range e.Keys {
			k := d[2+4*i:]
			e.Keys[i] = Span{Lane: k[0], Token: "abc"[k[1] : k[1]+1], From: clock.Instant(k[2]), To: clock.Instant(k[3] + 1)}
		}
		ask(&e)
	})
	done()
}
