package scenarios

import (
	"fmt"
	"slices"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios/internal/yamlform"
)

// Hosted reports whether runs of the scenario have guests. Such runs can't be made side by side in one process.
func (s *Scenario) Hosted() bool { return s.host() != nil }

// host returns what makes the scenario's runs, if guests are in them.
func (s *Scenario) host() Host {
	k := s.Lock.Kind.registered()
	switch {
	case s.Lock.New != nil:
		return nil
	case s.Lock.Host != nil || k == nil:
		return s.Lock.Host
	}
	return k.host
}

// checkGuests refuses clocks that guests can't have. Faults that a search draws are chosen by withoutRefused.
func (s *Scenario) checkGuests(w *problems) {
	if !s.Hosted() {
		return
	}
	if i := int(s.Lock.Kind) - ours; i >= 0 {
		least := guests[i].Shortest
		w.must(s.Lock.TTL >= least, "lock.ttl", "%s is too short for %s; give %s or more", s.Lock.TTL, s.Lock.Kind, least)
	}
	cast := s.Cast()
	for _, r := range s.Clocks {
		w.must(!slices.Contains(cast.Clients, r.Host) || r.By == 0, "clocks."+r.Host, "%s", sharedClock)
	}
	for i := range s.Faults {
		if word, why := refusal(&s.Faults[i], &cast); why != "" {
			*w = append(*w, problem{yamlform.Item("fault", i), fmt.Sprintf("%q: %s", s.Faults[i], why), word})
		}
	}
}

// sharedClock is why the clock of one client can't be wrong.
const sharedClock = "client libraries share one clock, so that of a client can't be wrong by itself; " +
	"change the clocks of all servers the other way (nodes), which comes to the same"

// refusal describes why a fault can't strike where guests are, and which of its words stands for one; "" where it can.
func refusal(f *faults.Fault, cast *faults.Cast) (word, why string) {
	if !f.Kind.Clocks {
		return "", ""
	}
	for _, word := range f.Hosts() {
		if !meansClient(*word, cast) {
			continue
		}
		if k := f.Kind.Instead; k != nil {
			return *word, "a client library has no clock that stands still while its host is suspended; give " + k.Name + ", which stops all else"
		}
		return *word, sharedClock
	}
	return "", ""
}

// meansClient reports whether a word of a schedule may stand for a client.
func meansClient(word string, cast *faults.Cast) bool {
	switch word {
	case faults.Holder, faults.AClient, faults.Clients, faults.All:
		return true
	}
	return slices.Contains(cast.Clients, word)
}

// withoutRefused returns the faults of a drawn schedule that can strike where the scenario's lock is.
func (s *Scenario) withoutRefused(drawn faults.Schedule) faults.Schedule {
	if !s.Hosted() {
		return drawn
	}
	cast := s.Cast()
	return slices.DeleteFunc(drawn, func(f faults.Fault) bool {
		_, why := refusal(&f, &cast)
		return why != ""
	})
}

// NothingStrikes says why nothing that the scenario's search may draw can strike; "" where something can.
func (s *Scenario) NothingStrikes() string {
	kinds, _ := faults.KindsOf(s.Search.Faults) // Check has found them
	cast := s.Cast()
	possible := func(k *faults.Kind) bool { return k.Possible(&cast) }
	others := func(k *faults.Kind) bool { return !k.Clocks }
	switch {
	case len(kinds) == 0:
		return ""
	case !slices.ContainsFunc(kinds, possible):
		return "no node waits for a disk"
	case !s.Hosted() || !slices.Contains(s.Search.Spare, faults.Nodes) || slices.ContainsFunc(kinds, others):
		return ""
	}
	return sharedClock
}

// CutShort makes the result one of a run that was cut short, because a guest failed: what broke is broken, and what held is not
// known to hold. Nobody who waited is held against the lock. The failure is told with stacks.
func (r *Result) CutShort(why, failure string) {
	e := r.Evidence
	e.Cut, r.Failure = why, why+":\n\n"+failure
	e.Bound, e.Probe = 0, checker.Probe{}
	r.judge(&checker.Judge{Unchecked: true}, r.Scenario.appendSometimes(nil))
	r.Verdict = max(r.Verdict, Unknown)
}

// Repeats describes how often a run was repeated, and what came of it.
type Repeats struct {
	Of    int // how often
	Alike int // how often the same promises broke
	Same  int // how often it was the same down to the last message
}

// String returns it in words, such as "repeats 3 of 3, 2 of them to the last message".
func (r Repeats) String() string {
	return fmt.Sprintf("repeats %d of %d, %d of them to the last message", r.Alike, r.Of, r.Same)
}

// repeated is how often a run with guests that breaks a promise is repeated.
const repeated = 3

// Repeat repeats a run with guests that breaks a promise, and notes in its result what came of it. It does nothing for any
// other run.
func (r *Runner) Repeat(res *Result) {
	broken := res.violated()
	if len(broken) == 0 || !res.Scenario.Hosted() {
		return
	}
	hash := res.Hash()
	res.Repeats.Of = repeated
	for range repeated {
		again := r.Run(res.Scenario, res.Seed)
		if slices.Equal(again.violated(), broken) {
			res.Repeats.Alike++
		}
		if again.Hash() == hash {
			res.Repeats.Same++
		}
	}
}

func (r *Result) violated() (names []string) {
	for _, f := range r.Findings {
		if f.Verdict == checker.Violated {
			names = append(names, f.Property)
		}
	}
	return names
}
