package live

import (
	"context"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/sim/redis"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
)

func TestKeyLivesOnMaster(t *testing.T) {
	copied := checker.Ending{Cause: checker.Copied, Client: -1, Strike: -1}
	on := map[int][]checker.Span{
		0: {{Lane: 0, Token: "a", From: 10 * ms, To: 90 * ms, Ended: copied}, {Token: "b", From: 95 * ms, To: 99 * ms}},
		1: {{Lane: 1, Token: "a", From: 12 * ms, To: 60 * ms}, {Lane: 1, Token: "c", From: 70 * ms, To: 80 * ms}},
		2: {{Lane: 2, Token: "d", From: 10 * ms, To: 75 * ms}},
	}
	terms := []redis.Term{{Node: 0, To: 50 * ms}, {Node: 1, From: 50 * ms, To: 74 * ms}, {Node: 2, From: 74 * ms, To: clock.Forever}}
	want := []checker.Span{
		{Token: "a", From: 10 * ms, To: 60 * ms},
		{Token: "c", From: 70 * ms, To: 74 * ms, Ended: checker.Ending{Cause: checker.Superseded, Client: -1, Strike: -1}},
		{Token: "d", From: 74 * ms, To: 75 * ms},
	}
	if got := reigning(terms, func(node int) []checker.Span { return on[node] }); !slices.Equal(got, want) {
		t.Errorf("%+v, and should be %+v", got, want)
	}
}

func TestWhatChangesOnAReplicaWasCopied(t *testing.T) {
	r, w := aRecord()
	defer w.Close()
	r.note(observation{there: true, value: "a", due: 100, sent: 1 * ms, got: 3 * ms, copied: true}, clientOn)
	r.note(observation{sent: 50 * ms, got: 54 * ms, asker: -1, copied: true}, clientOn)
	if got, want := r.spans(nil, false)[0].Ended, (checker.Ending{Cause: checker.Copied, Client: -1, Strike: -1}); got != want {
		t.Errorf("%+v, and should be %+v", got, want)
	}
}

func TestAMissingPieceEndsAReplicasConnection(t *testing.T) {
	near, far := net.Pipe()
	p := &pipe{proxy: &Proxy{}, ends: [2]net.Conn{ofReplica: near}}
	heard := make(chan string)
	go func() {
		text, _ := io.ReadAll(far)
		heard <- string(text)
	}()
	for _, q := range []piece{
		{nth: 0, bytes: []byte("one ")}, {nth: 1}, {nth: 2, bytes: []byte("two ")},
		{nth: 4, bytes: []byte("four ")}, {nth: 5, bytes: []byte("five")},
	} {
		q.end = ofMaster
		p.take(q)
	}
	if got := <-heard; got != "one two " || !p.over {
		t.Errorf("the replica was given %q", got)
	}
}

// In distlock/failover it fails before, and the key is lost.
func TestAKeyThatWasCopiedBeforeItsMasterFailsIsKept(t *testing.T) {
	need.Loopback(t, "nothing is run live")
	needServer(t)
	s := find(t, "distlock/failover")
	s.Replicas.Lag.Min, s.Replicas.Lag.Max = 0, 0
	var err error
	if s.Faults, err = faults.Parse("when c1 acquired +1s restart n1 for 30s"); err != nil {
		t.Fatal(err)
	}
	res, err := Run(context.Background(), s, 1, calm)
	if err != nil {
		t.Fatal(err)
	}
	storage := res.Findings[slices.IndexFunc(res.Findings, func(f checker.Finding) bool { return f.Property == "storage" })]
	if storage.Verdict == checker.Violated {
		t.Errorf("the key had been copied, and was lost all the same\n%s", strings.Join(res.Live, "\n"))
	}
	e := res.Evidence
	lasts := func(k checker.Span) bool { // while the master fails; an attempt before may have been too slow
		strike := e.Strikes[0].From
		return k.From < strike && strike < k.To && k.To.Sub(k.From) >= time.Second
	}
	if len(res.Copies) == 0 || !slices.ContainsFunc(e.Keys, lasts) {
		t.Errorf("the key's life on the masters is not one: %+v\n%+v", res.Evidence.Keys, res.Copies)
	}
}

// Three of Redis's own sentinels have to agree that the master is down, and to elect who promotes a replica.
func TestRealSentinelsPromoteAReplica(t *testing.T) {
	need.Loopback(t, "nothing is run live")
	needServer(t)
	s := find(t, "distlock/failover")
	if _, err := Run(context.Background(), s, 1, Options{Servers: "sentinel", Scale: 200, Late: calm.Late}); err == nil || !strings.Contains(err.Error(), "give --scale 1") {
		t.Errorf("an election takes a second, and the error at a scale of 0.2 is %v", err)
	}
	s.Faults[0].For = 10 * time.Second
	res, err := Run(context.Background(), s, 1, Options{Servers: "sentinel", Scale: 1000, Attempts: 1, Late: calm.Late})
	if err != nil {
		t.Fatal(err)
	}
	superseded := func(s checker.Span) bool { return s.Ended.Cause == checker.Superseded }
	// On a machine that is too busy for a verdict, the sentinels may have waited too.
	promoted := res.Verdict == scenarios.Unknown || slices.ContainsFunc(res.Evidence.Keys, superseded)
	if res.Verdict == scenarios.Fail || !promoted {
		t.Errorf("%s: %+v\n%s", res.Verdict, res.Evidence.Keys, strings.Join(res.Live, "\n"))
	}
	if want := "with three sentinels"; !strings.Contains(res.Live[0], want) {
		t.Errorf("the report does not say %q: %s", want, res.Live[0])
	}
}

func TestALockRunsOnTheServersThatAreAskedFor(t *testing.T) {
	for _, c := range []struct{ id, servers, want string }{
		{"distlock/failover", "", ""},
		{"distlock/failover", "replicas", ""},
		{"distlock/failover", "sentinel", ""},
		{"distlock/failover", "etcd", `does not run on "etcd"; give replicas or sentinel`},
		{"kleppmann/gc-pause", "sentinel", `does not run on "sentinel"; give redis`},
		{"session/cut-off", "sentinel", "lock.kind: etcd needs servers"},
	} {
		err := Options{Servers: c.servers}.Check(find(t, c.id))
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s on %q: %v", c.id, c.servers, err)
		}
	}
	s := find(t, "distlock/failover")
	var err error
	if s.Faults, err = faults.Parse("when c1 acquired pause o for 1s"); err != nil {
		t.Fatal(err)
	}
	if err := (Options{Servers: "sentinel"}).Check(s); err == nil || !strings.Contains(err.Error(), "the host of the sentinels") {
		t.Errorf("the observer is paused, and the error is %v", err)
	}
}
