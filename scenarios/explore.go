package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios/internal/yamlform"
	"github.com/lockstorm/lockstorm/sim"
)

// Explorable returns why the scenario can't be explored; nil if it can. Check has passed.
func (s *Scenario) Explorable() error { return s.unexplorable().joined() }

func (s *Scenario) unexplorable() (w problems) {
	w.must(s.Network.Tick > 0, "network.tick",
		"an exploration needs a grid of time; give the time that a message takes, such as 1ms")
	w.must(len(s.Faults) == 0, "schedule", "an exploration starts without faults; leave the schedule out")
	w.must(s.Network.Loss == 0, "network.loss", "an exploration chooses which messages are lost; give 0")
	w.must(!s.Hosted(), "lock.kind",
		"Go's scheduler runs a client library, so its schedules can't be enumerated; choose another lock")
	w.must(len(s.Explore.Late) > 0 || s.Explore.Behind || s.Explore.Lost ||
		len(s.Explore.Faults)+len(s.Explore.Once) > 0, "explore",
		"nothing may change; give late, behind, lost or faults")
	w.must(s.Work.Tick == 0, "work.tick", "an exploration has no ticks, because its states know no wall clock; give 0s")
	for _, t := range []struct {
		key string
		d   time.Duration
	}{
		{"lock.ttl", s.Lock.TTL}, {"lock.timeout", s.Lock.Timeout}, {"lock.drift_constant", s.Lock.Drift()},
		{"lock.retry", s.Lock.Retry.Min}, {"work.work", s.Work.Work.Min}, {"work.think", s.Work.Think.Min},
		{"work.keep", s.Work.Keep},
		{"work.warm", s.Work.Warm}, {"work.stagger", s.Work.Stagger}, {"work.storage_timeout", s.Work.StorageTimeout},
	} {
		if !s.Lock.Kind.lacks(t.key) {
			s.mustFallOnGrid(&w, t.key, t.d)
		}
	}
	oneValue := func(key, what string, r sim.Range) {
		w.must(r.Min == r.Max, key, "%s is drawn between %s and %s; give one value", what, r.Min, r.Max)
	}
	oneValue("lock.retry", "the wait", sim.Range{Min: s.Lock.Retry.Min, Max: s.Lock.Retry.Max})
	oneValue("work.work", "it", s.Work.Work)
	oneValue("work.think", "it", s.Work.Think)
	return w
}

// mustFallOnGrid rejects a time that is not a multiple of the tick.
func (s *Scenario) mustFallOnGrid(w *problems, key string, d time.Duration) {
	tick := s.Network.Tick
	if tick <= 0 || d%tick == 0 {
		return
	}
	w.must(false, key, "%s is not on the grid of %s; give %s or %s", d, tick, d-d%tick, d-d%tick+tick)
}

// checkExplore rejects words that can't be read.
func (s *Scenario) checkExplore(w *problems) {
	x := &s.Explore
	w.must(!x.Unbounded || x.Deviations == 0, "explore.deviations",
		"unbounded allows any number; leave this out")
	w.must(x.Deviations <= 0 && !x.Unbounded || len(x.Late) > 0 || x.Behind || x.Lost, "explore.deviations",
		"messages may change, but nothing says how; set late, behind or lost, or set deviations to 0")
	w.must(x.Most <= 0 || len(x.Faults)+len(x.Once) > 0, "explore.most",
		"there are no faults that could hit; give faults, or 0 here")
	for i, v := range x.Late {
		d, err := time.ParseDuration(string(v))
		key := yamlform.Item("explore.late", i)
		w.must(err == nil && d > 0, key, "%q is not a delay; give one such as 1ms", v)
		if err == nil {
			s.mustFallOnGrid(w, key, d)
		}
	}
	for _, list := range []struct {
		key string
		all []Value
	}{{"explore.faults", x.Faults}, {"explore.once", x.Once}} {
		for i, v := range list.all {
			if _, err := s.Explorers(v); err != nil {
				w.must(false, yamlform.Item(list.key, i), "%v", err)
			}
		}
	}
	w.must(len(x.Once) <= onceMost, "explore.once", "there are %d lines; give at most %d", len(x.Once), onceMost)
	for i, v := range x.Breaks {
		if !isPromise(string(v)) {
			w.must(false, yamlform.Item("explore.breaks", i), "%s", noPromise(string(v)))
		}
	}
}

// onceMost is how many lines of Explore.Once there may be: a schedule has a bit for each.
const onceMost = 16

// Explorers returns the faults of a line of Explore.Faults, one for each host, at the start of the run.
func (s *Scenario) Explorers(line Value) (all faults.Schedule, err error) {
	parsed, err := faults.Parse("at 0s " + string(line))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%q is not a fault: %w", line, err)
	case len(parsed) != 1:
		return nil, fmt.Errorf("%q is not a fault; give one such as pause clients for 30ms", line)
	}
	f := parsed[0]
	if f.Kind.Links || f.Host == "" {
		return nil, fmt.Errorf("%q hits links; use late, behind and lost to change messages", line)
	}
	cast := s.Cast()
	hosts := []string{f.Host}
	switch f.Host {
	case faults.Clients, faults.AClient:
		hosts = cast.Clients
	case faults.Nodes, faults.ANode:
		hosts = cast.Nodes
	case faults.All:
		hosts = slices.Concat(cast.Nodes, cast.Clients, cast.Others)
	}
	for _, f.Host = range hosts {
		all = append(all, f)
	}
	for i := range all { // what is wrong with one is wrong with each
		if err := all[i:i+1].Check(cast, s.Horizon); err != nil {
			return nil, err
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%q hits no host; name one of %s", line, strings.Join(s.Hosts(), ", "))
	}
	if !slices.Contains(s.Hosts(), all[0].Host) {
		return nil, fmt.Errorf("%q names a role, whose hosts are known only during a run; "+
			"give clients, nodes, all or one of %s",
			line, strings.Join(s.Hosts(), ", "))
	}
	return all, nil
}
