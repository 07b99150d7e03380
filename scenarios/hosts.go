package scenarios

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/platform"
	"github.com/lockstorm/lockstorm/sim/redis"
)

// LockKey is the name of the lock in every run.
const LockKey = "lock"

// StorageHost is the name of the host that guards the resource.
const StorageHost = "s"

// ProbeHost is the name of the host of the probe.
const ProbeHost = "probe"

// Epoch is what a true wall clock shows at the start of a run: noon of the day on which Kleppmann's article appeared.
var Epoch = clock.Reading(time.Date(2016, 2, 8, 12, 0, 0, 0, time.UTC).UnixNano())

// Hosts lists the names of the hosts, in the order in which a run adds them.
func (s *Scenario) Hosts() []string {
	hosts := make([]string, 0, s.Clients+s.Nodes+1)
	for i := range s.Nodes {
		hosts = append(hosts, "n"+strconv.Itoa(i+1))
	}
	hosts = append(hosts, StorageHost)
	for i := range s.Clients {
		hosts = append(hosts, "c"+strconv.Itoa(i+1))
	}
	hosts = append(hosts, s.platform().Traits().Others...)
	return append(hosts, s.tokenHosts()...)
}

// Cast returns the roles of the hosts: what a schedule may name. Its Holder is set by a run.
func (s *Scenario) Cast() faults.Cast { return s.cast(s.Hosts()) }

// cast returns the roles of the hosts, given their names in order.
func (s *Scenario) cast(hosts []string) faults.Cast {
	first := s.Nodes + 1 // of the clients
	cast := faults.Cast{
		Nodes: hosts[:s.Nodes], Others: hosts[s.Nodes:first], Clients: hosts[first : first+s.Clients], Marks: allMarks,
	}
	if s.Nodes == 0 { // the lock is on the host of storage
		cast.Nodes, cast.Others = cast.Others, nil
	}
	if s.platform().Traits().Disks && s.Persistence != redis.None {
		cast.Disks = cast.Nodes
	}
	if s.platform() == platform.Redis {
		cast.Redis = cast.Nodes
	}
	cast.Others = slices.Concat(cast.Others, s.platform().Traits().Others, s.tokenHosts())
	return cast
}

// tokenServers are the servers of the service that issues fencing tokens, where the lock itself runs on something
// else. They keep what they have on disk. Partitions and delays hit them like any host; nothing stops them.
var tokenServers = []string{"k1", "k2", "k3"}

// tokenHosts lists the servers of the scenario's token service; none where tokens come from elsewhere.
func (s *Scenario) tokenHosts() []string {
	if s.Fencing.Source == OfService {
		return tokenServers
	}
	return nil
}

// OnRedis reports whether the scenario's lock runs on Redis nodes that know nothing of each other.
func (s *Scenario) OnRedis() bool { return s.platform() == platform.Redis }

func (s *Scenario) platform() platform.Platform {
	if k := s.Lock.Kind.registered(); k != nil {
		return k.on
	}
	return platform.Redis
}

func (s *Scenario) topology() platform.Topology {
	return platform.Topology{
		Kind: s.Lock.Kind.String(), Rules: &s.Lock.Rules, Key: cmp.Or(s.Lock.Key, LockKey), Servers: s.LockNodes(),
		Nodes: s.Nodes, Clients: s.Clients, Persistence: s.Persistence, Expiry: s.Expiry, Interpret: s.Interpret,
		SQL: s.Storage.Engine == SQL, Idle: s.Storage.Idle, Sections: s.Sections,
	}
}

// LockNodes returns the number of servers that the lock asks.
func (s *Scenario) LockNodes() int {
	if k := s.Lock.Kind.registered(); k != nil && k.OneServer {
		return 1
	}
	return s.Nodes
}

// lanes returns the names of what can have the lock's key, given the hosts: the nodes that vote, or the one service.
func (s *Scenario) lanes(hosts []string) []string {
	if service := s.platform().Traits().Service; service != "" {
		return []string{service}
	}
	return hosts[:s.LockNodes()]
}

// Role returns in a word what one of the platform's own hosts is; empty for any other host.
func (s *Scenario) Role(host string) string {
	t := s.platform().Traits()
	if i := slices.Index(t.Others, host); i >= 0 {
		return t.Roles[i]
	}
	return ""
}

func (s *Scenario) countsTokens() bool {
	k := s.Lock.Kind.registered()
	return k != nil && k.Counts != nil && k.Counts(s.Lock.Rules)
}

func (s *Scenario) nodesCount() bool { return s.platform().Traits().NodeCount }

// NodesAlike reports whether nodes can change places without any difference to a lock. They can if it asks all of them
// in parallel, passes no mark while it asks a single node, and no node counts tokens.
func (s *Scenario) NodesAlike() bool {
	l := &s.Lock
	ours := l.New == nil && (l.Kind == Redlock || l.Kind == Single) && s.platform() == platform.Redis
	unmarked := l.Counted == locks.AtTheEnd && l.Take != locks.GetThenSet && l.Take != locks.SetNXThenExpire &&
		l.Free != locks.GetThenDelete
	return ours && unmarked && l.Contact == locks.Parallel && s.Nodes == s.LockNodes() && s.Nodes > 1 &&
		s.Fencing.Source != OnNode && len(s.Clocks) == 0
}

// marks are the marks that clients pass, and when. Random faults hit at the first of them; their order decides which.
var marks = [...]mark{
	{"acquired", "it has the lock"},
	{"asking", "it begins an attempt, and is about to ask the servers for the lock"},
	{"answered", "it has the answers, and has not looked at its clock yet"},
	{"read", "it has read the resource"},
	{"before-check", "it has done its work, and will check its validity (work.recheck)"},
	{"before-write", "it is about to send its write"},
	{"wrote", "storage has acknowledged its write"},
	{"before-release", "it is about to release the lock"},
	{"released", "it has released the lock"},
	{"between", "it has done the first of the two steps that set or delete its key"},
	{"quorum", "it has enough votes, if it counts them one by one (lock.counted)"},
	{"extending", "it is about to extend the lock"},
	{"extension-answered", "it has the answers to an extension"},
	{"checked", "storage has answered whether it would accept the write (fencing.atomic)"},
	{"gave-up", "it has given up its write, because its validity has ended"},
	{"waiting", "it begins to wait for a message that wakes it (Redisson)"},
	{"taken", "the master has its key, and it will wait for replicas (lock.failover.wait)"},
	{"queued", "its key is in the queue (etcd, ZooKeeper)"},
	{"woken", "it wakes in the queue, and looks again"},
	{"keep-alive", "it is about to send a keep-alive of its session"},
	{"counted", "it has a fencing token, and will write that back to a majority of counters"},
}

// strikingMarks is the number of marks at which random faults hit. The others are for written schedules.
const strikingMarks = 13

type mark struct{ name, when string }

var allMarks = namesOf(marks[:], func(m *mark) string { return m.name })

// MarkLines describes all marks that clients may pass, a line for each.
func MarkLines() string {
	var b strings.Builder
	for _, m := range marks {
		fmt.Fprintf(&b, "    %-18s  %s\n", m.name, m.when)
	}
	return b.String()
}

// Hosted reports whether runs of the scenario have guests. Such runs can't be made in parallel in one process.
func (s *Scenario) Hosted() bool { return s.guestRun() != nil }

// guestRun returns what makes the scenario's runs, if guests are in them.
func (s *Scenario) guestRun() GuestRun {
	k := s.Lock.Kind.registered()
	switch {
	case s.Lock.New != nil:
		return nil
	case s.Lock.Run != nil || k == nil:
		return s.Lock.Run
	}
	return k.run
}
