package scenarios_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/sim"
)

func ran(t *testing.T, id string, seed uint64) *scenarios.Result {
	t.Helper()
	s, found := scenarios.Find(id)
	if !found {
		t.Fatalf("there is no scenario %q", id)
	}
	return scenarios.Run(s, seed)
}

// Each message of a run was sent once, and arrived once at most, no earlier; a reply was sent when its request arrived,
// or later if the server put it off.
func TestMessagesMatchTheTrace(t *testing.T) {
	fates := map[scenarios.Fate]int{}
	for _, s := range some(3) {
		r := scenarios.Run(s, 2)
		told, putOff := map[string]int{}, map[uint32]bool{}
		for _, e := range r.Trace {
			told[e.Kind.String()]++
			switch {
			case e.Kind == sim.Deferred:
				putOff[e.Call] = true
			case e.Kind == sim.Served && putOff[e.Call]:
				told["served late"]++
			}
		}
		requests := map[uint32]scenarios.Message{}
		counts := map[scenarios.Fate]int{}
		replies := 0
		for _, m := range r.Messages() {
			fates[m.Fate]++
			counts[m.Fate]++
			if m.Arrived < m.Sent || (m.Fate == scenarios.Underway) != (m.Arrived == clock.Forever) || m.Text == "" {
				t.Errorf("%s: %+v", s.ID, m)
			}
			if m.Reply {
				replies++
				if q := requests[m.Call]; m.Sent < q.Arrived || m.Sent > q.Arrived && !putOff[m.Call] || q.From != m.To || q.To != m.From {
					t.Errorf("%s: %+v answers %+v", s.ID, m, q)
				}
				continue
			}
			if _, twice := requests[m.Call]; twice {
				t.Errorf("%s: call %d was sent twice", s.ID, m.Call)
			}
			requests[m.Call] = m
		}
		if len(requests) != told["sent"]+told["post"] || replies != told["served"]+told["refused"] || counts[scenarios.Dropped] != told["lost"] ||
			counts[scenarios.Repelled] != told["refused"] || counts[scenarios.Overdue] != told["late"] ||
			counts[scenarios.Delivered] != told["served"]-told["served late"]+told["defer"]+told["told"]+told["received"] {
			t.Errorf("%s: %d requests, %d replies, fates %v; the trace has %v", s.ID, len(requests), replies, counts, told)
		}
	}
	for f := scenarios.Delivered; f <= scenarios.Overdue; f++ {
		if fates[f] == 0 {
			t.Errorf("no message had fate %d", f)
		}
	}
}

func TestHeldMessageIsMarked(t *testing.T) {
	held := 0
	for _, m := range ran(t, "kleppmann/delayed-write", 1).Messages() {
		if m.Held == clock.Forever {
			continue
		}
		held++
		if m.Text != "write on v0" || m.Reply || m.Freed.Sub(m.Held) < 14*time.Second || m.Arrived < m.Freed {
			t.Errorf("%+v", m)
		}
	}
	if held != 1 {
		t.Errorf("%d messages were held", held)
	}
}

func TestEpisodesBeginAndEnd(t *testing.T) {
	r := ran(t, "kleppmann/gc-pause", 1)
	all := r.Episodes()
	if len(all) != 1 || all[0].What != "pause" || r.Hosts[all[0].Host] != "c1" || all[0].To.Sub(all[0].From) != 15*time.Second {
		t.Errorf("%+v", all)
	}
	kinds := map[string]int{}
	for _, e := range ran(t, "kleppmann/clock-jump", 1).Episodes() {
		kinds[e.What]++
		if e.What == "cut" && (e.Peer < 0 || e.To == clock.Forever) || e.What == "step" && (e.From != e.To || e.By != "11s" && e.By != "-11s") {
			t.Errorf("%+v", e)
		}
	}
	if kinds["cut"] != 8 || kinds["step"] != 2 || len(kinds) != 2 {
		t.Errorf("%v", kinds)
	}
	for _, e := range ran(t, "antirez/ntp-slew", 1).Episodes() {
		if e.What == "slew" && (e.By != "11s" || e.To.Sub(e.From) < 10*time.Second) { // 11 s at 500 ppm take hours
			t.Errorf("the slew lasts no time: %+v", e)
		}
	}
	for _, s := range scenarios.Catalogue() {
		for _, e := range scenarios.Run(s, 1).Episodes() {
			if kinds[e.What]++; e.To < e.From {
				t.Errorf("%s: %+v", s.ID, e)
			}
		}
	}
	for _, what := range []string{"pause", "suspend", "crash", "stall", "cut", "loss", "delay", "step", "drift", "slew"} {
		if kinds[what] == 0 {
			t.Errorf("the catalogue has no %s", what)
		}
	}
}

func TestResultHasItsHostsClocks(t *testing.T) {
	r := ran(t, "kleppmann/clock-jump", 1)
	for host, name := range r.Hosts {
		_, ahead, known := r.Shown(host, clock.Instant(time.Second))
		if want := map[string]time.Duration{"n3": 11 * time.Second}[name]; !known || ahead != want {
			t.Errorf("%s is %s ahead, %t", name, ahead, known)
		}
	}
	if _, _, known := r.Shown(len(r.Hosts), 0); known {
		t.Error("a host that is not there has a clock")
	}
}

// A diagram names each message by what it says. So it must not mix up names, or use one name for all answers.
func TestMessageDescribesItself(t *testing.T) {
	for _, c := range []struct{ id, says string }{
		{"kleppmann/gc-pause", "SET OK; SET nil; DEL if mine 1; DEL if mine 0; read v0; write on v0 v1"},
		{"distlock/extend", "PEXPIRE if mine 1"},
		{"redisson/lost-message", "HINCRBY if free nil; HINCRBY if free 9500; SUBSCRIBE subscribe; RECEIVE message; HINCRBY -1 if mine 0; UNSUBSCRIBE unsubscribe"},
		{"redisson/watchdog", "PEXPIRE if mine 1"},
		{"fencing/with-the-lock", "SET and INCR 1; SET and INCR 2"},
		{"failover/wait", "SENTINEL n1; SENTINEL n2; SET OK; WAIT 1"},
		{"session/expiry-while-paused", "grant 10s lease 1; put key revision 2; put key revision 3; list keys 1 key; list keys 2 keys; " +
			"watch key changed; keep alive OK; keep alive no lease; delete key 1 deleted"},
		{"zookeeper/expiry-while-paused", "grant 10s lease 1; put key revision 2; list keys 2 keys; watch key changed; keep alive no lease"},
		{"sql/paused", "BEGIN IMMEDIATE BEGIN; BEGIN IMMEDIATE lock_not_available; COMMIT no_active_sql_transaction; read v0"},
	} {
		asked, said := map[uint32]string{}, map[string]bool{}
		for _, m := range ran(t, c.id, 1).Messages() {
			if !m.Reply {
				asked[m.Call] = m.Text
				continue
			}
			said[asked[m.Call]+" "+m.Text] = true
			if m.Text == "reply" || m.Text == "request" || asked[m.Call] == "request" {
				t.Errorf("%s: to %q is answered %q, which says nothing", c.id, asked[m.Call], m.Text)
			}
		}
		for want := range strings.SplitSeq(c.says, "; ") {
			if !said[want] {
				t.Errorf("%s: nowhere is %q; there are %q", c.id, want, slices.Sorted(maps.Keys(said)))
			}
		}
	}
}

// In redlock/either-first a client wakes to five answers and five deadlines. Both orders show: within one run, and in
// its outcome.
func TestLateClientFindsAnswersAndDeadlinesInEitherOrder(t *testing.T) {
	mixed, refused := 0, 0
	const seeds = 60
	for seed := range uint64(seeds) {
		r := ran(t, "redlock/either-first", seed)
		c1 := slices.Index(r.Hosts, "c1")
		woken := clock.Forever
		found := map[sim.Kind]int{}
		for _, e := range r.Trace {
			switch {
			case int(e.Host) != c1:
			case e.Kind == sim.Resumed:
				woken = e.At
			case e.At >= woken && e.At < woken.Add(20*time.Microsecond): // before anything that it sends now is answered
				found[e.Kind]++
			}
		}
		if found[sim.Received]+found[sim.TimedOut] != 5 {
			t.Errorf("seed %d: of five calls it found %d answers and %d deadlines", seed, found[sim.Received], found[sim.TimedOut])
		}
		mixed += min(found[sim.Received], found[sim.TimedOut], 1)
		if found[sim.Received] < 3 {
			refused++
		}
		if won := r.Evidence.Holds[0].Client == 0; won != (found[sim.Received] >= 3) {
			t.Errorf("seed %d: with %d answers it holds the lock first: %t", seed, found[sim.Received], won)
		}
	}
	if mixed < seeds/2 || refused < seeds/5 || refused > 4*seeds/5 {
		t.Errorf("of %d runs, %d had both, and %d refused the lock", seeds, mixed, refused)
	}
}
