package scenarios

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/lockstorm/lockstorm/scenarios/internal/yamlform"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/platform"
)

// A Kind is a kind of lock: a protocol, and what it runs on.
type Kind uint8

// The kinds of locks that the code names. KindNames lists all.
const (
	Redlock     Kind = iota
	Single           // on n1 alone
	Fenced           // on n1 alone, which counts fencing tokens too
	RowLock          // in the database that holds the resource
	Failover         // on the master among n1, n2 …, the others being its replicas
	Redisson         // on n1 alone, with a watchdog
	RedissonRed      // a lock of Redisson's on each node
	Etcd             // on a raft service of n1, n2 …, by etcd's recipe
	ZooKeeper        // the same, by ZooKeeper's
)

// kinds registers each kind of lock with its protocol and its platform. A new one is added at the end; those of guests come
// after all of ours.
var kinds = []registered{
	Redlock:     {&locks.RedlockProtocol, platform.Redis, nil},
	Single:      {&locks.SingleProtocol, platform.Redis, nil},
	Fenced:      {&locks.FencedProtocol, platform.Redis, nil},
	RowLock:     {&locks.RowLockProtocol, platform.Database, nil},
	Failover:    {&locks.FailoverProtocol, platform.Replicas, nil},
	Redisson:    {&locks.RedissonProtocol, platform.Redis, nil},
	RedissonRed: {&locks.RedissonRedProtocol, platform.Redis, nil},
	Etcd:        {&locks.EtcdProtocol, platform.Raft, nil},
	ZooKeeper:   {&locks.ZooKeeperProtocol, platform.Raft, nil},
}

// registered is a kind of lock with its protocol and its platform.
type registered struct {
	*locks.Protocol
	on   platform.Platform
	host Host // makes its runs, if it is a guest's
}

// KindNames lists the kinds as scenarios write them.
var KindNames = kindNames()

func kindNames() (all []string) {
	for _, k := range kinds {
		all = append(all, k.Name)
	}
	return all
}

// A Guest is a client library as a kind of lock: see package guest.
type Guest struct {
	Name    string   // as scenarios write it
	About   string   // what it is, in a few words
	Like    Kind     // the lock of ours by whose rules it is judged, on whose platform it runs
	Options []string // those options of that lock which it has too; as in locks.Protocol
	Host    Host     // makes its runs

	Shortest time.Duration // the shortest TTL that it takes
}

// A Host makes a run with guests in place of a protocol of ours. It heeds what the Runner says of all runs: Scanning, Tap.
type Host func(r *Runner, s *Scenario, seed uint64) *Result

// ours is how many kinds of lock are not guests.
var ours = len(kinds)

// guests are the kinds that were added.
var guests []Guest

// AddGuest adds a kind of lock. It is for the beginning of a program: before anything is read, and one at a time.
func AddGuest(g Guest) error {
	if slices.Contains(KindNames, g.Name) {
		return fmt.Errorf("there are two kinds of lock named %s", g.Name)
	}
	p := *kinds[g.Like].Protocol
	p.Name, p.Options, p.New = g.Name, g.Options, nil
	guests = append(guests, g)
	kinds = append(kinds, registered{&p, kinds[g.Like].on, g.Host})
	KindNames = kindNames()
	scalars[reflect.TypeFor[Kind]()] = yamlform.NewEnum[Kind](KindNames)
	fixed.once = sync.Once{}
	fixed.all = nil
	return nil
}

// Guests lists the kinds that were added.
func Guests() []Guest { return guests }

// String returns the name that scenarios use.
func (k Kind) String() string {
	if r := k.registered(); r != nil {
		return r.Name
	}
	return "kind " + strconv.Itoa(int(k))
}

// Protocol returns the kind's protocol; that of a guest, and of a kind that there is not, is nil.
func (k Kind) Protocol() *locks.Protocol {
	if r := k.registered(); r != nil && r.host == nil {
		return r.Protocol
	}
	return nil
}

// registered returns the entry of the kind in kinds; nil if there is none.
func (k Kind) registered() *registered {
	if int(k) >= len(kinds) {
		return nil
	}
	return &kinds[k]
}

// lacks reports whether neither a lock of the kind nor its platform uses a dotted key. A platform uses all of its own
// section.
func (k Kind) lacks(key string) bool {
	r := k.registered()
	section, option, _ := strings.Cut(key, ".")
	switch {
	case r == nil:
		return false
	case section == "lock":
		return isLockOption(option) && !r.Has(option)
	}
	ofSection := func(p platform.Platform) bool { return p.Traits().Section == section }
	return slices.ContainsFunc(platform.All, ofSection) && !ofSection(r.on)
}

func isLockOption(key string) bool {
	return slices.ContainsFunc(lockOptions(), func(f yamlform.Field) bool { return f.Name == key })
}

// lockOptions are the options of all locks, in the order of the declaration.
var lockOptions = sync.OnceValue(func() (all []yamlform.Field) {
	format.EachScalar(reflect.TypeFor[locks.Rules](), func(key string, f yamlform.Field) {
		f.Name = key
		all = append(all, f)
	})
	return all
})

// ChangeKind makes the lock one of another kind, on the platform of that kind. Options that the new kind does not have get
// their usual values, and a search no longer varies them. The number of nodes stays if it suits. Mutants and bounds are
// removed: they are those of the old lock. The schedule may then name hosts or marks that are gone; Check reports them.
func (s *Scenario) ChangeKind(kind Kind) {
	if kind == s.Lock.Kind {
		return
	}
	k, reference := kind.registered(), locks.Reference()
	s.Lock.Kind, s.Mutants, s.Bounds = kind, nil, nil
	for _, f := range lockOptions() {
		if !k.Has(f.Name) {
			f.In(reflect.ValueOf(&s.Lock.Rules).Elem()).Set(f.In(reflect.ValueOf(&reference).Elem()))
			s.Hold("lock." + f.Name)
		}
	}
	s.Sections, s.Storage.Idle = platform.Reference(), 0
	s.settleFencing(k)
	s.settleTopology(k)
	if k.Complete != nil {
		k.Complete(&s.Lock.Rules)
	}
}

// settleFencing chooses the lock's own fencing tokens if it has them, and the ideal counter if the present source is gone.
func (s *Scenario) settleFencing(k *registered) {
	switch f := &s.Fencing; {
	case s.countsTokens():
		f.Source = OfLock
	case f.Source == OfLock, f.Source != NoFencing && !k.on.Traits().NodeCount:
		f.Source = Ideal
	}
}

func (s *Scenario) settleTopology(k *registered) {
	t := s.topology()
	for _, setting := range k.on.Settle(&t) {
		s.Hold(setting)
	}
	if s.Nodes, s.Persistence, s.Expiry, s.Storage.Idle = t.Nodes, t.Persistence, t.Expiry, t.Idle; t.SQL {
		s.Storage.Engine = SQL
	}
}

// UnknownKind returns the error about a name that no kind of lock has: with the nearest names, or with all.
func UnknownKind(name string) error {
	hint := Suggest(name, KindNames)
	if hint == "" {
		hint = "; there are " + strings.Join(KindNames, ", ") + scalars[reflect.TypeFor[Kind]()].Hint
	}
	return fmt.Errorf("there is no kind %q%s", name, hint)
}

// Uses reports whether the scenario's lock, or its platform, uses a setting. One that it does not use is refused.
func (s *Scenario) Uses(k Setting) bool { return !s.Lock.Kind.lacks(k.Key) }
