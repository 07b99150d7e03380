package live

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/checker"
	"github.com/lockstorm/lockstorm/faults"
	"github.com/lockstorm/lockstorm/sim"
)

// A release that finds no key any more is answered like any other.
func TestAReleaseEndsNoLifeThatWasOverBefore(t *testing.T) {
	g := newLedger(checker.Expired)
	g.note(view{0, "", 0, 5})
	g.note(view{0, "a", 10, 15})
	g.note(view{0, "", 20, 25})
	g.delete("a", deletion{by: 0, sent: 40})
	if got := g.lives[0]; got.ended.Cause != checker.Expired || got.gone != 15 || got.to != 25 {
		t.Errorf("the life ended so: %+v", got)
	}
	g.note(view{0, "b", 30, 35})
	g.delete("b", deletion{by: 1, sent: 50})
	g.note(view{0, "", 60, 65})
	if got := g.lives[1]; got.ended.Cause != checker.Deleted || got.ended.Client != 1 || got.gone != 50 || got.to != 65 {
		t.Errorf("the life ended so: %+v", got)
	}
}

func TestAWayIsOpenAgainWhenEachCutIsMended(t *testing.T) {
	n := network{map[[2]int]int{}, nil}
	cut, mend := sim.Event{Kind: sim.CutOff, Host: 1, Peer: 2}, sim.Event{Kind: sim.Mended, Host: 1, Peer: 2}
	n.apply(cut)
	n.apply(cut)
	if n.apply(mend) || !n.cut(1, 2) || n.cut(2, 1) {
		t.Error("one of two cuts was mended, and the way is open")
	}
	if !n.apply(mend) || n.cut(1, 2) {
		t.Error("both cuts were mended, and the way is not open")
	}
}

func TestWhatAnAdapterOnAServiceCanNotHaveIsRefused(t *testing.T) {
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
		err = checkAdapter(s)
		if got := err == nil; got != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: the reason is %v, and should contain %q", text, err, want)
		}
	}
}

// An adapter's connection to PostgreSQL is cut off for 2 s, and its session keeps the lock. What it has sent meanwhile arrives
// afterwards, as TCP sends it again.
func TestAnAdapterTakesPostgreSQLsAdvisoryLock(t *testing.T) {
	if err := supported(); err != nil {
		t.Skipf("nothing is run live: %v", err)
	}
	if !long {
		t.Skip("it takes 10 s, and PostgreSQL; LOCKSTORM_LONG=1 runs it")
	}
	s := find(t, "sql/cut-off")
	if _, _, err := (Options{}).complete(s.Lock.Kind); err != nil {
		t.Skipf("nothing is run live: %v", err)
	}
	res, err := Run(context.Background(), s, 1, Options{Attempts: 1, Adapter: []string{os.Args[0], "bad-adapter", "advisory"}})
	if err != nil {
		t.Fatal(err)
	}
	e := res.Evidence
	if err := e.Check(); err != nil {
		t.Error(err)
	}
	if len(e.Strikes) != 1 || len(e.Holds) != 2 || len(e.Keys) != 2 {
		t.Fatalf("%d strikes, %d holds and %d lives of the lock: %s", len(e.Strikes), len(e.Holds), len(e.Keys), strings.Join(res.Live, "\n"))
	}
	if i := slices.IndexFunc(res.Seen, func(f checker.Finding) bool { return f.Property == "fault-struck" }); i < 0 || res.Seen[i].Verdict != checker.Holds {
		t.Errorf("the cut met nothing: %+v", res.Seen)
	}
	if k := e.Keys[0]; k.To < e.Strikes[0].To || k.Ended.Cause != checker.Unrecorded {
		t.Errorf("c1 was cut off until %s, and its lock ended at %s: %v", e.Strikes[0].To, k.To, k.Ended)
	}
	if k := e.Keys[1]; k.Ended.Cause != checker.Deleted || k.Ended.Client != 1 {
		t.Errorf("c2's lock ended so: %+v", k.Ended)
	}
}

// advisoryAdapter is PostgreSQL's advisory lock on a connection of its own. A release that is not answered soon ends the connection.
func advisoryAdapter() {
	var c *pgConn
	address, nth := "", 0
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		begin := Monotonic()
		l, _ := parseLine(lines.Text())
		said, token := "no", fmt.Sprint(os.Getpid(), "-", nth)
		switch l.verb {
		case "start":
			address = l.value("servers")
			fmt.Println("0 ready")
			continue
		case "acquire":
			nth++
			token = fmt.Sprint(os.Getpid(), "-", nth)
			if c == nil {
				c, _ = dialPostgres("tcp", address, func(*pgConn) {})
			}
			if a, err := c.query("SET application_name TO '" + token + "'; SELECT pg_try_advisory_lock(7)"); err == nil && a.rows[0][0] == "t" {
				said = "yes left=told"
			}
		case "release":
			stuck := time.AfterFunc(100*time.Millisecond, func() { _ = c.conn.Close() })
			if _, err := c.query("SELECT pg_advisory_unlock(7)"); err == nil {
				said = "yes"
			}
			stuck.Stop()
		}
		fmt.Printf("%d %s begin=%d end=%d token=%s\n", l.id, said, begin, Monotonic(), token)
	}
}
