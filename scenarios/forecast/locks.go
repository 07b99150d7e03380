package forecast

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/campaign"
)

// plain are settings of every lock of the table in a forecast. Times are as people set them, where the matrix has
// shorter ones. Clients acquire, work, write and release, and don't look at the clock again.
var plain = []string{"lock.ttl=10s", "lock.timeout=50ms", "lock.retry.min=100ms", "lock.retry.max=500ms", "storage.idle=10s",
	"work.recheck=false", "work.stop_at_deadline=false"}

// asShipped are times of the matrix as they are set, or shipped, outside of it.
var asShipped = map[string]string{
	"lock.renew.every": "3333ms", "replicas.down_after": "5s", "replicas.ping_every": "1s", "replicas.demote_after": "5s",
	"raft.heartbeat": "100ms", "raft.election": "1s", "lock.session.poll": "1s", "lock.timeout": "500ms",
	"lock.session.lock_delay": "15s",
}

// Locks names the locks of the table.
func Locks() (names []string) {
	for _, v := range campaign.LockVariants() {
		names = append(names, v.Name)
	}
	return names
}

// hyphens makes names of one word, such as redlock-no-disk.
var hyphens = strings.NewReplacer(", ", "-", " ", "-")

// Lock returns a lock of the table by its name, also with hyphens, and for how long its nodes stay away when they
// restart. Ok is false if no lock has that name.
func Lock(name string) (s *scenarios.Scenario, away time.Duration, ok bool) {
	all := campaign.LockVariants()
	i := slices.IndexFunc(all, func(v campaign.Variant) bool { return v.Name == name || hyphens.Replace(v.Name) == name })
	if i < 0 {
		return nil, 0, false
	}
	base, _ := scenarios.Find("redlock/any")
	base.ID, base.Title, base.About = all[i].Name, all[i].Name, all[i].About
	base.Search, base.Expect, base.Sometimes = scenarios.Search{}, nil, nil
	var settings []string
	for _, set := range all[i].Set {
		key, _, _ := strings.Cut(set, "=")
		if key == "search.away" {
			away = 10*time.Second + 100*time.Millisecond
			continue
		}
		if value, known := asShipped[key]; known {
			set = key + "=" + value
		}
		settings = append(settings, set)
	}
	if err := base.SetAll(settings); err != nil {
		panic("forecast: " + err.Error()) // a test has been there
	}
	for _, set := range plain {
		key, _, _ := strings.Cut(set, "=")
		own := slices.ContainsFunc(all[i].Set, func(s string) bool { return strings.HasPrefix(s, key+"=") })
		if t := base; !own && t.Set(set) == nil && t.Check() == nil { // else the lock has no use for it
			base = t
		}
	}
	return &base, away, true
}

// A Change is something that a user could change about the lock.
type Change struct {
	About string   `json:"about"`
	Set   []string `json:"set,omitempty"`

	away     time.Duration
	restarts bool // nodes that restart stay away for a TTL, whatever that is
	Fenced   bool `json:"fenced,omitempty"` // storage checks tokens
}

// PlannedOf returns how many runs some changes need at most.
func (m *Model) PlannedOf(all []Change) int {
	runs := 2 * m.More
	for i := range m.strata {
		runs += m.single(&m.strata[i])
	}
	return runs * len(all)
}

// Changes returns possible changes of the lock: each differs from its settings.
func (m *Model) Changes() (all []Change) {
	s, away := m.Scenario, m.Away
	ttl := s.Lock.TTL
	add := func(about string, set ...string) {
		t, before := *s, string(s.YAML())
		for _, a := range set {
			if t.Set(a) != nil {
				return
			}
		}
		if t.Check() == nil && string(t.YAML()) != before {
			all = append(all, Change{About: about, Set: set})
		}
	}
	add("the holder looks at its deadline before it writes, and stops in time", "work.recheck=true", "work.stop_at_deadline=true")
	add(fmt.Sprintf("a TTL of %s", 3*ttl), fmt.Sprintf("lock.ttl=%s", 3*ttl))
	add(fmt.Sprintf("a TTL of %s", ttl/2), fmt.Sprintf("lock.ttl=%s", ttl/2))
	add("nodes write each command to disk before they answer", "persistence=aof-always")
	if s.Lock.Kind.String() == "redlock" {
		if s.Nodes < 7 {
			add("seven nodes", "nodes=7")
		}
		if away == 0 && s.Persistence.String() != "aof-always" {
			all = append(all, Change{About: "nodes that restart stay away for longer than a TTL", away: ttl + 100*time.Millisecond})
		}
	}
	return all
}

// apply returns the model with a change, before any run; single leaves out pairs of events.
func (m *Model) apply(c Change, single bool) (*Model, error) {
	s := *m.Scenario
	for _, a := range c.Set {
		if err := s.Set(a); err != nil {
			return nil, err
		}
	}
	n := &Model{
		Single: single, Scenario: &s, Environment: m.Environment, First: m.First, Runs: m.Runs, Workers: m.Workers, Done: m.Done,
		Away: max(m.Away, c.away),
	}
	return n, n.Prepare()
}
