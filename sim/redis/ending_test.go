package redis

import (
	"fmt"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// endings lists why the keys of a node went.
func endings(n *Node) (all []string) {
	for _, s := range n.Spans() {
		all = append(all, fmt.Sprintf("%s %v: %d by %d, blamed %d, gained %v", s.Value, s.To, s.Ended.Cause, s.Ended.By, s.Ended.Blamed, s.Ended.Gained))
	}
	return all
}

func TestAKeyThatEndsAtItsDeadlineExpired(t *testing.T) {
	r := once(t, Config{Watch: "k"})
	r.expect("OK", "SET k a NX PX 100")
	r.at(200 * time.Millisecond)
	r.expect("OK", "SET k b NX PX 100")
	r.at(400 * time.Millisecond) // no command looks again
	want := []string{
		fmt.Sprintf("a 0.101s: %d by -1, blamed -1, gained 0s", Expired), fmt.Sprintf("b 0.301s: %d by -1, blamed -1, gained 0s", Expired)}
	if got := endings(r.nodes[0]); !equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAJumpOverTheDeadlineIsNamed(t *testing.T) {
	r := once(t, Config{Watch: "k"})
	r.expect("OK", "SET k a NX PX 100")
	r.at(50 * time.Millisecond)
	r.world.Blame(7, func() { r.step(time.Second) })
	r.expect("OK", "SET k b NX PX 100")
	r.at(60 * time.Millisecond)
	r.world.Blame(8, func() { r.step(10 * time.Millisecond) }) // not over the deadline
	r.at(400 * time.Millisecond)
	r.expect(nil, "GET k")
	want := []string{
		fmt.Sprintf("a 0.05s: %d by -1, blamed 7, gained 1s", Stepped), fmt.Sprintf("b 0.141s: %d by -1, blamed 8, gained 10ms", Expired)}
	if got := endings(r.nodes[0]); !equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// The clock's gain before the deadline was reset no longer counts.
func TestExtensionRestartsTheCount(t *testing.T) {
	r := once(t, Config{Watch: "k"})
	r.expect("OK", "SET k a NX PX 1000")
	r.at(50 * time.Millisecond)
	r.step(100 * time.Millisecond)
	r.expect(int64(1), "PEXPIRE k 1000")
	r.at(3 * time.Second)
	if got, want := endings(r.nodes[0]), []string{fmt.Sprintf("a 1.051s: %d by -1, blamed -1, gained 0s", Expired)}; !equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestForgottenKeysEndWhenTheNodeIsBack(t *testing.T) {
	for name, c := range map[string]Config{"none": {Watch: "k"}, "everysec": {Watch: "k", Persistence: AOFEverySecond}} {
		t.Run(name, func(t *testing.T) {
			r := once(t, c)
			r.synced()
			r.at(10 * time.Millisecond)
			r.expect("OK", "SET k a NX PX 1000")
			r.at(50 * time.Millisecond)
			r.world.Blame(3, r.power)
			r.at(60 * time.Millisecond)
			r.world.Blame(4, r.restart)
			r.expect("OK", "SET k b NX PX 1000")
			r.power()
			r.at(3 * time.Second)
			r.restart()
			want := []string{fmt.Sprintf("a 0.06s: %d by -1, blamed 3, gained 0s", Lost), fmt.Sprintf("b 1.061s: %d by -1, blamed -1, gained 0s", Expired)}
			if got := endings(r.nodes[0]); !equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

func TestACommandThatEndsAKeyIsItsClients(t *testing.T) {
	for name, c := range map[string]struct {
		end   []string
		cause Cause
	}{
		"DEL":     {words("DEL k"), Deleted},
		"script":  {[]string{"EVALSHA", Scripts[0].sha, "1", "k", "a"}, Deleted},
		"PEXPIRE": {words("PEXPIRE k 0"), Deleted},
		"flush":   {words("FLUSHALL"), Deleted},
		"SET":     {words("SET k b PX 100"), Overwritten},
	} {
		t.Run(name, func(t *testing.T) {
			w, n := sim.New(sim.Config{}), NewNode()
			defer n.Close()
			defer w.Close()
			n.Attach(w.AddHost("n1", n, 0, 0), Config{Watch: "k"})
			for i := range 2 {
				w.AddHost(fmt.Sprint("c", i+1), nil, 0, 0).Go("p", func(p *sim.Proc) {
					command := words("SET k a NX PX 10000")
					if i == 1 {
						p.Sleep(time.Second)
						command = c.end
					}
					_, _ = p.Call(0, words("SCRIPT LOAD x"), time.Minute)
					_, _ = p.Call(0, append([]string{"EVAL", Scripts[0].Text}, "1", "none", "x"), time.Minute)
					_, _ = p.Call(0, command, time.Minute)
				})
			}
			w.Run()
			e := n.Spans()[0].Ended
			if want := (Ending{Cause: c.cause, By: 2, Blamed: -1}); e != want {
				t.Errorf("got %+v, want %+v", e, want)
			}
		})
	}
}

func TestAReplicaDoesWhatItsMasterDid(t *testing.T) {
	r := newRingFor(t, 2, lag(0)).observed()
	r.expect(ms, 1, "OK", "SET k a NX PX 10000")
	r.expect(10*ms, 1, int64(1), "DEL k")
	r.expect(20*ms, 1, "OK", "SET k b NX PX 10000")
	r.until(time.Second)
	master, replica := r.nodes[0].Spans(), r.nodes[1].Spans()
	if master[0].Ended.Cause != Deleted || replica[0].Ended.Cause != Copied || master[1].Ended != (Ending{}) {
		t.Errorf("master %+v, replica %+v", master, replica)
	}
}

// The new master never had the key.
func TestAKeyThatTheNextMasterDoesNotHaveIsSuperseded(t *testing.T) {
	n := NewNode()
	defer n.Close()
	r := rigWith(t, []*Node{n, NewNode()}, Config{Watch: "k"}, Config{Watch: "k"})
	defer r.close()
	r.expect("OK", "SET k a NX PX 10000")
	r.at(time.Second)
	lives := Lives([]Term{{0, 0, clock.Instant(500 * time.Millisecond)}, {1, clock.Instant(500 * time.Millisecond), clock.Forever}}, r.nodes)
	if len(lives) != 1 || lives[0].To != clock.Instant(500*time.Millisecond) || lives[0].Ended.Cause != Superseded {
		t.Errorf("got %+v", lives)
	}
}
