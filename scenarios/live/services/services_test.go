package services

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/scenarios"
	"github.com/lockstorm/lockstorm/scenarios/live"
	"github.com/lockstorm/lockstorm/scenarios/live/realtest"
	"github.com/lockstorm/lockstorm/sim"
	"github.com/lockstorm/lockstorm/sim/simtest/need"
	"github.com/lockstorm/lockstorm/sim/sql"
)

// TestMain lets the test binary be the clients and the watchdog of its runs, an adapter, and a driver that is killed.
func TestMain(m *testing.M) {
	Add()
	args := os.Args[1:]
	switch {
	case live.Main(args):
	case len(args) == 1 && args[0] == "advisory-adapter":
		advisoryAdapter()
	case len(args) == 2 && args[0] == "driver":
		s, _ := scenarios.Find(args[1])
		if _, err := live.Run(context.Background(), &s, 1, live.Options{Attempts: 1}); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	default:
		os.Exit(m.Run())
	}
}

// needServer skips a test where a kind of server is missing.
func needServer(t *testing.T, k *live.ServerKind) {
	t.Helper()
	if machine := live.Doctor(live.Options{})[0]; !machine.Has {
		need.Possible(t, "nothing is run live", errors.New(machine.Text))
	}
	_, _, err := k.Find("")
	need.Possible(t, "nothing is run live on "+k.Name, err)
}

// find returns a scenario of the catalogue.
func find(t *testing.T, id string) *scenarios.Scenario {
	t.Helper()
	s, ok := scenarios.Find(id)
	if !ok {
		t.Fatalf("no scenario %s", id)
	}
	return &s
}

// on are scenarios with a witness in reality, by what they run on.
var on = map[string]*live.ServerKind{"session/expiry-while-paused": &etcdServers, "sql/paused": &postgresServers}

// A machine that is too busy has no verdict, which is not a failure.
func TestEtcdAndPostgreSQLMatchSimulatorVerdicts(t *testing.T) {
	for id, kind := range on {
		t.Run(id, func(t *testing.T) {
			needServer(t, kind)
			need.Long(t)
			res, err := live.Run(context.Background(), find(t, id), 1, live.Options{Scale: 200, Late: time.Millisecond})
			if err != nil {
				t.Fatal(err)
			}
			if err := res.Evidence.Check(); err != nil {
				t.Error(err)
			}
			switch res.Verdict {
			case scenarios.Fail:
				t.Errorf("it does not come out as in the simulator: %+v\n%s", res.Findings, strings.Join(res.Live, "\n"))
			case scenarios.Unknown:
				t.Logf("unknown: %s", strings.Join(res.Live, "\n"))
			}
		})
	}
}

// Half of the runs' drivers are killed at a random moment. No process, file, port or shared memory is left.
func TestNothingIsLeftOfRunsOnEtcdAndPostgreSQL(t *testing.T) {
	need.Long(t)
	directories := func(pid int) []string {
		all, _ := filepath.Glob(filepath.Join(os.TempDir(), "lockstorm-"+strconv.Itoa(pid)+"-*"))
		return all
	}
	for id, kind := range on {
		t.Run(id, func(t *testing.T) {
			needServer(t, kind)
			for i := range 10 {
				kill := time.Duration(-1)
				if i%2 == 1 { // each run takes longer than that
					kill = rand.N(1200 * time.Millisecond)
				}
				realtest.RunAndLeaveNothing(t, exec.Command(os.Args[0], "driver", id), kill, directories)
			}
		})
	}
}

func TestServicesRejectUnavailableFaults(t *testing.T) {
	for id, want := range map[string]string{
		"etcd/leader-cut-off": "no proxy between the servers of etcd",
		"etcd/amnesia":        "persistence: etcd keeps its data",
		"etcd/fast-servers":   "clocks.n1",
		"etcd/clock-steps":    "does not step the clocks of these servers",
		"sql/optimistic":      "storage.engine",
		"zookeeper/lock":      "lock.kind: zookeeper runs on ZooKeeper with --adapter alone",
	} {
		if err := live.Check(find(t, id)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the reason is %v, and should contain %q", id, err, want)
		}
	}
	for _, id := range []string{"session/cut-off", "etcd/slow-client", "etcd/all-restart", "session/jepsen-etcd", "sql/restart"} {
		if err := live.Check(find(t, id)); err != nil {
			t.Errorf("%s is refused: %v", id, err)
		}
	}
	for text, want := range map[string]bool{
		"at 1s partition c1 | n1 n2 n3": false, "at 1s partition c1 n1 | n2 n3": true, "at 1s partition isolate n1": true,
		"at 1s cut c1>n1": false, "at 1s cut n1>n2": true, "at 1s partition n1 n2 n3 > c1": false,
	} {
		all, err := faults.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		cast := find(t, "etcd/lock").Cast()
		if got := amongServers(&all[0], &cast); got != want {
			t.Errorf("%s is about what servers send each other: %v", text, got)
		}
	}
}

func TestTakenLockIsNotAnotherError(t *testing.T) {
	refused := &pgconn.PgError{Severity: "ERROR", Code: "55P03", Message: "could not obtain lock"}
	if got := failure(refused); got != sql.ErrLocked {
		t.Errorf("it is %v", got)
	}
	refused.Code = "22P02"
	if got := failure(refused); got != sql.Error("22P02: could not obtain lock") {
		t.Errorf("another error is %v", got)
	}
}

// lives returns what a cluster without servers knows after some views.
func lives(t *testing.T, do func(c *cluster)) []live.Life {
	t.Helper()
	c := newCluster(&live.Driver{Scenario: find(t, "etcd/lock"), Key: scenarios.LockKey}, "")
	defer c.Close()
	do(c)
	return c.lives
}

func TestKeyLifeSpansReadsThatFindIt(t *testing.T) {
	got := lives(t, func(c *cluster) {
		c.note(view{1, "", 0, 5})
		c.note(view{2, "lock/a@2", 10, 20})
		c.note(view{1, "", 15, 30}) // an old answer, late
		c.note(view{2, "lock/a@2", 40, 50})
		c.note(view{3, "lock/b@1", 60, 70})
	})
	want := []live.Life{
		{Value: "lock/a@2", From: 0, Seen: 20, Gone: 40, To: 70, Ended: checker.Ending{Cause: checker.Expired, Client: -1, Strike: -1}},
		{Value: "lock/b@1", From: 40, Seen: 70, Gone: clock.Forever, To: clock.Forever},
	}
	if !slices.Equal(got, want) {
		t.Errorf("the lives are\n%+v\nand should be\n%+v", got, want)
	}
	narrow, wide := spans(nil, got, false), spans(nil, got, true)
	if narrow[0].From != 20 || narrow[0].To != 40 || wide[0].From != 0 || wide[0].To != 70 || wide[1].From != 70 {
		t.Errorf("narrow: %+v\nwide: %+v", narrow, wide)
	}
}

// A release that finds no key any more is answered like any other.
func TestReleaseDoesNotEndEarlierLife(t *testing.T) {
	g := newLedger(checker.Expired)
	g.note(view{0, "", 0, 5})
	g.note(view{0, "a", 10, 15})
	g.note(view{0, "", 20, 25})
	g.delete("a", deletion{client: 0, sent: 40})
	if got := g.lives[0]; got.Ended.Cause != checker.Expired || got.Gone != 15 || got.To != 25 {
		t.Errorf("the life ended so: %+v", got)
	}
	g.note(view{0, "b", 30, 35})
	g.delete("b", deletion{client: 1, sent: 50})
	g.note(view{0, "", 60, 65})
	if got := g.lives[1]; got.Ended.Cause != checker.Deleted || got.Ended.Client != 1 || got.Gone != 50 || got.To != 65 {
		t.Errorf("the life ended so: %+v", got)
	}
}

func TestLinkReopensAfterLastCutHeals(t *testing.T) {
	n := newNetwork(nil, nil)
	cut, mend := sim.Event{Kind: sim.CutOff, Host: 1, Peer: 2}, sim.Event{Kind: sim.Mended, Host: 1, Peer: 2}
	n.apply(cut)
	n.apply(cut)
	if n.apply(mend); !n.cut(1, 2) || n.cut(2, 1) {
		t.Error("one of two cuts was mended, and the way is open")
	}
	if n.apply(mend); n.cut(1, 2) {
		t.Error("both cuts were mended, and the way is not open")
	}
}

func TestAdapterOnServiceRejectsUnavailableParts(t *testing.T) {
	for text, want := range map[string]string{
		"when c1 answered pause c1 for 5s":   `does not say when it passes "answered"`,
		"at 1s hold c1>n1 for 1s":            "does not tell one message from another",
		"at 1s for 1s lossy c1>n1 500000ppm": "does not tell one message from another",
		"at 1s jump c1 +5s":                  "can't be stepped",
		"at 1s for 1s suspend c1":            "suspended to RAM",
		"when c1 asking pause c1 for 5s":     "",
		"when c1 read partition c1 | n1 n2":  "",
	} {
		s := find(t, "session/cut-off")
		all, err := faults.Parse(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		s.Faults = all
		err = live.CheckAdapter(s)
		if got := err == nil; got != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the reason is %v, and should contain %q", text, err, want)
		}
	}
}

// An adapter's connection to PostgreSQL is cut off for 2 s, and its session keeps the lock. What it has sent meanwhile
// arrives afterwards, as TCP sends it again.
func TestAnAdapterTakesPostgreSQLsAdvisoryLock(t *testing.T) {
	needServer(t, &postgresServers)
	need.Long(t)
	o := live.Options{Attempts: 1, Adapter: []string{os.Args[0], "advisory-adapter"}}
	res, err := live.Run(context.Background(), find(t, "sql/cut-off"), 1, o)
	if err != nil {
		t.Fatal(err)
	}
	e := res.Evidence
	if err := e.Check(); err != nil {
		t.Error(err)
	}
	if len(e.Strikes) != 1 || len(e.Holds) != 2 || len(e.Keys) != 2 {
		text := strings.Join(res.Live, "\n")
		t.Fatalf("%d strikes, %d holds and %d lives of the lock: %s", len(e.Strikes), len(e.Holds), len(e.Keys), text)
	}
	struck := func(f checker.Finding) bool { return f.Property == "fault-struck" && f.Verdict == checker.Holds }
	if !slices.ContainsFunc(res.Seen, struck) {
		t.Errorf("the cut met nothing: %+v", res.Seen)
	}
	if k := e.Keys[0]; k.To < e.Strikes[0].To || k.Ended.Cause != checker.Unrecorded {
		t.Errorf("c1 was cut off until %s, and its lock ended at %s: %v", e.Strikes[0].To, k.To, k.Ended)
	}
	if k := e.Keys[1]; k.Ended.Cause != checker.Deleted || k.Ended.Client != 1 {
		t.Errorf("c2's lock ended so: %+v", k.Ended)
	}
}

// advisoryAdapter is PostgreSQL's advisory lock on a connection whose name is the token. A release that is not answered
// soon ends the connection.
func advisoryAdapter() {
	var c *pgx.Conn
	address, token := "", ""
	ask := func(statement string, within time.Duration) (yes bool) {
		ctx, cancel := context.WithTimeout(context.Background(), within)
		defer cancel()
		return c.QueryRow(ctx, statement).Scan(&yes) == nil && yes
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		begin := live.Monotonic()
		words := strings.Fields(lines.Text())
		said := "no"
		switch words[1] {
		case "start":
			i := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "servers=") })
			address = strings.TrimPrefix(words[i], "servers=")
			fmt.Println("0 ready")
			continue
		case "acquire":
			token = fmt.Sprint(os.Getpid(), "-", words[0])
			if c == nil {
				c, _ = pgx.Connect(context.Background(), "postgres://postgres@"+address+"/postgres?sslmode=disable")
			}
			_, err := c.Exec(context.Background(), "SET application_name TO '"+token+"'")
			if err == nil && ask("SELECT pg_try_advisory_lock(7)", time.Hour) {
				said = "yes left=told"
			}
		case "release":
			if ask("SELECT pg_advisory_unlock(7)", 100*time.Millisecond) {
				said = "yes"
			}
		}
		fmt.Printf("%s %s begin=%d end=%d token=%s\n", words[0], said, begin, live.Monotonic(), token)
	}
}
