package scenarios

import (
	"fmt"
	"reflect"
	"slices"
	"sync"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios/internal/clocks"
	"github.com/lockstorm/lockstorm/scenarios/internal/yamlform"
)

// AddGuest adds a kind of lock. Call it during start-up, before any scenario is read, and not concurrently.
func AddGuest(g Guest) error {
	if slices.Contains(KindNames, g.Name) {
		return fmt.Errorf("there are two kinds of lock named %s", g.Name)
	}
	p := *kinds[g.Like].Protocol
	p.Name, p.Options, p.New, p.Longer = g.Name, g.Options, nil, g.Longer
	guests = append(guests, g)
	addKind(registered{&p, kinds[g.Like].on, g.Run, g.Shortest})
	return nil
}

func addKind(r registered) {
	kinds = append(kinds, r)
	KindNames = kindNames()
	format.Replace(reflect.TypeFor[Kind](), yamlform.NewEnum[Kind](KindNames))
	fixed.once = sync.Once{}
	fixed.all = nil
}

// checkGuests rejects clocks that guests can't have. Faults that a search draws are chosen by withoutRefused.
func (s *Scenario) checkGuests(w *problems) {
	if !s.Hosted() {
		return
	}
	if k := s.Lock.Kind.registered(); k != nil {
		least := k.shortest
		w.must(s.Lock.TTL >= least, "lock.ttl", "%s is too short for %s; give %s or more", s.Lock.TTL, s.Lock.Kind,
			least)
	}
	cast := s.Cast()
	for _, r := range s.Clocks {
		w.must(!slices.Contains(cast.Clients, r.Host) || r.By == 0 || clocks.OfGuests, "clocks."+r.Host, "%s",
			sharedClock)
	}
	for i := range s.Faults {
		if word, why := refusal(&s.Faults[i], &cast); why != "" {
			*w = append(*w, problem{yamlform.Item("fault", i), fmt.Sprintf("%q: %s", s.Faults[i], why), word})
		}
	}
}

// sharedClock is why the clock of one client can't be wrong.
const sharedClock = "client libraries share one clock, so one client's clock can't be wrong by itself; " +
	"change the clocks of all servers the other way (nodes), which has the same effect, " +
	"or build with the overlay of scenarios/guests/guest/overlay, which gives each client the rate of clocks, jumps and strobes"

// refusal describes why a fault can't hit a lock of guests, and returns the word of the fault to blame; "" if it can.
func refusal(f *faults.Fault, cast *faults.Cast) (word, why string) {
	if !f.Kind.Clocks || clocks.OfGuests && (f.Kind == faults.Jump || f.Kind == faults.Strobe) {
		return "", ""
	}
	for _, word := range f.Hosts() {
		if !meansClient(*word, cast) {
			continue
		}
		if k := f.Kind.Instead; k != nil {
			return *word, "a client library has no clock that stops while its host is suspended; give " +
				k.Name +
				", which stops everything else"
		}
		return *word, sharedClock
	}
	return "", ""
}

func meansClient(word string, cast *faults.Cast) bool {
	switch word {
	case faults.Holder, faults.AClient, faults.Clients, faults.All:
		return true
	}
	return slices.Contains(cast.Clients, word)
}

// withoutRefused returns the faults of a random schedule that can hit the scenario's lock.
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

// NothingStrikes returns why no fault that the scenario's search may choose can hit; "" if some fault can.
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
