package reports

import (
	"fmt"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
)

// gist says of a violation in one line when it is plain, who broke what, and after which fault.
func gist(e *checker.Evidence, w checker.Witness) string {
	return whenBroken(w) + ": " + whoBroke(e, w) + afterFault(e, w)
}

// whenBroken gives the window in which a violation is plain.
func whenBroken(w checker.Witness) string {
	switch w.To {
	case clock.Forever:
		return "from " + micros(w.From) + " on"
	case w.From:
		return "at " + micros(w.From)
	}
	return micros(w.From) + " to " + micros(w.To)
}

// whoBroke says what a violation comes down to.
func whoBroke(e *checker.Evidence, w checker.Witness) string {
	holder := func(i int) string { return clientName(e.Holds[i].Client) }
	switch w.Kind {
	case checker.TwoHolders:
		return holder(w.First) + " and " + holder(w.Second) + " both go on as holders"
	case checker.TwoWindows:
		return "the computed validity of " + holder(w.First) + " and that of " + holder(w.Second) + " overlap"
	case checker.QuorumShort:
		if e.Service != "" {
			return e.Service + " no longer has the key that " + holder(w.First) + " counts on"
		}
		return "too few nodes have the key that " + holder(w.First) + " counts on"
	case checker.UpdateLost:
		return overwritten(e, w)
	case checker.FencedLost:
		return overwritten(e, w) + ", in spite of fencing"
	case checker.TokenBehind:
		a, b := &e.Holds[w.First], &e.Holds[w.Second]
		return fmt.Sprintf("%s gets token %d, after %s got %d", clientName(b.Client), b.Fence, clientName(a.Client), a.Fence)
	case checker.Resurrected:
		return holder(w.First) + " extends a lock that " + holder(w.Second) + " has had since"
	case checker.KeyLeaked:
		return leakedKey(e, w)
	case checker.Deadlocked:
		return "a fresh client waits too long for the lock, though every fault is healed"
	case checker.Starved:
		op := e.History[w.First]
		return fmt.Sprintf("%s waits too long for its %s", clientName(op.Process%e.Clients), op.F)
	}
	return w.Kind.String()
}

func overwritten(e *checker.Evidence, w checker.Witness) string {
	return clientName(e.Writes[w.Second].Client) + " overwrites an update of " + clientName(e.Writes[w.First].Client) + " that it has not seen"
}

func leakedKey(e *checker.Evidence, w checker.Witness) string {
	node := home(e, e.Keys[w.First].Node)
	if w.Second < 0 {
		return node + " has a key of nobody known"
	}
	return node + " still has a key that " + clientName(e.Tries[w.Second].Client) + " is done with"
}

// afterFault names the last fault that struck before a violation. Whether it is the cause, the story says.
func afterFault(e *checker.Evidence, w checker.Witness) string {
	if w.Strike < 0 {
		return "; no fault had struck before"
	}
	s := e.Strikes[w.Strike]
	return fmt.Sprintf("; last fault: %q at %s", plain(s.Fault), micros(s.From))
}
