package redis

import (
	"fmt"
	"testing"
	"time"

	"github.com/lockstorm/lockstorm/clock"
	"github.com/lockstorm/lockstorm/sim"
)

// A desk is a world with servers and clients whose calls a test plans. A message takes 100 µs.
type desk struct {
	*sim.World
	nodes []*Node
	said  []string // what was answered, and when
}

// newDesk makes a desk with a node for each configuration.
func newDesk(t *testing.T, configs ...Config) *desk {
	exactly := func(d time.Duration) sim.Range { return sim.Range{Min: d, Max: d} }
	d := &desk{World: sim.New(sim.Config{Step: exactly(1), Latency: exactly(100 * time.Microsecond), Serve: exactly(1)})}
	t.Cleanup(d.Close)
	for i := range configs {
		n := NewNode()
		t.Cleanup(n.Close)
		d.nodes = append(d.nodes, n)
		d.AddHost(fmt.Sprint("n", i+1), n, 0, 0)
	}
	for i, c := range configs {
		d.nodes[i].Attach(d.Hosts()[i], c)
	}
	return d
}

// call has a new client send a command to the first node at a moment, and wait for a minute.
func (d *desk) call(at time.Duration, command string) {
	h := d.AddHost(fmt.Sprint("c", len(d.Hosts())), nil, 0, 0)
	h.Go("main", func(p *sim.Proc) {
		p.Sleep(at)
		reply, err := p.Call(0, words(command), time.Minute)
		d.said = append(d.said, fmt.Sprint(command, ": ", reply, " ", err, " ", d.Now().Sub(0).Truncate(100*time.Millisecond)))
	})
}

// stall has the disk of the first node stall.
func (d *desk) stall(from, to time.Duration) {
	h := d.Hosts()[0]
	d.At(clock.Instant(from), h.StallDisk)
	d.At(clock.Instant(to), h.FreeDisk)
}

func (d *desk) answers(t *testing.T, want ...string) {
	t.Helper()
	if end := d.Run(); end != sim.Finished {
		t.Errorf("the run ended: %v", end)
	}
	if !equal(d.said, want) {
		t.Errorf("got\n%q\nwant\n%q", d.said, want)
	}
}

// Redis syncs in the thread that serves all clients, after the commands and before their replies. So a command that
// changes nothing is answered, until a change must be synced; then no command is.
func TestAlwaysSyncingServerStopsWhileItsDiskStalls(t *testing.T) {
	d := newDesk(t, Config{Persistence: AOFAlways})
	d.stall(time.Second, 9*time.Second)
	d.call(500*time.Millisecond, "SET k a NX PX 60000")
	d.call(2*time.Second, "GET k")
	d.call(3*time.Second, "SET k b NX PX 60000") // which changes nothing
	d.call(4*time.Second, "DEL k")
	d.call(5*time.Second, "GET k")
	d.call(6*time.Second, "SET k c NX PX 60000")
	d.answers(t, "SET k a NX PX 60000: OK <nil> 500ms", "GET k: a <nil> 2s", "SET k b NX PX 60000: <nil> <nil> 3s",
		"DEL k: 1 <nil> 9s", "GET k: <nil> <nil> 9s", "SET k c NX PX 60000: OK <nil> 9s")
}

// A key that expires is logged as deleted, as Redis does.
func TestAKeyThatExpiresIsSyncedToo(t *testing.T) {
	d := newDesk(t, Config{Persistence: AOFAlways})
	d.stall(time.Second, 9*time.Second)
	d.call(0, "SET k a NX PX 2000")
	d.call(1500*time.Millisecond, "GET k")
	d.call(4*time.Second, "GET k")
	d.answers(t, "SET k a NX PX 2000: OK <nil> 0s", "GET k: a <nil> 1.5s", "GET k: <nil> <nil> 9s")
}

// With nothing to sync, no client waits.
func TestAServerWithoutALogDoesNotNoticeItsDisk(t *testing.T) {
	d := newDesk(t, Config{})
	d.stall(time.Second, 9*time.Second)
	d.call(2*time.Second, "SET k a NX PX 60000")
	d.answers(t, "SET k a NX PX 60000: OK <nil> 2s")
}

// The first write in a second begins a sync in another thread, which does not end. The second waits in memory, and is
// answered; the server waits until two more seconds have begun, at 6 s, and then writes, which waits for the sync.
func TestEverySecondServerContinuesForUpToTwoSeconds(t *testing.T) {
	d := newDesk(t, Config{Persistence: AOFEverySecond})
	d.stall(time.Second, 9*time.Second)
	d.call(3*time.Second, "SET first a")
	d.call(4700*time.Millisecond, "SET second a")
	d.call(5900*time.Millisecond, "SET third a")
	d.call(6100*time.Millisecond, "GET third")
	d.answers(t, "SET first a: OK <nil> 3s", "SET second a: OK <nil> 4.7s", "SET third a: OK <nil> 5.9s", "GET third: a <nil> 9s")
}

// No client notices a sync that is late by less than that.
func TestAShortStallIsNotNoticedBySyncsEachSecond(t *testing.T) {
	d := newDesk(t, Config{Persistence: AOFEverySecond})
	d.stall(3*time.Second, 4900*time.Millisecond)
	var want []string
	for i := range 20 {
		moment := time.Duration(30+2*i) * 100 * time.Millisecond
		d.call(moment, "SET k "+fmt.Sprint(i))
		want = append(want, fmt.Sprint("SET k ", i, ": OK <nil> ", moment))
	}
	d.answers(t, want...)
	late := newDesk(t, Config{Persistence: AOFEverySecond}) // the same with one more second
	late.stall(3*time.Second, 6900*time.Millisecond)
	late.call(3*time.Second, "SET k 0")
	late.call(3200*time.Millisecond, "SET k 1")
	late.call(5200*time.Millisecond, "GET k")
	late.answers(t, "SET k 0: OK <nil> 3s", "SET k 1: OK <nil> 3.2s", "GET k: 1 <nil> 6.9s")
}

// A power failure loses everything since the disk stalled, however long ago.
func TestPowerFailureLosesAllSinceTheDiskStalled(t *testing.T) {
	for _, c := range []struct {
		freed bool
		want  any
	}{{false, nil}, {true, "b"}} {
		r := once(t, Config{Persistence: AOFEverySecond})
		r.expect("OK", "SET k a NX PX 60000")
		r.expect("OK", "SET other x")
		r.at(2 * time.Second)
		r.all((*sim.Host).StallDisk)
		r.at(2100 * time.Millisecond)
		r.expect("OK", "SET late b NX PX 90000")
		r.at(45 * time.Second)
		if c.freed {
			r.all((*sim.Host).FreeDisk)
			r.pass(20 * time.Millisecond)
		}
		r.power()
		r.restart()
		r.expect("a", "GET k")
		r.expect(c.want, "GET late")
	}
}

// Redis answers when it has synced, so what was acknowledged is on the disk.
func TestAServerThatSyncsAlwaysKeepsWhatItAcknowledged(t *testing.T) {
	d := newDesk(t, Config{Persistence: AOFAlways})
	d.stall(time.Second, 20*time.Second)
	h := d.Hosts()[0]
	d.At(clock.Instant(5*time.Second), func() { h.Crash(true) })
	d.At(clock.Instant(6*time.Second), h.Restart)
	d.call(500*time.Millisecond, "SET k a NX PX 60000")
	d.call(4*time.Second, "SET j a NX PX 60000") // waits for the disk, and is never answered
	d.call(7*time.Second, "GET k")               // the server has nothing to sync any more
	d.answers(t, "SET k a NX PX 60000: OK <nil> 500ms", "GET k: a <nil> 7s", "SET j a NX PX 60000: <nil> no reply in time 1m4s")
}

// A replica that syncs always acknowledges when its disk has what the master sent, and a master sends when its own has.
func TestWAITWaitsForDisks(t *testing.T) {
	group := Replication{Group: []int{0, 1}, Master: 0}
	for stalled, want := range []string{"WAIT 1 0: 1 <nil> 9s", "WAIT 1 0: 1 <nil> 9s"} {
		d := newDesk(t, Config{Persistence: AOFAlways, Replication: group}, Config{Persistence: AOFAlways, Replication: group})
		h := d.Hosts()[stalled]
		d.At(0, h.StallDisk)
		d.At(clock.Instant(9*time.Second), h.FreeDisk)
		c := d.AddHost("c", nil, 0, 0)
		c.Go("main", func(p *sim.Proc) {
			p.Sleep(time.Second)
			p.Call(0, words("SET k a NX PX 60000"), time.Minute)
			reply, err := p.Call(0, words("WAIT 1 0"), time.Minute)
			d.said = append(d.said, fmt.Sprint("WAIT 1 0: ", reply, " ", err, " ", d.Now().Sub(0).Truncate(100*time.Millisecond)))
		})
		d.answers(t, want)
	}
}
