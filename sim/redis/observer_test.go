package redis

import (
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// asks plans a client's question to the observer, and checks its answer.
func (r *ring) asks(at clock.Instant, master any) {
	want := any(nil)
	if master != nil {
		want = []any{master, "6379"}
	}
	r.ask(at, r.oh.ID+1, 10*time.Millisecond, "SENTINEL get-master-addr-by-name mymaster", want)
}

// termed checks whom the observer took for master.
func (r *ring) termed(want ...Term) {
	r.tb.Helper()
	if got := r.o.Terms(); !equal(got, want) {
		r.tb.Errorf("terms %v, want %v", got, want)
	}
}

// The master goes off at 1.5 s. The ping of 2 s is the first without an answer. Three seconds later n2 is ordered to be
// master, and at the next ping it reports that it is.
func TestTheObserverPromotesAReplicaAfterTheDownTime(t *testing.T) {
	r := newRingFor(t, 3, lag(0)).observed()
	r.expect(ms, 1, "OK", "SET k a")
	r.At(1500*ms, func() { r.hosts[0].Crash(true) })
	r.asks(1600*ms, "n1")
	r.expect(4900*ms, 2, readOnly, "SET k b")
	r.expect(5100*ms, 2, "OK", "SET k b")
	r.asks(5100*ms, "n1")
	r.asks(6100*ms, "n2")
	r.expect(6500*ms, 3, "b", "GET k")
	r.until(7 * time.Second)
	r.termed(Term{0, 0, 6*ms*1000 + 200_000}, Term{1, 6*ms*1000 + 200_000, clock.Forever})
	if got, want := lived(Lives(r.o.Terms(), r.nodes)), []string{"a 0.001s 6.0002s", "b 6.0002s " + clock.Forever.String()}; !equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTheReplicaThatHasMostIsPromoted(t *testing.T) {
	r := newRingFor(t, 3, lag(0)).observed()
	r.apart(500*ms, 60_000*ms, r.hosts[0], r.hosts[1])
	r.expect(600*ms, 1, "OK", "SET k a")
	r.At(1500*ms, func() { r.hosts[0].Crash(true) })
	r.asks(7000*ms, "n3")
	r.expect(8000*ms, 2, "a", "GET k") // from n3
	r.until(9 * time.Second)
}

// It was restarted without its data, and has caught up with nothing yet; but the others cannot be reached.
func TestAReplicaThatRestartedEmptyIsPromotedIfThereIsNoOther(t *testing.T) {
	r := newRingFor(t, 2, lag(0)).observed()
	r.expect(ms, 1, "OK", "SET k a")
	r.At(1500*ms, func() { r.hosts[0].Crash(true) })
	r.down(1600*ms, 1700*ms, r.hosts[1])
	r.asks(7000*ms, "n2")
	r.expect(7500*ms, 2, nil, "GET k")
	r.until(8 * time.Second)
}

func TestTheOldMasterComesBackAsAReplica(t *testing.T) {
	r := newRingFor(t, 2, lag(0)).observed()
	r.down(1500*ms, 8500*ms, r.hosts[0])
	r.expect(8600*ms, 1, "OK", "SET k stale") // it acts as master until it is demoted
	r.expect(8600*ms, 2, "OK", "SET k new")
	r.expect(9500*ms, 1, "new", "GET k")
	r.expect(9500*ms, 1, readOnly, "SET k b")
	r.asks(9500*ms, "n2")
	r.until(10 * time.Second)
}

// The client and the old master are on the same side of the cut. Each side has a master, until the cut is mended.
func TestSplitBrain(t *testing.T) {
	for minimum, last := range map[int]any{0: "OK", 1: Error("NOREPLICAS Not enough good replicas to write.")} {
		c := lag(0)
		c.Replication.MinReplicas, c.Replication.MaxLag = minimum, 2*time.Second
		r := newRingFor(t, 3, c).observed()
		for _, side := range []*sim.Host{r.hosts[0], r.c} {
			r.apart(1500*ms, 10_500*ms, side, r.hosts[1], r.hosts[2], r.oh)
		}
		r.ask(1600*ms, 1, time.Second, "SET k minority", "OK")
		r.ask(7000*ms, 1, time.Second, "SET k minority", last)
		r.expect(7000*ms, 2, "OK", "SET k majority")
		r.asks(12_000*ms, "n2")
		r.expect(12_000*ms, 1, "majority", "GET k")
		r.until(13 * time.Second)
	}
}

func TestOldMasterMayContinueForItsTime(t *testing.T) {
	r := newRingFor(t, 2, lag(0))
	r.o.Attach(r.oh, Observation{Group: []int{0, 1}, Down: 3 * time.Second, Demote: 8 * time.Second})
	r.At(1500*ms, r.hosts[0].Pause)
	r.At(9500*ms, r.hosts[0].Resume)
	r.expect(17_000*ms, 1, "OK", "SET k stale")
	r.expect(18_500*ms, 1, readOnly, "SET k stale")
	r.until(20 * time.Second)
}

// Its own pause is no reason to think the master dead: the answer waits in its buffer.
func TestPausedObserverPromotesNoReplica(t *testing.T) {
	r := newRingFor(t, 2, lag(0)).observed()
	r.At(2*ms*1000+150_000, r.oh.Pause)
	r.At(9000*ms, r.oh.Resume)
	r.until(15 * time.Second)
	r.termed(Term{0, 0, clock.Forever})
}

func TestAnObserverThatRestartedRemembersTheMaster(t *testing.T) {
	r := newRingFor(t, 2, lag(0)).observed()
	r.At(1500*ms, func() { r.hosts[0].Crash(true) })
	r.down(7000*ms, 7500*ms, r.oh)
	r.asks(8000*ms, "n2")
	r.down(9000*ms, 9001*ms, r.oh)
	r.asks(14_000*ms, "n2")
	r.until(15 * time.Second)
}

// The first word to the heir is lost.
func TestTheObserverRepeatsItself(t *testing.T) {
	r := newRingFor(t, 2, lag(0)).observed()
	r.At(1500*ms, func() { r.hosts[0].Crash(true) })
	r.apart(4900*ms, 5100*ms, r.oh, r.hosts[1])
	r.asks(9000*ms, "n2")
	r.until(10 * time.Second)
}

// It was ordered, and the observer went off before it heard that it is master.
func TestRestartedObserverKeepsItsCandidate(t *testing.T) {
	r := newRingFor(t, 2, lag(0)).observed()
	r.At(1500*ms, func() { r.hosts[0].Crash(true) })
	r.down(5500*ms, 12_500*ms, r.oh)
	r.asks(13_800*ms, "n2")
	r.until(15 * time.Second)
	if n := r.nodes[1].member.began; n != 1 {
		t.Errorf("n2 was promoted %d times", n)
	}
}

// n2 was ahead of n3 when it was last heard of, long ago.
func TestAReplicaThatIsSilentIsNotPromoted(t *testing.T) {
	r := newRingFor(t, 3, lag(0)).observed()
	r.apart(500*ms, 60_000*ms, r.hosts[0], r.hosts[2])
	r.expect(600*ms, 1, "OK", "SET k a")
	r.At(1500*ms, func() { r.hosts[1].Crash(true) })
	r.At(10_500*ms, func() { r.hosts[0].Crash(true) })
	r.asks(15_900*ms, "n3")
	r.until(17 * time.Second)
}

// n2 goes off just before its promotion.
func TestCrashedCandidateIsPassedOver(t *testing.T) {
	r := newRingFor(t, 3, lag(0)).observed()
	r.At(1500*ms, func() { r.hosts[0].Crash(true) })
	r.At(4950*ms, func() { r.hosts[1].Crash(true) })
	r.asks(15_000*ms, "n3")
	r.until(16 * time.Second)
}

// Both were paused. When n2 receives its promotion, n1 has long been back, and n2 is ordered to follow it again.
func TestLateCandidateIsNotPromoted(t *testing.T) {
	r := newRingFor(t, 2, lag(0)).observed()
	for i, until := range []clock.Instant{6500 * ms, 12_000 * ms} {
		r.At(1500*ms+clock.Instant(i)*3450*ms, r.hosts[i].Pause)
		r.At(until, r.hosts[i].Resume)
	}
	r.expect(14_000*ms, 2, readOnly, "SET k a")
	r.expect(14_000*ms, 1, "OK", "SET k a")
	r.until(15 * time.Second)
	r.termed(Term{0, 0, clock.Forever})
	if n := r.nodes[1].member.began; n != 1 || !r.nodes[1].follows() {
		t.Errorf("n2 was promoted %d times, and follows: %t", n, r.nodes[1].follows())
	}
}

// Time to hear of it is given to a server that takes itself for the master, not to one that follows the wrong one.
func TestReplicaOfTheOldMasterIsRedirectedImmediately(t *testing.T) {
	r := newRingFor(t, 3, lag(0))
	r.o.Attach(r.oh, Observation{Group: []int{0, 1, 2}, Down: 3 * time.Second, Demote: 8 * time.Second})
	r.At(1500*ms, func() { r.hosts[0].Crash(true) })
	r.apart(5500*ms, 6500*ms, r.oh, r.hosts[2])
	r.asks(6600*ms, "n2")
	r.expect(6600*ms, 2, "OK", "SET k a")
	r.expect(7900*ms, 3, "a", "GET k")
	r.until(9 * time.Second)
}

// It was promoted by hand, twice; each time it is left its time.
func TestDemotionTimeRestarts(t *testing.T) {
	r := newRingFor(t, 2, lag(0))
	r.o.Attach(r.oh, Observation{Group: []int{0, 1}, Demote: 4 * time.Second})
	for _, at := range []clock.Instant{1500 * ms, 15_500 * ms} {
		r.expect(at, 2, "OK", "REPLICAOF NO ONE")
		r.expect(at+4000*ms, 2, "OK", "SET k a")
		r.expect(at+5500*ms, 2, readOnly, "SET k a")
	}
	r.until(25 * time.Second)
}

// The key was replicated, and lives on under the new master as if nothing had been.
func TestAKeyThatSurvivesAFailoverHasOneLife(t *testing.T) {
	r := newRingFor(t, 2, lag(0)).observed()
	r.expect(ms, 1, "OK", "SET k a NX PX 9000")
	r.At(1500*ms, func() { r.hosts[0].Crash(true) })
	r.until(12 * time.Second)
	if got, want := lived(Lives(r.o.Terms(), r.nodes)), []string{"a 0.001s 9.002s"}; !equal(got, want) || len(r.o.Terms()) != 2 {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestTheObserverAnswersWhatItKnows(t *testing.T) {
	r := newRingFor(t, 2, lag(0)).observed()
	r.ask(ms, r.oh.ID+1, time.Second, "PING", "PONG", "sentinel GET-MASTER-ADDR-BY-NAME other", nil,
		"SENTINEL masters", unknown(words("SENTINEL masters")), "GET k", unknown(words("GET k")))
	r.until(50 * time.Millisecond)
	for _, request := range []any{nil, 7, []string{}} {
		if _, bad := r.o.Serve(request).(Error); !bad {
			t.Errorf("%v was served", request)
		}
	}
}
