package live

import (
	"bufio"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

func TestUnavailablePartIsRejectedWithReason(t *testing.T) {
	for id, want := range map[string]string{
		"leases/slow-client":             "runs at the machine's rate",
		"antirez/delayed-restart-short":  "not for live",
		"distlock/get-then-delete":       "strikes 150µs into a release",
		"session/cut-off":                "lock.kind: etcd needs servers",
		"sql/paused":                     "lock.kind: sql-row-lock needs servers",
		"antirez/monotonic-expiry":       "expiry: no Redis",
		"distlock/suspend":               "give pause",
		"distlock/impatience":            "lock.patience",
		"zookeeper/lock":                 "lock.kind: zookeeper needs servers",
		"redisson/fenced":                "lock.kind: redisson",
		"redlock/any":                    "search:",
		"fencing/from-a-service":         "fencing.source",
		"kleppmann/asynchronous-redlock": "clocks.c1",
	} {
		if err := Check(find(t, id)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the reason is %v, and should contain %q", id, err, want)
		}
	}
	if err := Check(find(t, "kleppmann/gc-pause")); err != nil {
		t.Error(err)
	}
}

func TestShortTimesStayAndLongOnesNeverPassThem(t *testing.T) {
	for _, c := range []struct {
		whole, want time.Duration
	}{
		{10 * time.Second, 2 * time.Second}, {-10 * time.Second, -2 * time.Second}, {15 * time.Second, 3 * time.Second},
		{50 * time.Millisecond, 50 * time.Millisecond}, {100 * time.Millisecond, 100 * time.Millisecond},
		{200 * time.Millisecond, 100 * time.Millisecond}, {0, 0},
	} {
		if got := (Pace{200, 1}).time(c.whole); got != c.want {
			t.Errorf("%s becomes %s, and should become %s", c.whole, got, c.want)
		}
	}
	for _, text := range []string{"0", "1.1", "-1", "x", "", "NaN", "1e99"} {
		if k, err := ParseScale(text); err == nil {
			t.Errorf("%q is read as the scale %s", text, k)
		}
	}
	if k, err := ParseScale("0.25"); err != nil || k.String() != "0.25" {
		t.Errorf("0.25 is read as %s, %v", k, err)
	}
}

func TestAScenarioThatScalingChangesIsRefused(t *testing.T) {
	s := find(t, "distlock/power-loss-everysec")
	scaled, err := Pace{200, 1}.apply(s)
	if err != nil {
		t.Fatal(err)
	}
	whole := scenarios.Run(*s, 1)
	if _, err := twin(whole, &scaled); err == nil || !strings.Contains(err.Error(), "with its times scaled") {
		t.Errorf("redis syncs each second, whatever the scale, and the error is %v", err)
	}
}

func TestTheMarginIsHalfOfTheSmallestGap(t *testing.T) {
	for id, want := range map[string]time.Duration{
		"kleppmann/gc-pause": 11 * time.Millisecond, // between the validity, 1.978s, and the TTL
		// How soon after the mark its pause comes, 50µs, is no gap of time: the proxy has gathered the requests.
		"kleppmann/pause-before-reply": 11 * time.Millisecond,
		"antirez/client-clock-back":    500 * time.Microsecond, // the jump comes 1ms after the mark
		"kleppmann/delayed-reply":      3 * time.Millisecond,   // between the delay, 1.984s, and the timeout, 1.99s
	} {
		scaled, err := Pace{200, 1}.apply(find(t, id))
		if err != nil {
			t.Fatal(err)
		}
		if got := margin(&scaled); got != want {
			t.Errorf("%s: %s, and should be %s", id, got, want)
		}
	}
}

func TestRepliesOfBothProtocolsAreReadAsTheyCame(t *testing.T) {
	for text, want := range map[string]string{
		"+OK\r\n": "OK", "$2\r\nab\r\n": "ab", ":7\r\n": "7", "$-1\r\n": "<nil>", "_\r\n": "<nil>", "*2\r\n:1\r\n$1\r\nx\r\n": "[1 x]",
		"%1\r\n+a\r\n:1\r\n": "[a 1]", "-ERR no\r\n": "ERR no", "*0\r\n": "[]", "=5\r\ntxt:a\r\n": "txt:a",
	} {
		raw, value, err := readReply(bufio.NewReader(strings.NewReader(text + "+next\r\n")))
		if err != nil || string(raw) != text || sprint(value) != want {
			t.Errorf("%q is read as %q, %v, %v", text, raw, value, err)
		}
	}
	for _, text := range []string{"?\r\n", "$x\r\n", "$3\r\nab", "*1\r\n", "\r\n", ""} {
		if raw, value, err := readReply(bufio.NewReader(strings.NewReader(text))); err == nil {
			t.Errorf("%q is read as %q, %v", text, raw, value)
		}
	}
}

// aRecord is of a server whose wall clock shows the time of the world, as nothing but a number.
func aRecord() (r *record, w *sim.World) {
	w = sim.New(sim.Config{})
	return &record{host: w.AddHost("n1", nil, scenarios.Epoch, 0), lane: 2}, w
}

const ms = clock.Instant(time.Millisecond)

// clientOn returns the client on a host: the first is on host 7.
func clientOn(host int) int { return host - 7 }

func TestALifeIsDatedBetweenTheRequestAndTheReply(t *testing.T) {
	r, w := aRecord()
	defer w.Close()
	r.note(observation{there: true, value: "a", due: 100, sent: 1 * ms, got: 3 * ms}, clientOn)
	r.note(observation{sent: 50 * ms, got: 54 * ms, asker: 8}, clientOn)
	narrow, wide := r.spans(nil, false), r.spans(nil, true)
	deleted := checker.Ending{Cause: checker.Deleted, Client: 1, Strike: -1}
	if want := (checker.Span{Lane: 2, Token: "a", From: 3 * ms, To: 50 * ms, Ended: deleted}); narrow[0] != want {
		t.Errorf("narrow: %+v, and should be %+v", narrow[0], want)
	}
	if want := (checker.Span{Lane: 2, Token: "a", From: 1 * ms, To: 54 * ms, Ended: deleted}); wide[0] != want {
		t.Errorf("wide: %+v, and should be %+v", wide[0], want)
	}
}

func TestKeyGoneAfterDeadlineExpired(t *testing.T) {
	r, w := aRecord()
	defer w.Close()
	r.note(observation{there: true, value: "a", due: 100, sent: 1 * ms, got: 3 * ms}, clientOn)
	r.note(observation{there: true, value: "b", due: 400, sent: 300 * ms, got: 301 * ms, asker: 7}, clientOn)
	all := r.spans(nil, true)
	if len(all) != 2 || all[0].To != 101*ms || all[0].Ended.Cause != checker.Expired {
		t.Fatalf("%+v", all)
	}
	if all[1].From != 300*ms || all[1].To != 401*ms {
		t.Errorf("%+v", all)
	}
}

func TestSuccessiveValuesLeaveNoGapOrOverlap(t *testing.T) {
	r, w := aRecord()
	defer w.Close()
	r.note(observation{there: true, value: "a", due: -1, sent: 1 * ms, got: 3 * ms}, clientOn)
	r.note(observation{there: true, value: "b", due: 400, sent: 10 * ms, got: 12 * ms, asker: 7}, clientOn)
	all := r.spans(nil, true)
	if all[0].To > all[1].From || !all[0].Endless || all[0].Ended.Cause != checker.Overwritten || all[0].Ended.Client != 0 {
		t.Errorf("%+v", all)
	}
}

func TestCourseEndsWithLastFault(t *testing.T) {
	e := &checker.Evidence{
		Holds:   []checker.Hold{{Client: 0, From: 1}, {Client: 1, From: 5}, {Client: 2, From: 9}},
		Strikes: []checker.Strike{{Fault: "pause c1", From: 2}, {Fault: "crash c2", From: 6}},
	}
	if got := strings.Join(course(e), ", "); got != "c1 acquires, pause c1, c2 acquires, crash c2" {
		t.Error(got)
	}
	e.Strikes = nil
	if got := course(e); len(got) != 0 {
		t.Errorf("without a strike the course is %q", got)
	}
}

func sprint(v any) string {
	if v == nil {
		return "<nil>"
	}
	return strings.TrimSpace(fmt.Sprintln(v))
}

func TestAKindOfFaultThatLiveDoesNotKnowIsRefused(t *testing.T) {
	cast := find(t, "kleppmann/gc-pause").Cast()
	for _, k := range faults.Kinds {
		if why := Refusal(&faults.Fault{Kind: k, Host: "n1"}, &cast); strings.Contains(why, "does not know") {
			t.Errorf("%s: %s", k.Name, why)
		}
	}
	if Refusal(&faults.Fault{Kind: &faults.Kind{Name: "freeze"}, Host: "n1"}, &cast) == "" {
		t.Error("a fault of a kind that is not made would strike nobody, and is not refused")
	}
}

func TestLateClientCountsAsLateDriver(t *testing.T) {
	for name, w := range map[string]struct {
		agent agent
		want  time.Duration
	}{
		"one of ours":                      {agent{}, 7},
		"one that was stopped meanwhile":   {agent{touched: 103}, 1},
		"an adapter, which had other work": {agent{gate: gate{adapter: true}}, 1},
	} {
		d := &Driver{}
		w.agent.Driver = d
		yes := said{line: line{verb: "yes", values: []string{"begin=107", "end=120"}}, came: 121}
		if _, err := w.agent.dated(yes, 100); err != nil || d.worst != w.want {
			t.Errorf("%s: late by %d, %v; should be %d", name, d.worst, err, w.want)
		}
	}
}

// rueidislock's tokens are random bytes, and some are ends of lines.
func TestTokenOfAnyBytesIsOneWord(t *testing.T) {
	for token, want := range map[string]string{"a=b": "token=a=b", "a b": "hex=612062", "a\n\xff": "hex=610aff", "": "hex="} {
		word := naming(token)
		if got := (line{values: []string{word}}).token(); word != want || got != token {
			t.Errorf("%q is named by %q, and read as %q", token, word, got)
		}
	}
}

// Chance decides which of the clients that start together wins. A count of such runs takes each as it is, and a late
// one is unknown even if it agrees with the simulator: else lateness would pick the verdicts that count.
// A run is judged by itself. Another course makes only a comparison unknown. If it is late too, nothing of it counts.
func TestARunOfAnotherCourseIsJudgedByItself(t *testing.T) {
	s := find(t, "kleppmann/clock-jump-together")
	twin := scenarios.Run(*s, 1)
	twin.Evidence.Holds[0].Client, twin.Evidence.Holds[1].Client = twin.Evidence.Holds[1].Client, twin.Evidence.Holds[0].Client
	for i := range twin.Findings {
		if twin.Findings[i].Property == "validity" {
			twin.Findings[i].Verdict = checker.Holds // as it might be if the other client won
		}
	}
	for _, c := range []struct {
		worst   time.Duration
		compare bool
		unknown bool
	}{{0, true, true}, {0, false, false}, {20 * time.Millisecond, false, true}} {
		run := scenarios.Run(*s, 1)
		r := Result{Result: run, Twin: twin, Worst: c.worst, Margin: 10 * time.Millisecond}
		r.weigh(run.Evidence.Keys, c.compare, func() bool { return false })
		if got := r.VerdictOn("validity") == checker.Unknown; got != c.unknown {
			t.Errorf("late by %s, compared %t: unknown is %t; doubts %q", c.worst, c.compare, got, r.Doubts)
		}
		if agreed := r.VerdictOn("belief") == checker.Unknown; agreed != (c.worst > 0) {
			t.Errorf("late by %s, compared %t: a verdict that agrees is unknown: %t", c.worst, c.compare, agreed)
		}
	}
}

// A view of the clients' calls that holds shows nothing against a lock that breaks its promises: an answer was late.
func TestAViewThatHoldsForALateAnswerIsUnknown(t *testing.T) {
	s := find(t, "kleppmann/gc-pause")
	run, twin := scenarios.Run(*s, 1), scenarios.Run(*s, 1)
	view, _ := run.View("lease")
	view.Verdict = checker.Holds
	r := Result{Result: run, Twin: twin, Margin: 10 * time.Millisecond}
	r.weigh(run.Evidence.Keys, false, func() bool { return false })
	if r.Verdict != scenarios.Unknown || r.VerdictOn("storage") != checker.Violated || len(r.Doubts) != 1 {
		t.Errorf("the run is %s, storage is %s, doubts %q", r.Verdict, r.VerdictOn("storage"), r.Doubts)
	}
}

// Where chance decides, a late run does not count, also if it agrees: those that differ would be tried again.
func TestALateRunDoesNotCountWhereChanceDecides(t *testing.T) {
	s := find(t, "kleppmann/clock-jump-together")
	run, twin := scenarios.Run(*s, 1), scenarios.Run(*s, 1)
	for _, chance := range []bool{true, false} {
		r := Result{Result: run, Twin: twin, Worst: 20 * time.Millisecond, Margin: 10 * time.Millisecond}
		r.weigh(run.Evidence.Keys, false, func() bool { return chance })
		if got := r.VerdictOn("belief") == checker.Unknown; got != chance {
			t.Errorf("chance decides: %t; unknown: %t", chance, got)
		}
		run = scenarios.Run(*s, 1)
	}
}

// Where no fault names a client, a comparison counts a run in which the clients have changed places.
func TestClientsWithoutANameInTheScheduleMayChangePlaces(t *testing.T) {
	for schedule, same := range map[string]bool{"when any acquired +100ms restart a-node for 100ms": true,
		"when any acquired +100ms pause c3 for 100ms": false} {
		s, err := scenarios.Parse("x.yaml", []byte("title: x\nlock: {kind: redlock}\nwork: {cycles: 1, stagger: 300ms}\nschedule: |\n  "+schedule))
		if err != nil {
			t.Fatal(err)
		}
		run, twin := scenarios.Run(s, 1), scenarios.Run(s, 1)
		for i := range twin.Evidence.Holds {
			twin.Evidence.Holds[i].Client = (twin.Evidence.Holds[i].Client + 1) % 3
		}
		r := Result{Result: run, Twin: twin}
		if got := r.anotherCourse(); (got == "") != same {
			t.Errorf("%s: %q", schedule, got)
		}
	}
}

func TestGrantsWithoutValidityAndScriptsThatWereNotLoadedAreNoted(t *testing.T) {
	a := &agent{name: "c1", expired: []scenarios.LateGrant{{Over: 232 * time.Millisecond}, {Over: time.Second}}}
	a.loads = 1
	for id, want := range map[string]string{
		"kleppmann/pause-before-reply": "c1 was granted the lock with no validity left, 2 times; first 232ms past the deadline. " +
			"c1 had to load the lock's script first, and a fault within an attempt may have hit that, and no grant.",
		"kleppmann/gc-pause": "c1 was granted the lock with no validity left, 2 times; first 232ms past the deadline.",
	} {
		r := Result{Result: &scenarios.Result{Scenario: find(t, id)}}
		if r.note([]*agent{a}); strings.Join(r.Notes, " ") != want || len(r.Result.Late) != 2 {
			t.Errorf("%s: %q", id, r.Notes)
		}
	}
}

// After a server's restart a client opens a new connection: a lost vote would be no fault of the lock.
func TestClientDropsAConnectionThatItsServerHasEnded(t *testing.T) {
	need.Loopback(t, "nothing is run live")
	need.System(t, "no client runs live", "linux")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	accepted := make(chan net.Conn)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			accepted <- c
		}
	}()
	o := &own{servers: []string{l.Addr().String()}, idle: map[int][]*link{}}
	until := time.Now().Add(time.Minute)
	first, err := o.connect(0, until)
	if err != nil {
		t.Fatal(err)
	}
	server := <-accepted
	o.idle[0] = []*link{first}
	if again, _ := o.connect(0, until); again != first {
		t.Error("it does not use an idle connection again")
	}
	o.idle[0] = []*link{first}
	server.(*net.TCPConn).SetLinger(0)
	server.Close()
	for idle(first.conn) {
		time.Sleep(time.Millisecond)
	}
	second, err := o.connect(0, until)
	if err != nil || second == first {
		t.Fatalf("%v: it uses a connection that has ended", err)
	}
	(<-accepted).Close()
}

func TestGapIsTheMeanTimeBetweenFirstAttempts(t *testing.T) {
	all := []*agent{{name: "c1", first: 100, won: 900, took: 300}, {name: "c2", first: 160, won: 400, took: 240}, {name: "c3", first: 120},
		{name: scenarios.ProbeHost, first: 1, won: 2, took: 1}}
	if got, want := startOf(all), (Start{Gap: 30, Attempt: 240}); got != want {
		t.Errorf("it is %+v, and should be %+v", got, want)
	}
	if got := startOf(all[:1]); got != (Start{}) {
		t.Errorf("one client alone has %+v", got)
	}
}

// A run in which a needed event did not happen is put aside, but not if the lock broke a promise in it that ours keeps.
func TestBreakCountsThoughANeededEventIsMissing(t *testing.T) {
	s, _ := scenarios.Find("kleppmann/gc-pause")
	for _, c := range []struct {
		storage checker.Verdict
		want    scenarios.Verdict
		aside   bool
	}{{checker.Holds, scenarios.Unknown, true}, {checker.Violated, scenarios.Fail, false}} {
		run := scenarios.Run(s, 1)
		for i := range run.Findings {
			if run.Findings[i].Verdict = checker.Holds; run.Findings[i].Property == "storage" {
				run.Findings[i].Verdict = c.storage
			}
		}
		run.Seen[0].Verdict = checker.Violated
		r := &Result{Result: run}
		r.expect(&paced{broken: map[string]bool{}}, nil)
		if r.Verdict != c.want || (r.Missing != nil) != c.aside {
			t.Errorf("storage %s: the verdict is %s, missing are %v", c.storage, r.Verdict, r.Missing)
		}
	}
}
