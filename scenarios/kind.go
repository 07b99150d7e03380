package scenarios

import (
	"strconv"
	"time"

	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/scenarios/platform"
)

// A Kind is a kind of lock: a protocol, and what it runs on.
type Kind uint8

// The kinds of locks that the code names. KindNames lists all.
const (
	Redlock          Kind = iota
	Single                // on n1 alone
	Fenced                // on n1 alone, which counts fencing tokens too
	RowLock               // in the database that holds the resource
	Failover              // on the master among n1, n2 …, the others being its replicas
	Redisson              // on n1 alone, with a watchdog
	RedissonRed           // a lock of Redisson's on each node
	Etcd                  // on a raft service of n1, n2 …, by etcd's recipe
	ZooKeeper             // the same, by ZooKeeper's
	RedissonShared        // on n1 alone, for readers and writers
	RedissonFair          // on n1 alone, with a queue
	RedissonSentinel      // on the master among n1, n2 …
	Record                // one record in a store, n1
	Consul                // on a raft service, by Consul's guide
)

// kinds registers each kind of lock with its protocol and platform. Add a new one at the end; guests come after ours.
var kinds = []registered{
	Redlock:        {&locks.RedlockProtocol, platform.Redis, nil, 0},
	Single:         {&locks.SingleProtocol, platform.Redis, nil, 0},
	Fenced:         {&locks.FencedProtocol, platform.Redis, nil, 0},
	RowLock:        {&locks.RowLockProtocol, platform.Database, nil, 0},
	Failover:       {&locks.FailoverProtocol, platform.Replicas, nil, 0},
	Redisson:       {&locks.RedissonProtocol, platform.Redis, nil, 0},
	RedissonRed:    {&locks.RedissonRedProtocol, platform.Redis, nil, 0},
	Etcd:           {&locks.EtcdProtocol, platform.Raft, nil, 0},
	ZooKeeper:      {&locks.ZooKeeperProtocol, platform.Raft, nil, 0},
	RedissonShared: {&locks.RedissonSharedProtocol, platform.Redis, nil, 0},
	RedissonFair:   {&locks.RedissonFairProtocol, platform.Redis, nil, 0},

	RedissonSentinel: {&locks.RedissonSentinelProtocol, platform.Replicas, nil, 0},
	Record:           {&locks.RecordProtocol, platform.Store, nil, 0},
	Consul:           {&locks.ConsulProtocol, platform.Raft, nil, 0},
}

type registered struct {
	*locks.Protocol
	on  platform.Platform
	run GuestRun // makes its runs, if it is a guest's

	shortest time.Duration // the shortest TTL that it takes
}

// KindNames lists the kinds as scenarios write them.
var KindNames = kindNames()

func kindNames() []string { return namesOf(kinds, func(k *registered) string { return k.Name }) }

// String returns the name that scenarios use.
func (k Kind) String() string {
	if r := k.registered(); r != nil {
		return r.Name
	}
	return "kind " + strconv.Itoa(int(k))
}

// Protocol returns the kind's protocol; nil for a guest, and for a kind that does not exist.
func (k Kind) Protocol() *locks.Protocol {
	if r := k.registered(); r != nil && r.run == nil {
		return r.Protocol
	}
	return nil
}

func (k Kind) registered() *registered {
	if int(k) >= len(kinds) {
		return nil
	}
	return &kinds[k]
}

// A GuestRun runs a scenario with guests in place of a protocol of ours. It heeds the Runner's OnCommand.
type GuestRun func(r *Runner, s *Scenario, seed uint64) *Result

// ours is how many kinds of lock the catalogue has; all others were added.
var ours = len(kinds)

// A Guest is a client library as a kind of lock: see package guest.
type Guest struct {
	Name    string   // as scenarios write it
	About   string   // what it is, in a few words
	Like    Kind     // the kind of ours by whose rules it is judged, on whose platform it runs
	Options []string // those options of that lock which it has too; as in locks.Protocol
	Run     GuestRun // makes its runs

	Shortest time.Duration // the shortest TTL that it takes
	Longer   time.Duration // than the TTL: how long its keys live beyond it
}

var guests []Guest

// Guests lists the kinds that were added.
func Guests() []Guest { return guests }
