package scenarios_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/scenarios"
)

// ofOthers are the options of locks that are not Redlock, of their servers, and of what only some stages show.
var ofOthers = regexp.MustCompile(`^lock\.(counter|failover|redisson|record|row|session)\.|^(replicas|raft)\.|^storage\.idle$|^network\.either_first$|^work\.readers$`)

// ownStages has a stage for each of them, on which it should matter.
var ownStages = []struct{ on, stage, key, value string }{
	{"fencing/any", "", "lock.counter.before", "true"},
	{"fencing/any", "", "lock.counter.expires", "true"},
	{"failover/any", "", "lock.failover.wait", "2"},
	{"failover/any", "lock.failover.wait=2", "lock.failover.wait_timeout", "3ms"},
	{"failover/wait", "lock.failover.wait_timeout=1ms replicas.lag=50ms..60ms", "lock.failover.check_wait", "false"},
	{"failover/tokens", "", "lock.failover.counts", "false"},
	{"failover/promotion", "", "lock.failover.once", "true"},
	{"failover/any", "", "replicas.lag", "5ms..9ms"},
	{"failover/least-replicas", "", "replicas.min_good", "0"},
	{"failover/least-replicas", "", "replicas.good_for", "20s"},
	{"distlock/failover", "", "replicas.down_after", "3s"},
	{"failover/any", "", "replicas.ping_every", "30ms"},
	{"failover/split-brain", "fault.1.for=3s work.cycles=9", "replicas.demote_after", "9s"},
	{"redisson/lock", "", "lock.redisson.depth", "2"},
	{"redisson/lock", "", "lock.redisson.wait", "50ms"},
	{"redisson/lost-message", "", "lock.redisson.fallback", "false"},
	{"redisson/reentrant", "", "lock.redisson.ownership", "false"},
	{"redisson/lock", "", "lock.redisson.fenced", "true"},
	{"redisson-sentinel/waited", "", "lock.failover.check_wait", "false"},
	{"redisson-sentinel/promotion", "", "lock.failover.wait", "2"},
	{"redisson-rw/lock", "", "lock.redisson.readers", "false"},
	{"redisson-rw/lock", "", "lock.redisson.leases", "none"},
	{"redisson-fair/waiter-died", "", "lock.redisson.queue_wait", "5s"},
	{"redisson-fair/waiter-died-soon", "", "lock.redisson.stale", "false"},
	{"redisson-fair/gave-up", "", "lock.redisson.leave", "false"},
	{"redisson-rw/lock", "", "work.readers", "2"},
	{"redisson/fenced", "", "lock.redisson.get_token", "true"},
	{"sql/any", "", "lock.row.autocommit", "true"},
	{"sql/paused", "", "lock.row.reconnect", "true"},
	{"sql/paused", "", "storage.idle", "2s"},
	{"kleppmann/pause-before-reply", "", "network.either_first", "true"},
	{"etcd/any", "", "lock.session.keep_alive", "100ms"},
	{"record/server-clock", "", "lock.record.writer", "client"},
	{"record/server-clock", "", "lock.record.judge", "reader"},
	{"record/own-timeout", "", "lock.record.within", "0s"},
	{"record/counted-from-request", "", "lock.record.from_answer", "false"},
	{"record/lock", "", "lock.record.compare", "false"},
	{"record/number-anew", "", "lock.record.match", "number"},
	{"record/lock", "", "lock.record.release", "delete"},
	{"record/answer-lost", "", "lock.record.reread", "false"},
	{"etcd/any", "lock.ttl=3s work.work=2s..2s", "lock.session.poll", "100ms"},
	{"etcd/answers-lost", "", "lock.session.tries", "1"},
	{"etcd/slower-client", "", "lock.session.margin", "0.2"},
	{"etcd/lock", "", "lock.session.watch", "everybody"},
	{"session/granted-after-expiry", "", "lock.session.check", "none"},
	{"session/cut-off", "", "lock.session.confirm", "false"},
	{"session/paused-before-answer", "", "lock.session.sent", "false"},
	{"etcd/late-release", "", "lock.session.compare", "false"},
	{"etcd/answers-lost", "", "lock.session.give_up", "false"},
	{"zookeeper/answer-lost", "", "lock.session.own_node", "false"},
	{"etcd/any", "", "lock.session.stay", "true"},
	{"single/extended-by-zero", "", "lock.extends", "1"},
	{"consul/lock-delay", "", "lock.session.late", "0"},
	{"consul/lock-delay", "", "lock.session.lock_delay", "0s"},
	{"consul/cut-off", "", "lock.session.own_clock", "false"},
	{"etcd/any", "", "raft.heartbeat", "10ms"},
	{"etcd/rolling-restart", "", "raft.election", "2s"},
	{"etcd/stale-read", "", "raft.local_reads", "true"},
	{"etcd/any", "", "raft.eager", "true"},
	{"etcd/starved-leader", "", "raft.unconfirmed", "true"},
}

// TestEachSettingIsNoticedByTheRun is about Redlock. This is about options of other locks, and of their servers: an
// option that no run notices has no effect.
func TestEachOptionAffectsItsRuns(t *testing.T) {
	for _, c := range ownStages {
		before, ok := scenarios.Find(c.on)
		if !ok {
			t.Fatal(c.on)
		}
		before.Mutants, before.Bounds = nil, nil
		for _, set := range strings.Fields(c.stage) {
			if err := before.Set(set); err != nil {
				t.Fatal(err)
			}
		}
		after := before
		if err := after.Set(c.key + "=" + c.value); err != nil {
			t.Fatal(err)
		}
		if err := after.Check(); err != nil && !strings.Contains(err.Error(), "fencing.source") {
			t.Errorf("%s with %s=%s: %v", c.on, c.key, c.value, err)
			continue
		}
		if !differ(&before, &after) {
			t.Errorf("%s with %s=%s runs as if nothing had been set", c.on, c.key, c.value)
		}
	}
}

// No option is left out of both tests.
func TestEveryOptionOfOtherLocksIsTested(t *testing.T) {
	tested := map[string]bool{}
	for _, c := range ownStages {
		tested[c.key] = true
	}
	base := scenarios.Base()
	for _, k := range scenarios.Settings(&base) {
		if ofOthers.MatchString(k.Key) && !tested[k.Key] {
			t.Errorf("no run is asked whether it notices %s", k.Key)
		}
	}
}
