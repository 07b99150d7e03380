package scenarios

import (
	"slices"
	"strings"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios/locks"
	"github.com/lockstorm/lockstorm/sim"
)

// The sources of the claims.
const (
	kleppmann = `Martin Kleppmann, "How to do distributed locking" (2016)`
	antirez   = `Salvatore Sanfilippo (antirez), "Is Redlock safe?" (2016)`
	document  = `the Redis documentation, "Distributed Locks with Redis"`
	ours      = `Lockstorm`
)

// Catalogue lists the built-in scenarios, by ID. They are the caller's to change.
func Catalogue() []Scenario {
	all := []Scenario{
		faultFree(), gcPause(), pauseBeforeReply(), delayedWrite(), clockJump(), crashRestart(), delayedRestart(),
	}
	slices.SortFunc(all, func(a, b Scenario) int { return strings.Compare(a.ID, b.ID) })
	return all
}

// Find gives the built-in scenario of that ID.
func Find(id string) (Scenario, bool) {
	for _, s := range Catalogue() {
		if s.ID == id {
			return s, true
		}
	}
	return Scenario{}, false
}

func faultFree() Scenario {
	s := Base()
	s.ID, s.Source = "baseline/fault-free", ours
	s.Title = "Three clients contend for the lock, and nothing goes wrong."
	s.About = "Three clients take turns with one lock on five nodes. Clocks run true, messages arrive, nobody pauses. " +
		"Every promise holds. A tool that raises an alarm here can't be trusted anywhere."
	return s
}

// duel is the stage of the scripted scenarios: c1 comes first, c2 a second later, and each goes once.
func duel() Scenario {
	s := Base()
	s.Clients, s.Work.Cycles, s.Work.Stagger = 2, 1, time.Second
	s.Fencing.First = 33 // the first token of Kleppmann's figure
	s.Lock.Retry = locks.Retry{Min: time.Second, Max: 2 * time.Second}
	s.Sometimes = []string{"fault-struck", "acquired-by-two"}
	s.Horizon = time.Minute
	return s
}

func gcPause() Scenario {
	s := duel()
	s.ID, s.Source = "kleppmann/gc-pause", kleppmann
	s.Title = "A client is paused for longer than its lock lives, and goes on as if it still held it."
	s.About = "c1 acquires the lock, reads, and is stopped by its garbage collector. Its lock expires. c2 acquires it, " +
		"reads and writes. c1 wakes up, knows nothing of all that, and writes what it had worked out from its old read: " +
		"c2's update is lost. Redlock kept its word: at no time were two locks valid. But a client can't act on a " +
		"validity that it does not look at. Storage that checks fencing tokens refuses the late write."
	s.Work.Recheck, s.Work.StopAtDeadline = false, false
	s.Faults = faults.Schedule{{
		When: faults.Mark{Host: "c1", Name: "read"}, For: 15 * time.Second, Kind: faults.Pause, Host: "c1",
	}}
	s.Expect = expect([]string{"belief", "storage"})
	s.Sometimes = append(s.Sometimes, "contended", "expired-while-held", "stale-write-refused")
	return s
}

func pauseBeforeReply() Scenario {
	s := duel()
	s.ID, s.Source = "kleppmann/pause-before-reply", kleppmann
	s.Title = "A client is paused before it reads the replies, and wakes up to votes that have expired."
	s.About = "c1 asks all nodes at once and is paused, with their replies in its kernel's buffer. Its keys expire, and " +
		"c2 acquires the lock. c1 wakes up and reads five grants. Redlock's third step saves it: so much time has " +
		"passed since it asked that no validity is left, and it refuses. Without that step (lock.validity_check=false) " +
		"both clients go on as holders."
	s.Lock.Contact = locks.Parallel
	s.Work.Work = sim.Range{Min: 6 * time.Second, Max: 7 * time.Second}
	s.Work.Recheck, s.Work.StopAtDeadline = false, false
	s.Faults = faults.Schedule{{
		// All requests have left by then, and no reply can be back.
		When: faults.Mark{Host: "c1", Name: "asking", After: 50 * time.Microsecond},
		For:  15 * time.Second, Kind: faults.Pause, Host: "c1",
	}}
	s.Sometimes = append(s.Sometimes, "contended", "refused-too-late")
	return s
}

func delayedWrite() Scenario {
	s := duel()
	s.ID, s.Source = "kleppmann/delayed-write", kleppmann
	s.Title = "A write is sent in time, and arrives too late."
	s.About = "c1 acquires the lock, reads, looks at its clock, and sends its write well within its validity. The packet " +
		"is held up in the network. c1 stops at its deadline, as it should. c2 acquires the lock, reads and writes. Then " +
		"the packet arrives and overwrites c2's update. Nobody ever believed wrongly in holding the lock; no lock that " +
		"expires can prevent this. Storage that checks fencing tokens refuses the late write."
	s.Work.StorageTimeout = 20 * time.Second
	s.Faults = faults.Schedule{{
		When: faults.Mark{Host: "c1", Name: "before-write"}, For: 15 * time.Second, Kind: faults.Hold, From: "c1", To: StorageHost,
	}}
	s.Expect = expect([]string{"storage"})
	s.Sometimes = append(s.Sometimes, "contended", "late-write", "stale-write-refused")
	return s
}

// overlap is the stage for faults of the nodes: c1 reaches n1 to n3 only and c2 n3 to n5 only, so that n3 is the one
// node which keeps them apart. Both work long enough to meet. The fault strikes once c1 has acquired.
func overlap(strike faults.Fault) Scenario {
	s := duel()
	strike.When = faults.Mark{Host: "c1", Name: "acquired"}
	s.Work.Work = sim.Range{Min: 3 * time.Second, Max: 4 * time.Second}
	s.Work.Think = sim.Range{}
	s.Faults = faults.Schedule{
		{Kind: faults.Partition, Groups: [][]string{{"c1"}, {"n4", "n5"}}},
		{Kind: faults.Partition, Groups: [][]string{{"c2"}, {"n1", "n2"}}},
		strike,
	}
	s.Sometimes = append(s.Sometimes, "contended")
	return s
}

// forgetful adds what a node that forgets its key breaks, and what must be seen when it does.
func forgetful(s Scenario) Scenario {
	s.Expect = expect([]string{"belief", "validity", "quorum", "storage"})
	s.Sometimes = append(s.Sometimes, "quorum-lost", "stale-write-refused")
	return s
}

func clockJump() Scenario {
	s := forgetful(overlap(faults.Fault{Kind: faults.Jump, Host: "n3", By: 11 * time.Second}))
	s.ID, s.Source = "kleppmann/clock-jump", kleppmann
	s.Title = "One node's clock jumps forward, and two clients hold the lock."
	s.About = "c1 acquires the lock on n1, n2 and n3; it can't reach the others. The clock of n3 steps forward by more " +
		"than the TTL, so n3 forgets c1's key. c2 acquires the lock on n3, n4 and n5. Both now hold a majority that was " +
		"granted to them, both are within their validity, and both are right by the algorithm's own arithmetic."
	return s
}

func crashRestart() Scenario {
	s := forgetful(overlap(faults.Fault{Kind: faults.Restart, Host: "n3", For: 50 * time.Millisecond}))
	s.ID, s.Source = "kleppmann/crash-restart", kleppmann+"; "+document
	s.Title = "One node restarts without its data, and two clients hold the lock."
	s.About = "c1 acquires the lock on n1, n2 and n3; it can't reach the others. n3 loses its power before the key was " +
		"written to disk, and is back at once, empty. c2 acquires the lock on n3, n4 and n5."
	return s
}

func delayedRestart() Scenario {
	s := overlap(faults.Fault{Kind: faults.Restart, Host: "n3", For: 11 * time.Second})
	s.ID, s.Source = "antirez/delayed-restart", document+"; "+antirez
	s.Title = "A node that lost its data stays away for longer than any lock lives, and all is well."
	s.About = "As in kleppmann/crash-restart, but n3 is kept away for longer than the TTL. By the time it answers again, " +
		"every lock that it forgot has expired. c2 had to wait for it: that is the price."
	return s
}

// epoch is what a true wall clock shows at the start of a run: noon of the day on which Kleppmann's article appeared.
var epoch = clock.Reading(time.Date(2016, 2, 8, 12, 0, 0, 0, time.UTC).UnixNano())
