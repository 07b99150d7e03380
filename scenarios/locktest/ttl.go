package locktest

import (
	"os"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/locks"
)

var (
	shortTTLs = []time.Duration{0, -time.Second, 500 * time.Microsecond}
	longTTLs  = []time.Duration{1 << 31 * time.Millisecond, (1<<32 + 1000) * time.Millisecond}
)

// AnyTTL says that the lock takes any TTL, or refuses it by a failed acquire. Then [Fuzz] and [Test] also try, in their
// first scenario, TTLs of 0, -1s and 0.5ms, and two that overflow 31 and 32 bits of milliseconds. With the short ones
// c1 crashes as soon as it has the lock. No grant may come late, no key may stay without a TTL, and one client at a time
// holds the lock. A TTL is skipped if a run with it never ends: a watchdog that sleeps a third of 0 never sleeps. The long
// ones are searched with 60 seeds, if nothing was found before, and if the scenario's own lock is not extended.
func AnyTTL() Option {
	return Option{func(tr *trial) error { tr.anyTTL = true; return nil }}
}

// noTTLs fails a test that gives AnyTTL where no TTL is tried.
func (tr *trial) noTTLs(t *testing.T) {
	t.Helper()
	if tr.anyTTL {
		t.Fatal("locktest: only Fuzz and Test take the option AnyTTL; for one TTL give Set, such as Set(\"lock.ttl=500us\")")
	}
}

// tryTTLs tries the unusual TTLs, but not if the environment has a finding.
func (tr *trial) tryTTLs(t *testing.T, lock Constructor, options []Option) {
	if !tr.anyTTL || len(tr.scenarios) == 0 || os.Getenv(findVariable) != "" {
		return
	}
	id, options := tr.scenarios[0].ID, options[:len(options):len(options)]
	for _, ttl := range shortTTLs {
		t.Run("ttl="+ttl.String(), func(t *testing.T) {
			with := func(c locks.Config) locks.Lock {
				c.TTL = ttl
				return lock(c)
			}
			short := newTrial(t, id, own(with), append(options, Seeds(20), Promises("belief", "validity", "quorum", "leak-free")))
			s := calmed(short.scenarios[0])
			s.Faults, _ = faults.Parse("when c1 acquired crash c1")
			s.Sometimes, s.Lock.Retry.Attempts = nil, 20 // so that runs of a lock that refuses the TTL end
			r := scenarios.NewRunner()
			defer short.close(r)
			if res, broke := short.calmRun(t, r, &s); broke == nil && res.Endless() {
				short.pass(t, "a run with this TTL never ends; a watchdog that sleeps for a part of it never sleeps, and must sleep for some time")
			}
			short.runSeeds(t, s)
		})
	}
	for _, ttl := range longTTLs {
		if t.Failed() || tr.scenarios[0].Lock.Renew.Every > 0 {
			return // a key that stays for weeks makes each run of a broken lock long, and so does an extension that waits
		}
		t.Run("ttl="+ttl.String(), func(t *testing.T) {
			long := newTrial(t, id, own(lock), append(options, Seeds(60), Set("lock.ttl="+ttl.String())))
			long.base = &tr.scenarios[0]
			long.fuzz(t)
		})
	}
}
