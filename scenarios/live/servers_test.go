package live

import (
	"slices"
	"strings"
	"testing"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/sim/sql"
)

// A machine that is too busy gives no verdict, which is no failure.
func TestEtcdAndPostgreSQLComeToTheVerdictsOfTheSimulator(t *testing.T) {
	if err := supported(); err != nil {
		t.Skipf("nothing is run live: %v", err)
	}
	if !long {
		t.Skip("it takes 23 s, and more servers; LOCKSTORM_LONG=1 runs it")
	}
	for _, id := range []string{"session/expiry-while-paused", "sql/paused"} {
		t.Run(id, func(t *testing.T) {
			s := find(t, id)
			if _, _, err := (Options{}).complete(s.Lock.Kind); err != nil {
				t.Skipf("nothing is run live: %v", err)
			}
			mustAgree(t, s)
		})
	}
}

func TestWhatServicesCanNotHaveIsRefused(t *testing.T) {
	for id, want := range map[string]string{
		"etcd/leader-cut-off": "no proxy between the servers of etcd",
		"etcd/amnesia":        "persistence: etcd keeps its data",
		"etcd/fast-servers":   "clocks.n1",
		"etcd/clock-steps":    "does not step the clocks of these servers",
		"sql/optimistic":      "storage.engine",
		"zookeeper/lock":      "lock.kind: zookeeper",
	} {
		if err := Check(find(t, id)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the reason is %v, and should contain %q", id, err, want)
		}
	}
	for _, id := range []string{"session/cut-off", "etcd/slow-client", "etcd/all-restart", "session/jepsen-etcd", "sql/restart"} {
		if err := Check(find(t, id)); err != nil {
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

func TestArgumentsAreWrittenIntoStatements(t *testing.T) {
	for _, c := range []struct {
		text string
		args []any
		want string
	}{
		{"a = ?, b = ?", []any{int64(1), "x"}, "a = 1, b = 'x'"},
		{"a = ?, b = ?2 WHERE b <= ?2", []any{int64(1), int64(7)}, "a = 1, b = 7 WHERE b <= 7"},
		{"a = ?1 AND a <= ?1", []any{int64(3)}, "a = 3 AND a <= 3"},
		{"t = ?", []any{"it's"}, "t = 'it''s'"},
	} {
		if got := literal(c.text, c.args); got != c.want {
			t.Errorf("%q becomes %q, and should become %q", c.text, got, c.want)
		}
	}
	if got := pgFailure([]byte("SERROR\x00C55P03\x00Mcould not obtain lock\x00\x00")); got != sql.ErrLocked {
		t.Errorf("a lock that somebody else has is %v", got)
	}
}

// lives returns what a cluster without servers knows after some views.
func lives(t *testing.T, do func(c *cluster)) []life {
	t.Helper()
	s := find(t, "etcd/lock")
	r := &run{scenario: s, wake: make(chan struct{}, 1)}
	c := newCluster(r, "")
	defer c.Close()
	do(c)
	r.Act()
	return c.lives
}

func TestTheLifeOfAKeyLastsFromTheReadThatFindsItToTheOneThatDoesNot(t *testing.T) {
	got := lives(t, func(c *cluster) {
		c.note(view{1, "", 0, 5})
		c.note(view{2, "lock/a@2", 10, 20})
		c.note(view{1, "", 15, 30}) // an old answer, late
		c.note(view{2, "lock/a@2", 40, 50})
		c.note(view{3, "lock/b@1", 60, 70})
	})
	want := []life{
		{value: "lock/a@2", from: 0, seen: 20, gone: 40, to: 70, ended: checker.Ending{Cause: checker.Expired, Client: -1, Strike: -1}},
		{value: "lock/b@1", from: 40, seen: 70, gone: clock.Forever, to: clock.Forever},
	}
	if !slices.Equal(got, want) {
		t.Errorf("the lives are\n%+v\nand should be\n%+v", got, want)
	}
	narrow, wide := serviceSpans(nil, got, false), serviceSpans(nil, got, true)
	if narrow[0].From != 20 || narrow[0].To != 40 || wide[0].From != 0 || wide[0].To != 70 || wide[1].From != 70 {
		t.Errorf("narrow: %+v\nwide: %+v", narrow, wide)
	}
}
